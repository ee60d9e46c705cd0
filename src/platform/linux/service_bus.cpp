#include "platform/linux/service_bus.h"

#include <fmt/format.h>
#include <poll.h>
#include <systemd/sd-bus.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/nearest.h"
#include "base/one_line.h"
#include "platform/linux/bus_values.h"

namespace handrail::linux_ {
namespace {

constexpr const char* kBus = "org.freedesktop.DBus";
constexpr const char* kBusPath = "/org/freedesktop/DBus";

struct Unref {
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
  void operator()(sd_bus_slot* slot) const { sd_bus_slot_unref(slot); }
};
using Message = std::unique_ptr<sd_bus_message, Unref>;
using Slot = std::unique_ptr<sd_bus_slot, Unref>;

struct Answer {
  std::optional<Result<Json>> result;
  std::string name;  // of who was asked
};

Error told(const sd_bus_error& error, const std::string& name) {
  const std::string_view kind = error.name == nullptr ? "" : error.name;
  const std::string what = one_line(shortened(error.message == nullptr ? "no reason" : error.message, 200));
  const bool nobody = kind == SD_BUS_ERROR_SERVICE_UNKNOWN || kind == SD_BUS_ERROR_NAME_HAS_NO_OWNER ||
                      kind.starts_with("org.freedesktop.DBus.Error.Spawn");
  if (nobody) {
    return make_error(Code::not_found, fmt::format("Nobody offers {} on the message bus.", name))
        .with_hint("Start the program that offers it.");
  }
  if (kind == SD_BUS_ERROR_NO_REPLY || kind == SD_BUS_ERROR_TIMEOUT) {
    return make_error(Code::timeout, fmt::format("{} did not answer.", name)).with_side_effects(SideEffects::possible);
  }
  return make_error(Code::backend_error, fmt::format("{} answered: {} ({}).", name, what, one_line(kind)))
      .with_hint("Change the call; the service says what is wrong.")
      .with_side_effects(SideEffects::possible);
}

int on_answer(sd_bus_message* message, void* data, sd_bus_error*) {
  auto* answer = static_cast<Answer*>(data);
  const sd_bus_error* error = sd_bus_message_get_error(message);
  answer->result = error != nullptr ? Result<Json>(told(*error, answer->name)) : read_values(message);
  return 1;
}

// Lets the library work until it has nothing to do or the deadline has passed.
int pump(sd_bus* bus, Deadline deadline) {
  const int handled = sd_bus_process(bus, nullptr);
  if (handled != 0) return handled;
  const int events = sd_bus_get_events(bus);
  if (events < 0) return events;
  pollfd wait{sd_bus_get_fd(bus), static_cast<short>(events), 0};
  ::poll(&wait, 1, static_cast<int>(std::max(Millis(0), deadline.left()).count()));
  return 1;
}

}  // namespace

void ServiceBus::Closer::operator()(sd_bus* bus) const {
  // Not flushed: that could wait for a bus that does not read.
  sd_bus_close_unref(bus);
}

Result<ServiceBus> ServiceBus::connect(const std::string& address, Deadline deadline) {
  const auto none = [](const std::string& why) {
    return make_error(Code::capability_unsupported, "There is no message bus: " + why + ".")
        .with_hint("Log into a desktop session, or use `handrail desktop start`, which has a bus.");
  };
  if (address.empty()) return none("DBUS_SESSION_BUS_ADDRESS is not set");
  sd_bus* raw = nullptr;
  if (sd_bus_new(&raw) < 0) return make_error(Code::internal, "The message bus library does not work.");
  ServiceBus bus(raw);
  int result = sd_bus_set_address(raw, address.c_str());
  if (result >= 0) result = sd_bus_set_bus_client(raw, 1);
  if (result >= 0) result = sd_bus_start(raw);
  while (result >= 0 && sd_bus_is_ready(raw) == 0) {
    if (deadline.passed()) {
      return make_error(Code::timeout, "The message bus does not answer.").with_hint("Start the session again.");
    }
    result = pump(raw, deadline);
  }
  if (result < 0) return none(std::strerror(-result));
  return bus;
}

Result<Json> ServiceBus::call(const BusMethod& method, Deadline deadline) {
  sd_bus_message* raw = nullptr;
  int result = sd_bus_message_new_method_call(bus_.get(), &raw, method.destination.c_str(), method.path.c_str(),
                                              method.interface.c_str(), method.method.c_str());
  const Message request(raw);
  if (result < 0) return make_error(Code::argument_invalid, "The message bus has no such names.");
  sd_bus_message_set_auto_start(raw, method.start == StartService::yes ? 1 : 0);
  TRY(append_values(raw, method.signature, method.arguments));
  Answer answer{{}, method.destination};
  sd_bus_slot* slot_raw = nullptr;
  const auto patience = std::chrono::microseconds(deadline.left() + Millis(1000));
  result =
      sd_bus_call_async(bus_.get(), &slot_raw, raw, on_answer, &answer, static_cast<std::uint64_t>(patience.count()));
  const Slot slot(slot_raw);
  while (result >= 0 && !answer.result) {
    if (deadline.passed()) {
      return make_error(Code::timeout, fmt::format("{} did not answer in time.", method.destination))
          .with_hint("It may be busy or stopped; it may still do what it was asked.")
          .with_side_effects(SideEffects::possible);
    }
    result = pump(bus_.get(), deadline);
  }
  if (answer.result) return std::move(*answer.result);
  return make_error(Code::backend_lost, fmt::format("The message bus is lost: {}.", std::strerror(-result)));
}

Result<std::int64_t> ServiceBus::owner(const std::string& name, Deadline deadline) {
  const auto pid = call({kBus, kBusPath, kBus, "GetConnectionUnixProcessID", "s", Json::array({name})}, deadline);
  if (pid.ok()) return pid->at(0).get<std::int64_t>();
  if (pid.error().code == Code::not_found) return std::int64_t{0};
  return pid.error();
}

Result<std::vector<std::string>> ServiceBus::names(Deadline deadline) {
  const Json answer = TRY(call({kBus, kBusPath, kBus, "ListNames"}, deadline));
  std::vector<std::string> names;
  for (const Json& name : answer.at(0)) {
    if (name.is_string() && !name.get<std::string>().starts_with(':')) names.push_back(name.get<std::string>());
  }
  return names;
}

Result<bool> ServiceBus::offered(const std::string& name, Deadline deadline) {
  for (const char* list : {"ListNames", "ListActivatableNames"}) {
    const Json answer = TRY(call({kBus, kBusPath, kBus, list}, deadline));
    if (std::ranges::find(answer.at(0), Json(name)) != answer.at(0).end()) return true;
  }
  return false;
}

}  // namespace handrail::linux_
