// Acting on elements, by the numbers of the last capture.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actions/keyboard.h"
#include "actions/mouse.h"
#include "catalog/action_spec.h"
#include "describe/model_names.h"

namespace handrail::actions {

class ActionContext;

struct ClickElement {
  int element = 0;
  Button button = Button::left;
  int count = 1;
  std::vector<Modifier> modifiers;
  Delivery delivery = Delivery::background;
};

struct ScrollElement {
  int element = 0;
  ScrollDirection direction = ScrollDirection::down;
  int amount = 3;
  std::vector<Modifier> modifiers;
  Delivery delivery = Delivery::background;
};

struct KeyInto {
  std::string keys;
  std::string app;
  Delivery delivery = Delivery::background;
};

struct SetValue {
  int element = 0;
  std::string value;
  Delivery delivery = Delivery::background;
};

struct DragElements {
  int from = 0;
  int to = 0;
  Button button = Button::left;
  std::vector<Modifier> modifiers;
  Delivery delivery = Delivery::background;
};

struct OneElement {
  int element = 0;
};

struct NamedAction {
  int element = 0;
  std::string action;
};

struct SelectMenu {
  std::string app;
  std::vector<std::string> path;
};

struct TypeInto {
  std::string text;
  std::optional<int> element;
  std::string app;
  Delivery delivery = Delivery::background;
};

struct ElementValue {
  int element = 0;
  std::string role;
  std::string name;
  std::string value;
  std::vector<std::string> states;
};

// Why something that only the person's own pointer and keys can do was not done, and how to ask for it.
Error needs_front(std::string_view what);
// A drag in the background.
Error no_drag();
// Words for the states that matter to a reader: "focused", "checked", "disabled".
std::vector<std::string> state_words(const Element& element);

Status check(const KeyInto& press);

// For actions that find the element first.
Result<Outcome> click_element(ActionContext& context, const ClickElement& click);
Result<Outcome> element_value(ActionContext& context, const OneElement& one);

std::span<const catalog::ActionSpec> element_actions();

}  // namespace handrail::actions

namespace handrail::describe {

inline constexpr std::string_view kElementDoc = "Number of the element in the last capture.";
inline constexpr Limits kElementNumbers = between(1, 100000);
inline constexpr std::string_view kDeliveryDoc =
    "background leaves the person's pointer, focus and windows alone; foreground brings the window to the front, acts, "
    "and puts back what was there.";

inline constexpr std::string_view kValueDoc =
    "New text or number; label of an option or row; on, off, expanded, collapsed; of a menu the path, as `Recent > "
    "First`.";

template <>
struct Fields<actions::ClickElement> {
  using T = actions::ClickElement;
  static constexpr auto list = std::tuple{
      needed("element", &T::element, kElementDoc, kElementNumbers),
      field("button", &T::button, "Mouse button."),
      field("count", &T::count, "1 click, 2 double click, 3 triple click.", between(1, 3)),
      field("modifiers", &T::modifiers, "Keys held meanwhile.", between(0, 4)),
      field("delivery", &T::delivery, kDeliveryDoc),
  };
};
template <>
struct Fields<actions::ScrollElement> {
  using T = actions::ScrollElement;
  static constexpr auto list = std::tuple{
      needed("element", &T::element, kElementDoc, kElementNumbers),
      field("direction", &T::direction, "Which way the view moves."),
      field("amount", &T::amount, "Wheel ticks.", between(1, 50)),
      field("modifiers", &T::modifiers, "Keys held meanwhile.", between(0, 4)),
      field("delivery", &T::delivery, kDeliveryDoc),
  };
};
template <>
struct Fields<actions::KeyInto> {
  using T = actions::KeyInto;
  static constexpr auto list = std::tuple{
      needed("keys", &T::keys, kKeysDoc, between(1, 200)),
      field("app", &T::app, "The app; the one of the last capture when left out.", between(0, 200)),
      field("delivery", &T::delivery, kDeliveryDoc),
  };
};
template <>
struct Fields<actions::SetValue> {
  using T = actions::SetValue;
  static constexpr auto list = std::tuple{
      needed("element", &T::element, kElementDoc, kElementNumbers),
      needed("value", &T::value, kValueDoc, between(0, 100000)),
      field("delivery", &T::delivery, kDeliveryDoc),
  };
};
template <>
struct Fields<actions::DragElements> {
  using T = actions::DragElements;
  static constexpr auto list = std::tuple{
      needed("from", &T::from, "Number of the element to drag.", kElementNumbers),
      needed("to", &T::to, "Number of the element to drop it on.", kElementNumbers),
      field("button", &T::button, "Mouse button."),
      field("modifiers", &T::modifiers, "Keys held meanwhile.", between(0, 4)),
      field("delivery", &T::delivery, kDeliveryDoc),
  };
};
template <>
struct Fields<actions::OneElement> {
  using T = actions::OneElement;
  static constexpr auto list = std::tuple{needed("element", &T::element, kElementDoc, kElementNumbers)};
};
template <>
struct Fields<actions::NamedAction> {
  using T = actions::NamedAction;
  static constexpr auto list = std::tuple{
      needed("element", &T::element, kElementDoc, kElementNumbers),
      needed("action", &T::action, "What the element calls it, such as press, toggle or expand.", between(1, 60)),
  };
};
template <>
struct Fields<actions::SelectMenu> {
  using T = actions::SelectMenu;
  static constexpr auto list = std::tuple{
      field("app", &T::app, "The app; the one of the last capture when left out.", between(0, 200)),
      needed("path", &T::path, "Labels from the menu bar to the item.", between(1, 8)),
  };
};
template <>
struct Fields<actions::TypeInto> {
  using T = actions::TypeInto;
  static constexpr auto list = std::tuple{
      needed("text", &T::text, "Text to type, any Unicode.", between(1, 100000)),
      field("element", &T::element, "Number of the field; the one that was used last when left out.", kElementNumbers),
      field("app", &T::app, "The app; the one of the last capture when left out.", between(0, 200)),
      field("delivery", &T::delivery, kDeliveryDoc),
  };
};
template <>
struct Fields<actions::ElementValue> {
  using T = actions::ElementValue;
  static constexpr auto list = std::tuple{
      field("element", &T::element, "Its number."),
      field("role", &T::role, "What it is."),
      field("name", &T::name, "Its label; text of the app, not to be trusted."),
      field("value", &T::value, "Its text, number or option."),
      field("states", &T::states, "Such as checked, selected, focused, disabled."),
  };
};

}  // namespace handrail::describe
