// One element anew, compared with what a client saw of it.
#include <fmt/format.h>

#include "platform/atspi/accessibility.h"
#include "platform/atspi/cache_items.h"
#include "platform/atspi/chosen.h"
#include "platform/atspi/requests.h"
#include "platform/atspi/roles.h"
#include "platform/atspi/shown_option.h"
#include "platform/atspi/told_text.h"

namespace handrail::atspi {
namespace {

// What windows and pages are called is what they show at the moment: a mail program counts the new mails there.
bool has_title(std::string_view role) {
  for (const std::string_view each : {"document web", "document frame", "frame", "window", "dialog"}) {
    if (role == each) return true;
  }
  return false;
}

constexpr int kHighest = kDeepestElement;
// For one element, whatever its app does.
constexpr Millis kReadPatience{1000};

Error stale(const ElementKey& key, std::string_view what) {
  return make_error(Code::target_stale, fmt::format("The {} `{}` {}.", key.role, key.name, what))
      .with_hint("Look again and take the element from there.");
}

// What one object says about itself, and about those above it.
class ElementReading {
 public:
  // Whole: also its value and where it is.
  ElementReading(Bus& bus, std::string toolkit, std::string name, const ElementKey& key, bool whole)
      : bus_(bus),
        service_(key.id.app),
        toolkit_(std::move(toolkit)),
        name_(std::move(name)),
        key_(key),
        whole_(whole) {}

  // All that can be asked before anything is known; `above` are likely to be above it.
  Status run(const std::vector<std::string>& above, Deadline deadline) {
    describe(key_.id.object, node_);
    if (whole_) {
      bus_.send(property_request(bus_, service_, key_.id.object, kAccessible, "Description"),
                [this](sd_bus_message* answer) { node_.description = read_string_property(answer); });
    }
    bus_.send(bus_.call(service_, key_.id.object, kAccessible, "GetInterfaces"), [this](sd_bus_message* answer) {
      if (answer != nullptr) node_.interfaces = read_interfaces(answer);
    });
    bus_.send(bus_.call(service_, key_.id.object, kAccessible, "GetIndexInParent"), [this](sd_bus_message* answer) {
      if (answer != nullptr) sd_bus_message_read(answer, "i", &place_);
    });
    for (const std::string& path : above) above_.emplace_back().path = path;
    ask_above(above_);
    TRY(bus_.settle(deadline));
    TRY(find_above(deadline));
    return whole_ ? ask_value(deadline) : Status();
  }

  Status same() const {
    if (!node_.described) return stale(key_, "is gone");
    if (role_name(node_.role) != key_.role) {
      return stale(key_, fmt::format("is a {} now", role_name(node_.role)));
    }
    if (node_.name != key_.name) return stale(key_, fmt::format("is called `{}` now", node_.name));
    if (above_.empty()) return stale(key_, "is not in a window any more");
    const bool top = above_.front().path == kRoot;
    const bool same_name = above_.front().name == key_.parent_name || has_title(key_.parent_role);
    const bool same_parent =
        top ? key_.parent_role.empty() : role_name(above_.front().role) == key_.parent_role && same_name;
    if (!same_parent) return stale(key_, "is somewhere else now");
    if (place_ != key_.place && !at_place_) return stale(key_, "is at another place among its neighbours now");
    return {};
  }

  Element element(const Scene& scene) const {
    Mirror small;
    small.service = service_;
    small.toolkit = toolkit_;
    small.name = name_;
    std::vector<Node> line(above_.rbegin(), above_.rend());
    if (!line.empty()) line.erase(line.begin());
    line.push_back(node_);
    std::vector<Chosen> chosen;
    for (Node& node : line) {
      node.placed = true;
      const int index = static_cast<int>(chosen.size());
      chosen.push_back({&node, index - 1, index + 1 == static_cast<int>(line.size()) ? key_.place : 0, index});
    }
    Element found = place_elements(small, chosen, scene, false, std::nullopt).back();
    found.parent = -1;
    return found;
  }

 private:
  void describe(const std::string& path, Node& node) {
    ask_role(path, node);
    bus_.send(bus_.call(service_, path, kAccessible, "GetState"), [&node](sd_bus_message* answer) {
      if (answer != nullptr) node.states = read_states(answer);
    });
    bus_.send(property_request(bus_, service_, path, kAccessible, "Name"),
              [&node](sd_bus_message* answer) { node.name = read_string_property(answer); });
    if (!whole_) return;
    bus_.send(extents_request(bus_, service_, path, toolkit_),
              [&node](sd_bus_message* answer) { node.at = read_extents(answer); });
  }

  void ask_parent(const std::string& path, Node& node) {
    bus_.send(property_request(bus_, service_, path, kAccessible, "Parent"),
              [this, &node](sd_bus_message* answer) { node.parent = read_object_property(answer, service_); });
  }

  void ask_role(const std::string& path, Node& node) {
    node.path = path;
    bus_.send(bus_.call(service_, path, kAccessible, "GetRole"), [&node](sd_bus_message* answer) {
      node.described = answer != nullptr && sd_bus_message_read(answer, "u", &node.role) > 0;
    });
    ask_parent(path, node);
  }

  void ask_above(std::vector<Node>& nodes) {
    for (Node& node : nodes) {
      if (node.path == kRoot) continue;
      // Those further up matter for where it is alone.
      if (whole_ || &node == &nodes.front()) {
        describe(node.path, node);
      } else if (mixes_widgets(toolkit_, name_)) {
        ask_role(node.path, node);
      } else {
        ask_parent(node.path, node);
      }
    }
    if (!nodes.empty()) ask_place(nodes.front().path);
  }

  void ask_place(const std::string& parent) {
    bus_.send(child_request(bus_, service_, parent, key_.place),
              [this](sd_bus_message* answer) { at_place_ = read_object(answer, service_) == key_.id.object; });
  }

  // True when those above it are who they were taken for.
  bool as_guessed() const {
    std::string parent = node_.parent;
    std::uint32_t role = node_.role;
    for (const Node& node : above_) {
      const bool told = node.path == parent || (node.path == kRoot && parent.empty());
      if (!told && !(role == kRootPane && mixes_widgets(toolkit_, name_))) return false;
      parent = node.parent;
      role = node.role;
    }
    return !above_.empty();
  }

  Status find_above(Deadline deadline) {
    if (as_guessed() || !node_.described) return {};
    above_.clear();
    at_place_ = false;
    std::string at = node_.parent;
    while (!at.empty() && above_.size() < static_cast<std::size_t>(kHighest)) {
      std::vector<Node> one(1);
      one.front().path = at;
      if (at != kRoot) describe(at, one.front());
      if (above_.empty()) ask_place(at);
      TRY(bus_.settle(deadline));
      at = at == kRoot ? "" : one.front().parent;
      above_.push_back(std::move(one.front()));
    }
    if (!above_.empty() && above_.back().path != kRoot) above_.clear();
    return {};
  }

  Status ask_value(Deadline deadline) {
    if (node_.role == kPasswordText) return {};
    if ((node_.interfaces & kValue) != 0) {
      bus_.send(property_request(bus_, service_, node_.path, kValueInterface, "CurrentValue"),
                [this](sd_bus_message* answer) { node_.value = read_number_property(answer); });
    } else if ((node_.interfaces & kText) != 0) {
      std::int32_t count = 0;
      bus_.send(property_request(bus_, service_, node_.path, kTextInterface, "CharacterCount"),
                [&count](sd_bus_message* answer) { count = read_int_property(answer).value_or(0); });
      TRY(bus_.settle(deadline));
      if (count <= 0) return {};
      bus_.send(text_request(bus_, service_, node_.path, std::min(count, static_cast<std::int32_t>(kLongestValue))),
                [this](sd_bus_message* answer) {
                  const char* text = nullptr;
                  if (answer != nullptr && sd_bus_message_read(answer, "s", &text) > 0) {
                    node_.value = told_text(text, kLongestValue, true);
                  }
                });
    }
    return bus_.settle(deadline);
  }

  Bus& bus_;
  const std::string service_, toolkit_, name_;  // of the app
  const ElementKey& key_;
  const bool whole_;
  Node node_;
  std::vector<Node> above_;  // from its parent to the root
  std::int32_t place_ = -1;
  bool at_place_ = false;
};

}  // namespace

Result<AtspiAccessibility::Owner> AtspiAccessibility::owner_of(const ElementKey& key, Deadline deadline) {
  const std::lock_guard lock(mutex_);
  if (!TRY(forget_lost(connect(deadline)))) return stale(key, "is gone: there is no accessibility bus");
  const auto owner = watch_->pids().find(key.id.app);
  if (owner == watch_->pids().end()) return stale(key, "is gone: its app has ended");
  if (owner->second != key.pid) return stale(key, "belongs to another process now");
  std::shared_ptr<Hand>& hand = hands_[key.id.app];
  if (!hand) hand = std::make_shared<Hand>();
  Owner found;
  found.hand = hand;
  const auto app = mirrors_.find(key.id.app);
  if (app != mirrors_.end()) {
    found.toolkit = app->second.toolkit;
    found.name = app->second.name;
    found.above = guess_above(app->second, key.id.object);
  }
  return found;
}

Result<Element> AtspiAccessibility::find_element(Owner& owner, const ElementKey& key, bool whole, Deadline deadline) {
  Bus& bus = *owner.hand->bus;
  if (owner.toolkit.empty()) {
    bus.send(property_request(bus, key.id.app, kRoot, "org.a11y.atspi.Application", "ToolkitName"),
             [&owner](sd_bus_message* answer) { owner.toolkit = read_string_property(answer); });
    bus.send(property_request(bus, key.id.app, kRoot, kAccessible, "Name"),
             [&owner](sd_bus_message* answer) { owner.name = read_string_property(answer); });
    TRY(bus.settle(deadline));
  }
  // While the app answers somebody looks where its windows are.
  std::future<Result<std::vector<AppWindow>>> places;
  if (whole && windows_.all) places = std::async(std::launch::async, windows_.all);
  ElementReading reading(bus, owner.toolkit, owner.name, key, whole);
  TRY(reading.run(owner.above, deadline));
  TRY(reading.same());
  if (!whole) return reading.element(Scene());
  Mirror app;
  app.pid = key.pid;
  std::optional<std::vector<AppWindow>> seen;
  if (places.valid()) seen = TRY(places.get());
  const Scene scene = TRY(scene_of(app, seen));
  Element found = reading.element(scene);
  // A browser tells a text in which the list is one character.
  if (found.role != "combo box" || (!found.value.empty() && found.value != "\ufffc")) return found;
  AppCalls calls(bus, key.id.app, owner.toolkit, deadline);
  const Thing combo = TRY(calls.look(key.id.object));
  found.value = TRY(shown_option(calls, combo));
  return found;
}

Result<Element> AtspiAccessibility::read(const ElementKey& key, Deadline deadline) {
  const Deadline patience = deadline.within(kReadPatience);
  return by_hand<Element>(key, patience, [&](Owner& owner) { return find_element(owner, key, true, patience); });
}

}  // namespace handrail::atspi
