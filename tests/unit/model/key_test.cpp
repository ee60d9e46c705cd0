#include "model/key.h"

#include <gtest/gtest.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include <rapidcheck.h>

#include "model/input_plan.h"

namespace handrail {
namespace {

struct KeyCase {
  std::string_view text;
  std::uint32_t keysym;
};

TEST(ParseKey, KnowsEveryUsualName) {
  const std::vector<KeyCase> cases{
      {"Return", XKB_KEY_Return},
      {"KP_0", XKB_KEY_KP_0},
      {"KP_Enter", XKB_KEY_KP_Enter},
      {"XF86AudioPlay", XKB_KEY_XF86AudioPlay},
      {"xf86audioplay", XKB_KEY_XF86AudioPlay},
      {"F5", XKB_KEY_F5},
      {"f12", XKB_KEY_F12},
      {"Page_Down", XKB_KEY_Page_Down},
      {"Prior", XKB_KEY_Page_Up},
      {"Enter", XKB_KEY_Return},
      {"ENTER", XKB_KEY_Return},
      {"ArrowUp", XKB_KEY_Up},
      {"Up", XKB_KEY_Up},
      {"Control", XKB_KEY_Control_L},
      {"CTRL", XKB_KEY_Control_L},
      {"Control_R", XKB_KEY_Control_R},
      {"Meta", XKB_KEY_Super_L},
      {"Meta_L", XKB_KEY_Meta_L},
      {"cmd", XKB_KEY_Super_L},
      {"command", XKB_KEY_Super_L},
      {"win", XKB_KEY_Super_L},
      {"mod4", XKB_KEY_Super_L},
      {"super", XKB_KEY_Super_L},
      {"alt", XKB_KEY_Alt_L},
      {"Option", XKB_KEY_Alt_L},
      {"AltGraph", XKB_KEY_ISO_Level3_Shift},
      {"shift", XKB_KEY_Shift_L},
      {"Escape", XKB_KEY_Escape},
      {"ESC", XKB_KEY_Escape},
      {"PageDown", XKB_KEY_Page_Down},
      {"pgup", XKB_KEY_Page_Up},
      {"PgDn", XKB_KEY_Page_Down},
      {"Backspace", XKB_KEY_BackSpace},
      {"BackSpace", XKB_KEY_BackSpace},
      {"Delete", XKB_KEY_Delete},
      {"del", XKB_KEY_Delete},
      {"ins", XKB_KEY_Insert},
      {" ", XKB_KEY_space},
      {"Space", XKB_KEY_space},
      {"plus", XKB_KEY_plus},
      {"minus", XKB_KEY_minus},
      {"-", XKB_KEY_minus},
      {"+", XKB_KEY_plus},
      {"a", XKB_KEY_a},
      {"A", XKB_KEY_A},
      {"é", XKB_KEY_eacute},
      {"ж", XKB_KEY_Cyrillic_zhe},
      {"日", 0x010065e5},
      {"🎉", 0x0101f389},
      {"U+20AC", XKB_KEY_EuroSign},
      {"u+1F389", 0x0101f389},
      {"\n", XKB_KEY_Return},
      {"\t", XKB_KEY_Tab},
      {"CapsLock", XKB_KEY_Caps_Lock},
      {"ContextMenu", XKB_KEY_Menu},
  };
  for (const KeyCase& c : cases) {
    const auto key = parse_key(c.text);
    ASSERT_TRUE(key.ok()) << c.text << ": " << to_text(key.error());
    EXPECT_EQ(key->keysym, c.keysym) << c.text;
  }
}

TEST(ParseKey, RefusesWithTheNearestName) {
  const auto error = parse_key("Entr").error();
  EXPECT_EQ(error.code, Code::argument_invalid);
  EXPECT_NE(error.message.find("\"Entr\""), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("\"enter\""), std::string::npos) << error.message;
  EXPECT_EQ(error.field, "key");
}

TEST(ParseKey, RefusesWhatIsNoKey) {
  for (const std::string_view text : {"", "NoSymbol", "VoidSymbol", "hello world", "U+D800", "U+110000", "U+0007",
                                      "\x01", "\x7f", "\xff", "\xc3", "  "}) {
    const auto key = parse_key(text);
    ASSERT_FALSE(key.ok()) << text;
    EXPECT_EQ(key.error().code, Code::argument_invalid);
  }
  EXPECT_FALSE(parse_key(std::string(100000, 'a')).ok());
}

struct ChordCase {
  std::string_view text;
  std::vector<std::uint32_t> keysyms;
};

TEST(ParseChord, SplitsAtPlus) {
  const std::vector<ChordCase> cases{
      {"ctrl+s", {XKB_KEY_Control_L, XKB_KEY_s}},
      {"Control+A", {XKB_KEY_Control_L, XKB_KEY_a}},
      {"CTRL+SHIFT+T", {XKB_KEY_Control_L, XKB_KEY_Shift_L, XKB_KEY_t}},
      {"ctrl + shift + s", {XKB_KEY_Control_L, XKB_KEY_Shift_L, XKB_KEY_s}},
      {" ctrl+s ", {XKB_KEY_Control_L, XKB_KEY_s}},
      {"ctrl++", {XKB_KEY_Control_L, XKB_KEY_plus}},
      {"ctrl + +", {XKB_KEY_Control_L, XKB_KEY_plus}},
      {"ctrl+plus", {XKB_KEY_Control_L, XKB_KEY_plus}},
      {"ctrl+-", {XKB_KEY_Control_L, XKB_KEY_minus}},
      {"+", {XKB_KEY_plus}},
      {" ", {XKB_KEY_space}},
      {"A", {XKB_KEY_A}},
      {"alt+F4", {XKB_KEY_Alt_L, XKB_KEY_F4}},
      {"super", {XKB_KEY_Super_L}},
      {"ctrl+U+20AC", {XKB_KEY_Control_L, XKB_KEY_EuroSign}},
      {"ctrl+u", {XKB_KEY_Control_L, XKB_KEY_u}},
      {"u+v", {XKB_KEY_u, XKB_KEY_v}},
      {"ctrl+é", {XKB_KEY_Control_L, XKB_KEY_eacute}},
      {"a+b+c+d+e+f+g+h", {XKB_KEY_a, XKB_KEY_b, XKB_KEY_c, XKB_KEY_d, XKB_KEY_e, XKB_KEY_f, XKB_KEY_g, XKB_KEY_h}},
  };
  for (const ChordCase& c : cases) {
    const auto chord = parse_chord(c.text);
    ASSERT_TRUE(chord.ok()) << c.text << ": " << to_text(chord.error());
    std::vector<std::uint32_t> keysyms;
    for (const Key key : chord->keys) keysyms.push_back(key.keysym);
    EXPECT_EQ(keysyms, c.keysyms) << c.text;
  }
}

TEST(ParseChord, NamesTheWrongPart) {
  const auto error = parse_chord("ctrl+shfit+s").error();
  EXPECT_EQ(error.code, Code::argument_invalid);
  EXPECT_NE(error.message.find("\"shfit\""), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("\"shift\""), std::string::npos) << error.message;
}

TEST(ParseChord, RefusesWhatIsNoChord) {
  for (const std::string_view text :
       {"", "ctrl+", "+s", "ctrl+++", "++", "ctrl++s", "ctrl+ctrl", "a+b+c+d+e+f+g+h+i"}) {
    const auto chord = parse_chord(text);
    ASSERT_FALSE(chord.ok()) << text;
    EXPECT_EQ(chord.error().code, Code::argument_invalid) << text;
  }
}

TEST(ParseChord, NeverCrashesAndNeverReturnsNothing) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    const auto chord = parse_chord(text);
    if (!chord.ok()) {
      RC_ASSERT(chord.error().code == Code::argument_invalid);
      return;
    }
    RC_ASSERT(!chord->keys.empty() && chord->keys.size() <= 8u);
    for (const Key key : chord->keys) RC_ASSERT(key.keysym != 0u);
  }));
}

TEST(ParseModifier, TakesEitherSideAndAnyName) {
  EXPECT_EQ(parse_modifier("CTRL").value(), Modifier::ctrl);
  EXPECT_EQ(parse_modifier("Control_R").value(), Modifier::ctrl);
  EXPECT_EQ(parse_modifier("shift").value(), Modifier::shift);
  EXPECT_EQ(parse_modifier("Alt_R").value(), Modifier::alt);
  EXPECT_EQ(parse_modifier("cmd").value(), Modifier::super);
  EXPECT_EQ(parse_modifier("a").error().code, Code::argument_invalid);
  EXPECT_EQ(parse_modifier("").error().code, Code::argument_invalid);
}

TEST(KeyName, IsReadBack) {
  for (const std::string_view text : {"Return", "ctrl", "é", "日", "XF86AudioPlay", "KP_0", "+"}) {
    const Key key = parse_key(text).value();
    EXPECT_EQ(parse_key(name(key)).value(), key) << text;
  }
}

TEST(KeyForChar, EveryCharacterHasItsOwnKey) {
  EXPECT_EQ(key_for_char(U'\n').keysym, static_cast<std::uint32_t>(XKB_KEY_Return));
  EXPECT_EQ(key_for_char(U'\t').keysym, static_cast<std::uint32_t>(XKB_KEY_Tab));
  EXPECT_EQ(key_for_char(U'~').keysym, static_cast<std::uint32_t>(XKB_KEY_asciitilde));
  EXPECT_EQ(key_for_char(U'ß').keysym, static_cast<std::uint32_t>(XKB_KEY_ssharp));
  EXPECT_EQ(key_for_char(U'\u200d').keysym, 0x0100200du);
  EXPECT_EQ(key_for_char(U'\uffff').keysym, 0x0100ffffu);
}

TEST(PlanSummary, TellsNoTypedText) {
  const Plan plan = InputPlan{{MoveTo{{10, 20.5}}, ButtonDown{}, ButtonUp{}, TypeText{"pässword"}}};
  EXPECT_EQ(summary(plan), "move to 10,20.5, left button down, left button up, type 8 characters");
}

TEST(PlanSummary, NamesShortcutsButNoSingleCharacters) {
  const Key s{XKB_KEY_s}, ctrl{XKB_KEY_Control_L};
  EXPECT_EQ(summary(InputPlan{{KeyDown{ctrl}, KeyDown{s}, KeyUp{s}, KeyUp{ctrl}}}),
            "Control_L down, s down, s up, Control_L up");
  EXPECT_EQ(summary(InputPlan{{KeyDown{s}, KeyUp{s}, KeyDown{{XKB_KEY_Return}}}}),
            "character down, character up, Return down");
}

TEST(PlanSummary, IsOneBoundedLine) {
  InputPlan drag;
  for (int i = 0; i < 200; ++i) drag.steps.push_back(MoveTo{{double(i), 0}});
  const std::string line = summary(drag);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_NE(line.find("and 188 more steps"), std::string::npos) << line;
  EXPECT_EQ(summary(InputPlan{}), "no steps");
}

TEST(PlanSummary, OtherPlans) {
  EXPECT_EQ(summary(OpenApp{"mousepad"}), "open app mousepad");
  EXPECT_EQ(summary(WriteClipboard{Selection::primary, {{"text/html", "<b>"}}}),
            "write primary selection: text/html (3 bytes)");
  EXPECT_EQ(summary(ChangeWindow{0x1400003, WindowVerb::move, {1, 2, 0, 0}}), "move window 0x1400003 to 1,2");
}

}  // namespace
}  // namespace handrail
