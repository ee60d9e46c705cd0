#include "base/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace handrail {
namespace {

std::string encoded(std::string_view text) {
  return base64_encode({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

// Written from RFC 4648 without tricks, as what the fast paths are compared with.
std::string plainly(const std::vector<std::uint8_t>& bytes) {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 6) {
    unsigned value = 0;
    for (std::size_t i = bit; i < bit + 6; ++i) {
      value = value << 1 | (i / 8 < bytes.size() ? bytes[i / 8] >> (7 - i % 8) & 1U : 0U);
    }
    text += alphabet[value];
  }
  while (text.size() % 4 != 0) text += '=';
  return text;
}

TEST(Base64, TheVectorsOfTheRfc) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foob"), "Zm9vYg==");
  EXPECT_EQ(encoded("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(Base64, EveryLengthAroundTheVectorSteps) {
  std::vector<std::uint8_t> bytes;
  for (int length = 0; length < 300; ++length) {
    EXPECT_EQ(base64_encode(bytes), plainly(bytes)) << length;
    EXPECT_EQ(base64_encode(bytes).size(), base64_length(bytes.size()));
    bytes.push_back(static_cast<std::uint8_t>(length * 37 + 11));
  }
}

TEST(Base64, AppendsToWhatIsThere) {
  std::string text = "data:";
  const std::vector<std::uint8_t> bytes{'f', 'o', 'o'};
  append_base64(text, bytes);
  EXPECT_EQ(text, "data:Zm9v");
}

RC_GTEST_PROP(Base64, ComesBack, (const std::vector<std::uint8_t>& bytes)) {
  const std::string text = base64_encode(bytes);
  RC_ASSERT(text == plainly(bytes));
  const auto back = base64_decode(text);
  RC_ASSERT(back.ok());
  RC_ASSERT(*back == bytes);
}

TEST(Base64, RefusesWhatIsNotExact) {
  for (const char* bad : {"Z", "Zg", "Zg=", "Zg===", "====", "=", "Zg==Zg==", "Z===", "Zm9v\n", "Zm9v Zm9v", "Zm9-",
                          "Zm9_", "Zh==", "Zm9=", "Zm9v====", "Z=g=", "\xC3\xA9==", "A==="}) {
    const auto result = base64_decode(bad);
    ASSERT_FALSE(result.ok()) << bad;
    EXPECT_EQ(result.error().code, Code::argument_invalid);
  }
}

}  // namespace
}  // namespace handrail
