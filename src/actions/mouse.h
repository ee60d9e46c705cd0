// Pointer actions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "catalog/action_spec.h"
#include "describe/model_names.h"

namespace handrail::actions {

enum class ScrollDirection { up, down, left, right };

struct Click {
  Point at;
  Button button = Button::left;
  int count = 1;
  std::vector<Modifier> modifiers;
  Basis basis = Basis::points;
  Delivery delivery = Delivery::foreground;
};

struct Drag {
  std::optional<Point> from;
  Point to;
  std::vector<Point> path;
  Button button = Button::left;
  std::vector<Modifier> modifiers;
  Basis basis = Basis::points;
  Delivery delivery = Delivery::foreground;
};

struct Move {
  Point at;
  Basis basis = Basis::points;
};

struct Scroll {
  Point at;
  ScrollDirection direction = ScrollDirection::down;
  int amount = 3;
  std::vector<Modifier> modifiers;
  Basis basis = Basis::points;
  Delivery delivery = Delivery::foreground;
};

struct HoldButton {
  Button button = Button::left;
};

struct PointerAt {
  Point at;  // where the pointer is now, in the units that the caller uses
};

// Positive is right and down.
Point wheel_ticks(ScrollDirection direction, int amount);

std::span<const catalog::ActionSpec> mouse_actions();

}  // namespace handrail::actions

namespace handrail::describe {

template <>
struct Names<actions::ScrollDirection> {
  using D = actions::ScrollDirection;
  static constexpr std::array list{Name{D::up, "up"}, Name{D::down, "down"}, Name{D::left, "left"},
                                   Name{D::right, "right"}};
};

inline constexpr std::string_view kBasisDoc =
    "Units of the coordinates: pixels of the last screenshot, parts of it, or logical desktop points.";
inline constexpr std::string_view kClickDeliveryDoc =
    "foreground uses the person's pointer; background accessibility, or a pointer of the agent's own.";
inline constexpr std::string_view kDragDeliveryDoc =
    "foreground uses the person's pointer; background one of the agent's own.";
inline constexpr std::string_view kScrollDeliveryDoc =
    "foreground uses the person's pointer; background the scroll bar, or a wheel of the agent's own.";
inline constexpr std::string_view kModifiersDoc = "Keys held meanwhile.";

template <>
struct Fields<actions::Click> {
  using T = actions::Click;
  static constexpr auto list = std::tuple{
      needed("at", &T::at, "Where to click, [x, y]."),
      field("button", &T::button, "Mouse button."),
      field("count", &T::count, "1 click, 2 double click, 3 triple click.", between(1, 3)),
      field("modifiers", &T::modifiers, kModifiersDoc, between(0, 4)),
      field("basis", &T::basis, kBasisDoc),
      field("delivery", &T::delivery, kClickDeliveryDoc),
  };
};
template <>
struct Fields<actions::Drag> {
  using T = actions::Drag;
  static constexpr auto list = std::tuple{
      field("from", &T::from, "Where to press, [x, y]; where the pointer is when left out."),
      needed("to", &T::to, "Where to release, [x, y]."),
      field("path", &T::path, "Points to pass on the way, in order.", between(0, 100)),
      field("button", &T::button, "Mouse button."),
      field("modifiers", &T::modifiers, kModifiersDoc, between(0, 4)),
      field("basis", &T::basis, kBasisDoc),
      field("delivery", &T::delivery, kDragDeliveryDoc),
  };
};
template <>
struct Fields<actions::Move> {
  using T = actions::Move;
  static constexpr auto list = std::tuple{
      needed("at", &T::at, "Where to move the pointer, [x, y]."),
      field("basis", &T::basis, kBasisDoc),
  };
};
template <>
struct Fields<actions::Scroll> {
  using T = actions::Scroll;
  static constexpr auto list = std::tuple{
      needed("at", &T::at, "Where to turn the wheel, [x, y]."),
      field("direction", &T::direction, "Which way the view moves."),
      field("amount", &T::amount, "Wheel ticks.", between(1, 50)),
      field("modifiers", &T::modifiers, kModifiersDoc, between(0, 4)),
      field("basis", &T::basis, kBasisDoc),
      field("delivery", &T::delivery, kScrollDeliveryDoc),
  };
};
template <>
struct Fields<actions::HoldButton> {
  using T = actions::HoldButton;
  static constexpr auto list = std::tuple{field("button", &T::button, "Mouse button.")};
};
template <>
struct Fields<actions::PointerAt> {
  using T = actions::PointerAt;
  static constexpr auto list = std::tuple{
      needed("at", &T::at, "Where the pointer is now, [x, y], in the caller's units."),
  };
};

}  // namespace handrail::describe
