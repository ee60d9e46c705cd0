#include <gtest/gtest.h>

#include "actions/all.h"
#include "surface/reply.h"

namespace handrail::surface {
namespace {

class LayeredTest : public testing::Test {
 protected:
  std::unique_ptr<ToolSurface> layered_ = make_layered(actions::all_actions(), {});

  Result<catalog::ActionCall> resolve(std::string_view tool, std::string_view arguments) {
    return layered_->resolve(tool, parse_json(arguments).value());
  }
  Json canonical(std::string_view tool, std::string_view arguments) {
    auto call = resolve(tool, arguments);
    if (!call.ok()) return to_text(call.error());
    return Json{{"action", call->spec->name}, {"params", call->arguments}};
  }
};

TEST_F(LayeredTest, has_eight_tools) {
  std::vector<std::string> names;
  for (const Tool& tool : layered_->tools()) names.push_back(tool.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"screenshot", "mouse", "keyboard", "ui", "app", "clipboard", "ocr", "audit"}));
}

TEST_F(LayeredTest, takes_points_or_pixels_of_a_picture) {
  EXPECT_EQ(canonical("mouse", R"({"action": "click", "x": 640, "y": 400})"),
            (Json{{"action", "click"}, {"params", {{"at", {640.0, 400.0}}, {"basis", "points"}}}}));
  EXPECT_EQ(canonical("mouse", R"({"action": "click", "x": 320, "y": 100, "image_width": 640, "image_height": 400})"),
            (Json{{"action", "click"}, {"params", {{"at", {500.0, 250.0}}, {"basis", "normalized_0_1000"}}}}));
  EXPECT_EQ(canonical("screenshot",
                      R"({"region": [0, 0, 640, 200], "image_width": 640, "image_height": 400})")["params"]["region"],
            (Json{0.0, 0.0, 1000.0, 500.0}));
  EXPECT_EQ(canonical("mouse", R"({"action": "drag", "x": 1, "y": 2, "end_x": 3, "end_y": 4})")["params"],
            (Json{{"from", {1.0, 2.0}}, {"to", {3.0, 4.0}}, {"basis", "points"}}));
}

TEST_F(LayeredTest, chooses_the_way_by_what_is_given) {
  EXPECT_EQ(canonical("screenshot", "{}")["action"], "screenshot");
  EXPECT_EQ(canonical("screenshot", R"({"region": [0, 0, 10, 10]})")["action"], "zoom");
  EXPECT_EQ(canonical("screenshot", R"({"marks": true, "app": "mousepad"})"),
            (Json{{"action", "capture"}, {"params", {{"mode", "som"}, {"app", "mousepad"}}}}));
  EXPECT_EQ(canonical("screenshot", R"({"marks": false})")["action"], "screenshot");
  EXPECT_EQ(canonical("ui", R"({"action": "click", "element": 3})")["action"], "click_element");
  EXPECT_EQ(canonical("ui", R"({"action": "click", "title": "Save", "role": "push button"})"),
            (Json{{"action", "click_named"}, {"params", {{"name", "Save"}, {"role", "push button"}}}}));
  EXPECT_EQ(canonical("ui", R"({"action": "type", "title": "Search", "text": "a"})")["action"], "type_named");
  EXPECT_EQ(canonical("audit", R"({"action": "full"})")["params"]["form"], "full");
}

TEST_F(LayeredTest, settles_within_a_cap) {
  const auto call = resolve("mouse", R"({"action": "click", "x": 1, "y": 2, "settle_ms": 250, "dry_run": true})");
  ASSERT_TRUE(call.ok()) << to_text(call.error());
  EXPECT_EQ(call->settle_ms, 250);
  EXPECT_TRUE(call->dry_run);
  EXPECT_EQ(resolve("mouse", R"({"action": "click", "x": 1, "y": 2, "settle_ms": 99999})").error().field, "settle_ms");
}

TEST_F(LayeredTest, says_what_was_expected) {
  const auto told = [this](std::string_view tool, std::string_view arguments) {
    return resolve(tool, arguments).error();
  };
  EXPECT_EQ(told("mouse", R"({"action": "clik", "x": 1, "y": 2})").hint, "Did you mean `click`?");
  EXPECT_EQ(told("mouse", R"({"action": "click", "x": 1})").field, "y");
  EXPECT_EQ(told("mouse", R"({"action": "click", "x": "1", "y": 2})").field, "x");
  EXPECT_EQ(told("mouse", R"({"action": "click", "x": 1, "y": 2, "image_width": 640})").field, "image_height");
  EXPECT_EQ(told("mouse", R"({"action": "click", "x": 700, "y": 2, "image_width": 640, "image_height": 4})").field,
            "x");
  EXPECT_EQ(told("ui", R"({"action": "click"})").field, "title");
  EXPECT_EQ(told("ocr", R"({"action": "read"})").field, "action");
  EXPECT_EQ(told("mouse", "{}").field, "action");
  EXPECT_EQ(told("mous", "{}").code, Code::action_unknown);
  EXPECT_EQ(told("mous", "{}").hint, "Did you mean `mouse`?");
}

TEST(Joined, has_the_tools_of_all) {
  const auto both = make_surfaces("universal,compact", actions::all_actions(), {});
  ASSERT_TRUE(both.ok());
  ASSERT_EQ((*both)->tools().size(), 2U);
  EXPECT_EQ((*both)->resolve("computer", {{"action", "press"}, {"element", 3}})->spec->name, "click_element");
  EXPECT_EQ((*both)->resolve("computer_use", {{"action", "click"}, {"element", 3}})->spec->name, "click_element");
  EXPECT_EQ((*both)->resolve("computr", Json::object()).error().hint, "Did you mean `computer` or `computer_use`?");
  EXPECT_TRUE((*both)->answer("computer", {{"action", "discover"}}));
}

TEST(Joined, refuses_tools_of_the_same_name) {
  const auto message = [](std::string_view names) {
    return make_surfaces(names, actions::all_actions(), {}).error().message;
  };
  EXPECT_EQ(message("classic,layered"), "The surfaces `classic` and `layered` both have a tool `screenshot`.");
  EXPECT_EQ(message("compact,compact"), "--surface names `compact` twice.");
  EXPECT_EQ(message("universal,"), "--surface is `universal,`.");
  EXPECT_EQ(message(""), "--surface is ``.");
}

}  // namespace
}  // namespace handrail::surface
