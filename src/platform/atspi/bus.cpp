#include "platform/atspi/bus.h"

#include <fmt/format.h>

#include <cstring>

namespace handrail::atspi {

namespace {

// Messages that are taken in before others get their turn.
constexpr int kAtOnce = 500;

}  // namespace

struct Bus::Pending {
  Bus* bus = nullptr;
  Reply reply;
  sd_bus_slot* slot = nullptr;
  std::list<std::unique_ptr<Pending>>::iterator place;
};

Result<std::unique_ptr<Bus>> Bus::connect(const std::string& address, Deadline deadline) {
  sd_bus* raw = nullptr;
  int result = sd_bus_new(&raw);
  if (result < 0) return make_error(Code::backend_error, "Cannot use D-Bus.");
  std::unique_ptr<Bus> bus(new Bus(raw));
  result = sd_bus_set_address(raw, address.c_str());
  if (result >= 0) result = sd_bus_set_bus_client(raw, 1);
  if (result >= 0) result = sd_bus_start(raw);
  while (result >= 0 && sd_bus_is_ready(raw) == 0) {
    if (deadline.passed()) return make_error(Code::timeout, fmt::format("The bus at {} does not answer.", address));
    result = bus->step(deadline);
  }
  if (result < 0) {
    return make_error(Code::backend_lost,
                      fmt::format("Cannot reach the bus at {}: {}.", address, std::strerror(-result)));
  }
  return bus;
}

Result<std::unique_ptr<Bus>> Bus::dial_accessibility(const std::string& session_bus, Deadline deadline) {
  if (session_bus.empty()) return std::unique_ptr<Bus>();
  std::string address;
  {
    const std::unique_ptr<Bus> bus = TRY(connect(session_bus, deadline));
    bus->send(bus->call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress"), [&](sd_bus_message* answer) {
      const char* text = nullptr;
      if (answer != nullptr && sd_bus_message_read(answer, "s", &text) > 0) address = text;
    });
    TRY(bus->settle(deadline));
  }
  if (address.empty()) return std::unique_ptr<Bus>();
  return connect(address, deadline);
}

Bus::Bus(sd_bus* bus) : bus_(bus) {}

Bus::~Bus() {
  for (const auto& pending : pending_) sd_bus_slot_unref(pending->slot);
  sd_bus_close_unref(bus_);
}

Message Bus::call(const std::string& service, const std::string& path, const char* interface,
                  const char* method) const {
  sd_bus_message* raw = nullptr;
  if (sd_bus_message_new_method_call(bus_, &raw, service.c_str(), path.c_str(), interface, method) < 0) return nullptr;
  // Asking must not start anything.
  sd_bus_message_set_auto_start(raw, 0);
  return Message(raw);
}

int Bus::on_answer(sd_bus_message* answer, void* data, sd_bus_error*) {
  auto* asked = static_cast<Pending*>(data);
  Bus& bus = *asked->bus;
  const std::unique_ptr<Pending> pending = std::move(*asked->place);
  bus.pending_.erase(pending->place);
  sd_bus_slot_unref(pending->slot);
  bus.gave_up_ = sd_bus_message_is_method_error(answer, SD_BUS_ERROR_TIMEOUT) > 0 ||
                 sd_bus_message_is_method_error(answer, SD_BUS_ERROR_NO_REPLY) > 0;
  pending->reply(sd_bus_message_is_method_error(answer, nullptr) != 0 ? nullptr : answer);
  bus.gave_up_ = false;
  // Otherwise the library takes an end of patience for nothing, and step() waits for more.
  return 1;
}

void Bus::send(Message request, Reply reply, Millis patience) {
  ++sent_;
  auto pending = std::make_unique<Pending>();
  pending->bus = this;
  pending->reply = std::move(reply);
  const auto most = static_cast<std::uint64_t>(std::chrono::microseconds(patience).count());
  if (!request || sd_bus_call_async(bus_, &pending->slot, request.get(), on_answer, pending.get(), most) < 0) {
    // Nothing can be sent any more: what nobody answers must not pass for an answer.
    if (sd_bus_is_open(bus_) <= 0) lost_ = true;
    pending->reply(nullptr);
    return;
  }
  pending_.push_back(std::move(pending));
  pending_.back()->place = std::prev(pending_.end());
}

int Bus::on_message(sd_bus_message* message, void* bus, sd_bus_error*) {
  const auto& signal = static_cast<Bus*>(bus)->signal_;
  if (signal && sd_bus_message_is_signal(message, nullptr, nullptr) > 0) signal(message);
  return 0;
}

void Bus::on_signal(Signal signal) {
  const bool first = !signal_;
  signal_ = std::move(signal);
  if (first && sd_bus_add_filter(bus_, nullptr, on_message, this) < 0) lost_ = true;
}

bool Bus::drain() {
  int result = 1;
  for (int taken = 0; result > 0 && taken < kAtOnce; ++taken) result = sd_bus_process(bus_, nullptr);
  if (result < 0 && result != -EINTR) lost_ = true;
  return result > 0;
}

// Does what there is to do, or waits for the socket.
int Bus::step(Deadline deadline) {
  const int did = sd_bus_process(bus_, nullptr);
  if (did != 0) return did;
  const auto wait = std::chrono::microseconds(std::max(Millis(1), deadline.left()));
  return sd_bus_wait(bus_, static_cast<std::uint64_t>(wait.count()));
}

void Bus::hear_until(Deadline deadline) {
  int result = 0;
  while (result >= 0 && !deadline.passed()) result = step(deadline);
  if (result < 0 && result != -EINTR) lost_ = true;
}

void Bus::hear_some(Deadline deadline) {
  int result = sd_bus_process(bus_, nullptr);
  if (result == 0) result = step(deadline);
  if (result >= 0) drain();
  if (result < 0 && result != -EINTR) lost_ = true;
}

Status Bus::settle(Deadline deadline) {
  int result = 0;
  while (!pending_.empty() && result >= 0 && !deadline.passed()) result = step(deadline);
  if (result < 0 && result != -EINTR) lost_ = true;
  const bool answered = pending_.empty();
  // What was not answered never will be, as far as the caller is concerned. A reply may send again: not here.
  for (auto& pending : pending_) sd_bus_slot_unref(pending->slot);
  const auto over = std::move(pending_);
  pending_.clear();
  late_ = true;
  for (auto& pending : over) pending->reply(nullptr);
  late_ = false;
  if (lost_) return make_error(Code::backend_lost, "The accessibility bus went away.");
  if (!answered) return make_error(Code::timeout, "An app did not answer on the accessibility bus in time.");
  return {};
}

}  // namespace handrail::atspi
