#include "surface/native.h"

#include <gtest/gtest.h>

#include "actions/all.h"

namespace handrail::surface {
namespace {

struct Row {
  Vendor vendor;
  const char* call;
  const char* action;
  const char* params;
};

// The vendors' calls as their documents write them, and ours that they stand for.
constexpr Row kRows[] = {
    {Vendor::anthropic, R"({"action": "screenshot"})", "screenshot", "{}"},
    {Vendor::anthropic, R"({"action": "left_click", "coordinate": [1, 2]})", "click",
     R"({"at": [1, 2], "basis": "pixels"})"},
    {Vendor::anthropic, R"({"action": "left_click", "coordinate": [1, 2], "text": "ctrl+shift"})", "click",
     R"({"at": [1, 2], "modifiers": ["ctrl", "shift"], "basis": "pixels"})"},
    {Vendor::anthropic,
     R"({"type": "tool_use", "name": "computer", "input": {"action": "triple_click", "coordinate": [1, 2]}})", "click",
     R"({"at": [1, 2], "count": 3, "basis": "pixels"})"},
    {Vendor::anthropic, R"({"action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [3, 4]})", "drag",
     R"({"from": [1, 2], "to": [3, 4], "basis": "pixels"})"},
    {Vendor::anthropic, R"({"action": "mouse_move", "coordinate": [1, 2]})", "move",
     R"({"at": [1, 2], "basis": "pixels"})"},
    {Vendor::anthropic, R"({"action": "scroll", "coordinate": [1, 2], "scroll_direction": "down", "scroll_amount": 5})",
     "scroll", R"({"at": [1, 2], "direction": "down", "amount": 5, "basis": "pixels"})"},
    {Vendor::anthropic, R"({"action": "key", "text": "ctrl+s"})", "key", R"({"keys": "ctrl+s"})"},
    {Vendor::anthropic, R"({"action": "hold_key", "text": "shift", "duration": 2})", "hold_key",
     R"({"keys": "shift", "duration": 2})"},
    {Vendor::anthropic, R"({"action": "type", "text": "Grüße"})", "type", R"({"text": "Grüße"})"},
    {Vendor::anthropic, R"({"action": "left_mouse_down"})", "button_down", "{}"},
    {Vendor::anthropic, R"({"action": "left_mouse_up"})", "button_up", "{}"},
    {Vendor::anthropic, R"({"action": "cursor_position"})", "cursor_position", R"({"basis": "pixels"})"},
    {Vendor::anthropic, R"({"action": "wait", "duration": 3})", "wait", R"({"duration": 3})"},
    {Vendor::anthropic, R"({"action": "zoom", "region": [1, 2, 30, 40]})", "zoom",
     R"({"region": [1, 2, 30, 40], "basis": "pixels"})"},

    {Vendor::openai, R"({"type": "click", "x": 1, "y": 2, "button": "wheel"})", "click",
     R"({"at": [1, 2], "button": "middle", "basis": "pixels"})"},
    {Vendor::openai, R"({"type": "computer_call", "call_id": "c", "action": {"type": "double_click", "x": 1, "y": 2}})",
     "click", R"({"at": [1, 2], "count": 2, "basis": "pixels"})"},
    {Vendor::openai, R"({"type": "click", "x": 1, "y": 2, "button": "left", "keys": ["CTRL"]})", "click",
     R"({"at": [1, 2], "modifiers": ["ctrl"], "basis": "pixels"})"},
    {Vendor::openai, R"({"type": "scroll", "x": 1, "y": 2, "scroll_x": 0, "scroll_y": -300})", "scroll",
     R"({"at": [1, 2], "direction": "up", "amount": 3, "basis": "pixels"})"},
    {Vendor::openai, R"({"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}, {"x": 5, "y": 6}]})", "drag",
     R"({"from": [1, 2], "path": [[3, 4]], "to": [5, 6], "basis": "pixels"})"},
    {Vendor::openai, R"({"type": "keypress", "keys": ["CTRL", "S"]})", "key", R"({"keys": "CTRL+S"})"},
    {Vendor::openai, R"({"type": "move", "x": 1, "y": 2})", "move", R"({"at": [1, 2], "basis": "pixels"})"},
    {Vendor::openai, R"({"type": "type", "text": "a"})", "type", R"({"text": "a"})"},
    {Vendor::openai, R"({"type": "wait"})", "wait", R"({"duration": 1})"},
    {Vendor::openai, R"({"type": "screenshot"})", "screenshot", "{}"},
    {Vendor::openai,
     R"({"type": "computer_call", "actions": [{"type": "click", "x": 1, "y": 2, "button": "left"},
                                              {"type": "type", "text": "a"}]})",
     "batch",
     R"({"steps": [{"action": "click", "params": {"at": [1.0, 2.0], "basis": "pixels"}},
                   {"action": "type", "params": {"text": "a"}}]})"},

    {Vendor::gemini, R"({"name": "click_at", "args": {"x": 500, "y": 300}})", "click",
     R"({"at": [500, 300], "basis": "normalized_0_1000"})"},
    {Vendor::gemini, R"({"functionCall": {"name": "click", "args": {"x": 500, "y": 300, "intent": "see"}}})", "click",
     R"({"at": [500, 300], "basis": "normalized_0_1000"})"},
    {Vendor::gemini, R"({"name": "hover_at", "arguments": {"x": 5, "y": 3}})", "move",
     R"({"at": [5, 3], "basis": "normalized_0_1000"})"},
    {Vendor::gemini, R"({"name": "type_text_at", "args": {"x": 5, "y": 3, "text": "a", "press_enter": false}})",
     "batch",
     R"({"steps": [{"action": "click", "params": {"at": [5.0, 3.0], "basis": "normalized_0_1000"}},
                   {"action": "key", "params": {"keys": "ctrl+a"}}, {"action": "type", "params": {"text": "a"}}]})"},
    {Vendor::gemini, R"({"name": "key_combination", "args": {"keys": "Control+A"}})", "key",
     R"({"keys": "Control+A"})"},
    {Vendor::gemini, R"({"name": "hotkey", "args": {"keys": ["ctrl", "s"]}})", "key", R"({"keys": "ctrl+s"})"},
    {Vendor::gemini, R"({"name": "scroll_at", "args": {"x": 5, "y": 3, "direction": "down"}})", "scroll",
     R"({"at": [5, 3], "direction": "down", "amount": 8, "basis": "normalized_0_1000"})"},
    {Vendor::gemini, R"({"name": "scroll", "args": {"x": 5, "y": 3, "direction": "up", "magnitude_in_pixels": 500}})",
     "scroll", R"({"at": [5, 3], "direction": "up", "amount": 5, "basis": "normalized_0_1000"})"},
    {Vendor::gemini, R"({"name": "drag_and_drop", "args": {"x": 1, "y": 2, "destination_x": 3, "destination_y": 4}})",
     "drag", R"({"from": [1, 2], "to": [3, 4], "basis": "normalized_0_1000"})"},
    {Vendor::gemini, R"({"name": "drag_and_drop", "args": {"start_x": 1, "start_y": 2, "end_x": 3, "end_y": 4}})",
     "drag", R"({"from": [1, 2], "to": [3, 4], "basis": "normalized_0_1000"})"},
    {Vendor::gemini, R"({"name": "mouse_down", "args": {"x": 1, "y": 2}})", "batch",
     R"({"steps": [{"action": "move", "params": {"at": [1.0, 2.0], "basis": "normalized_0_1000"}},
                   {"action": "button_down", "params": {"button": "left"}}]})"},
    {Vendor::gemini, R"({"name": "key_down", "args": {"key": "ctrl"}})", "key_down", R"({"keys": "ctrl"})"},
    {Vendor::gemini, R"({"name": "wait", "args": {}})", "wait", R"({"duration": 1})"},
    {Vendor::gemini, R"({"name": "wait_5_seconds"})", "wait", R"({"duration": 5})"},
    {Vendor::gemini, R"({"name": "take_screenshot", "args": {}})", "screenshot", "{}"},
    {Vendor::gemini, R"({"name": "go_back", "args": {}})", "key", R"({"keys": "alt+Left"})"},
};

TEST(Native, resolves_to_the_same_calls) {
  const auto& catalog = actions::all_actions();
  for (const Row& row : kRows) {
    const auto call = resolve_native(catalog, row.vendor, parse_json(row.call).value());
    ASSERT_TRUE(call.ok()) << row.call << ": " << to_text(call.error());
    const auto ours = catalog.call(row.action, parse_json(row.params).value());
    ASSERT_TRUE(ours.ok()) << row.params << ": " << to_text(ours.error());
    EXPECT_EQ(call->spec->name, row.action) << row.call;
    EXPECT_EQ(call->spec->encode(call->params), ours->spec->encode(ours->params)) << row.call;
  }
}

TEST(Native, says_what_is_understood) {
  const auto told = [](Vendor vendor, std::string_view call) {
    return resolve_native(actions::all_actions(), vendor, parse_json(call).value()).error();
  };
  EXPECT_NE(told(Vendor::anthropic, R"({"action": "left_clik"})").expected.find("left_click"), std::string::npos);
  EXPECT_EQ(told(Vendor::anthropic, R"({"action": "left_click"})").field, "coordinate");
  EXPECT_EQ(told(Vendor::anthropic, R"({"action": "left_click", "coordinate": "x"})").field, "coordinate");
  EXPECT_EQ(told(Vendor::openai, R"({"type": "tap"})").field, "type");
  EXPECT_EQ(told(Vendor::openai, R"({"type": "click", "x": 1})").field, "y");
  EXPECT_EQ(told(Vendor::openai, R"({"actions": [{"type": "wait"}, {"type": "tap"}]})").field, "actions[1].type");
  EXPECT_EQ(told(Vendor::openai, R"({"actions": []})").field, "actions");
  EXPECT_EQ(told(Vendor::openai, R"({"action": {"type": "wait"}, "pending_safety_checks": [{"message": "m"}]})").code,
            Code::access_denied);
  EXPECT_EQ(told(Vendor::gemini, R"({"name": "click_at", "args": {"x": 1000, "y": 1}})").field, "x");
  EXPECT_EQ(told(Vendor::gemini, R"({"name": "navigate", "args": {"url": "u"}})").code, Code::capability_unsupported);
  EXPECT_EQ(told(Vendor::gemini, R"({"name": "clck_at"})").hint, "Did you mean `click_at`?");
  EXPECT_EQ(
      told(Vendor::gemini,
           R"({"name": "click_at", "args": {"x": 1, "y": 1, "safety_decision": {"decision": "require_confirmation"}}})")
          .code,
      Code::access_denied);
  for (const Vendor vendor : {Vendor::anthropic, Vendor::openai, Vendor::gemini}) {
    EXPECT_EQ(told(vendor, "[]").code, Code::argument_invalid);
    EXPECT_EQ(told(vendor, "{}").code, Code::argument_invalid);
  }
}

TEST(Native, declares_the_picture_that_is_sent) {
  EXPECT_EQ(native_image(Vendor::anthropic, {1280, 800}), (Size{1280, 800}));
  const Size large = native_image(Vendor::anthropic, {3840, 2160});
  EXPECT_LE(large.width, 1568);
  EXPECT_LE(large.width * large.height, 1150000);
  EXPECT_EQ(native_image(Vendor::openai, {1920, 1080}), (Size{1920, 1080}));
  const Json anthropic = native_declaration(Vendor::anthropic, {1280, 800});
  EXPECT_EQ(anthropic["tools"][0]["type"], "computer_20251124");
  EXPECT_EQ(anthropic["tools"][0]["display_width_px"], 1280);
  EXPECT_EQ(native_declaration(Vendor::openai, {1280, 800})["or"][0]["display_height"], 800);
  EXPECT_EQ(native_declaration(Vendor::gemini, {1280, 800})["tools"][0]["computer_use"]["environment"],
            "ENVIRONMENT_DESKTOP");
  EXPECT_FALSE(vendor_named("else"));
}

}  // namespace
}  // namespace handrail::surface
