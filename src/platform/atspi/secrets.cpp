#include "platform/atspi/secrets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace handrail::atspi {
namespace {

constexpr const char* kBusName = "org.freedesktop.DBus";
constexpr const char* kBusPath = "/org/freedesktop/DBus";
// For the whole of one question, whatever the apps do.
constexpr Millis kPatience{1500};
constexpr Rect kEverywhere{-100'000, -100'000, 200'000, 200'000};

// Toolkits whose fields say where on the screen they are. Others answer relative to a window, or not at all.
bool places_on_screen(const std::string& toolkit) {
  constexpr std::array<std::string_view, 3> kTrue{"gtk", "Qt", "Chromium"};
  return std::find(kTrue.begin(), kTrue.end(), toolkit) != kTrue.end();
}

Result<std::string> accessibility_address(const std::string& session_bus, Deadline deadline) {
  const std::unique_ptr<Bus> bus = TRY(Bus::connect(session_bus, deadline));
  std::string address;
  bus->send(bus->call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress"), [&](sd_bus_message* answer) {
    const char* text = nullptr;
    if (answer != nullptr && sd_bus_message_read(answer, "s", &text) > 0) address = text;
  });
  TRY(bus->settle(deadline));
  return address;
}

}  // namespace

AtspiSecrets::AtspiSecrets(BusAddress session_bus, WindowPlaces windows)
    : session_bus_(std::move(session_bus)), windows_(std::move(windows)) {}

AtspiSecrets::~AtspiSecrets() = default;

Result<bool> AtspiSecrets::connect(Deadline deadline) {
  if (bus_) return true;
  pids_.clear();
  const std::string session_bus = TRY(session_bus_());
  if (session_bus.empty()) return false;
  const std::string address = TRY(accessibility_address(session_bus, deadline));
  if (address.empty()) return false;
  bus_ = TRY(Bus::connect(address, deadline));
  return true;
}

Result<std::vector<AtspiSecrets::App>> AtspiSecrets::apps(const std::vector<std::int64_t>& pids, Deadline deadline) {
  // Everybody on the bus, as the daemon says: an app that is not in the registry's list is found all the same.
  std::set<std::string> names;
  bus_->send(bus_->call(kBusName, kBusPath, kBusName, "ListNames"), [&](sd_bus_message* answer) {
    if (answer == nullptr || sd_bus_message_enter_container(answer, 'a', "s") < 0) return;
    const char* name = nullptr;
    while (sd_bus_message_read(answer, "s", &name) > 0) {
      if (name[0] == ':') names.insert(name);
    }
  });
  TRY(bus_->settle(deadline));
  std::erase_if(pids_, [&](const auto& known) { return !names.contains(known.first); });
  for (const std::string& name : names) {
    if (pids_.contains(name)) continue;
    Message request = bus_->call(kBusName, kBusPath, kBusName, "GetConnectionUnixProcessID");
    if (request && sd_bus_message_append(request.get(), "s", name.c_str()) < 0) request.reset();
    bus_->send(std::move(request), [this, name](sd_bus_message* answer) {
      std::uint32_t pid = 0;
      if (answer != nullptr && sd_bus_message_read(answer, "u", &pid) > 0) pids_[name] = pid;
    });
  }
  TRY(bus_->settle(deadline));
  std::vector<App> found;
  for (const auto& [name, pid] : pids_) {
    if (std::find(pids.begin(), pids.end(), pid) != pids.end()) found.push_back({name, pid});
  }
  return found;
}

Status AtspiSecrets::add_places(const App& app, const AppTree& tree, std::vector<Rect>& places, Deadline deadline) {
  const double scale = windows_.scale ? std::max(1.0, windows_.scale()) : 1;
  bool unplaced = false;
  for (const Found& field : tree.found) {
    if (field.role != kPasswordText || !field.showing) continue;
    if (!places_on_screen(tree.toolkit)) {
      unplaced = true;
      continue;
    }
    Message request = bus_->call(app.service, field.path, "org.a11y.atspi.Component", "GetExtents");
    const std::uint32_t on_screen = 0;
    if (request && sd_bus_message_append(request.get(), "u", on_screen) < 0) request.reset();
    bus_->send(std::move(request), [&places, &unplaced, scale](sd_bus_message* answer) {
      std::int32_t x = 0, y = 0, width = 0, height = 0;
      const bool said = answer != nullptr && sd_bus_message_read(answer, "(iiii)", &x, &y, &width, &height) > 0;
      if (!said || width <= 0 || height <= 0) {
        unplaced = true;
        return;
      }
      places.push_back({x / scale, y / scale, width / scale, height / scale});
    });
  }
  TRY(bus_->settle(deadline));
  if (!unplaced) return {};
  const std::vector<Rect> whole = windows_.of ? windows_.of(app.pid) : std::vector<Rect>{kEverywhere};
  places.insert(places.end(), whole.begin(), whole.end());
  return {};
}

// A bus that went away, or is out of step, is dialled anew by the next question.
template <class T>
Result<T> AtspiSecrets::forget_lost(Result<T> result) {
  if (bus_ && (bus_->lost() || (!result.ok() && result.error().code == Code::backend_lost))) bus_.reset();
  return result;
}

Result<std::vector<Rect>> AtspiSecrets::fields(const std::vector<std::int64_t>& pids, Deadline deadline) {
  const std::lock_guard lock(mutex_);
  return forget_lost(find_fields(pids, deadline.within(kPatience)));
}

Result<std::vector<Rect>> AtspiSecrets::find_fields(const std::vector<std::int64_t>& pids, Deadline deadline) {
  std::vector<Rect> places;
  if (!TRY(connect(deadline))) return places;
  for (const App& app : TRY(apps(pids, deadline))) {
    const AppTree tree = TRY(search_app(*bus_, app.service, deadline));
    TRY(add_places(app, tree, places, deadline));
  }
  return places;
}

Result<std::optional<bool>> AtspiSecrets::focused(std::int64_t pid, Deadline deadline) {
  const std::lock_guard lock(mutex_);
  return forget_lost(find_focus(pid, deadline.within(kPatience)));
}

Result<std::optional<bool>> AtspiSecrets::find_focus(std::int64_t pid, Deadline deadline) {
  std::optional<bool> secret;
  if (!TRY(connect(deadline))) return secret;
  for (const App& app : TRY(apps({pid}, deadline))) {
    const AppTree tree = TRY(search_app(*bus_, app.service, deadline));
    if (tree.answers && !secret) secret = false;
    for (const Found& object : tree.found) {
      if (object.focused && object.role == kPasswordText) secret = true;
    }
  }
  return secret;
}

}  // namespace handrail::atspi
