#include "actions/system.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/context.h"
#include "actions/observe.h"
#include "base/counted.h"
#include "base/nearest.h"
#include "base/one_line.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::NoResult;
using catalog::Tier;
using catalog::Touches;

constexpr std::size_t kMostText = 400;

Result<Outcome> run_state(ActionContext& context, const NoParams&) {
  const SystemState state = TRY(context.system_state());
  SystemRow row;
  row.time = state.time;
  row.time_zone = state.time_zone;
  if (state.battery) {
    row.battery_percent = state.battery->percent;
    row.battery_state = state.battery->state;
  }
  row.load = state.load;
  row.processors = state.processors;
  row.memory_total = state.memory_total;
  row.memory_available = state.memory_available;
  row.uptime_seconds = state.uptime;
  row.locked = state.locked;
  row.brightness = state.brightness;
  Outcome outcome = observed(describe::encode(row));
  constexpr double kMega = 1e6;
  outcome.text =
      fmt::format("It is {} ({}). Load {:.2f} on {} processor(s), {:.0f} of {:.0f} MB available.", row.time,
                  one_line(row.time_zone), row.load, row.processors, static_cast<double>(row.memory_available) / kMega,
                  static_cast<double>(row.memory_total) / kMega);
  outcome.text += state.battery ? fmt::format(" Battery {:.0f} percent, {}.", state.battery->percent,
                                              one_line(state.battery->state))
                                : " No battery.";
  if (state.locked) outcome.text += *state.locked ? " The screen is locked." : " The screen is not locked.";
  return outcome;
}

Result<Outcome> run_notify(ActionContext& context, const Notify& notify) {
  ChangeSystem plan;
  plan.title = notify.title;
  plan.text = notify.text;
  return context.perform(plan);
}

Result<Outcome> run_list_notifications(ActionContext& context, const NoParams&) {
  const NotificationsSeen seen = TRY(context.notifications());
  NotificationsResult result{seen.since, {}, seen.hidden};
  Outcome outcome;
  std::string lines;
  for (const Notification& each : seen.all) {
    result.notifications.push_back({each.time, each.app, each.title, shortened(each.text, kMostText)});
    lines += fmt::format("{} {} {}: {}\n", each.time, quoted(each.app, 60), quoted(each.title, 120),
                         quoted(each.text, kMostText));
  }
  outcome = observed(describe::encode(result));
  outcome.text = fmt::format("{} since {}.", counted(seen.all.size(), "notification"), seen.since);
  if (seen.hidden > 0) outcome.text += fmt::format(" {} more came from apps that are not granted.", seen.hidden);
  outcome.untrusted = std::move(lines);
  return outcome;
}

Result<Outcome> run_brightness(ActionContext& context, const SetBrightness& set) {
  ChangeSystem plan;
  plan.verb = SystemVerb::set_brightness;
  plan.percent = set.percent;
  return context.perform(plan);
}

Result<Outcome> run_lock(ActionContext& context, const NoParams&) {
  ChangeSystem plan;
  plan.verb = SystemVerb::lock_screen;
  return context.perform(plan);
}

Result<Outcome> run_check(ActionContext& context, const NoParams&) {
  PermissionsResult result;
  std::string missing;
  for (const Facility& each : TRY(context.facilities())) {
    result.facilities.push_back({each.name, each.there, each.needed, each.found, each.fix});
    if (!each.there && each.needed) missing += fmt::format(" {}: {}. {}", each.name, each.found, each.fix);
  }
  result.complete = missing.empty();
  Outcome outcome = observed(describe::encode(result));
  outcome.text = missing.empty() ? "Everything is there." : "Missing:" + missing;
  return outcome;
}

Result<Outcome> run_setup(ActionContext& context, const NoParams&) {
  ChangeSystem plan;
  plan.verb = SystemVerb::enable_accessibility;
  return context.perform(plan);
}

constexpr std::array kNone{Example{"Ask.", "{}"}};
constexpr std::array kDo{Example{"Do it.", "{}"}};
constexpr std::array kNotify{Example{"Tell the person.", R"({"title": "Done", "text": "The report is saved."})"}};
constexpr std::array kBrightness{Example{"Half as bright.", R"({"percent": 50})"}};

constexpr std::array kSystemActions{
    action<NoParams, SystemRow, run_state>("system_state", Category::system, Touches::nothing, Tier::none,
                                           Capability::none, "Tell time, battery, load, memory and screen lock.",
                                           kNone),
    action<Notify, NotifyResult, run_notify>("notify", Category::system, Touches::system, Tier::none,
                                             Capability::notifications, "Show a notification to the person.", kNotify),
    action<NoParams, NotificationsResult, run_list_notifications>(
        "list_notifications", Category::system, Touches::nothing, Tier::none, Capability::services,
        "List the notifications that came since Handrail listens.", kNone),
    action<SetBrightness, SetBrightness, run_brightness>("set_brightness", Category::system, Touches::system,
                                                         Tier::none, Capability::brightness,
                                                         "Set the brightness of the screen.", kBrightness),
    action<NoParams, NoResult, run_lock>("lock_screen", Category::system, Touches::system, Tier::none,
                                         Capability::screen_lock, "Lock the screen; only a person can unlock it.", kDo),
    action<NoParams, PermissionsResult, run_check>(
        "check_permissions", Category::system, Touches::nothing, Tier::none, Capability::none,
        "Tell what the work rests on and what is missing, each with the fix.", kNone),
    action<NoParams, SetupResult, run_setup>("setup", Category::system, Touches::system, Tier::none,
                                             Capability::services,
                                             "Switch accessibility on for the session and wait until it is up.", kDo),
};

}  // namespace

std::span<const catalog::ActionSpec> system_actions() { return kSystemActions; }

}  // namespace handrail::actions
