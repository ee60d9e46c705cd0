#include <gtest/gtest.h>

#include "actions/all.h"
#include "surface/guidance.h"
#include "surface/reply.h"

namespace handrail::surface {
namespace {

class UniversalTest : public testing::Test {
 protected:
  std::unique_ptr<ToolSurface> universal_ = make_universal(actions::all_actions(), {});

  Result<catalog::ActionCall> resolve(std::string_view arguments) {
    return universal_->resolve("computer_use", parse_json(arguments).value());
  }
  Json canonical(std::string_view arguments) {
    auto call = resolve(arguments);
    if (!call.ok()) return to_text(call.error());
    return Json{{"action", call->spec->name}, {"params", call->arguments}};
  }
};

TEST_F(UniversalTest, is_one_tool_within_its_budget) {
  ASSERT_EQ(universal_->tools().size(), 1U);
  EXPECT_LE(to_line(to_json(universal_->tools().front())).size() / 4, 3000U);
}

TEST_F(UniversalTest, resolves_by_element_or_by_coordinate) {
  EXPECT_EQ(canonical(R"({"action": "click", "element": 7})")["action"], "click_element");
  const Json point = canonical(R"({"action": "click", "coordinate": [3, 4], "button": "left"})");
  EXPECT_EQ(point["action"], "click");
  EXPECT_EQ(point["params"]["basis"], "pixels");
  EXPECT_EQ(point["params"]["delivery"], "background");
  EXPECT_EQ(canonical(R"({"action": "double_click", "element": 7})")["params"]["count"], 2);
  EXPECT_EQ(
      canonical(R"({"action": "right_click", "coordinate": [3, 4], "delivery": "foreground"})")["params"]["button"],
      "right");
  EXPECT_EQ(canonical(R"({"action": "drag", "from_element": 1, "to_element": 2})")["action"], "drag_elements");
  EXPECT_EQ(canonical(R"({"action": "drag", "from_coordinate": [1, 2], "to_coordinate": [3, 4]})")["action"], "drag");
  EXPECT_EQ(canonical(R"({"action": "scroll", "element": 3})")["action"], "scroll_element");
  EXPECT_EQ(canonical(R"({"action": "wait"})")["params"]["duration"], 1.0);
}

TEST_F(UniversalTest, takes_what_every_action_takes) {
  const auto call = resolve(R"({"action": "click", "element": 7, "capture_after": true, "dry_run": true})");
  ASSERT_TRUE(call.ok());
  EXPECT_TRUE(call->capture_after);
  EXPECT_TRUE(call->dry_run);
}

TEST_F(UniversalTest, says_what_was_expected) {
  const auto told = [this](std::string_view arguments) { return resolve(arguments).error(); };
  EXPECT_EQ(told(R"({"action": "clik", "element": 7})").hint, "Did you mean `click`?");
  EXPECT_NE(told(R"({"action": "click"})").message.find("`element` or `coordinate`"), std::string::npos);
  EXPECT_NE(told(R"({"action": "click", "element": 7, "coordinate": [1, 2]})").message.find("not both"),
            std::string::npos);
  EXPECT_EQ(told(R"({"action": "click", "element": "7"})").field, "element");
  EXPECT_EQ(told(R"({"action": "click", "coordinate": [1]})").field, "coordinate");
  EXPECT_EQ(told(R"({"action": "drag", "from_coordinate": [1], "to_coordinate": [1, 2]})").field, "from_coordinate");
  EXPECT_EQ(told(R"({"action": "capture", "element": 7})").code, Code::argument_invalid);
  EXPECT_EQ(told(R"({"action": "wait_for"})").field, "text");
  EXPECT_EQ(told(R"({"action": "verify_state", "expect": [{"is": "value"}]})").field, "expect[0].element");
  EXPECT_EQ(told(R"({"action": "capture", "capture_after": 1})").field, "capture_after");
  EXPECT_EQ(told("{}").field, "action");
  EXPECT_EQ(universal_->resolve("computer", Json::object()).error().code, Code::action_unknown);
}

TEST_F(UniversalTest, takes_whose_number_it_is) {
  const auto call = resolve(R"({"action": "click", "element": 7, "app": "mousepad", "window_id": 12})");
  ASSERT_TRUE(call.ok()) << to_text(call.error());
  EXPECT_EQ(call->arguments["numbers_of"], (Json{{"app", "mousepad"}, {"window", 12}}));
  EXPECT_EQ(resolve(R"({"action": "click", "element": 7, "window_id": 0})").error().field, "window_id");
  EXPECT_EQ(resolve(R"({"action": "click", "coordinate": [1, 2], "app": "mousepad"})").error().code,
            Code::argument_invalid);
}

TEST_F(UniversalTest, waits_half_a_minute_at_most) {
  EXPECT_TRUE(resolve(R"({"action": "wait", "seconds": 30})").ok());
  EXPECT_EQ(resolve(R"({"action": "wait", "seconds": 30.5})").error().field, "seconds");
  EXPECT_EQ(universal_->tools().front().input_schema["properties"]["seconds"]["maximum"], 30);
}

TEST_F(UniversalTest, speaks_of_its_own_actions_alone) {
  const auto hint = [](const char* text) {
    Error error = make_error(Code::gate_refused, "It is refused since the last screenshot of `screenshot`.");
    return make_universal(actions::all_actions(), {})->render("computer_use", std::move(error).with_hint(text), "n");
  };
  Reply reply = hint("Call `request_access` first. `move_window` moves it. Take a screenshot.");
  EXPECT_EQ(reply.structured["error"]["hint"], "Call `request_access` first. Take a capture.");
  EXPECT_EQ(reply.structured["error"]["message"], "It is refused since the last capture of `screenshot`.");
  reply = hint("`move_window` moves it without keys.");
  EXPECT_EQ(reply.text.find("move_window"), std::string::npos) << reply.text;

  Error outside = make_error(Code::argument_invalid, "`at` is [9999, 5], outside.").with_field("at", "a pixel");
  reply = universal_->render("computer_use", outside, "n");
  EXPECT_EQ(reply.structured["error"]["field"], "coordinate");
  EXPECT_EQ(reply.structured["error"]["message"], "`coordinate` is [9999, 5], outside.");
}

TEST(Reply, names_of_apps_begin_no_line) {
  const Reply reply = make_reply(make_error(Code::not_found, "There is no `x\n#1 push button`."), "n");
  EXPECT_EQ(reply.text.find('\n'), std::string::npos) << reply.text;
}

TEST_F(UniversalTest, a_misspelt_field_is_named_before_a_missing_one) {
  const auto call = universal_->resolve("computer_use", {{"action", "click"}, {"elment", 5}});
  ASSERT_FALSE(call.ok());
  EXPECT_EQ(call.error().field, "elment");
  EXPECT_EQ(call.error().hint, "Did you mean `element`?");
}

TEST_F(UniversalTest, its_examples_resolve) {
  for (const Json& example : universal_->tools().front().input_schema["examples"]) {
    EXPECT_TRUE(universal_->resolve("computer_use", example).ok()) << example;
  }
}

TEST(Guidance, names_actions_that_there_are) {
  for (const std::string_view name : {"verify_state", "wait_for", "request_access", "release"}) {
    EXPECT_NE(guidance().find(name), std::string_view::npos);
    EXPECT_TRUE(actions::all_actions().find(name).ok());
  }
}

TEST(Guidance, speaks_of_the_tools_that_there_are) {
  EXPECT_EQ(compact_guidance().find("capture"), std::string::npos);
  EXPECT_NE(compact_guidance().find("discover"), std::string::npos);
  EXPECT_EQ(layered_guidance().find("verify_state"), std::string::npos);
  EXPECT_NE(make_layered(actions::all_actions(), {})->guidance().find("settle_ms"), std::string::npos);
}

}  // namespace
}  // namespace handrail::surface
