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
