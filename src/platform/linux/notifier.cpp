#include "platform/linux/notifier.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "base/fd.h"

namespace handrail::linux_ {
namespace {

// What one message may take, from the connection to the answer; and what the end of the program waits for the last one.
constexpr Millis kPatience{2000};
constexpr Millis kGoodbye{300};

constexpr const char* kService = "org.freedesktop.Notifications";
constexpr const char* kPath = "/org/freedesktop/Notifications";
constexpr std::int32_t kShownMs = 8000;

struct Words {
  std::string title;
  std::string text;
};

struct CloseBus {
  // Not flushed: that could wait for a bus that does not read.
  void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
};
struct Unref {
  void operator()(sd_bus_slot* slot) const { sd_bus_slot_unref(slot); }
};

struct Reply {
  bool came = false;
  std::uint32_t id = 0;
};

int on_reply(sd_bus_message* message, void* data, sd_bus_error*) {
  auto* reply = static_cast<Reply*>(data);
  reply->came = true;
  if (sd_bus_message_is_method_error(message, nullptr) == 0) sd_bus_message_read(message, "u", &reply->id);
  return 1;
}

class BusNotifier : public Notifier {
 public:
  explicit BusNotifier(std::string address)
      : address_(std::move(address)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!address_.empty() && wake_.valid()) thread_ = std::thread([this] { serve(); });
  }

  ~BusNotifier() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = Deadline::in(kGoodbye);
    }
    ::eventfd_write(wake_.get(), 1);
    if (thread_.joinable()) thread_.join();
  }

  void tell(std::string title, std::string text) override {
    {
      const std::lock_guard lock(mutex_);
      next_ = Words{std::move(title), std::move(text)};
    }
    ::eventfd_write(wake_.get(), 1);
  }

 private:
  std::optional<Words> take_next() {
    const std::lock_guard lock(mutex_);
    return std::exchange(next_, std::nullopt);
  }
  std::optional<Deadline> ending() const {
    const std::lock_guard lock(mutex_);
    return ending_;
  }
  // The given one, or the end of the program when that comes first.
  Deadline bounded(Deadline deadline) const {
    const auto end = ending();
    return end ? Deadline(std::min(end->at(), deadline.at())) : deadline;
  }

  void serve() {
    for (;;) {
      if (const auto words = take_next()) {
        send(*words);
        continue;
      }
      if (ending()) return;
      wait(-1, 0, std::nullopt);
    }
  }

  // Until the descriptor is ready, somebody has news for us, or the deadline has passed.
  void wait(int fd, short events, std::optional<Deadline> deadline) const {
    pollfd waits[] = {{wake_.get(), POLLIN, 0}, {fd, events, 0}};
    ::poll(waits, 2, deadline ? static_cast<int>(deadline->left().count()) : -1);
    eventfd_t ignored = 0;
    if (waits[0].revents != 0) ::eventfd_read(wake_.get(), &ignored);
  }

  bool connected() {
    if (bus_ && sd_bus_is_open(bus_.get()) > 0) return true;
    sd_bus* raw = nullptr;
    if (sd_bus_new(&raw) < 0) return false;
    bus_.reset(raw);
    sd_bus_set_connected_signal(raw, 0);
    return sd_bus_set_address(raw, address_.c_str()) >= 0 && sd_bus_set_bus_client(raw, 1) >= 0 &&
           sd_bus_start(raw) >= 0;
  }

  // Everything asynchronous: a call that blocks would be bounded by the library's own idea of patience.
  void send(const Words& words) {
    const Deadline patience = Deadline::in(kPatience);
    if (!connected()) return bus_.reset();
    Reply reply;
    sd_bus_slot* raw = nullptr;
    const std::string text = without_markup(words.text);
    const int called = sd_bus_call_method_async(bus_.get(), &raw, kService, kPath, kService, "Notify", on_reply, &reply,
                                                "susssasa{sv}i", "Handrail", shown_, "", words.title.c_str(),
                                                text.c_str(), 0, 0, kShownMs);
    const std::unique_ptr<sd_bus_slot, Unref> slot(raw);
    while (called >= 0 && !reply.came && !bounded(patience).passed()) {
      const int handled = sd_bus_process(bus_.get(), nullptr);
      if (handled < 0) return bus_.reset();
      if (handled > 0) continue;
      const int events = sd_bus_get_events(bus_.get());
      if (events < 0) return bus_.reset();
      wait(sd_bus_get_fd(bus_.get()), static_cast<short>(events), bounded(patience));
    }
    if (!reply.came) return bus_.reset();
    if (reply.id != 0) shown_ = reply.id;
  }

  std::string address_;
  Fd wake_;
  mutable std::mutex mutex_;
  std::optional<Words> next_;
  std::optional<Deadline> ending_;
  std::unique_ptr<sd_bus, CloseBus> bus_;  // of the thread
  std::uint32_t shown_ = 0;                // what the service shows now, to be replaced
  std::thread thread_;
};

}  // namespace

std::string without_markup(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    if (c == '<')
      plain += "&lt;";
    else if (c == '>')
      plain += "&gt;";
    else if (c == '&')
      plain += "&amp;";
    else
      plain += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
  }
  return plain;
}

std::unique_ptr<Notifier> Notifier::start(std::string bus_address) {
  return std::make_unique<BusNotifier>(std::move(bus_address));
}

}  // namespace handrail::linux_
