#include "base/utf8.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace handrail {
namespace {

TEST(Utf8, RoundTripOfEveryCharacter) {
  for (char32_t c = 0; c <= 0x10ffff; ++c) {
    if (c >= 0xd800 && c <= 0xdfff) continue;
    const auto back = decode_utf8(encode_utf8(c));
    // A macro a character would take seconds.
    if (!back.ok() || back->size() != 1 || back->front() != c) FAIL() << std::hex << static_cast<std::uint32_t>(c);
  }
}

TEST(Utf8, RefusesWhatIsNotShortestOrNoCharacter) {
  for (const char* text : {"\xff", "\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                           "\xf5\x80\x80\x80", "\xc3", "\xe6\x97", "\xf0\x9f\x8e", "a\xc3("}) {
    EXPECT_EQ(decode_utf8(text).error().code, Code::argument_invalid) << text;
  }
  EXPECT_NE(decode_utf8("ab\xff").error().message.find("byte 2"), std::string::npos);
  EXPECT_EQ(encode_utf8(0xd800), "\xef\xbf\xbd");
}

TEST(Utf8, AnyBytesAreDecodedOrRefused) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    const auto text = decode_utf8(bytes);
    if (!text.ok()) return;
    std::string back;
    for (const char32_t c : *text) back += encode_utf8(c);
    RC_ASSERT(back == bytes);
  }));
}

}  // namespace
}  // namespace handrail
