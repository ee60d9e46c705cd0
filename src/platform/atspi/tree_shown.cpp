// The part of a TreeReader that lets an app find by itself what shows. Of a long page little does, and to ask each of
// its objects takes longer than to ask the app once.
#include <algorithm>

#include "platform/atspi/node_properties.h"
#include "platform/atspi/requests.h"
#include "platform/atspi/tree_reader.h"
#include "platform/atspi/tree_search.h"

namespace handrail::atspi {
namespace {

constexpr std::uint64_t kShowingBit = std::uint64_t{1} << static_cast<unsigned>(StateBit::showing);

}  // namespace

// In others a search may run into tables that make their rows as they are asked for.
bool TreeReader::can_search() const { return want_.showing && !app_.no_search && is_browser(app_.toolkit); }

void TreeReader::search_shown() {
  phase_ = Phase::search;
  Node& root = app_.nodes[kRoot];
  root.path = kRoot;
  root.has_states = root.described = root.sparse = true;
  // Windows do not always say whose they are.
  ask_windows([](const std::string&) {});
  ask(matches_request(bus_, app_.service, kRoot, static_cast<std::uint32_t>(kShowingBit), 0, want_.most + 1),
      [this](sd_bus_message* answer) {
        if (answer != nullptr) take_shown(read_object_list(answer, app_.service, want_.most + 1));
      });
}

void TreeReader::take_shown(const std::vector<std::string>& paths) {
  for (auto& [path, node] : app_.nodes) {
    if (path != kRoot) node.states &= ~kShowingBit;
  }
  for (const std::string& path : paths) {
    if (path.empty() || path == kRoot) continue;
    shown_.push_back(path);
    Node& node = app_.nodes[path];
    node.path = path;
    node.states |= kShowingBit;
    if (!node.has_states) {
      ask(bus_.call(app_.service, path, kAccessible, "GetState"), [&node](sd_bus_message* answer) {
        if (answer == nullptr) return;
        node.states = read_states(answer) | kShowingBit;
        node.has_states = true;
      });
    }
    if (!node.described || node.place < 0) ask_place(node);
  }
}

void TreeReader::ask_place(Node& node) {
  if (!node.described) {
    ask(bus_.call(app_.service, node.path, kAccessible, "GetRole"), [&node](sd_bus_message* answer) {
      if (answer == nullptr || sd_bus_message_read(answer, "u", &node.role) <= 0) node.role = 0;
    });
    ask(all_properties_request(bus_, app_.service, node.path), [this, &node](sd_bus_message* answer) {
      node.described = read_properties(answer, app_.service, node) && node.role != 0;
    });
  }
  ask(bus_.call(app_.service, node.path, kAccessible, "GetIndexInParent"), [&node](sd_bus_message* answer) {
    if (answer == nullptr || sd_bus_message_read(answer, "i", &node.place) <= 0) node.place = -1;
  });
}

// Puts what shows where it is in the tree. False when the app did not say it, or not so that it can be true.
bool TreeReader::link_shown() {
  if (shown_.empty()) return false;
  for (auto& [path, node] : app_.nodes) {
    if (node.listed && !node.sparse && node.child_count == 0) continue;
    node.children.clear();
    node.sparse = true;
    node.listed = false;
  }
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const auto window = app_.nodes.find(windows_[i]);
    if (window == app_.nodes.end() || window->first == kRoot) continue;
    window->second.parent = kRoot;
    window->second.place = static_cast<std::int32_t>(i);
  }
  for (const std::string& path : shown_) {
    const Node& node = app_.nodes[path];
    // It went in the meantime.
    if (!node.described || !node.has_states) continue;
    const auto parent = app_.nodes.find(node.parent);
    if (parent == app_.nodes.end()) continue;
    std::vector<std::string>& children = parent->second.children;
    const auto place = static_cast<std::size_t>(node.place);
    if (node.place < 0 || place > want_.most * 100) return false;
    if (children.size() <= place) children.resize(place + 1);
    if (!children[place].empty()) return false;
    children[place] = path;
    parent->second.listed = false;
    parent->second.sparse = true;
  }
  return true;
}

}  // namespace handrail::atspi
