// Keyboard actions.
#pragma once

#include <span>
#include <string>

#include "catalog/action_spec.h"
#include "describe/model_names.h"

namespace handrail::actions {

inline constexpr double kMaxTyped = 100000;
inline constexpr double kMaxHoldSeconds = 60;

struct Type {
  std::string text;
};

struct PressKey {
  std::string keys;
  int repeat = 1;
};

// Keys that stay down, or come up again, beyond one call.
struct HeldKeys {
  std::string keys;
};

struct HoldKey {
  std::string keys;
  double duration = 1;
};

// Whether every key is known.
Status check(const PressKey& press);
Status check(const HoldKey& hold);
// Modifiers only: any other key would repeat by itself, into whatever gets the focus next.
Status check(const HeldKeys& held);

std::span<const catalog::ActionSpec> keyboard_actions();

}  // namespace handrail::actions

namespace handrail::describe {

inline constexpr std::string_view kKeysDoc =
    "Keys joined by +, such as ctrl+s, Return, alt+F4 or a single character; X, web and upper-case names are known.";

template <>
struct Fields<actions::Type> {
  using T = actions::Type;
  static constexpr auto list = std::tuple{
      needed("text", &T::text, "Text to type, any Unicode; a newline is Return.", between(1, actions::kMaxTyped)),
  };
};
template <>
struct Fields<actions::PressKey> {
  using T = actions::PressKey;
  static constexpr auto list = std::tuple{
      needed("keys", &T::keys, kKeysDoc, between(1, 200)),
      field("repeat", &T::repeat, "How many times.", between(1, 100)),
  };
};
template <>
struct Fields<actions::HeldKeys> {
  using T = actions::HeldKeys;
  static constexpr auto list = std::tuple{
      needed("keys", &T::keys, "Modifiers joined by +: ctrl, shift, alt, super.", between(1, 60)),
  };
};
template <>
struct Fields<actions::HoldKey> {
  using T = actions::HoldKey;
  static constexpr auto list = std::tuple{
      needed("keys", &T::keys, kKeysDoc, between(1, 200)),
      needed("duration", &T::duration, "Seconds to hold them.", between(0, actions::kMaxHoldSeconds)),
  };
};

}  // namespace handrail::describe
