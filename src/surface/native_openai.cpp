// OpenAI's computer calls: `computer_call` items with one `action` or several `actions`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/nearest.h"
#include "describe/codec.h"
#include "describe/model_names.h"
#include "model/key.h"
#include "surface/native_steps.h"

namespace handrail::surface {
namespace {

constexpr std::array<std::string_view, 9> kCalls{"click",      "double_click", "drag", "keypress", "move",
                                                 "screenshot", "scroll",       "type", "wait"};
// A tick of a wheel moves most pages by about so many pixels.
constexpr double kPixelsPerTick = 100;
constexpr double kMostTicks = 50;
constexpr double kWaitSeconds = 1;

struct NamedButton {
  std::string_view theirs;
  std::string_view ours;
};
constexpr std::array kButtons{NamedButton{"left", "left"}, NamedButton{"right", "right"},
                              NamedButton{"wheel", "middle"}, NamedButton{"back", "x1"}, NamedButton{"forward", "x2"}};

Result<Json> point_of(const Json& action) {
  const double x = TRY(native_number(action, "x"));
  const double y = TRY(native_number(action, "y"));
  return Json::array({x, y});
}

Result<Json> modifiers_of(const Json& action) {
  Json list = Json::array();
  const auto keys = action.find("keys");
  if (keys == action.end() || keys->is_null()) return list;
  TRY(describe::check_list(*keys, "keys", describe::between(0, 4)));
  for (const auto& key : *keys) {
    auto modifier = parse_modifier(TRY(describe::read_text(key, "keys", describe::between(1, 40))));
    if (!modifier.ok()) {
      modifier.error().field = "keys";
      return modifier.error();
    }
    list.push_back(std::string(describe::name_of(*modifier)));
  }
  return list;
}

Json placed(Json at, const Json& modifiers) {
  Json params{{"at", std::move(at)}, {"basis", "pixels"}};
  if (!modifiers.empty()) params["modifiers"] = modifiers;
  return params;
}

Result<NativeSteps> click(const Json& action, int count) {
  Json params = placed(TRY(point_of(action)), TRY(modifiers_of(action)));
  if (count != 1) params["count"] = count;
  const std::string button = action.contains("button") ? TRY(native_text(action, "button")) : "left";
  const auto found = std::ranges::find(kButtons, button, &NamedButton::theirs);
  if (found == kButtons.end()) {
    return make_error(Code::argument_invalid, fmt::format("`button` is `{}`.", shortened(button, 40)))
        .with_field("button", "left, right, wheel, back or forward");
  }
  if (found->ours != "left") params["button"] = std::string(found->ours);
  return NativeSteps{{"click", std::move(params)}};
}

Result<NativeSteps> scroll(const Json& action) {
  const Json params = placed(TRY(point_of(action)), TRY(modifiers_of(action)));
  NativeSteps steps;
  const auto turn = [&](double pixels, const char* back, const char* forth) {
    if (pixels == 0) return;
    Json own = params;
    own["direction"] = pixels < 0 ? back : forth;
    own["amount"] = static_cast<int>(std::clamp(std::round(std::abs(pixels) / kPixelsPerTick), 1.0, kMostTicks));
    steps.push_back({"scroll", std::move(own)});
  };
  turn(TRY(native_number(action, "scroll_y")), "up", "down");
  turn(TRY(native_number(action, "scroll_x")), "left", "right");
  if (steps.empty()) {
    return make_error(Code::argument_invalid, "`scroll_x` and `scroll_y` are both 0.")
        .with_field("scroll_y", "a number of pixels that is not 0");
  }
  return steps;
}

Result<NativeSteps> drag(const Json& action) {
  const Json path = action.value("path", Json());
  TRY(describe::check_list(path, "path", describe::between(2, 100)));
  Json points = Json::array();
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Json& at = path[i];
    // Both forms are seen: {"x": 1, "y": 2} and [1, 2].
    if (at.is_array()) {
      const auto pair = TRY(describe::read_numbers(at, fmt::format("path[{}]", i), 2, "[x, y]"));
      points.push_back({pair[0], pair[1]});
    } else {
      points.push_back(TRY(point_of(at.is_object() ? at : Json::object())));
    }
  }
  Json params{{"from", points.front()}, {"to", points.back()}, {"basis", "pixels"}};
  if (points.size() > 2) params["path"] = Json(points.begin() + 1, points.end() - 1);
  if (const Json modifiers = TRY(modifiers_of(action)); !modifiers.empty()) params["modifiers"] = modifiers;
  return NativeSteps{{"drag", std::move(params)}};
}

Result<NativeSteps> one(const Json& action) {
  if (!action.is_object()) {
    return make_error(Code::argument_invalid, "An action is an object.").with_field("action", "an object with `type`");
  }
  const std::string type = TRY(native_text(action, "type"));
  if (type == "click") return click(action, 1);
  if (type == "double_click") return click(action, 2);
  if (type == "scroll") return scroll(action);
  if (type == "drag") return drag(action);
  if (type == "move") {
    const auto at = TRY(point_of(action));
    return NativeSteps{{"move", {{"at", at}, {"basis", "pixels"}}}};
  }
  if (type == "type") {
    const std::string text = TRY(native_text(action, "text"));
    return NativeSteps{{"type", {{"text", text}}}};
  }
  if (type == "keypress") {
    const std::string keys = TRY(native_chord(action.value("keys", Json()), "keys"));
    return NativeSteps{{"key", {{"keys", keys}}}};
  }
  if (type == "wait") return NativeSteps{{"wait", {{"duration", kWaitSeconds}}}};
  if (type == "screenshot") return NativeSteps{{"screenshot", Json::object()}};
  return unknown_call("type", type, kCalls);
}

}  // namespace

std::span<const std::string_view> openai_calls() { return kCalls; }

Result<NativeSteps> openai_steps(const Json& call) {
  const Json checks = call.value("pending_safety_checks", Json::array());
  if (checks.is_array() && !checks.empty()) {
    return needs_confirmation(text_in(checks.front(), "message"));
  }
  if (call.contains("action")) return one(call["action"]);
  if (!call.contains("actions")) return one(call);
  const Json& actions = call["actions"];
  TRY(describe::check_list(actions, "actions", describe::between(1, 20)));
  NativeSteps steps;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    auto more = one(actions[i]);
    if (!more.ok()) {
      Error error = std::move(more).error();
      error.field = fmt::format("actions[{}].{}", i, error.field);
      error.message = fmt::format("In `actions[{}]`: {} Nothing was done.", i, error.message);
      return error;
    }
    steps.insert(steps.end(), more->begin(), more->end());
  }
  return steps;
}

}  // namespace handrail::surface
