#include "base/one_line.h"

#include <gtest/gtest.h>

#include <random>

#include "base/utf8.h"

namespace handrail {
namespace {

TEST(OneLine, escapes_what_ends_a_line_or_a_quote) {
  EXPECT_EQ(quoted("Save", 60), "'Save'");
  EXPECT_EQ(quoted("Don't \\ \"x\"", 60), R"('Don\'t \\ "x"')");
  EXPECT_EQ(quoted("x'\n#1 push button 'Safe'\r\t\x1b[31m", 60), R"('x\'\n#1 push button \'Safe\'\r\t\u{1b}[31m')");
  EXPECT_EQ(one_line("a\u2028b\u0085c\u202ed\u200be"), R"(a\u{2028}b\u{85}c\u{202e}d\u{200b}e)");
  EXPECT_EQ(one_line("Grüße 東京 🙂 it's"), "Grüße 東京 🙂 it's");
  EXPECT_EQ(one_line("a\xff\xc3"), R"(a\xff\xc3)");
}

TEST(OneLine, cuts_the_text_and_never_an_escape) {
  EXPECT_EQ(quoted("ab\ncd", 3), R"('ab\n…')");
  EXPECT_EQ(quoted("üü", 3), "'ü…'");
}

// Whatever bytes a name has, it stays inside its quotes and on its line, and is text.
TEST(OneLine, holds_for_any_bytes) {
  std::mt19937 random(7);
  const std::string_view pieces[] = {"\n",
                                     "\r",
                                     "'",
                                     "\\",
                                     "\\'",
                                     "\u2028",
                                     "\u2029",
                                     "\u0085",
                                     "\v",
                                     "\f",
                                     "\x1b[2K",
                                     "\u202e",
                                     "#1 push button",
                                     "🙂",
                                     "\xc3",
                                     "\x80",
                                     "\xed\xa0\x80",
                                     std::string_view("\0", 1)};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::size_t left = random() % 12; left > 0; --left) {
      if (random() % 3 == 0)
        text += static_cast<char>(random() % 256);
      else
        text += pieces[random() % std::size(pieces)];
    }
    const std::string line = quoted(text, random() % 40);
    const auto characters = decode_utf8(line);
    ASSERT_TRUE(characters.ok()) << line;
    for (const char32_t c : *characters) {
      ASSERT_FALSE(c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e)) << line;
    }
    // The only quote without a backslash before it is the last character.
    std::size_t end = 1;
    while (end < line.size() && line[end] != '\'') end += line[end] == '\\' ? 2 : 1;
    ASSERT_EQ(end, line.size() - 1) << line;
  }
}

}  // namespace
}  // namespace handrail
