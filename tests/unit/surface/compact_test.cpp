#include <gtest/gtest.h>

#include "actions/all.h"
#include "surface/reply.h"

namespace handrail::surface {
namespace {

class CompactTest : public testing::Test {
 protected:
  std::unique_ptr<ToolSurface> compact_ = make_compact(actions::all_actions(), {});

  Result<catalog::ActionCall> resolve(std::string_view arguments) {
    return compact_->resolve("computer", parse_json(arguments).value());
  }
  Json canonical(std::string_view arguments) {
    auto call = resolve(arguments);
    if (!call.ok()) return to_text(call.error());
    return Json{{"action", call->spec->name}, {"params", call->arguments}};
  }
  std::optional<Reply> discover(std::string_view arguments) {
    return compact_->answer("computer", parse_json(arguments).value());
  }
};

TEST_F(CompactTest, is_one_tool_of_at_most_2800_characters) {
  ASSERT_EQ(compact_->tools().size(), 1U);
  const Tool& tool = compact_->tools().front();
  EXPECT_EQ(tool.name, "computer");
  EXPECT_LE(tool.description.size() + to_line(tool.input_schema).size(), 2800U);
}

TEST_F(CompactTest, resolves_its_own_names) {
  EXPECT_EQ(canonical(R"({"action": "press", "element": 7})"),
            (Json{{"action", "click_element"}, {"params", {{"element", 7}}}}));
  EXPECT_EQ(canonical(R"({"action": "ui", "app": "mousepad", "most": 9})"),
            (Json{{"action", "ui_tree"}, {"params", {{"app", "mousepad"}, {"max_elements", 9}}}}));
  EXPECT_EQ(canonical(R"({"action": "right_click", "at": [3, 4]})"),
            (Json{{"action", "click"}, {"params", {{"button", "right"}, {"at", {3, 4}}}}}));
  EXPECT_EQ(canonical(R"({"action": "perform_action", "element": 5, "verb": "expand"})")["params"]["action"], "expand");
  EXPECT_EQ(canonical(R"({"action": "get_clipboard"})")["action"], "read_clipboard");
  EXPECT_EQ(canonical(R"({"action": "minimize_window", "window": 5})")["action"], "minimise_window");
}

TEST_F(CompactTest, speaks_in_points) {
  EXPECT_EQ(canonical(R"({"action": "find_element", "name": "Save"})")["params"]["basis"], "points");
  const auto click = resolve(R"({"action": "click", "at": [3, 4]})");
  ASSERT_TRUE(click.ok());
  EXPECT_EQ(click->spec->encode(click->params)["basis"], "points");
}

TEST_F(CompactTest, takes_dry_run_where_something_changes) {
  EXPECT_TRUE(resolve(R"({"action": "press", "element": 7, "dry_run": true})")->dry_run);
  EXPECT_EQ(resolve(R"({"action": "ui", "dry_run": true})").error().field, "dry_run");
}

TEST_F(CompactTest, says_what_was_expected) {
  const auto told = [this](std::string_view arguments) { return resolve(arguments).error(); };
  EXPECT_EQ(told(R"({"action": "pres", "element": 7})").hint, "Did you mean `press`?");
  EXPECT_EQ(told(R"({"action": "zzzzzz"})").field, "action");
  EXPECT_NE(told(R"({"action": "zzzzzz"})").hint.find("discover"), std::string::npos);
  EXPECT_EQ(told("{}").field, "action");
  EXPECT_EQ(told(R"({"action": "press"})").field, "element");
  EXPECT_EQ(told(R"({"action": "press", "element": "7"})").field, "element");
  EXPECT_EQ(told(R"({"action": "window_screenshot"})").field, "window");
  EXPECT_EQ(told(R"({"action": "select_menu", "menu": "File"})").field, "menu");
  EXPECT_EQ(told(R"({"action": "press", "element": 7, "at": [1, 2]})").field, "at");
  EXPECT_EQ(told(R"({"action": "key_down", "keys": "w"})").field, "keys");
  EXPECT_EQ(compact_->resolve("computer_use", Json::object()).error().code, Code::action_unknown);
}

TEST_F(CompactTest, discovers_by_category) {
  for (const char* category : {"observe", "mouse", "keyboard", "ax", "windows", "apps", "clipboard", "scripting",
                               "system", "setup", "flow", "all"}) {
    const auto reply = discover(std::string(R"({"action": "discover", "category": ")") + category + "\"}");
    ASSERT_TRUE(reply) << category;
    EXPECT_FALSE(reply->is_error) << reply->text;
    EXPECT_LE(reply->text.size(), 16000U) << category;
    EXPECT_NE(reply->text.find("background"), std::string::npos);
  }
  const auto ax = discover(R"({"action": "discover", "category": "ax"})");
  EXPECT_NE(ax->text.find("find_element(app?: text, name?: text, role?: text, most?: 1..1000 = 20)"), std::string::npos)
      << ax->text;
  EXPECT_NE(ax->text.find(R"({"action":"press","element":7})"), std::string::npos);
  const auto wrong = discover(R"({"action": "discover", "category": "mice"})");
  ASSERT_TRUE(wrong);
  EXPECT_TRUE(wrong->is_error);
  EXPECT_NE(wrong->text.find("observe, mouse, keyboard"), std::string::npos) << wrong->text;
  EXPECT_FALSE(discover(R"({"action": "screenshot"})"));
  EXPECT_TRUE(discover(R"({"action": "discover", "app": "x"})")->is_error);
}

TEST_F(CompactTest, examples_of_discover_resolve) {
  const std::string text = discover(R"({"action": "discover", "category": "mouse"})")->text;
  int examples = 0;
  for (std::size_t at = 0; (at = text.find("\n  {", at)) != std::string::npos; ++at) {
    const std::string line = text.substr(at + 3, text.find('\n', at + 1) - at - 3);
    EXPECT_TRUE(resolve(line).ok()) << line;
    ++examples;
  }
  EXPECT_GT(examples, 5);
}

// Strict clients know one type for each name.
TEST_F(CompactTest, a_name_has_the_type_that_is_declared) {
  const Json declared = compact_->tools().front().input_schema["properties"];
  for (const catalog::ActionSpec* spec : actions::all_actions().all()) {
    for (const catalog::Example& example : spec->examples) {
      const auto params = spec->decode(parse_json(example.params).value());
      ASSERT_TRUE(params.ok()) << spec->name;
      for (const ToolCall& call : compact_->express(*spec, spec->encode(*params))) {
        for (const auto& [name, value] : call.arguments.items()) {
          ASSERT_TRUE(declared.contains(name)) << spec->name << " " << name;
          const std::string type = declared[name]["type"];
          const bool fits = (type == "string" && value.is_string()) || (type == "array" && value.is_array()) ||
                            (type == "boolean" && value.is_boolean()) || (type == "object" && value.is_object()) ||
                            ((type == "integer" || type == "number") && value.is_number());
          EXPECT_TRUE(fits) << spec->name << " " << name << " is declared as " << type << ", and given as " << value;
        }
      }
    }
  }
}

TEST_F(CompactTest, says_how_pixels_become_points) {
  Outcome outcome = observed({{"width", 640}, {"height", 400}, {"area", {10, 20, 1280, 800}}});
  outcome.text = "Display 0 as 640x400 pixels. Later coordinates refer to this picture.";
  outcome.pictures.emplace_back();
  const Reply reply = compact_->render("computer", std::move(outcome), "n");
  EXPECT_NE(reply.text.find("(10 + px * 2, 20 + py * 2)"), std::string::npos) << reply.text;
  EXPECT_EQ(reply.text.find("Later coordinates"), std::string::npos);
}

TEST_F(CompactTest, cuts_long_text_at_a_character_and_says_so) {
  Outcome outcome = observed({{"rows", std::string(40000, 'x')}, {"count", 3}});
  outcome.text = "Much.";
  for (int i = 0; i < 20000; ++i) outcome.untrusted += "ü";
  const Reply reply = compact_->render("computer", std::move(outcome), "nonce");
  EXPECT_LE(reply.text.size(), 16000U);
  EXPECT_NE(reply.text.find("bytes were cut"), std::string::npos);
  EXPECT_NE(reply.text.find("</untrusted nonce>"), std::string::npos);
  EXPECT_TRUE(parse_json(to_line(Json(reply.text))).ok());
  EXPECT_EQ(to_line(Json(reply.text)).find("\ufffd"), std::string::npos);
  EXPECT_LE(to_line(reply.structured).size(), 16000U);
  EXPECT_EQ(reply.structured["cut"], Json::array({"rows"}));
  EXPECT_EQ(reply.structured["count"], 3);
}

TEST_F(CompactTest, speaks_of_its_own_actions_alone) {
  Error error = make_error(Code::target_stale, "No elements are numbered yet.");
  const Reply reply =
      compact_->render("computer", std::move(error).with_hint("Call `ui_tree` first. `click_element` presses."), "n");
  EXPECT_EQ(reply.structured["error"]["hint"], "Call `ui` first. `press` presses.");
}

}  // namespace
}  // namespace handrail::surface
