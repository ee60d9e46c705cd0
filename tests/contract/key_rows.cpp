#include "contract/suite.h"

namespace handrail::contract {
namespace {

using Kind = Received::Kind;
using KeyContract = Contract;

TEST_F(KeyContract, AChordArrivesInOrderWithItsModifiers) {
  const OpenApp app = editor();
  ASSERT_OK(perform(chord("ctrl+shift+F5")));
  const std::vector<Received> got = wait_for(app.window, {Kind::key_down, Kind::key_up}, 6);
  const std::vector<Key> keys{key("ctrl"), key("shift"), key("F5"), key("F5"), key("shift"), key("ctrl")};
  const std::vector<Modifier> none, ctrl{Modifier::ctrl}, both{Modifier::ctrl, Modifier::shift};
  const std::vector<std::vector<Modifier>> modifiers{none, ctrl, both, both, both, ctrl};
  ASSERT_EQ(got.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(got[i].kind, i < 3 ? Kind::key_down : Kind::key_up) << i;
    EXPECT_EQ(name(got[i].key), name(keys[i])) << i;
    EXPECT_EQ(got[i].modifiers, modifiers[i]) << i;
  }
  EXPECT_FALSE(desk().state().keys_down);
}

TEST_F(KeyContract, ShiftAndReturnAndBackspaceDoWhatTheySay) {
  const OpenApp app = editor();
  std::vector<Step> steps;
  for (const char* keys : {"shift+a", "b", "Return", "c", "d", "BackSpace", "space", "Z"}) {
    const std::vector<Step> part = chord(keys);
    steps.insert(steps.end(), part.begin(), part.end());
  }
  ASSERT_OK(perform(steps));
  EXPECT_TRUE(eventually([&] { return desk().text(app.window) == "Ab\nc Z"; })) << desk().text(app.window);
  EXPECT_FALSE(desk().state().keys_down);
}

TEST_F(KeyContract, AKeyLeftDownIsToldUntilItIsReleased) {
  ASSERT_NE(editor().window, 0U);
  EXPECT_TRUE(input().held_keys().empty());
  ASSERT_OK(perform({KeyDown{key("ctrl")}}));
  EXPECT_EQ(input().held_keys(), std::vector{key("ctrl")});
  EXPECT_TRUE(desk().state().keys_down);
  ASSERT_OK(perform({KeyUp{key("ctrl")}}));
  EXPECT_TRUE(input().held_keys().empty());
  EXPECT_FALSE(desk().state().keys_down);
}

TEST_F(KeyContract, TypedTextArrivesExactly) {
  const OpenApp app = editor();
  const std::string text = "héllo Ünïcödé 日本語 🎉 Привет العربية <>&\"'\\|~@#{}[] ÆØÅ æøå ß € 1234567890";
  const auto report = perform({TypeText{text}});
  ASSERT_OK(report);
  EXPECT_TRUE(report->text_acknowledged);
  EXPECT_TRUE(eventually([&] { return desk().text(app.window) == text; })) << desk().text(app.window);
  EXPECT_FALSE(desk().state().keys_down);
}

TEST_F(KeyContract, LongTextOfManyCharactersArrivesExactly) {
  const OpenApp app = editor();
  std::string text;
  for (int i = 0; i < 12; ++i)
    text +=
        "Zwölf Boxkämpfer jagen 维克多 über den großen Сыльтер Deich; ĞğİıŞş ñÑ ελληνικά " + std::to_string(i) + "\n";
  const auto report = perform({TypeText{text}}, {}, Deadline::in(Millis(20'000)));
  ASSERT_OK(report);
  EXPECT_TRUE(eventually([&] { return desk().text(app.window) == text; })) << desk().text(app.window);
}

TEST_F(KeyContract, NewlineAndTabAreTyped) {
  const OpenApp app = editor();
  ASSERT_OK(perform({TypeText{"a\n\tb"}}));
  EXPECT_TRUE(eventually([&] { return desk().text(app.window) == "a\n\tb"; })) << desk().text(app.window);
}

TEST_F(KeyContract, TextThatCannotBeTypedIsRefusedAndNothingIsSent) {
  const OpenApp app = editor();
  for (const char* bad : {"good \xC3(", "\xED\xA0\x80", "\xF5\x80\x80\x80", "esc \x1b[201~", "bell \a", "\x7f"}) {
    const auto report = perform({TypeText{"before "}, TypeText{bad}});
    EXPECT_CODE(report, Code::argument_invalid);
    EXPECT_EQ(report.error().side_effects, SideEffects::none);
  }
  EXPECT_CODE(perform({TypeText{std::string("a\0b", 3)}}), Code::argument_invalid);
  // What comes next is the first that the app gets.
  ASSERT_OK(perform({TypeText{"x"}}));
  EXPECT_TRUE(eventually([&] { return desk().text(app.window) == "x"; })) << desk().text(app.window);
  for (const Received& event : desk().received(app.window)) {
    if (event.kind != Kind::key_down) continue;
    EXPECT_EQ(name(event.key), "x");
  }
}

TEST_F(KeyContract, CancellingWhileTypingLeavesAPrefixAndNoKeyDown) {
  const OpenApp app = editor();
  std::string text;
  for (int i = 0; i < 3000; ++i) text += static_cast<char>('a' + i % 26);
  std::stop_source source;
  desk().when_received(app.window, Kind::key_down, [&] { source.request_stop(); });
  const auto report = perform({TypeText{text}}, source.get_token(), Deadline::in(Millis(20'000)));
  EXPECT_CODE(report, Code::cancelled);
  EXPECT_EQ(report.error().side_effects, SideEffects::partial);
  EXPECT_FALSE(desk().state().keys_down);
  // A mark after it shows that the app has taken everything in.
  ASSERT_OK(perform({TypeText{"!"}}));
  ASSERT_TRUE(eventually([&] { return desk().text(app.window).ends_with("!"); }));
  const std::string got = desk().text(app.window);
  EXPECT_LT(got.size(), text.size());
  EXPECT_EQ(got, text.substr(0, got.size() - 1) + "!");
}

TEST_F(KeyContract, CopyAndPasteByKeys) {
  const OpenApp app = editor();
  ASSERT_OK(perform({TypeText{"copied é"}}));
  ASSERT_TRUE(eventually([&] { return desk().text(app.window) == "copied é"; }));
  std::vector<Step> copy = chord("ctrl+a");
  for (const Step& step : chord("ctrl+c")) copy.push_back(step);
  ASSERT_OK(perform(copy));
  wait_for(app.window, {Kind::key_up}, 4);
  // The app copies when it takes the key in; the next key that it shows is after that.
  ASSERT_OK(perform(chord("End")));
  ASSERT_OK(perform({TypeText{"!"}}));
  ASSERT_TRUE(eventually([&] { return desk().text(app.window).ends_with("!"); }));
  const auto content = clipboard().read(Selection::clipboard, std::string(kPlainText), soon());
  ASSERT_OK(content);
  EXPECT_EQ(*content, "copied é");
  EXPECT_EQ(desk().app_pastes(Selection::clipboard, std::string(kPlainText)), "copied é");

  ASSERT_OK(clipboard().write(Selection::clipboard, {{std::string(kPlainText), "pasted 日"}}, permit(), soon()));
  std::vector<Step> paste = chord("ctrl+a");
  for (const Step& step : chord("ctrl+v")) paste.push_back(step);
  ASSERT_OK(perform(paste));
  EXPECT_TRUE(eventually([&] { return desk().text(app.window) == "pasted 日"; })) << desk().text(app.window);
}

}  // namespace
}  // namespace handrail::contract
