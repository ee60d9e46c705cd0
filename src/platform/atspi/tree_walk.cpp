// The part of a TreeReader that goes from object to object.
#include <algorithm>

#include "platform/atspi/cache_items.h"
#include "platform/atspi/chosen.h"
#include "platform/atspi/requests.h"
#include "platform/atspi/roles.h"
#include "platform/atspi/told_text.h"
#include "platform/atspi/tree_reader.h"

namespace handrail::atspi {
namespace {

// What holds rows may hold more of them than can be listed.
bool makes_rows(const Node& node) {
  return has(node.states, StateBit::manages_descendants) || node.role == kListRole || node.role == kTableRole ||
         node.role == kTreeRole || node.role == kTreeTableRole;
}

void take_value(Node& node, std::string value) {
  node.value = std::move(value);
  node.valued = true;
}

}  // namespace

void TreeReader::walk() {
  phase_ = Phase::walk;
  greet_root();
  visits_.push_back({kRoot, -1});
  work();
}

void TreeReader::work() {
  while (!visits_.empty()) {
    const Visit next = std::move(visits_.front());
    visits_.pop_front();
    visit(next);
  }
}

void TreeReader::expand(Node& node, int depth) {
  const bool deepest = depth + 1 >= kDeepestElement;
  if (node.child_count < 0 && node.path != kRoot && (deepest || makes_rows(node))) return count_rows(node, depth);
  if (deepest || (has(node.states, StateBit::manages_descendants) && node.child_count > kMostRows)) return;
  if (node.child_count == 0) node.listed = true;
  if (node.listed || (node.sparse && want_.showing)) {
    for (const std::string& child : node.children) visits_.push_back({child, depth + 1});
    return;
  }
  const std::size_t room = want_.most + 1 - std::min(want_.most + 1, visited_.size());
  if (room == 0) return;
  if (node.child_count < 0 || static_cast<std::size_t>(node.child_count) <= room) {
    list_children(node, depth);
  } else {
    list_first(node, depth, room);
  }
}

// Not everybody tells with the rest how many there are.
void TreeReader::count_rows(Node& node, int depth) {
  ask(property_request(bus_, app_.service, node.path, kAccessible, "ChildCount"),
      [this, &node, depth](sd_bus_message* answer) {
        node.child_count = std::max(0, read_int_property(answer).value_or(kMostRows + 1));
        expand(node, depth);
      });
}

void TreeReader::list_children(Node& node, int depth) {
  ask(bus_.call(app_.service, node.path, kAccessible, "GetChildren"), [this, &node, depth](sd_bus_message* answer) {
    if (answer == nullptr) return;
    const std::size_t most = want_.most + 1;
    node.children = read_object_list(answer, app_.service, most);
    node.cut = node.children.size() == most;
    node.child_count = std::max(node.cut ? node.child_count : 0, static_cast<std::int32_t>(node.children.size()));
    node.listed = true;
    node.sparse = false;
    for (const std::string& child : node.children) visits_.push_back({child, depth + 1});
  });
}

// More than anybody wants to know: one by one, from the first.
void TreeReader::list_first(Node& node, int depth, std::size_t room) {
  node.children.assign(room, {});
  node.listed = node.cut = true;
  node.sparse = false;
  for (std::size_t i = 0; i < room; ++i) {
    ask(child_request(bus_, app_.service, node.path, static_cast<std::int32_t>(i)),
        [this, &node, depth, i](sd_bus_message* answer) {
          node.children[i] = read_object(answer, app_.service);
          visits_.push_back({node.children[i], depth + 1});
        });
  }
}

// Where they are and what is in them: only of those that are wanted.
void TreeReader::details() {
  phase_ = Phase::details;
  Cut cut;
  for (const Chosen& chosen : choose(app_, want_.showing, want_.most, cut)) {
    Node& node = app_.nodes[chosen.node->path];
    const bool shows = passes(node, app_.toolkit, true);
    if (shows && (want_.places || !node.placed)) {
      ask(extents_request(bus_, app_.service, node.path, app_.toolkit), [&node](sd_bus_message* answer) {
        node.at = read_extents(answer);
        node.placed = true;
      });
    }
    if (node.role == kPasswordText || !shows) take_value(node, {});
    carry_over(node);
    if (!want_.values || node.valued) continue;
    if (node.has_interfaces) {
      ask_value(node);
      continue;
    }
    ask(bus_.call(app_.service, node.path, kAccessible, "GetInterfaces"), [this, &node](sd_bus_message* answer) {
      if (answer == nullptr) return;
      node.interfaces = read_interfaces(answer);
      node.has_interfaces = true;
      ask_value(node);
    });
  }
}

// Of the same object as before.
void TreeReader::carry_over(Node& node) const {
  const auto found = before_.find(node.path);
  if (node.valued || found == before_.end() || found->second.role != node.role) return;
  const Node& before = found->second;
  if (!node.has_interfaces) node.interfaces = before.interfaces;
  node.has_interfaces = node.has_interfaces || before.has_interfaces;
  // GTK 4 does not tell that a number has changed.
  const bool told = (node.interfaces & kValue) == 0 && node.interfaces == before.interfaces;
  if (before.valued && told) take_value(node, before.value);
}

void TreeReader::ask_value(Node& node) {
  if ((node.interfaces & kValue) != 0) {
    ask(property_request(bus_, app_.service, node.path, kValueInterface, "CurrentValue"),
        [&node](sd_bus_message* answer) { take_value(node, read_number_property(answer)); });
  } else if ((node.interfaces & kText) != 0) {
    ask(property_request(bus_, app_.service, node.path, kTextInterface, "CharacterCount"),
        [this, &node](sd_bus_message* answer) {
          const std::int32_t count = read_int_property(answer).value_or(0);
          if (count <= 0) return take_value(node, {});
          const auto most = static_cast<std::int32_t>(kLongestValue);
          ask(text_request(bus_, app_.service, node.path, std::min(count, most)), [&node](sd_bus_message* text) {
            const char* value = nullptr;
            const bool told = text != nullptr && sd_bus_message_read(text, "s", &value) > 0;
            take_value(node, told ? told_text(value, kLongestValue, true) : "");
          });
        });
  } else {
    take_value(node, {});
  }
}

}  // namespace handrail::atspi
