#include "actions/keyboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actions/context.h"
#include "actions/plan/keyboard.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::NoResult;
using catalog::Tier;
using catalog::Touches;

Result<Chord> chord_of(const std::string& keys) {
  auto chord = parse_chord(keys);
  if (!chord.ok()) chord.error().field = "keys";
  return chord;
}

Result<Outcome> run_type(ActionContext& context, const Type& type) { return context.perform(plan::type(type.text)); }

Result<Outcome> run_key(ActionContext& context, const PressKey& press) {
  return context.perform(plan::press_chord(TRY(chord_of(press.keys)), press.repeat));
}

Result<Outcome> run_hold_key(ActionContext& context, const HoldKey& hold) {
  const Millis span(static_cast<long>(std::lround(hold.duration * 1000)));
  return context.perform(plan::hold_chord(TRY(chord_of(hold.keys)), span));
}

Result<Outcome> run_key_down(ActionContext& context, const HeldKeys& held) {
  return context.perform(plan::keys_down(TRY(chord_of(held.keys))));
}

Result<Outcome> run_key_up(ActionContext& context, const HeldKeys& held) {
  return context.perform(plan::keys_up(TRY(chord_of(held.keys))));
}

constexpr std::array kType{
    Example{"Fill in a field.", R"({"text": "Grüße aus 東京 🎉"})"},
    Example{"Two lines.", R"({"text": "first\nsecond"})"},
};
constexpr std::array kKey{
    Example{"Save.", R"({"keys": "ctrl+s"})"},
    Example{"Three lines down.", R"({"keys": "Down", "repeat": 3})"},
};
constexpr std::array kHold{Example{"Keep walking.", R"({"keys": "w", "duration": 1.5})"}};

constexpr std::array kHeld{Example{"For several clicks.", R"({"keys": "ctrl"})"}};

constexpr std::array kKeyboardActions{
    action<Type, NoResult, run_type>("type", Category::keyboard, Touches::keyboard, Tier::full, Capability::keyboard,
                                     "Type text into whatever has the keyboard focus.", kType),
    action<PressKey, NoResult, run_key>("key", Category::keyboard, Touches::keyboard, Tier::full, Capability::keyboard,
                                        "Press a key or a combination of keys.", kKey),
    action<HoldKey, NoResult, run_hold_key>("hold_key", Category::keyboard, Touches::keyboard, Tier::full,
                                            Capability::keyboard, "Hold keys down for a time.", kHold),
    action<HeldKeys, NoResult, run_key_down>("key_down", Category::keyboard, Touches::keyboard, Tier::full,
                                             Capability::keyboard,
                                             "Press modifier keys and keep them down until key_up or release.", kHeld),
    action<HeldKeys, NoResult, run_key_up>("key_up", Category::keyboard, Touches::keyboard, Tier::full,
                                           Capability::keyboard, "Let go of modifier keys that are down.", kHeld),
};

}  // namespace

Status check(const PressKey& press) {
  TRY(chord_of(press.keys));
  return {};
}

Status check(const HoldKey& hold) {
  TRY(chord_of(hold.keys));
  return {};
}

Status check(const HeldKeys& held) {
  const Chord chord = TRY(chord_of(held.keys));
  constexpr std::array kModifiers{Modifier::ctrl, Modifier::shift, Modifier::alt, Modifier::super};
  for (const Key key : chord.keys) {
    const bool holds = std::ranges::any_of(kModifiers, [&](Modifier modifier) { return key_of(modifier) == key; });
    if (holds) continue;
    return make_error(Code::argument_invalid, fmt::format("`keys` has {}, which is no modifier.", name(key)))
        .with_field("keys", "ctrl, shift, alt or super, joined by +")
        .with_hint("Other keys are held for a time with `hold_key`.");
  }
  return {};
}

std::span<const catalog::ActionSpec> keyboard_actions() { return kKeyboardActions; }

}  // namespace handrail::actions
