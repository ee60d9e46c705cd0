#include "model/element.h"

#include <gtest/gtest.h>

#include "model/labels.h"

namespace handrail {
namespace {

Element made(int depth, const char* role, const char* name) {
  Element element;
  element.depth = depth;
  element.role = role;
  element.name = name;
  return element;
}

TEST(ShownName, IsThatOfTheLabelInside) {
  ElementTree tree;
  tree.elements = {made(0, "list", "Animals"),
                   made(1, "list item", ""),
                   made(2, "panel", ""),
                   made(3, "label", "Ant"),
                   made(1, "list item", ""),
                   made(1, "list item", "Own"),
                   made(2, "label", "Other"),
                   made(1, "push button", "Gtk"),
                   made(2, "label", "Other"),
                   made(1, "page tab", "Tab"),
                   made(2, "label", "Front"),
                   made(1, "push button", "GtkExpander"),
                   made(2, "label", "GtkInscription"),
                   made(2, "label", "More")};
  const std::vector<std::pair<std::size_t, std::string>> rows{{0, "Animals"}, {1, "Ant"}, {2, ""},      {4, ""},
                                                              {5, "Own"},     {7, "Gtk"}, {9, "Front"}, {11, "More"}};
  for (const auto& [element, name] : rows) EXPECT_EQ(shown_name(tree, element), name) << element;
}

TEST(Labels, AreComparedAsTheyAreSpokenOf) {
  EXPECT_EQ(plain_label("_Open…"), "open");
  EXPECT_EQ(plain_label("Save &As..."), "save as");
  EXPECT_EQ(plain_label("Save As...      "), "save as");
  EXPECT_EQ(plain_label("Copy\tCtrl+C"), "copy");
}

TEST(Labels, MakeAMenuPath) {
  const std::vector<std::string> path{"File", "Recent files", "First"};
  EXPECT_EQ(menu_path("File > Recent files>First"), path);
  EXPECT_EQ(menu_path(" New "), std::vector<std::string>{"New"});
  EXPECT_TRUE(menu_path(" > ").empty());
}

}  // namespace
}  // namespace handrail
