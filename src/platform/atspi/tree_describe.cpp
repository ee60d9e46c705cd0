// The part of a TreeReader that asks an object what it is.
#include <memory>

#include "platform/atspi/chosen.h"
#include "platform/atspi/node_properties.h"
#include "platform/atspi/requests.h"
#include "platform/atspi/tree_reader.h"
#include "platform/atspi/tree_search.h"

namespace handrail::atspi {

void TreeReader::visit(const Visit& next) {
  // The root is not one of the elements.
  if (next.path.empty() || visited_.size() > want_.most || !visited_.insert(next.path).second) return;
  Node& node = app_.nodes[next.path];
  node.path = next.path;
  const bool known = node.has_states;
  if (!known && !node.described && tells_apart()) return meet(node, next.depth);
  if (!known) ask_state(node, next.depth);
  // Whether it shows decides whether anything else is of interest.
  if (known || !want_.showing) go_on(node, next.depth);
}

void TreeReader::go_on(Node& node, int depth) {
  if (!passes(node, app_.toolkit, want_.showing)) return;
  if (node.described) {
    expand(node, depth);
  } else {
    describe(node, depth);
  }
}

void TreeReader::ask_all(std::vector<Part> parts, std::function<void(bool)> then) {
  struct Open {
    std::size_t left;
    bool known;
    std::function<void(bool)> then;
  };
  const auto open = std::make_shared<Open>(Open{parts.size(), true, std::move(then)});
  for (Part& part : parts) {
    ask(std::move(part.request), [open, take = std::move(part.take)](sd_bus_message* answer) {
      if (!take(answer)) open->known = false;
      if (--open->left == 0) open->then(open->known);
    });
  }
}

void TreeReader::gone(Node& node) {
  missing_ = missing_ || !node.absent;
  node.absent = true;
  node.described = false;
}

TreeReader::Part TreeReader::state_of(Node& node) {
  return {bus_.call(app_.service, node.path, kAccessible, "GetState"), [&node](sd_bus_message* answer) {
            if (answer == nullptr) return false;
            node.states = read_states(answer);
            node.has_states = true;
            node.absent = false;
            return true;
          }};
}

TreeReader::Part TreeReader::role_of(Node& node) {
  return {bus_.call(app_.service, node.path, kAccessible, "GetRole"), [&node](sd_bus_message* answer) {
            return answer != nullptr && sd_bus_message_read(answer, "u", &node.role) > 0;
          }};
}

void TreeReader::ask_state(Node& node, int depth) {
  std::vector<Part> parts;
  parts.push_back(state_of(node));
  ask_all(std::move(parts), [this, &node, depth](bool known) {
    if (!known) return gone(node);
    if (want_.showing) go_on(node, depth);
  });
}

void TreeReader::describe(Node& node, int depth) {
  std::vector<Part> parts;
  parts.push_back(role_of(node));
  if (tells_apart()) return ask_all(std::move(parts), [this, &node, depth](bool known) { enter(node, depth, known); });
  parts.push_back({all_properties_request(bus_, app_.service, node.path),
                   [this, &node](sd_bus_message* answer) { return read_properties(answer, app_.service, node); }});
  ask_all(std::move(parts), [this, &node, depth](bool known) {
    if (!known) return gone(node);
    node.described = true;
    if (passes(node, app_.toolkit, want_.showing)) expand(node, depth);
  });
}

// Qt cannot tell all of its properties at once: it ends when it is asked to.
bool TreeReader::tells_apart() const { return app_.toolkit == "Qt"; }

// What decides where to go on comes first. The rest keeps the app busy while the next questions are on their way.
void TreeReader::meet(Node& node, int depth) {
  std::vector<Part> parts;
  parts.push_back(state_of(node));
  parts.push_back(role_of(node));
  ask_all(std::move(parts), [this, &node, depth](bool known) { enter(node, depth, known); });
}

void TreeReader::enter(Node& node, int depth, bool known) {
  if (!known) return gone(node);
  if (!passes(node, app_.toolkit, want_.showing)) return;
  if (!node.listed) node.child_count = -1;
  node.description.clear();
  expand(node, depth);
  ask(property_request(bus_, app_.service, node.path, kAccessible, "Name"), [this, &node](sd_bus_message* answer) {
    if (answer == nullptr) return gone(node);
    node.name = read_string_property(answer);
    node.described = true;
    // It stands for a name where there is none.
    if (!node.name.empty() || !passes(node, app_.toolkit, true)) return;
    ask(property_request(bus_, app_.service, node.path, kAccessible, "Description"),
        [&node](sd_bus_message* description) { node.description = read_string_property(description); });
  });
}

}  // namespace handrail::atspi
