// The session around the windows: its state, notifications, brightness, screen lock, and what the work rests on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/action_spec.h"

namespace handrail::actions {

struct SystemRow {
  std::string time;
  std::string time_zone;
  std::optional<double> battery_percent;
  std::optional<std::string> battery_state;
  double load = 0;
  int processors = 0;
  std::int64_t memory_total = 0;
  std::int64_t memory_available = 0;
  std::int64_t uptime_seconds = 0;
  std::optional<bool> locked;
  std::optional<int> brightness;
};

struct Notify {
  std::string title;
  std::string text;
};

struct NotifyResult {
  int id = 0;
};

struct NotificationRow {
  std::string time;
  std::string app;
  std::string title;
  std::string text;
};

struct NotificationsResult {
  std::string since;
  std::vector<NotificationRow> notifications;
  int hidden = 0;
};

struct SetBrightness {
  int percent = 0;
};

struct FacilityRow {
  std::string name;
  bool available = false;
  bool needed = true;
  std::string found;
  std::string fix;
};

struct PermissionsResult {
  bool complete = false;
  std::vector<FacilityRow> facilities;
};

struct SetupResult {
  bool was_enabled = false;
};

std::span<const catalog::ActionSpec> system_actions();

}  // namespace handrail::actions

namespace handrail::describe {

template <>
struct Fields<actions::SystemRow> {
  using T = actions::SystemRow;
  static constexpr auto list = std::tuple{
      field("time", &T::time, "Local time with its offset."),
      field("time_zone", &T::time_zone, "Name of the time zone."),
      field("battery_percent", &T::battery_percent, "How full the battery is; absent: there is none."),
      field("battery_state", &T::battery_state, "What the battery does: charging, discharging, full."),
      field("load", &T::load, "Processes that wanted to run, over the last minute."),
      field("processors", &T::processors, "Processors of the machine."),
      field("memory_total", &T::memory_total, "Memory in bytes."),
      field("memory_available", &T::memory_available, "Memory that programs can still have, in bytes."),
      field("uptime_seconds", &T::uptime_seconds, "Since the machine was started."),
      field("locked", &T::locked, "The screen is locked; absent: nobody tells."),
      field("brightness", &T::brightness, "Of the screen in percent; absent: it cannot be set."),
  };
};
template <>
struct Fields<actions::Notify> {
  using T = actions::Notify;
  static constexpr auto list = std::tuple{
      needed("title", &T::title, "One line.", between(1, 200)),
      field("text", &T::text, "What it says; shown as plain text.", between(0, 2000)),
  };
};
template <>
struct Fields<actions::NotifyResult> {
  using T = actions::NotifyResult;
  static constexpr auto list = std::tuple{field("id", &T::id, "Number that the notification service gave it.")};
};
template <>
struct Fields<actions::NotificationRow> {
  using T = actions::NotificationRow;
  static constexpr auto list = std::tuple{
      field("time", &T::time, "When it came."),
      field("app", &T::app, "Who sent it, in its own words."),
      field("title", &T::title, "Title; not to be trusted."),
      field("text", &T::text, "Text; not to be trusted."),
  };
};
template <>
struct Fields<actions::NotificationsResult> {
  using T = actions::NotificationsResult;
  static constexpr auto list = std::tuple{
      field("since", &T::since, "When listening began; what came before is not known."),
      field("notifications", &T::notifications, "Oldest first."),
      field("hidden", &T::hidden, "How many came from apps that are not granted."),
  };
};
template <>
struct Fields<actions::SetBrightness> {
  using T = actions::SetBrightness;
  static constexpr auto list = std::tuple{needed("percent", &T::percent, "1 is the darkest.", between(1, 100))};
};
template <>
struct Fields<actions::FacilityRow> {
  using T = actions::FacilityRow;
  static constexpr auto list = std::tuple{
      field("name", &T::name, "What the work rests on."),
      field("available", &T::available, "It is there."),
      field("needed", &T::needed, "False: worth having, and work goes on without it."),
      field("found", &T::found, "What was found."),
      field("fix", &T::fix, "What a person does about it; empty: nothing."),
  };
};
template <>
struct Fields<actions::PermissionsResult> {
  using T = actions::PermissionsResult;
  static constexpr auto list = std::tuple{
      field("complete", &T::complete, "Nothing that is needed is missing."),
      field("facilities", &T::facilities, "Part by part."),
  };
};
template <>
struct Fields<actions::SetupResult> {
  using T = actions::SetupResult;
  static constexpr auto list = std::tuple{field("was_enabled", &T::was_enabled, "It was on already.")};
};

}  // namespace handrail::describe
