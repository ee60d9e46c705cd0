// What belongs to the session and to no app: its state, notifications, brightness, lock, and services on its bus.
#include <fmt/format.h>

#include <cstdlib>

#include "actions/services.h"
#include "base/nearest.h"
#include "engine/call_context.h"
#include "engine/permit_mint.h"

namespace handrail::engine {
namespace {

// A service that does not answer costs this much.
constexpr Millis kServicePatience{1800};
// The accessibility bus has to be started.
constexpr Millis kSetupPatience{10000};

Deadline in_time() { return Deadline::in(kServicePatience); }

}  // namespace

Result<std::vector<Workspace>> CallContext::workspaces() {
  auto* port = TRY(require(computer_.windows(), "window control"));
  return port->workspaces(in_time());
}

Result<App> CallContext::app_for(const std::string& file) {
  auto* port = TRY(require(computer_.apps(), "app launcher"));
  return port->app_for(file, in_time());
}

Result<SystemState> CallContext::system_state() {
  auto* port = TRY(require(computer_.system(), "system services"));
  return port->state(in_time());
}

Result<NotificationsSeen> CallContext::notifications() {
  System* system = TRY(require(computer_.system(), "system services"));
  Targets* targets = computer_.targets();
  NotificationsSeen seen = TRY(system->notifications(in_time()));
  // On a desktop that is nobody's there is nothing of a person's to keep from the agent.
  if (session_.settings().rules.nobodys_desktop) return seen;
  const std::size_t all = seen.all.size();
  std::erase_if(seen.all, [&](const Notification& each) {
    if (targets == nullptr || each.pid <= 0) return true;
    const auto owner = targets->of_process(each.pid, in_time());
    return !owner.ok() || (!owner->app.own && !shows(*owner));
  });
  seen.hidden = static_cast<int>(all - seen.all.size());
  return seen;
}

Result<std::vector<Facility>> CallContext::facilities() { return computer_.facilities(in_time()); }

Result<std::vector<AppCommand>> CallContext::app_commands(const Target& target) {
  Services* services = TRY(require(computer_.services(), "session bus"));
  TRY(must_be_granted(target.pid));
  return services->commands({target.pid}, in_time());
}

Result<std::int64_t> CallContext::service_owner(const std::string& name) {
  auto* port = TRY(require(computer_.services(), "session bus"));
  return port->owner(name, in_time());
}

Result<Outcome> CallContext::execute(const ChangeSystem& change) {
  System* system = TRY(require(computer_.system(), "system services"));
  const auto outcome_of = [](bool seen, std::string text) {
    Outcome outcome = acted(Route::system, Delivery::background,
                            seen ? std::vector{Evidence::value_readback} : std::vector<Evidence>{});
    outcome.text = std::move(text);
    return outcome;
  };
  switch (change.verb) {
    case SystemVerb::notify: {
      const std::uint32_t id = TRY(system->notify(change.title, change.text, PermitMint::mint({}), in_time()));
      Outcome outcome = outcome_of(id != 0, fmt::format("The notification service shows it as number {}.", id));
      outcome.data = {{"id", id}};
      return outcome;
    }
    case SystemVerb::set_brightness: {
      const int now = TRY(system->set_brightness(change.percent, PermitMint::mint({}), in_time()));
      Outcome outcome =
          outcome_of(std::abs(now - change.percent) <= 1, fmt::format("The brightness is {} percent.", now));
      if (outcome.effect != Effect::confirmed) outcome.effect = Effect::partial;
      outcome.data = {{"percent", now}};
      return outcome;
    }
    case SystemVerb::lock_screen: {
      const bool locked = TRY(system->lock(PermitMint::mint({}), in_time()));
      return outcome_of(locked, locked ? "The screen is locked." : "The screen was asked to lock; it does not say so.");
    }
    case SystemVerb::enable_accessibility: break;
  }
  const bool was_on = TRY(system->enable_accessibility(PermitMint::mint({}), Deadline::in(kSetupPatience)));
  Outcome outcome = outcome_of(true, was_on ? "Accessibility is on, and its bus answers."
                                            : "Accessibility was off and is on now; its bus answers. Apps that run "
                                              "already may have to be restarted before they show their elements.");
  outcome.data = {{"was_enabled", was_on}};
  return outcome;
}

Result<Outcome> CallContext::execute(const CallService& call) {
  Services* services = TRY(require(computer_.services(), "session bus"));
  const std::string answer = TRY(services->call(call, PermitMint::mint({}), in_time()));
  return actions::answered(call, answer);
}

}  // namespace handrail::engine
