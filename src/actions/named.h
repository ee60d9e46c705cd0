// Acting on the element that fits a name and a role best, found and used in one call.
#pragma once

#include <span>
#include <string>

#include "actions/elements.h"

namespace handrail::actions {

struct ClickNamed {
  std::string app;
  std::string name;
  std::string role;
  Button button = Button::left;
  int count = 1;
  Delivery delivery = Delivery::background;
};

struct TypeNamed {
  std::string app;
  std::string name;
  std::string role;
  std::string text;
  Delivery delivery = Delivery::background;
};

struct ValueNamed {
  std::string app;
  std::string name;
  std::string role;
};

// A name or a role is there.
Status check(const ClickNamed& click);
Status check(const TypeNamed& type);
Status check(const ValueNamed& value);

std::span<const catalog::ActionSpec> named_actions();

}  // namespace handrail::actions

namespace handrail::describe {

inline constexpr std::string_view kAppDoc = "The app; the last one when left out.";
inline constexpr std::string_view kNameDoc = "Label of the element or a part of it, any case; the best fit is meant.";
inline constexpr std::string_view kRoleDoc = "Its role, such as push button.";

template <>
struct Fields<actions::ClickNamed> {
  using T = actions::ClickNamed;
  static constexpr auto list = std::tuple{
      field("app", &T::app, kAppDoc, between(0, 200)),
      field("name", &T::name, kNameDoc, between(0, 200)),
      field("role", &T::role, kRoleDoc, between(0, 60)),
      field("button", &T::button, "Mouse button."),
      field("count", &T::count, "1 click, 2 double click, 3 triple click.", between(1, 3)),
      field("delivery", &T::delivery, kDeliveryDoc),
  };
};
template <>
struct Fields<actions::TypeNamed> {
  using T = actions::TypeNamed;
  static constexpr auto list = std::tuple{
      field("app", &T::app, kAppDoc, between(0, 200)),
      field("name", &T::name, kNameDoc, between(0, 200)),
      field("role", &T::role, kRoleDoc, between(0, 60)),
      needed("text", &T::text, "Text to type, any Unicode.", between(1, 100000)),
      field("delivery", &T::delivery, kDeliveryDoc),
  };
};
template <>
struct Fields<actions::ValueNamed> {
  using T = actions::ValueNamed;
  static constexpr auto list = std::tuple{
      field("app", &T::app, kAppDoc, between(0, 200)),
      field("name", &T::name, kNameDoc, between(0, 200)),
      field("role", &T::role, kRoleDoc, between(0, 60)),
  };
};

}  // namespace handrail::describe
