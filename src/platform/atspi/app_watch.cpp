#include "platform/atspi/app_watch.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace handrail::atspi {
namespace {

constexpr const char* kBusName = "org.freedesktop.DBus";
constexpr const char* kBusPath = "/org/freedesktop/DBus";
constexpr const char* kRegistry = "org.a11y.atspi.Registry";
constexpr const char* kObjectEvent = "org.a11y.atspi.Event.Object";
constexpr const char* kWindowEvent = "org.a11y.atspi.Event.Window";
constexpr const char* kCache = "org.a11y.atspi.Cache";
constexpr std::size_t kMostCame = 2000;

// What is asked of the apps, and what of it is let through to us.
constexpr std::array<const char*, 3> kEvents{"object:state-changed:showing", "object:children-changed",
                                             "object:property-change:accessible-role"};
constexpr std::array<const char*, 4> kRules{
    "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'",
    "type='signal',interface='org.a11y.atspi.Event.Object',member='StateChanged',arg0='showing'",
    "type='signal',interface='org.a11y.atspi.Event.Object',member='ChildrenChanged'",
    "type='signal',interface='org.a11y.atspi.Event.Object',member='PropertyChange',arg0='accessible-role'"};

// Without a detail when the event has another form.
TreeEvent read_event(sd_bus_message* signal, std::string kind) {
  TreeEvent event;
  event.kind = std::move(kind);
  const char *detail = nullptr, *object = sd_bus_message_get_path(signal), *owner = nullptr, *child = nullptr;
  std::int32_t second = 0;
  if (object != nullptr) event.object = object;
  if (sd_bus_message_read(signal, "sii", &detail, &event.on, &second) <= 0 || object == nullptr) return event;
  event.detail = detail;
  if (event.kind == "ChildrenChanged" && sd_bus_message_read(signal, "v", "(so)", &owner, &child) > 0) {
    event.child = child;
  }
  return event;
}

}  // namespace

Status AppWatch::listen(Deadline deadline) {
  bool heard = true;
  std::vector<const char*> rules(kRules.begin(), kRules.end());
  rules.insert(rules.end(), also_.rules.begin(), also_.rules.end());
  for (const char* rule : rules) {
    Message request = bus_.call(kBusName, kBusPath, kBusName, "AddMatch");
    if (request && sd_bus_message_append(request.get(), "s", rule) < 0) request.reset();
    bus_.send(std::move(request), [&heard](sd_bus_message* answer) { heard = heard && answer != nullptr; });
  }
  TRY(bus_.settle(deadline));
  if (!heard) return make_error(Code::backend_error, "The accessibility bus does not say what happens on it.");
  return {};
}

Status AppWatch::start(Deadline deadline) {
  if (!started_) {
    bus_.on_signal([this](sd_bus_message* signal) { hear(signal); });
    TRY(listen(deadline));
    // Everybody on the bus, as the daemon says: an app that is not in the registry's list is found all the same.
    bus_.send(bus_.call(kBusName, kBusPath, kBusName, "ListNames"), [this](sd_bus_message* answer) {
      if (answer == nullptr || sd_bus_message_enter_container(answer, 'a', "s") < 0) return;
      const char* name = nullptr;
      while (sd_bus_message_read(answer, "s", &name) > 0) {
        if (name[0] == ':') unknown_.insert(name);
      }
    });
    TRY(bus_.settle(deadline));
    started_ = true;
  }
  if (registered_) return {};
  bool taken = true;
  // Some toolkits ask the registry back for each of them: none twice.
  std::vector<const char*> events = also_.events;
  std::copy_if(kEvents.begin(), kEvents.end(), std::back_inserter(events), [&](std::string_view event) {
    return std::none_of(also_.events.begin(), also_.events.end(), [&](auto wider) { return event.starts_with(wider); });
  });
  for (const char* event : events) {
    Message request = bus_.call(kRegistry, "/org/a11y/atspi/registry", kRegistry, "RegisterEvent");
    if (request && sd_bus_message_append(request.get(), "sass", event, 0, "") < 0) request.reset();
    bus_.send(std::move(request), [&taken](sd_bus_message* answer) { taken = taken && answer != nullptr; });
  }
  TRY(bus_.settle(deadline));
  registered_ = taken;
  // What changed before they knew that we listen was not said.
  for (const auto& [service, pid] : pids_) news_[service].changed = news_[service].unclear = true;
  return {};
}

Status AppWatch::update(Deadline deadline) {
  if (unknown_.empty()) return {};
  const std::set<std::string> fresh = std::move(unknown_);
  unknown_.clear();
  for (const std::string& name : fresh) {
    Message request = bus_.call(kBusName, kBusPath, kBusName, "GetConnectionUnixProcessID");
    if (request && sd_bus_message_append(request.get(), "s", name.c_str()) < 0) request.reset();
    bus_.send(std::move(request), [this, name](sd_bus_message* answer) {
      std::uint32_t pid = 0;
      if (answer != nullptr && sd_bus_message_read(answer, "u", &pid) > 0) pids_[name] = pid;
    });
  }
  return bus_.settle(deadline);
}

AppNews AppWatch::take(const std::string& service) {
  AppNews& news = news_[service];
  AppNews taken = std::move(news);
  news = {};
  return taken;
}

void AppWatch::hear(sd_bus_message* signal) {
  const char* sender = sd_bus_message_get_sender(signal);
  if (sender == nullptr) return;
  if (sd_bus_message_is_signal(signal, kBusName, "NameOwnerChanged") > 0 && std::string_view(sender) == kBusName) {
    hear_name(signal);
  } else if (sd_bus_message_is_signal(signal, kObjectEvent, nullptr) > 0) {
    tell(sender);
    TreeEvent event = read_event(signal, sd_bus_message_get_member(signal));
    hear_object(event, sender);
    if (also_.said) also_.said(sender, std::move(event));
  } else if (sd_bus_message_is_signal(signal, kWindowEvent, nullptr) > 0) {
    tell(sender);
    news_[sender].changed = true;
    if (also_.said) also_.said(sender, read_event(signal, "Window"));
  } else if (sd_bus_message_is_signal(signal, kCache, "RemoveAccessible") > 0) {
    hear_cache(signal, sender);
  }
}

// Objects that an app has put away, which some say only here.
void AppWatch::hear_cache(sd_bus_message* signal, const char* sender) const {
  const char *owner = nullptr, *object = nullptr;
  if (!also_.said || sd_bus_message_read(signal, "(so)", &owner, &object) <= 0) return;
  also_.said(sender, {"RemoveAccessible", {}, 0, object, {}});
}

void AppWatch::tell(const std::string& service) const {
  const auto known = pids_.find(service);
  if (also_.heard && known != pids_.end()) also_.heard(known->second);
}

void AppWatch::hear_name(sd_bus_message* signal) {
  const char *name = nullptr, *before = nullptr, *now = nullptr;
  if (sd_bus_message_read(signal, "sss", &name, &before, &now) <= 0) return;
  if (std::string_view(name) == kRegistry) registered_ = false;
  if (name[0] != ':') return;
  if (*now != '\0') {
    unknown_.insert(name);
  } else {
    tell(name);
    unknown_.erase(name);
    pids_.erase(name);
    news_.erase(name);
  }
}

void AppWatch::hear_object(const TreeEvent& event, const char* sender) {
  AppNews& news = news_[sender];
  news.changed = true;
  const std::string_view what(event.detail);
  const std::string& object = event.child.empty() ? event.object : event.child;
  bool came = what == "accessible-role", went = false;
  if (what == "showing") {
    (event.on != 0 ? came : went) = true;
  } else if (!came) {
    came = what.starts_with("add");
    went = what.starts_with("remove");
    if (!(came || went) || event.child.empty()) {
      news.unclear = true;
      return;
    }
  }
  if (came && news.came.size() >= kMostCame) news.too_many = true;
  if (came && !news.too_many) news.came.insert(object);
  if (went && news.came.contains(object)) news.flashed.insert(object);
}

}  // namespace handrail::atspi
