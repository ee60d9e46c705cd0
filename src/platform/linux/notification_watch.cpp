#include "platform/linux/notification_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <systemd/sd-bus.h>

#include <array>
#include <ctime>
#include <memory>

#include "base/nearest.h"
#include "platform/linux/process_table.h"
#include "platform/linux/service_bus.h"

namespace handrail::linux_ {
namespace {

constexpr std::size_t kMost = 200;
constexpr std::size_t kMostTitle = 300, kMostText = 4000;
constexpr Millis kConnect{2000};
constexpr Millis kAskOwner{300};
constexpr const char* kRule = "type='method_call',interface='org.freedesktop.Notifications',member='Notify'";

struct Close {
  void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
};
struct Unref {
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using Bus = std::unique_ptr<sd_bus, Close>;
using Message = std::unique_ptr<sd_bus_message, Unref>;

Bus open_monitor(const std::string& address) {
  sd_bus* raw = nullptr;
  if (sd_bus_new(&raw) < 0) return nullptr;
  Bus bus(raw);
  const bool started = sd_bus_set_monitor(raw, 1) >= 0 && sd_bus_set_address(raw, address.c_str()) >= 0 &&
                       sd_bus_set_bus_client(raw, 1) >= 0 && sd_bus_start(raw) >= 0;
  return started ? std::move(bus) : nullptr;
}

bool read_notification(sd_bus_message* message, Notification& found) {
  const char *app = nullptr, *icon = nullptr, *title = nullptr, *text = nullptr;
  std::uint32_t replaces = 0;
  if (sd_bus_message_is_method_call(message, "org.freedesktop.Notifications", "Notify") <= 0) return false;
  if (sd_bus_message_read(message, "susss", &app, &replaces, &icon, &title, &text) < 0) return false;
  found = {local_time(), shortened(app, kMostTitle), shortened(title, kMostTitle), shortened(text, kMostText)};
  return true;
}

}  // namespace

std::string local_time() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  std::array<char, 40> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S%z", &local);
  std::string time = text.data();
  if (time.size() > 5) time.insert(time.size() - 2, ":");
  return time;
}

NotificationWatch::NotificationWatch(std::string bus_address) : wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  thread_ = std::thread([this, address = std::move(bus_address)] {
    listen(address);
    finish();
  });
}

NotificationWatch::~NotificationWatch() {
  ::eventfd_write(wake_.get(), 1);
  thread_.join();
}

void NotificationWatch::finish() {
  const std::lock_guard lock(mutex_);
  settled_ = true;
  begun_.notify_all();
}

NotificationsSeen NotificationWatch::seen(Deadline deadline) {
  std::unique_lock lock(mutex_);
  begun_.wait_until(lock, deadline.at(), [this] { return settled_; });
  return seen_;
}

void NotificationWatch::listen(const std::string& address) {
  const Bus bus = address.empty() ? nullptr : open_monitor(address);
  if (!bus) return;
  const Deadline connecting = Deadline::in(kConnect);
  bool asked = false;
  for (;;) {
    sd_bus_message* raw = nullptr;
    const int handled = sd_bus_process(bus.get(), &raw);
    const Message message(raw);
    if (handled < 0) return;
    if (!asked && sd_bus_is_ready(bus.get()) > 0) {
      sd_bus_message* become = nullptr;
      const int made =
          sd_bus_message_new_method_call(bus.get(), &become, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                         "org.freedesktop.DBus.Monitoring", "BecomeMonitor");
      const Message request(become);
      if (made < 0 || sd_bus_message_append(become, "asu", 1, kRule, 0) < 0) return;
      // Without a place for its number the bus would be told that no answer is wanted.
      std::uint64_t number = 0;
      if (sd_bus_send(bus.get(), become, &number) < 0) return;
      asked = true;
      continue;
    }
    std::uint8_t type = 0;
    if (raw != nullptr && asked && sd_bus_message_get_type(raw, &type) >= 0) {
      if (type == SD_BUS_MESSAGE_METHOD_ERROR) return;
      const std::lock_guard lock(mutex_);
      if (!settled_ && type == SD_BUS_MESSAGE_METHOD_RETURN) {
        seen_.since = local_time();
        settled_ = true;
        begun_.notify_all();
      }
    }
    Notification found;
    if (raw != nullptr && read_notification(raw, found)) {
      // Who sends and goes at once is known to nobody.
      const char* sender = sd_bus_message_get_sender(raw);
      auto ask = ServiceBus::connect(address, Deadline::in(kAskOwner));
      if (ask.ok() && sender != nullptr) {
        if (const auto pid = ask->owner(sender, Deadline::in(kAskOwner)); pid.ok()) {
          const auto facts = process_facts(static_cast<pid_t>(*pid));
          found.pid = facts ? *pid : 0;
          found.started = facts ? facts->id.start_time : 0;
        }
      }
      const std::lock_guard lock(mutex_);
      if (seen_.all.size() >= kMost) seen_.all.erase(seen_.all.begin());
      seen_.all.push_back(std::move(found));
    }
    if (handled > 0) continue;
    const int events = sd_bus_get_events(bus.get());
    if (events < 0) return;
    pollfd waits[] = {{wake_.get(), POLLIN, 0}, {sd_bus_get_fd(bus.get()), static_cast<short>(events), 0}};
    ::poll(waits, 2, asked ? -1 : static_cast<int>(connecting.left().count()));
    if (waits[0].revents != 0 || (!asked && connecting.passed())) return;
  }
}

}  // namespace handrail::linux_
