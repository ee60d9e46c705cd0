// Which apps are on the accessibility bus, and what they said has changed in their trees since somebody last looked.
// Keeps itself current by signals, so that asking costs nothing while nothing happens. It belongs to one bus and to
// whoever holds that bus; an app is known by the process that the bus daemon names, never by one that it claims.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "platform/atspi/bus.h"

namespace handrail::atspi {

struct AppNews {
  bool changed = false;           // something came, went, or became another thing
  bool unclear = false;           // and it was not said what
  std::set<std::string> came;     // objects that began to show, or became another thing
  std::set<std::string> flashed;  // those of them that are gone again
  bool too_many = false;          // to remember each
};

// What an app said about one of its objects.
struct TreeEvent {
  std::string kind;    // "StateChanged", "ChildrenChanged", "Window"…
  std::string detail;  // "showing", "add", "accessible-name"…
  std::int32_t on = 0;
  std::string object;
  std::string child;  // that came or went; empty when it is not told
};

class AppWatch {
 public:
  // What else is listened to, and who is told of every event before it is kept as news.
  struct Also {
    std::vector<const char*> events, rules;
    std::function<void(std::int64_t pid)> heard;
    std::function<void(const std::string& service, TreeEvent event)> said;
  };
  // The bus must outlive it.
  explicit AppWatch(Bus& bus, Also also = {}) : bus_(bus), also_(std::move(also)) {}

  // Asks to be told, and who is there. Again when it failed, and when a registry has come.
  Status start(Deadline deadline);
  // The processes of connections that came since. Nothing is asked when none did.
  Status update(Deadline deadline);
  // The events that apps are asked for reach us. Otherwise every tree may have changed at any time.
  bool told() const { return registered_; }

  const std::map<std::string, std::int64_t>& pids() const { return pids_; }
  // What was said since the last take().
  const AppNews& news(const std::string& service) { return news_[service]; }
  AppNews take(const std::string& service);

 private:
  void hear(sd_bus_message* signal);
  void hear_name(sd_bus_message* signal);
  void tell(const std::string& service) const;
  void hear_object(const TreeEvent& event, const char* sender);
  void hear_cache(sd_bus_message* signal, const char* sender) const;
  Status listen(Deadline deadline);

  Bus& bus_;
  Also also_;
  bool started_ = false;
  bool registered_ = false;
  std::map<std::string, std::int64_t> pids_;  // of connections; a bus never gives a name twice
  std::set<std::string> unknown_;             // connections whose process was not asked for yet
  std::map<std::string, AppNews> news_;
};

}  // namespace handrail::atspi
