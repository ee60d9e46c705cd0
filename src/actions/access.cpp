#include "actions/access.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/context.h"
#include "actions/observe.h"
#include "base/counted.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::Tier;
using catalog::Touches;

AccessResult result_of(const Access& access) {
  AccessResult result;
  for (const Grant& grant : access.grants) {
    result.granted.push_back({grant.app, grant.tier, grant.source, grant.persist, {}, {}});
  }
  result.clipboard_read = access.flags.clipboard_read;
  result.clipboard_write = access.flags.clipboard_write;
  result.system_keys = access.flags.system_keys;
  result.files = access.flags.files;
  result.shell = access.flags.shell;
  return result;
}

void tell_lowered(AccessResult& result, const AppAnswer& answer) {
  for (GrantedApp& granted : result.granted) {
    if (granted.app != answer.grant) continue;
    granted.asked = answer.asked;
    granted.lowered = answer.reason;
  }
}

// A flag as it is asked for, whether it is granted now, and the owner's setting that grants it.
struct FlagAnswer {
  std::string_view name;
  std::string_view setting;
  bool granted;
};

std::vector<FlagAnswer> flag_answers(const RequestAccess& asked, const AccessResult& result) {
  std::vector<FlagAnswer> answers;
  const auto add = [&](bool wanted, FlagAnswer answer) {
    if (wanted) answers.push_back(answer);
  };
  add(asked.clipboard_read, {"clipboard_read", "clipboard_read", result.clipboard_read});
  add(asked.clipboard_write, {"clipboard_write", "clipboard_write", result.clipboard_write});
  add(asked.system_keys, {"system_keys", "system_keys", result.system_keys});
  add(asked.files, {"files", "files.allow", result.files});
  add(asked.shell, {"shell", "programs.allow", result.shell});
  return answers;
}

// "files and shell" of those that are granted, or that are not.
std::string listed(const std::vector<FlagAnswer>& answers, bool granted, std::string_view FlagAnswer::*what) {
  std::string text;
  for (const FlagAnswer& answer : answers) {
    if (answer.granted == granted) text += fmt::format("{}{}", text.empty() ? "" : " and ", answer.*what);
  }
  return text;
}

Result<Outcome> run_request(ActionContext& context, const RequestAccess& asked) {
  AccessRequest request{asked.apps, asked.reason, {}};
  request.flags.clipboard_read = asked.clipboard_read;
  request.flags.clipboard_write = asked.clipboard_write;
  request.flags.system_keys = asked.system_keys;
  request.flags.files = asked.files;
  request.flags.shell = asked.shell;
  const AccessReply reply = TRY(context.request_access(request));
  AccessResult result = result_of(reply.access);
  std::string reasons;
  for (const AppAnswer& answer : reply.answers) {
    if (!answer.reason.empty()) reasons += fmt::format(" {}: {}", answer.app, answer.reason);
    const bool all = answer.granted && answer.tier >= answer.asked;
    if (!all && !answer.lowered) result.denied.push_back({answer.app, answer.asked, answer.reason});
    if (answer.lowered) tell_lowered(result, answer);
  }
  Outcome outcome = acted(Route::system, Delivery::background, {Evidence::value_readback});
  // Less than was asked for is granted all the same.
  const auto apps = std::ranges::count_if(reply.answers, &AppAnswer::granted);
  const auto lowered = std::ranges::count_if(reply.answers, &AppAnswer::lowered);
  const std::vector<FlagAnswer> flags = flag_answers(asked, result);
  const std::string given = listed(flags, true, &FlagAnswer::name);
  const std::string refused = listed(flags, false, &FlagAnswer::name);
  const bool any = apps > 0 || !given.empty();
  if (!result.denied.empty() || lowered > 0 || !refused.empty()) {
    outcome.effect = any ? Effect::partial : Effect::refused;
  }
  if (!asked.apps.empty()) {
    outcome.text = fmt::format("{} of {} granted{}.", apps, asked.apps.size(),
                               lowered > 0 ? fmt::format(", {} of them with a lower tier", lowered) : "");
    if (any) outcome.text += reasons;
  }
  if (!result.denied.empty() && any) {
    outcome.text += " Tell the person which app is needed and why; do not work around it.";
  }
  const auto add = [&outcome](const std::string& text) { outcome.text += (outcome.text.empty() ? "" : " ") + text; };
  if (!given.empty()) add(fmt::format("Granted: {}.", given));
  if (!refused.empty()) {
    add(fmt::format("Not granted: {}. The owner can allow it in the config file by {}.", refused,
                    listed(flags, false, &FlagAnswer::setting)));
    reasons += fmt::format(" {} was asked for.", refused);
  }
  outcome.data = describe::encode(result);
  if (outcome.effect == Effect::refused) {
    outcome.failure = make_error(Code::access_denied, fmt::format("Nothing was granted.{}", reasons))
                          .with_hint(fmt::format("Tell the person {} and why; do not work around it.",
                                                 asked.apps.empty() ? "what is needed" : "which app is needed"));
  }
  return outcome;
}

Result<Outcome> run_list(ActionContext& context, const NoParams&) {
  const AccessResult result = result_of(context.access());
  Outcome outcome = observed(describe::encode(result));
  outcome.text = fmt::format("{} granted.", counted(result.granted.size(), "app"));
  for (const GrantedApp& grant : result.granted) {
    outcome.text += fmt::format(" {} ({}).", grant.app, describe::name_of(grant.tier));
  }
  return outcome;
}

constexpr std::array kRequest{
    Example{"Work in an editor.",
            R"({"apps": [{"app": "org.xfce.mousepad", "tier": "full"}], "reason": "Write the note you asked for."})"},
    Example{"Use files in granted folders.", R"({"files": true, "reason": "Put the report where you asked for it."})"},
};
constexpr std::array kNone{Example{"Ask.", "{}"}};

constexpr std::array kAccessActions{
    action<RequestAccess, AccessResult, run_request>("request_access", Category::permission, Touches::grants,
                                                     Tier::none, Capability::none,
                                                     "Ask the owner of the desktop for access to apps.", kRequest),
    action<NoParams, AccessResult, run_list>("list_grants", Category::permission, Touches::nothing, Tier::none,
                                             Capability::none, "List the apps that may be used, with their tiers.",
                                             kNone),
};

}  // namespace

Status check(const RequestAccess& asked) {
  const bool any_flag =
      asked.clipboard_read || asked.clipboard_write || asked.system_keys || asked.files || asked.shell;
  if (!asked.apps.empty() || any_flag) return {};
  return make_error(Code::argument_invalid, "`apps` is empty, and nothing else is asked for.")
      .with_field("apps", "at least one app, or a flag such as files");
}

std::span<const catalog::ActionSpec> access_actions() { return kAccessActions; }

}  // namespace handrail::actions
