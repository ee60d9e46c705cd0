#include <algorithm>

#include "contract/suite.h"

namespace handrail::contract {
namespace {

const std::string kText{kPlainText};

class ClipboardContract : public Contract {
 protected:
  Status write(std::vector<ClipItem> items, Selection selection = Selection::clipboard) {
    return clipboard().write(selection, std::move(items), permit(), soon());
  }
  Result<std::string> read(const std::string& mime, Selection selection = Selection::clipboard) {
    return clipboard().read(selection, mime, soon());
  }
  // An error is told instead, and equals no content.
  std::string content(const std::string& mime, Selection selection = Selection::clipboard) {
    const auto found = read(mime, selection);
    return found.ok() ? *found : to_text(found.error());
  }
  bool offers(const std::string& mime, Selection selection = Selection::clipboard) {
    const auto formats = clipboard().formats(selection, soon());
    EXPECT_TRUE(formats.ok());
    return formats.ok() && std::count(formats->begin(), formats->end(), mime) == 1;
  }
};

TEST_F(ClipboardContract, NobodyOwnsItAtFirst) {
  for (const Selection selection : {Selection::clipboard, Selection::primary}) {
    const auto formats = clipboard().formats(selection, soon());
    ASSERT_OK(formats);
    EXPECT_TRUE(formats->empty());
    EXPECT_CODE(read(kText, selection), Code::not_found);
  }
}

TEST_F(ClipboardContract, SeveralFormatsAreServedToOtherApps) {
  const std::string png("\x89PNG\r\n\x1a\n\0\xff raw", 14);
  ASSERT_OK(write({{kText, "plain é 日 🎉"}, {"text/html", "<b>rich é</b>"}, {"image/png", png}}));
  EXPECT_EQ(desk().app_pastes(Selection::clipboard, kText), "plain é 日 🎉");
  EXPECT_EQ(desk().app_pastes(Selection::clipboard, "text/html"), "<b>rich é</b>");
  EXPECT_EQ(desk().app_pastes(Selection::clipboard, "image/png"), png);
  for (const char* mime : {kText.c_str(), "text/html", "image/png"}) EXPECT_TRUE(offers(mime)) << mime;
  EXPECT_EQ(content(kText), "plain é 日 🎉");
  EXPECT_EQ(content("image/png"), png);
}

TEST_F(ClipboardContract, WhatAnAppCopiedIsRead) {
  desk().app_copies(Selection::clipboard, kText, "from the app é 日");
  EXPECT_TRUE(offers(kText));
  EXPECT_EQ(content(kText), "from the app é 日");
  desk().app_copies(Selection::clipboard, "text/html", "<i>next</i>");
  EXPECT_EQ(content("text/html"), "<i>next</i>");
  EXPECT_CODE(read(kText), Code::not_found);
}

TEST_F(ClipboardContract, AnAppsCopyReplacesOurs) {
  ASSERT_OK(write({{kText, "ours"}}));
  desk().app_copies(Selection::clipboard, kText, "theirs");
  EXPECT_EQ(content(kText), "theirs");
  ASSERT_OK(write({{kText, "ours again"}}));
  EXPECT_EQ(desk().app_pastes(Selection::clipboard, kText), "ours again");
}

TEST_F(ClipboardContract, ClipboardAndPrimaryAreApart) {
  ASSERT_OK(write({{kText, "one"}}, Selection::clipboard));
  ASSERT_OK(write({{kText, "two"}}, Selection::primary));
  EXPECT_EQ(desk().app_pastes(Selection::clipboard, kText), "one");
  EXPECT_EQ(desk().app_pastes(Selection::primary, kText), "two");
  EXPECT_EQ(content(kText, Selection::clipboard), "one");
  EXPECT_EQ(content(kText, Selection::primary), "two");
}

TEST_F(ClipboardContract, TenMegabytesGoBothWays) {
  std::string large(10 * 1024 * 1024, '\0');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>('a' + (i * 7 + i / 4096) % 26);
  const auto patient = [] { return Deadline::in(Millis(20'000)); };
  ASSERT_OK(clipboard().write(Selection::clipboard, {{kText, large}}, permit(), patient()));
  EXPECT_TRUE(desk().app_pastes(Selection::clipboard, kText) == large);
  const auto own = clipboard().read(Selection::clipboard, kText, patient());
  ASSERT_OK(own);
  EXPECT_TRUE(*own == large);

  std::reverse(large.begin(), large.end());
  desk().app_copies(Selection::clipboard, kText, large);
  const auto theirs = clipboard().read(Selection::clipboard, kText, patient());
  ASSERT_OK(theirs);
  EXPECT_TRUE(*theirs == large);
}

TEST_F(ClipboardContract, AFormatThatIsNotOfferedIsNotFound) {
  ASSERT_OK(write({{kText, "text"}}));
  EXPECT_CODE(read("image/png"), Code::not_found);
  desk().app_copies(Selection::clipboard, kText, "text");
  EXPECT_CODE(read("image/png"), Code::not_found);
}

TEST_F(ClipboardContract, EmptyTextIsContent) {
  ASSERT_OK(write({{kText, ""}}));
  EXPECT_TRUE(offers(kText));
  EXPECT_EQ(content(kText), "");
}

}  // namespace
}  // namespace handrail::contract
