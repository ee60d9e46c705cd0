#include "model/element.h"

#include <algorithm>
#include <array>

namespace handrail {
namespace {

constexpr std::array<std::string_view, 31> kInteractive{"check box",
                                                        "check menu item",
                                                        "color chooser",
                                                        "combo box",
                                                        "date editor",
                                                        "dial",
                                                        "entry",
                                                        "icon",
                                                        "link",
                                                        "list item",
                                                        "menu",
                                                        "menu item",
                                                        "page tab",
                                                        "password text",
                                                        "push button",
                                                        "button",
                                                        "push button menu",
                                                        "radio button",
                                                        "radio menu item",
                                                        "scroll bar",
                                                        "slider",
                                                        "spin button",
                                                        "switch",
                                                        "table cell",
                                                        "tearoff menu item",
                                                        "text",
                                                        "toggle button",
                                                        "tree item",
                                                        "column header",
                                                        "row header",
                                                        "autocomplete"};

// GTK 4 calls what has no name by its type.
bool is_made_up(std::string_view name) {
  return name.empty() || (name.starts_with("Gtk") && name.size() > 3 && name[3] >= 'A' && name[3] <= 'Z' &&
                          name.find(' ') == name.npos);
}

bool may_hold_label(std::string_view role) {
  constexpr std::array<std::string_view, 9> kHolders{"list item",     "page tab",    "table cell",
                                                     "tree item",     "push button", "button",
                                                     "toggle button", "menu item",   "check box"};
  return std::ranges::find(kHolders, role) != kHolders.end();
}

}  // namespace

ElementKey key_of(const ElementTree& tree, std::size_t element) {
  const Element& found = tree.elements[element];
  ElementKey key{found.id, tree.pid, found.role, found.name, {}, {}, found.place};
  if (found.parent >= 0) {
    const Element& parent = tree.elements[static_cast<std::size_t>(found.parent)];
    key.parent_role = parent.role;
    key.parent_name = parent.name;
  }
  return key;
}

std::string shown_name(const ElementTree& tree, std::size_t element) {
  constexpr std::size_t kLooked = 12;
  const Element& named = tree.elements[element];
  const bool own = named.role != "page tab" && !is_made_up(named.name);
  if (own || !may_hold_label(named.role)) return named.name;
  for (std::size_t i = element + 1; i < tree.elements.size() && i <= element + kLooked; ++i) {
    const Element& inner = tree.elements[i];
    if (inner.depth <= named.depth) break;
    const bool hidden = inner.bounds.empty() && !named.bounds.empty();
    if (hidden) continue;
    if (inner.role == "label" && !is_made_up(inner.name)) return inner.name;
  }
  return named.name;
}

bool interactive(const Element& element) {
  if (!element.states.has(ElementState::showing)) return false;
  // A label that cannot be edited is told as text by some toolkits.
  if (element.role == "text") {
    return element.states.has(ElementState::editable) || element.states.has(ElementState::focusable);
  }
  if (element.role == "table cell" && !element.states.has(ElementState::selectable)) return false;
  return std::ranges::find(kInteractive, element.role) != kInteractive.end();
}

}  // namespace handrail
