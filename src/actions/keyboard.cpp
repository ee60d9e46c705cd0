#include "actions/keyboard.h"

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

constexpr std::array kType{
    Example{"Fill in a field.", R"({"text": "Grüße aus 東京 🎉"})"},
    Example{"Two lines.", R"({"text": "first\nsecond"})"},
};
constexpr std::array kKey{
    Example{"Save.", R"({"keys": "ctrl+s"})"},
    Example{"Three lines down.", R"({"keys": "Down", "repeat": 3})"},
};
constexpr std::array kHold{Example{"Keep walking.", R"({"keys": "w", "duration": 1.5})"}};

constexpr std::array kKeyboardActions{
    action<Type, NoResult, run_type>("type", Category::keyboard, Touches::keyboard, Tier::full, Capability::keyboard,
                                     "Type text into whatever has the keyboard focus.", kType),
    action<PressKey, NoResult, run_key>("key", Category::keyboard, Touches::keyboard, Tier::full, Capability::keyboard,
                                        "Press a key or a combination of keys.", kKey),
    action<HoldKey, NoResult, run_hold_key>("hold_key", Category::keyboard, Touches::keyboard, Tier::full,
                                            Capability::keyboard, "Hold keys down for a time.", kHold),
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

std::span<const catalog::ActionSpec> keyboard_actions() { return kKeyboardActions; }

}  // namespace handrail::actions
