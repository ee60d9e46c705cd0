#include "platform/x11/text_entry.h"

#include <gtest/gtest.h>

#include <future>
#include <random>

#include "base/utf8.h"
#include "platform/x11/input.h"
#include "support/test_permit.h"
#include "typing_fixture.h"

namespace handrail::x11 {
namespace {

using testing::KeyboardOracle;
using testing::XServer;

struct Typist {
  explicit Typist(const std::string& display)
      : connection(std::make_shared<Connection>([display]() -> Result<std::string> { return display; })),
        input(connection) {}
  Result<InputReport> type(const std::string& text, std::stop_token stop = {}, Millis budget = Millis(60000)) {
    return input.perform({{TypeText{text}}}, engine::PermitMint::mint(), Deadline::in(budget), stop);
  }
  std::shared_ptr<Connection> connection;
  X11Input input;
};

constexpr const char* kShort = "héllo Ünïcödé 日本語 🎉 Привет العربية";

// About 200 distinct characters of many scripts, with capitals, punctuation and lines.
std::string mixed(std::size_t length) {
  std::u32string distinct;
  const auto range = [&](char32_t first, int count) {
    for (int i = 0; i < count; ++i) distinct += static_cast<char32_t>(first + static_cast<char32_t>(i));
  };
  range(U'!', 94);
  range(0x4e00, 40);
  range(0x410, 32);
  range(0x1f600, 20);
  range(0xe0, 16);
  std::mt19937 random(1);
  std::string out;
  for (std::size_t i = 0; i < length; ++i) {
    out += i % 50 == 49 ? std::string("\n") : encode_utf8(distinct[random() % distinct.size()]);
  }
  return out;
}

TEST(TypableText, TakesTextAndNamesWhatItRefuses) {
  EXPECT_EQ(typable_text("a\tb\nc").value(), U"a\tb\nc");
  EXPECT_EQ(typable_text("a\r\nb").value(), U"a\nb");
  EXPECT_EQ(typable_text("e\u0301👩‍💻").value(), U"e\u0301👩‍💻");
  EXPECT_EQ(typable_text("").value(), U"");
  const Error control = typable_text("ab\x1b[2J").error();
  EXPECT_EQ(control.code, Code::argument_invalid);
  EXPECT_NE(control.message.find("Character 3"), std::string::npos) << control.message;
  EXPECT_NE(control.message.find("U+001B"), std::string::npos) << control.message;
  const Error broken = typable_text("ab\xff").error();
  EXPECT_EQ(broken.code, Code::argument_invalid);
  EXPECT_NE(broken.message.find("byte 2"), std::string::npos) << broken.message;
  for (const char* text : {"\x7f", "\xc2\x85", "\xed\xa0\x80", "\xc0\x80", "\r"}) {
    EXPECT_EQ(typable_text(text).error().code, Code::argument_invalid);
  }
}

struct Case {
  const char* app;
  const char* layout;
  bool caps;
  int group;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.app << " " << c.layout << (c.caps ? " caps" : "") << " group " << c.group;
}

class TextMatrix : public ::testing::TestWithParam<Case> {};

TEST_P(TextMatrix, ArrivesWholeAndLeavesTheKeyboardAsItWas) {
  XServer x({{1280, 800}, true, {}});
  testing::run({"setxkbmap", "-layout", GetParam().layout}, x.name());
  KeyboardOracle oracle(x.name());
  Typist typist(x.name());
  const auto app = testing::open_text_app(GetParam().app, x.name());
  oracle.lock(GetParam().caps, GetParam().group);
  const auto before = oracle.facts();

  const bool answers = std::string_view(GetParam().app) != "xterm";
  std::string expected;
  for (const std::string& text : {std::string(kShort), std::string("\n"), mixed(answers ? 1000 : 200)}) {
    expected += text;
    const auto report = typist.type(text);
    ASSERT_TRUE(report.ok()) << to_text(report.error());
    EXPECT_EQ(report->text_acknowledged, answers);
    EXPECT_EQ(app->text(expected, Millis(10000)), expected);
    EXPECT_EQ(oracle.facts(), before);
  }
}

INSTANTIATE_TEST_SUITE_P(Apps, TextMatrix,
                         ::testing::Values(Case{"editor_gtk3", "us", false, 0}, Case{"editor_gtk3", "de", true, 0},
                                           Case{"editor_gtk3", "us,ru", false, 1}, Case{"editor_gtk4", "us", true, 0},
                                           Case{"editor_gtk4", "de", false, 0}, Case{"editor_gtk4", "us,ru", true, 1},
                                           Case{"editor_qt5", "us", false, 0}, Case{"editor_qt5", "de", true, 0},
                                           Case{"editor_qt5", "us,ru", false, 1}, Case{"editor_qt6", "us", true, 0},
                                           Case{"editor_qt6", "de", false, 0}, Case{"editor_qt6", "us,ru", true, 1},
                                           Case{"xterm", "us", false, 0}, Case{"xterm", "de", true, 0},
                                           Case{"xterm", "us,ru", false, 1}));

TEST(Text, CombiningJoinedAndRightToLeft) {
  XServer x({{1280, 800}, true, {}});
  Typist typist(x.name());
  testing::EditorApp editor("editor_gtk3", x.name());
  const std::string text = "e\u0301 👩‍💻 🇩🇪 שלום مرحبا\tend";
  ASSERT_TRUE(typist.type(text).ok());
  EXPECT_EQ(editor.text(text, Millis(5000)), text);
}

TEST(Text, CancelledInTheMiddleLeavesAPrefixAndACleanKeyboard) {
  XServer x({{1280, 800}, true, {}});
  KeyboardOracle oracle(x.name());
  Typist typist(x.name());
  testing::EditorApp editor("editor_gtk3", x.name());
  const auto before = oracle.facts();
  const std::string text = mixed(4000);
  std::stop_source stop;
  auto typing = std::async(std::launch::async, [&] { return typist.type(text, stop.get_token()); });
  const Deadline patience = Deadline::in(Millis(20000));
  while (editor.text("never", Millis(20)).size() < 200) ASSERT_FALSE(patience.passed());
  stop.request_stop();
  const auto report = typing.get();
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, Code::cancelled);
  EXPECT_EQ(report.error().side_effects, SideEffects::partial);
  EXPECT_EQ(oracle.facts(), before);
  // Quiet now: another text goes through as ever, behind what had arrived.
  ASSERT_TRUE(typist.type("#").ok());
  std::string got;
  do {
    got = editor.text("never", Millis(50));
    ASSERT_FALSE(patience.passed());
  } while (got.empty() || got.back() != '#');
  got.pop_back();
  EXPECT_LT(got.size(), text.size());
  EXPECT_EQ(got, text.substr(0, got.size()));
}

TEST(Text, AnAppThatHangs) {
  XServer x({{1280, 800}, true, {}});
  KeyboardOracle oracle(x.name());
  Typist typist(x.name());
  testing::EditorApp editor("editor_gtk3", x.name());
  const auto before = oracle.facts();
  ::kill(editor.pid(), SIGSTOP);
  // By the layout: it lies in the app's queue, and nobody claims more.
  const auto plain = typist.type("abc");
  ASSERT_TRUE(plain.ok()) << to_text(plain.error());
  EXPECT_FALSE(plain->text_acknowledged);
  // On lent keys it cannot be known to arrive.
  const auto lent = typist.type("日本", {}, Millis(700));
  EXPECT_EQ(lent.error().code, Code::timeout);
  EXPECT_EQ(lent.error().side_effects, SideEffects::partial);
  EXPECT_EQ(oracle.facts(), before);
  ::kill(editor.pid(), SIGCONT);
}

TEST(Text, AWindowThatGoesAwayIsNotWaitedFor) {
  XServer x({{1280, 800}, true, {}});
  KeyboardOracle oracle(x.name());
  Typist typist(x.name());
  const auto before = oracle.facts();
  auto editor = std::make_unique<testing::EditorApp>("editor_gtk3", x.name());
  ::kill(editor->pid(), SIGSTOP);
  auto typing = std::async(std::launch::async, [&] { return typist.type("日本"); });
  const Deadline patience = Deadline::in(Millis(10000));
  while (oracle.facts().core_map == before.core_map) ASSERT_FALSE(patience.passed());
  editor->stop();
  const auto report = typing.get();
  EXPECT_FALSE(report.ok() && report->text_acknowledged);
  EXPECT_EQ(oracle.facts(), before);
}

}  // namespace
}  // namespace handrail::x11
