// One element anew, compared with what a client saw of it.
#include <fmt/format.h>

#include "platform/atspi/accessibility.h"
#include "platform/atspi/cache_items.h"
#include "platform/atspi/requests.h"
#include "platform/atspi/roles.h"
#include "platform/atspi/told_text.h"

namespace handrail::atspi {
namespace {

constexpr int kHighest = kDeepestElement;

Error stale(const ElementKey& key, std::string_view what) {
  return make_error(Code::target_stale, fmt::format("The {} `{}` {}.", key.role, key.name, what))
      .with_hint("Look again and take the element from there.");
}

// What one object says about itself, and about those above it.
class ElementReading {
 public:
  ElementReading(Bus& bus, const Mirror& app, const ElementKey& key) : bus_(bus), app_(app), key_(key) {}

  // All that can be asked before anything is known; the mirror says who is likely to be above it.
  Status run(Deadline deadline) {
    describe(key_.id.object, node_);
    extents(key_.id.object, node_.at);
    bus_.send(bus_.call(app_.service, key_.id.object, kAccessible, "GetInterfaces"), [this](sd_bus_message* answer) {
      if (answer != nullptr) node_.interfaces = read_interfaces(answer);
    });
    bus_.send(bus_.call(app_.service, key_.id.object, kAccessible, "GetIndexInParent"), [this](sd_bus_message* answer) {
      if (answer != nullptr) sd_bus_message_read(answer, "i", &place_);
    });
    guess_above();
    ask_above(above_);
    TRY(bus_.settle(deadline));
    TRY(find_above(deadline));
    return ask_value(deadline);
  }

  Status same() const {
    if (!node_.described) return stale(key_, "is gone");
    if (role_name(node_.role) != key_.role) {
      return stale(key_, fmt::format("is a {} now", role_name(node_.role)));
    }
    if (node_.name != key_.name) return stale(key_, fmt::format("is called `{}` now", node_.name));
    if (above_.empty()) return stale(key_, "is not in a window any more");
    const bool top = above_.front().path == kRoot;
    const bool same_parent =
        top ? key_.parent_role.empty()
            : role_name(above_.front().role) == key_.parent_role && above_.front().name == key_.parent_name;
    if (!same_parent) return stale(key_, "is somewhere else now");
    if (place_ != key_.place && !at_place_) return stale(key_, "is at another place among its neighbours now");
    return {};
  }

  Element element(const Scene& scene) const {
    Mirror small;
    small.service = app_.service;
    small.toolkit = app_.toolkit;
    small.name = app_.name;
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
    node.path = path;
    bus_.send(bus_.call(app_.service, path, kAccessible, "GetRole"), [&node](sd_bus_message* answer) {
      node.described = answer != nullptr && sd_bus_message_read(answer, "u", &node.role) > 0;
    });
    bus_.send(bus_.call(app_.service, path, kAccessible, "GetState"), [&node](sd_bus_message* answer) {
      if (answer != nullptr) node.states = read_states(answer);
    });
    bus_.send(property_request(bus_, app_.service, path, kAccessible, "Name"),
              [&node](sd_bus_message* answer) { node.name = read_string_property(answer); });
    bus_.send(property_request(bus_, app_.service, path, kAccessible, "Description"),
              [&node](sd_bus_message* answer) { node.description = read_string_property(answer); });
    bus_.send(property_request(bus_, app_.service, path, kAccessible, "Parent"),
              [this, &node](sd_bus_message* answer) { node.parent = read_object_property(answer, app_.service); });
  }

  void extents(const std::string& path, Rect& at) {
    bus_.send(extents_request(bus_, app_.service, path, app_.toolkit),
              [&at](sd_bus_message* answer) { at = read_extents(answer); });
  }

  // From its parent up to the root, as the mirror has it.
  void guess_above() {
    std::unordered_map<std::string_view, std::string_view> parents;
    for (const auto& [path, node] : app_.nodes) {
      for (const std::string& child : node.children) parents.emplace(child, path);
    }
    std::string_view at = key_.id.object;
    while (at != kRoot && above_.size() < static_cast<std::size_t>(kHighest)) {
      const auto parent = parents.find(at);
      if (parent == parents.end()) break;
      at = parent->second;
      Node node;
      node.path = at;
      above_.push_back(std::move(node));
    }
    if (above_.empty() || above_.back().path != kRoot) above_.clear();
  }

  void ask_above(std::vector<Node>& nodes) {
    for (Node& node : nodes) {
      if (node.path == kRoot) continue;
      describe(node.path, node);
      extents(node.path, node.at);
    }
    if (!nodes.empty()) ask_place(nodes.front().path);
  }

  void ask_place(const std::string& parent) {
    bus_.send(child_request(bus_, app_.service, parent, key_.place),
              [this](sd_bus_message* answer) { at_place_ = read_object(answer, app_.service) == key_.id.object; });
  }

  // True when those above it are who they were taken for.
  bool as_guessed() const {
    std::string parent = node_.parent;
    std::uint32_t role = node_.role;
    for (const Node& node : above_) {
      const bool told = node.path == parent || (node.path == kRoot && parent.empty());
      if (!told && !(role == kRootPane && mixes_widgets(app_))) return false;
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
      if (at != kRoot) {
        describe(at, one.front());
        extents(at, one.front().at);
      }
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
      bus_.send(property_request(bus_, app_.service, node_.path, kValueInterface, "CurrentValue"),
                [this](sd_bus_message* answer) { node_.value = read_number_property(answer); });
    } else if ((node_.interfaces & kText) != 0) {
      std::int32_t count = 0;
      bus_.send(property_request(bus_, app_.service, node_.path, kTextInterface, "CharacterCount"),
                [&count](sd_bus_message* answer) { count = read_int_property(answer).value_or(0); });
      TRY(bus_.settle(deadline));
      if (count <= 0) return {};
      bus_.send(text_request(bus_, app_.service, node_.path, std::min(count, static_cast<std::int32_t>(kLongestValue))),
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
  const Mirror& app_;
  const ElementKey& key_;
  Node node_;
  std::vector<Node> above_;  // from its parent to the root
  std::int32_t place_ = -1;
  bool at_place_ = false;
};

}  // namespace

Result<Element> AtspiAccessibility::find_element(const ElementKey& key, Deadline deadline) {
  if (!TRY(connect(deadline))) return stale(key, "is gone: there is no accessibility bus");
  const auto owner = watch_->pids().find(key.id.app);
  if (owner == watch_->pids().end()) return stale(key, "is gone: its app has ended");
  if (owner->second != key.pid) return stale(key, "belongs to another process now");
  Mirror& app = mirrors_[key.id.app];
  app.service = key.id.app;
  app.pid = key.pid;
  if (app.toolkit.empty()) {
    bus_->send(property_request(*bus_, app.service, kRoot, "org.a11y.atspi.Application", "ToolkitName"),
               [&app](sd_bus_message* answer) { app.toolkit = read_string_property(answer); });
    bus_->send(property_request(*bus_, app.service, kRoot, kAccessible, "Name"),
               [&app](sd_bus_message* answer) { app.name = read_string_property(answer); });
    TRY(bus_->settle(deadline));
  }
  ElementReading reading(*bus_, app, key);
  TRY(reading.run(deadline));
  TRY(reading.same());
  seen_.reset();
  const Scene scene = TRY(scene_of(app));
  return reading.element(scene);
}

}  // namespace handrail::atspi
