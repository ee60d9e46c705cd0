// What a session is and has beside its windows, as plain values: the machine's state, notifications, what is there to
// work with, and what apps can be asked to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace handrail {

struct Battery {
  double percent = 0;
  std::string state;  // "charging", "discharging", "full", as the kernel says
  friend bool operator==(const Battery&, const Battery&) = default;
};

struct SystemState {
  std::string time;  // with the offset of its zone: 2026-01-31T09:30:00+01:00
  std::string time_zone;
  std::optional<Battery> battery;
  double load = 0;  // processes that want to run, over the last minute
  int processors = 0;
  std::int64_t memory_total = 0;  // bytes
  std::int64_t memory_available = 0;
  std::int64_t uptime = 0;  // seconds
  std::optional<bool> locked;
  std::optional<int> brightness;  // percent
  friend bool operator==(const SystemState&, const SystemState&) = default;
};

struct Notification {
  std::string time;
  std::string app;  // as it calls itself; untrusted, as the rest
  std::string title;
  std::string text;
  std::int64_t pid = 0;       // who sent it, as the bus knows; 0 when it had gone by then
  std::uint64_t started = 0;  // of that process
  friend bool operator==(const Notification&, const Notification&) = default;
};

struct NotificationsSeen {
  std::string since;  // when listening began
  std::vector<Notification> all;
  int hidden = 0;  // of apps that the session may not look at
};

// One thing that the work rests on.
struct Facility {
  std::string name;
  bool there = false;
  std::string found;  // what is there, or what is not
  std::string fix;
  bool needed = true;  // false: worth having
  friend bool operator==(const Facility&, const Facility&) = default;
};

// Something that an app offers to do over the message bus.
struct AppCommand {
  std::string name;         // "app.quit", "Play"
  std::string destination;  // how it is asked for
  std::string path;
  std::string interface;
  std::string parameter;  // D-Bus type of what it takes; empty: nothing
  bool enabled = true;
  std::string state;  // JSON; empty when it has none
  friend bool operator==(const AppCommand&, const AppCommand&) = default;
};

}  // namespace handrail
