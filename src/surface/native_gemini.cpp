// Gemini's computer functions: those of its desktop environment, and the older ones of the browser model. Coordinates
// are thousandths of the picture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/nearest.h"
#include "describe/codec.h"
#include "surface/native_steps.h"

namespace handrail::surface {
namespace {

constexpr std::array<std::string_view, 25> kCalls{"click",           "double_click",   "triple_click",
                                                  "middle_click",    "right_click",    "mouse_down",
                                                  "mouse_up",        "move",           "type",
                                                  "drag_and_drop",   "wait",           "press_key",
                                                  "key_down",        "key_up",         "hotkey",
                                                  "take_screenshot", "scroll",         "click_at",
                                                  "hover_at",        "type_text_at",   "key_combination",
                                                  "scroll_at",       "wait_5_seconds", "go_back",
                                                  "go_forward"};
constexpr std::array<std::string_view, 7> kElsewhere{"navigate",   "search",   "open_web_browser", "scroll_document",
                                                     "long_press", "open_app", "list_apps"};
constexpr std::string_view kBasis = "normalized_0_1000";
// A tick of a wheel moves most pages by about a tenth of the screen.
constexpr double kUnitsPerTick = 100;
constexpr double kMostTicks = 50;
constexpr double kGrid = 999;

Result<double> place(const Json& args, std::string_view field) {
  const double value = TRY(native_number(args, field));
  if (value >= 0 && value <= kGrid) return value;
  return make_error(Code::argument_invalid, fmt::format("`{}` is {:g}.", field, value))
      .with_field(std::string(field), "a number from 0 to 999");
}

Result<Json> point_of(const Json& args, std::string_view x = "x", std::string_view y = "y") {
  // Not in the list itself: what it has already built would be lost when the rest is refused.
  const double left = TRY(place(args, x));
  const double top = TRY(place(args, y));
  return Json::array({left, top});
}

Result<Json> at(const Json& args) {
  Json point = TRY(point_of(args));
  return Json{{"at", std::move(point)}, {"basis", std::string(kBasis)}};
}

Result<bool> flag(const Json& args, std::string_view field, bool initial) {
  if (!args.contains(field)) return initial;
  return describe::read_bool(args[std::string(field)], std::string(field));
}

NativeStep key(std::string keys) { return {"key", {{"keys", std::move(keys)}}}; }

Result<NativeSteps> click(const Json& args, int count, const char* button) {
  Json params = TRY(at(args));
  if (count != 1) params["count"] = count;
  if (std::string_view(button) != "left") params["button"] = button;
  return NativeSteps{{"click", std::move(params)}};
}

Result<NativeSteps> type(const Json& args, bool enter) {
  const std::string text = TRY(native_text(args, "text"));
  NativeSteps steps{{"type", {{"text", text}}}};
  if (TRY(flag(args, "press_enter", enter))) steps.push_back(key("Return"));
  return steps;
}

// Into a field: a click, all of it chosen, and typed over.
Result<NativeSteps> type_at(const Json& args) {
  NativeSteps steps = TRY(click(args, 1, "left"));
  if (TRY(flag(args, "clear_before_typing", true))) steps.push_back(key("ctrl+a"));
  const NativeSteps typed = TRY(type(args, true));
  steps.insert(steps.end(), typed.begin(), typed.end());
  return steps;
}

Result<NativeSteps> scroll(const Json& args, std::string_view magnitude, double initial) {
  Json params = TRY(at(args));
  params["direction"] = TRY(native_text(args, "direction"));
  const double units = args.contains(magnitude) ? TRY(native_number(args, magnitude)) : initial;
  params["amount"] = static_cast<int>(std::clamp(std::round(units / kUnitsPerTick), 1.0, kMostTicks));
  return NativeSteps{{"scroll", std::move(params)}};
}

Result<NativeSteps> drag(const Json& args) {
  const bool older = args.contains("destination_x") || args.contains("destination_y");
  const Json from = older ? TRY(point_of(args)) : TRY(point_of(args, "start_x", "start_y"));
  const Json to = older ? TRY(point_of(args, "destination_x", "destination_y")) : TRY(point_of(args, "end_x", "end_y"));
  return NativeSteps{{"drag", {{"from", from}, {"to", to}, {"basis", std::string(kBasis)}}}};
}

Result<NativeSteps> button(const Json& args, std::string_view action) {
  Json place = TRY(at(args));
  return NativeSteps{{"move", std::move(place)}, {action, {{"button", "left"}}}};
}

Result<NativeSteps> one(const std::string& name, const Json& args) {
  if (name == "click" || name == "click_at") return click(args, 1, "left");
  if (name == "double_click") return click(args, 2, "left");
  if (name == "triple_click") return click(args, 3, "left");
  if (name == "middle_click") return click(args, 1, "middle");
  if (name == "right_click") return click(args, 1, "right");
  if (name == "mouse_down") return button(args, "button_down");
  if (name == "mouse_up") return button(args, "button_up");
  if (name == "move" || name == "hover_at") {
    Json place = TRY(at(args));
    return NativeSteps{{"move", std::move(place)}};
  }
  if (name == "type") return type(args, false);
  if (name == "type_text_at") return type_at(args);
  if (name == "drag_and_drop") return drag(args);
  if (name == "scroll") return scroll(args, "magnitude_in_pixels", 300);
  if (name == "scroll_at") return scroll(args, "magnitude", 800);
  if (name == "press_key") return NativeSteps{key(TRY(native_text(args, "key")))};
  if (name == "key_combination") return NativeSteps{key(TRY(native_text(args, "keys")))};
  if (name == "hotkey") return NativeSteps{key(TRY(native_chord(args.value("keys", Json()), "keys")))};
  if (name == "key_down" || name == "key_up") {
    const std::string keys = TRY(native_text(args, "key"));
    return NativeSteps{{name == "key_down" ? "key_down" : "key_up", {{"keys", keys}}}};
  }
  if (name == "wait") {
    const double seconds = args.contains("seconds") ? TRY(native_number(args, "seconds")) : 1;
    return NativeSteps{{"wait", {{"duration", seconds}}}};
  }
  if (name == "wait_5_seconds") return NativeSteps{{"wait", {{"duration", 5}}}};
  if (name == "take_screenshot") return NativeSteps{{"screenshot", Json::object()}};
  if (name == "go_back") return NativeSteps{key("alt+Left")};
  if (name == "go_forward") return NativeSteps{key("alt+Right")};
  if (std::ranges::find(kElsewhere, name) != kElsewhere.end()) {
    return make_error(Code::capability_unsupported, fmt::format("`{}` is not for a whole desktop.", name))
        .with_field("name", fmt::format("one of: {}", fmt::join(kCalls, ", ")))
        .with_hint(
            "Declare the desktop environment, or leave the function out with excluded_predefined_functions; "
            "addresses are typed into the browser's own bar.");
  }
  return unknown_call("name", name, kCalls);
}

}  // namespace

std::span<const std::string_view> gemini_calls() { return kCalls; }
std::span<const std::string_view> gemini_elsewhere() { return kElsewhere; }

Result<NativeSteps> gemini_steps(const Json& call) {
  for (const char* envelope : {"function_call", "functionCall"}) {
    if (call.contains(envelope) && call[envelope].is_object()) return gemini_steps(call[envelope]);
  }
  const std::string name = TRY(native_text(call, "name"));
  const char* field = call.contains("args") ? "args" : "arguments";
  const Json args = call.value(field, Json::object());
  if (!args.is_object()) {
    return make_error(Code::argument_invalid, fmt::format("`{}` is no object.", field)).with_field(field, "an object");
  }
  const Json check = args.value("safety_decision", Json::object());
  if (text_in(check, "decision") == "require_confirmation") return needs_confirmation(text_in(check, "explanation"));
  return one(name, args);
}

}  // namespace handrail::surface
