#include "platform/linux/session_bus.h"

#include <fmt/format.h>
#include <poll.h>
#include <systemd/sd-bus.h>

#include <cstring>

namespace handrail::linux_ {
namespace {

constexpr const char* kBusName = "org.freedesktop.DBus";
constexpr const char* kBusPath = "/org/freedesktop/DBus";
constexpr const char* kAccessibilityName = "org.a11y.Bus";
constexpr const char* kAccessibilityPath = "/org/a11y/bus";
constexpr const char* kStatusInterface = "org.a11y.Status";
constexpr const char* kEnabled = "IsEnabled";

Error bus_error(std::string_view what, int result, const sd_bus_error* detail = nullptr) {
  const std::string why = detail && detail->message ? detail->message : std::strerror(-result);
  return make_error(result == -ETIMEDOUT ? Code::timeout : Code::backend_error, fmt::format("{}: {}", what, why));
}

struct CallError {
  sd_bus_error value{};
  ~CallError() { sd_bus_error_free(&value); }
};

struct Unref {
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
  void operator()(sd_bus_slot* slot) const { sd_bus_slot_unref(slot); }
};
using Message = std::unique_ptr<sd_bus_message, Unref>;
using Slot = std::unique_ptr<sd_bus_slot, Unref>;

int note_change(sd_bus_message*, void* changed, sd_bus_error*) {
  *static_cast<bool*>(changed) = true;
  return 0;
}

}  // namespace

void SessionBus::Closer::operator()(sd_bus* bus) const { sd_bus_flush_close_unref(bus); }

void SessionBus::bound_calls(Deadline deadline) {
  // Zero would mean the library's own default of 25 seconds.
  const auto left = std::max(Millis(1), deadline.left());
  sd_bus_set_method_call_timeout(bus_.get(), static_cast<std::uint64_t>(std::chrono::microseconds(left).count()));
}

Result<SessionBus> SessionBus::connect(const std::string& address, Deadline deadline) {
  sd_bus* raw = nullptr;
  if (const int made = sd_bus_new(&raw); made < 0) return bus_error("Cannot use D-Bus", made);
  SessionBus bus(raw);
  bus.bound_calls(deadline);
  int result = sd_bus_set_address(raw, address.c_str());
  if (result >= 0) result = sd_bus_set_bus_client(raw, 1);
  if (result >= 0) result = sd_bus_start(raw);
  const char* name = nullptr;
  // The greeting is answered now, so that success means a bus that works.
  if (result >= 0) result = sd_bus_get_unique_name(raw, &name);
  if (result < 0) return bus_error(fmt::format("Cannot reach the bus at {}", address), result);
  return bus;
}

Status SessionBus::set_activation_environment(const Environment& environment, Deadline deadline) {
  bound_calls(deadline);
  sd_bus_message* raw = nullptr;
  int result =
      sd_bus_message_new_method_call(bus_.get(), &raw, kBusName, kBusPath, kBusName, "UpdateActivationEnvironment");
  const Message request(raw);
  if (result >= 0) result = sd_bus_message_open_container(raw, 'a', "{ss}");
  for (const auto& [name, value] : environment) {
    if (result >= 0) result = sd_bus_message_append(raw, "{ss}", name.c_str(), value.c_str());
  }
  if (result >= 0) result = sd_bus_message_close_container(raw);
  CallError error;
  if (result >= 0) result = sd_bus_call(bus_.get(), raw, 0, &error.value, nullptr);
  if (result < 0) return bus_error("Cannot set the environment of the bus", result, &error.value);
  return {};
}

Status SessionBus::wait_for_name(const std::string& name, int owner_pidfd, Deadline deadline) {
  bound_calls(deadline);
  bool changed = true;
  sd_bus_slot* raw = nullptr;
  const std::string rule = fmt::format("type='signal',sender='{}',interface='{}',member='NameOwnerChanged',arg0='{}'",
                                       kBusName, kBusName, name);
  if (const int added = sd_bus_add_match(bus_.get(), &raw, rule.c_str(), note_change, &changed); added < 0) {
    return bus_error("Cannot watch names on the bus", added);
  }
  const Slot match(raw);
  for (;;) {
    if (changed) {
      changed = false;
      CallError error;
      sd_bus_message* reply = nullptr;
      const int owned = sd_bus_call_method(bus_.get(), kBusName, kBusPath, kBusName, "GetNameOwner", &error.value,
                                           &reply, "s", name.c_str());
      const Message owner(reply);
      if (owned >= 0) return {};
      if (!sd_bus_error_has_name(&error.value, "org.freedesktop.DBus.Error.NameHasNoOwner")) {
        return bus_error("Cannot ask the bus for names", owned, &error.value);
      }
    }
    const int handled = sd_bus_process(bus_.get(), nullptr);
    if (handled < 0) return bus_error("The bus is lost", handled);
    if (handled > 0) continue;
    pollfd waits[] = {{sd_bus_get_fd(bus_.get()), POLLIN, 0}, {owner_pidfd, POLLIN, 0}};
    if (::poll(waits, 2, static_cast<int>(deadline.left().count())) <= 0 && deadline.passed()) {
      return make_error(Code::timeout, fmt::format("Nobody owns {} on the bus in time.", name));
    }
    if (waits[1].revents != 0) {
      return make_error(Code::backend_error, fmt::format("The program that owns {} ended while it started.", name));
    }
  }
}

Result<std::optional<bool>> SessionBus::accessibility_enabled(Start start, Deadline deadline) {
  bound_calls(deadline);
  sd_bus_message* raw = nullptr;
  int result = sd_bus_message_new_method_call(bus_.get(), &raw, kAccessibilityName, kAccessibilityPath,
                                              "org.freedesktop.DBus.Properties", "Get");
  const Message request(raw);
  if (result >= 0) result = sd_bus_message_set_auto_start(raw, start == Start::yes ? 1 : 0);
  if (result >= 0) result = sd_bus_message_append(raw, "ss", kStatusInterface, kEnabled);
  CallError error;
  sd_bus_message* answer = nullptr;
  if (result >= 0) result = sd_bus_call(bus_.get(), raw, 0, &error.value, &answer);
  const Message reply(answer);
  int on = 0;
  if (result >= 0) result = sd_bus_message_read(answer, "v", "b", &on);
  if (result >= 0) return std::optional(on != 0);
  const bool nobody = sd_bus_error_has_name(&error.value, SD_BUS_ERROR_SERVICE_UNKNOWN) != 0 ||
                      sd_bus_error_has_name(&error.value, SD_BUS_ERROR_NAME_HAS_NO_OWNER) != 0;
  if (nobody && start == Start::no) return std::optional<bool>();
  Error failed = bus_error("Cannot ask whether accessibility is on", result, &error.value);
  return nobody ? std::move(failed).with_hint("Install it: sudo apt install at-spi2-core") : failed;
}

Status SessionBus::switch_accessibility(bool on, Deadline deadline) {
  bound_calls(deadline);
  bool changed = false;
  sd_bus_slot* raw = nullptr;
  const int added = sd_bus_match_signal(bus_.get(), &raw, kAccessibilityName, kAccessibilityPath,
                                        "org.freedesktop.DBus.Properties", "PropertiesChanged", note_change, &changed);
  if (added < 0) return bus_error("Cannot watch whether accessibility is on", added);
  const Slot match(raw);
  CallError error;
  const int set = sd_bus_set_property(bus_.get(), kAccessibilityName, kAccessibilityPath, kStatusInterface, kEnabled,
                                      &error.value, "b", on ? 1 : 0);
  if (set < 0) return bus_error("Cannot switch accessibility", set, &error.value);
  while (TRY(accessibility_enabled(Start::yes, deadline)) != on) {
    for (changed = false; !changed;) {
      const int handled = sd_bus_process(bus_.get(), nullptr);
      if (handled < 0) return bus_error("The bus is lost", handled);
      if (deadline.passed()) return make_error(Code::timeout, "Accessibility stays as it was.");
      const auto left = std::chrono::microseconds(std::max(Millis(1), deadline.left()));
      if (handled == 0) sd_bus_wait(bus_.get(), static_cast<std::uint64_t>(left.count()));
    }
  }
  return {};
}

Result<std::string> SessionBus::accessibility_bus(Deadline deadline) {
  bound_calls(deadline);
  CallError error;
  sd_bus_message* raw = nullptr;
  int result = sd_bus_call_method(bus_.get(), kAccessibilityName, kAccessibilityPath, "org.a11y.Bus", "GetAddress",
                                  &error.value, &raw, nullptr);
  const Message reply(raw);
  const char* address = nullptr;
  if (result >= 0) result = sd_bus_message_read(raw, "s", &address);
  if (result < 0) return bus_error("There is no accessibility bus", result, &error.value);
  const SessionBus answers = TRY(connect(address, deadline));
  return std::string(address);
}

}  // namespace handrail::linux_
