#include "policy/gates/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "policy/needs.h"

namespace handrail::policy::gates {
namespace {

using catalog::Tier;

std::string_view word(GrantTier tier) {
  switch (tier) {
    case GrantTier::read: return "read";
    case GrantTier::click: return "click";
    case GrantTier::full: return "full";
  }
  return "read";
}

// Nothing: any grant will do, and none is needed.
std::optional<GrantTier> grant_for(Tier tier) {
  switch (tier) {
    case Tier::none: return std::nullopt;
    case Tier::read: return GrantTier::read;
    case Tier::click: return GrantTier::click;
    case Tier::full: return GrantTier::full;
  }
  return GrantTier::full;
}

// "Terminal at the end of the drag"
std::string place(const TargetFacts& target) {
  const std::string& name = target.standing.app.name;
  const std::string who = name.empty() ? "what is there" : name;
  return target.role.empty() ? who : fmt::format("{} ({})", who, target.role);
}

std::string_view not_an_app(ReceiverKind kind) {
  switch (kind) {
    case ReceiverKind::nobody: return "No window would receive it";
    case ReceiverKind::root: return "It would go to the desktop's background";
    case ReceiverKind::window_manager: return "It would go to a window's frame or a menu of the window manager";
    case ReceiverKind::panel: return "It would go to a panel or a dock";
    case ReceiverKind::app:
    case ReceiverKind::unknown: break;
  }
  return "It would go to something that is not an app";
}

// Whether the plan has a target at all.
bool reaches_an_app(const Plan& plan) {
  const std::vector<Need> needs = needs_of(plan);
  return std::any_of(needs.begin(), needs.end(), [](const Need& need) { return need.tier != Tier::none; });
}

Verdict refuse(const TargetFacts& target) {
  const AppClass& app = target.standing.app;
  const AppIdentity& identity = target.receiver.app;
  const std::string role = target.role.empty() ? "the target" : target.role;
  switch (target.standing.kind) {
    case StandingKind::not_an_app: {
      const bool nobody = target.receiver.kind == ReceiverKind::nobody || target.receiver.kind == ReceiverKind::root;
      if (target.role == kKeyboardFocus && nobody) {
        return deny(Code::access_denied, "No window has the keyboard focus, so no app would receive the keys.",
                    "Click into the window that should receive them (`click`, for example at [640, 400] of the last "
                    "screenshot), then repeat the call. `focus_window` gives it the focus without a click.");
      }
      return deny(
          Code::access_denied, fmt::format("{} ({}), which is never granted.", not_an_app(target.receiver.kind), role),
          "Look again and choose a place inside a window of a granted app. `open_app` starts an app without a click "
          "on the desktop. `focus_window` brings a window to the front without one.");
    }
    case StandingKind::unidentified:
      if (target.receiver.grabbed) {
        return deny(
            Code::access_denied,
            fmt::format("Another program holds the pointer or the keyboard, so nobody can tell what {} would reach.",
                        role),
            "Look again; close the menu or dialog that holds them, or wait until it has gone.");
      }
      if (app.runs_others && identity.known()) {
        return deny(Code::access_denied,
                    fmt::format("{} ({}) runs a program that cannot be told, so it is never granted.", app.name, role),
                    "Use an app that is installed as one; ask the person to start it from its menu entry.");
      }
      return deny(Code::access_denied,
                  fmt::format("Nobody can tell which program owns {}, so it is not granted.", role),
                  "Look again and choose a window of a granted app.");
    case StandingKind::denied:
      return deny(Code::access_denied, fmt::format("{} is denied to agents.", place(target)),
                  app.for_good
                      ? "It is never granted; ask the person to do this part."
                      : "Do not ask for it and do not work round it; only the owner of this desktop can allow it, "
                        "in the config file.");
    case StandingKind::not_granted:
      if (identity.replaced) {
        return deny(
            Code::access_denied,
            fmt::format("The program file of {} was replaced while it ran, so its grant no longer holds.",
                        place(target)),
            fmt::format("Have the app started again, then call request_access with app \"{}\".", app_id(identity)));
      }
      return deny(Code::access_denied, fmt::format("{} is not granted.", place(target)),
                  fmt::format("Call request_access with app \"{}\" and the tier that you need.", app_id(identity)));
    case StandingKind::own:
    case StandingKind::granted: break;
  }
  return allow();
}

}  // namespace

Verdict own_windows(const UseFacts& facts) {
  for (const TargetFacts& target : facts.targets) {
    if (target.standing.kind != StandingKind::own && !target.receiver.app.own) continue;
    return deny(Code::gate_refused, "It would go to a window of Handrail itself, which only a person may use.",
                "Wait until the person has answered; do not try to reach it in another way.");
  }
  return allow();
}

Verdict target_granted(const UseFacts& facts) {
  for (const TargetFacts& target : facts.targets) {
    if (target.needs == Tier::none) continue;
    if (Verdict verdict = refuse(target); verdict.judgement != Judgement::allow) return verdict;
  }
  if (facts.targets.empty() && reaches_an_app(facts.plan)) {
    return deny(Code::access_denied, "Nobody could tell which app would receive it, so it is not granted.",
                "Look again, then repeat the call.");
  }
  return allow();
}

Verdict tier(const UseFacts& facts) {
  for (const TargetFacts& target : facts.targets) {
    const auto needed = grant_for(target.needs);
    if (!needed || !target.standing.granted() || target.standing.tier >= *needed) continue;
    const AppClass& app = target.standing.app;
    const bool can_be_raised = app.most >= *needed;
    return deny(
        Code::access_denied,
        fmt::format("{} is granted at tier {}, and this needs {}.", place(target), word(target.standing.tier),
                    word(*needed)),
        fmt::format("Do not route round it by scripts, the clipboard or other apps. {}",
                    can_be_raised
                        ? fmt::format("Call request_access with app \"{}\" and tier \"{}\", or ask the person to do "
                                      "this part.",
                                      app_id(target.receiver.app), word(*needed))
                        : fmt::format("{} is the most that it can be granted; ask the person to do this part.",
                                      word(app.most))));
  }
  return allow();
}

}  // namespace handrail::policy::gates
