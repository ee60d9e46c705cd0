#include "platform/linux/system.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cmath>

#include "platform/linux/accessibility_switch.h"
#include "platform/linux/machine_state.h"
#include "platform/linux/notifier.h"
#include "platform/linux/process_table.h"
#include "platform/linux/service_bus.h"

namespace handrail::linux_ {
namespace {

constexpr const char* kNotifications = "org.freedesktop.Notifications";
constexpr const char* kNotificationsPath = "/org/freedesktop/Notifications";
constexpr const char* kSaver = "org.freedesktop.ScreenSaver";
constexpr const char* kSaverPath = "/org/freedesktop/ScreenSaver";
constexpr const char* kLogin = "org.freedesktop.login1";
constexpr const char* kOwnSession = "/org/freedesktop/login1/session/auto";
constexpr const char* kSessionInterface = "org.freedesktop.login1.Session";
// What the manifest may cost, and what is worth knowing of the lock.
constexpr Millis kGlance{600};
// A screen locker comes a moment after it was asked for; logind tells nobody outside when.
constexpr Millis kLockFollows{800};
constexpr int kAskAgainMs = 20;
constexpr std::int32_t kShownMs = 8000;
// What Handrail itself tells comes under its own name; an agent's words do not.
constexpr const char* kAgent = "Agent (through Handrail)";

constexpr const char* kNoNotifications = "a notification service on the session bus";
constexpr const char* kGetNotifications = "Start one, such as dunst (sudo apt install dunst).";

Error lacks(const std::string& what, const std::string& fix) {
  return make_error(Code::capability_unsupported, fmt::format("This desktop lacks {}.", what)).with_hint(fix);
}

BusMethod session_method(const char* method, std::string signature = {}, Json arguments = Json::array()) {
  return {kLogin, kOwnSession, kSessionInterface, method, std::move(signature), std::move(arguments)};
}

// `then`, unless nobody is there.
template <class T>
Result<T> absent_as(Result<T> result, const std::string& what, const std::string& fix) {
  if (!result.ok() && result.error().code == Code::not_found) return lacks(what, fix);
  return result;
}

}  // namespace

std::optional<bool> LinuxSystem::locked(Deadline deadline) {
  const auto address = parts_.session_bus();
  if (address.ok() && !address->empty()) {
    if (auto bus = ServiceBus::connect(*address, deadline); bus.ok()) {
      const auto active = bus->call({kSaver, kSaverPath, kSaver, "GetActive"}, deadline);
      if (active.ok() && !active->empty() && active->at(0).is_boolean()) return active->at(0).get<bool>();
    }
  }
  if (parts_.embedded) return std::nullopt;
  auto bus = ServiceBus::connect(parts_.system_bus, deadline);
  if (!bus.ok()) return std::nullopt;
  const auto hint = bus->call({kLogin, kOwnSession, "org.freedesktop.DBus.Properties", "Get", "ss",
                               Json::array({kSessionInterface, "LockedHint"})},
                              deadline);
  if (hint.ok() && !hint->empty() && hint->at(0).is_boolean()) return hint->at(0).get<bool>();
  return std::nullopt;
}

Result<SystemState> LinuxSystem::state(Deadline deadline) {
  SystemState state = read_machine(parts_.sys);
  if (parts_.embedded) state.brightness.reset();
  state.locked = locked(deadline.within(kGlance));
  return state;
}

Result<std::uint32_t> LinuxSystem::notify(const std::string& title, const std::string& text, Permit permit,
                                          Deadline deadline) {
  const Permit spent(std::move(permit));
  const std::string address = TRY(parts_.session_bus());
  ServiceBus bus = TRY(ServiceBus::connect(address, deadline));
  BusMethod method{kNotifications,   kNotificationsPath, kNotifications, "Notify", "susssasa{sv}i", {},
                   StartService::yes};
  method.arguments = Json::array({kAgent, 0, "", title, without_markup(text), Json::array(), Json::object(), kShownMs});
  const Json answer = TRY(absent_as(bus.call(method, deadline), kNoNotifications, kGetNotifications));
  return answer.empty() || !answer.at(0).is_number_unsigned() ? 0U : answer.at(0).get<std::uint32_t>();
}

void LinuxSystem::listen() {
  const auto address = parts_.session_bus();
  if (!address.ok() || address->empty()) return;
  const std::lock_guard lock(mutex_);
  // An embedded desktop that was lost comes back with another bus.
  if (watch_ && heard_on_ == *address) return;
  heard_on_ = *address;
  watch_ = std::make_unique<NotificationWatch>(*address);
}

Result<NotificationsSeen> LinuxSystem::notifications(Deadline deadline) {
  listen();
  const std::lock_guard lock(mutex_);
  NotificationsSeen seen = watch_ ? watch_->seen(deadline) : NotificationsSeen{};
  for (Notification& each : seen.all) {
    // Its number may be another's by now.
    if (!is_alive({static_cast<pid_t>(each.pid), each.started})) each.pid = 0;
  }
  if (!seen.since.empty()) return seen;
  return lacks("a session bus that lets notifications be listened to",
               "Use a session whose message bus allows monitors, as dbus-daemon does.");
}

Result<int> LinuxSystem::set_brightness(int percent, Permit permit, Deadline deadline) {
  const Permit spent(std::move(permit));
  const auto light = parts_.embedded ? std::nullopt : read_backlight(parts_.sys);
  if (!light) return lacks("a backlight", "Use a machine whose screen has one in /sys/class/backlight.");
  ServiceBus bus = TRY(ServiceBus::connect(parts_.system_bus, deadline));
  const auto value = std::max(1L, std::lround(static_cast<double>(light->most) * percent / 100));
  TRY(absent_as(
      bus.call(session_method("SetBrightness", "ssu", Json::array({"backlight", light->name, value})), deadline),
      "logind, which sets the brightness", "Log in by systemd-logind or elogind."));
  const auto now = read_backlight(parts_.sys);
  return now ? now->percent() : 0;
}

Result<bool> LinuxSystem::lock(Permit permit, Deadline deadline) {
  const Permit spent(std::move(permit));
  Status asked = make_error(Code::not_found, "Nobody locks.");
  if (!parts_.embedded) {
    if (auto bus = ServiceBus::connect(parts_.system_bus, deadline.within(kGlance)); bus.ok()) {
      const auto done = bus->call(session_method("Lock"), deadline.within(kGlance));
      asked = done.ok() ? Status() : Status(done.error());
    }
  }
  if (!asked.ok()) {
    const std::string address = TRY(parts_.session_bus());
    ServiceBus bus = TRY(ServiceBus::connect(address, deadline));
    const BusMethod method{kSaver, kSaverPath, kSaver, "Lock", {}, Json::array(), StartService::yes};
    TRY(absent_as(bus.call(method, deadline), "a screen lock",
                  "Log in by systemd-logind, or start a screen saver that offers org.freedesktop.ScreenSaver."));
  }
  const Deadline until = deadline.within(kLockFollows);
  for (;;) {
    const std::optional<bool> now = locked(until);
    if (!now || *now || until.passed()) return now.value_or(false);
    // Screen savers tell when they lock, logind's lockers do not: both are asked.
    ::poll(nullptr, 0, kAskAgainMs);
  }
}

Result<bool> LinuxSystem::enable_accessibility(Permit permit, Deadline deadline) {
  const Permit spent(std::move(permit));
  const std::string address = TRY(parts_.session_bus());
  if (address.empty()) {
    return lacks("a session bus", "Log into a desktop session; DBUS_SESSION_BUS_ADDRESS is not set.");
  }
  return TRY(switch_accessibility_on(address, parts_.accessibility, deadline)).was_on;
}

void LinuxSystem::tell_lacks(Capabilities& capabilities) {
  const Deadline glance = Deadline::in(kGlance);
  const auto address = parts_.session_bus();
  auto bus = ServiceBus::connect(address.ok() ? *address : "", glance);
  if (!bus.ok()) {
    const std::string fix(bus.error().next_step());
    capabilities.lack(Capability::services, "a session bus", fix);
    capabilities.lack(Capability::notifications, "a session bus", fix);
  }
  const auto offered = [&](const char* name) {
    const auto there = bus.ok() ? bus->offered(name, glance) : Result<bool>(false);
    // Who does not say no may have it; the call itself tells.
    return !there.ok() || *there;
  };
  if (bus.ok() && !offered(kNotifications)) {
    capabilities.lack(Capability::notifications, kNoNotifications, kGetNotifications);
  }
  if (parts_.embedded || !read_backlight(parts_.sys)) {
    capabilities.lack(Capability::brightness, "a backlight",
                      "Use a machine whose screen has one in /sys/class/backlight.");
  }
  bool locks = bus.ok() && offered(kSaver);
  if (!locks && !parts_.embedded) {
    auto login = ServiceBus::connect(parts_.system_bus, glance);
    const auto owner = login.ok() ? login->owner(kLogin, glance) : Result<std::int64_t>(std::int64_t{0});
    locks = owner.ok() && *owner > 0;
  }
  if (!locks) {
    capabilities.lack(Capability::screen_lock, "a screen lock",
                      "Log in by systemd-logind, or start a screen saver that offers org.freedesktop.ScreenSaver.");
  }
}

}  // namespace handrail::linux_
