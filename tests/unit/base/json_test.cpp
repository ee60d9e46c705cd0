#include "base/json.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace handrail {
namespace {

TEST(ParseJson, keeps_the_order_of_keys) {
  const auto value = parse_json(R"({"z":1,"a":{"y":[1,2.5,"x",null,true]}})");
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(to_line(*value), R"({"z":1,"a":{"y":[1,2.5,"x",null,true]}})");
}

struct Refused {
  const char* name;
  std::string text;
  const char* says;
};

TEST(ParseJson, refuses_what_others_let_pass) {
  const Refused rows[] = {
      {"duplicate key", R"({"a":1,"a":2})", "`a` is given twice"},
      {"duplicate key deep inside", R"({"b":[{"a":1,"c":{},"a":2}]})", "`a` is given twice"},
      {"number beyond double", "[1e999]", "out of range"},
      {"bare NaN", "[NaN]", "invalid JSON"},
      {"invalid UTF-8", "[\"\xff\xfe\"]", "not valid UTF-8"},
      {"lone surrogate", R"(["\ud800"])", "invalid JSON"},
      {"trailing text", "{} x", "invalid JSON"},
      {"cut short", R"({"a":)", "ends too early"},
      {"empty", "", "ends too early"},
      {"too deep", std::string(65, '[') + std::string(65, ']'), "nested deeper than 64"},
      {"far too deep", std::string(2000000, '['), "nested deeper than 64"},
  };
  for (const Refused& row : rows) {
    const auto value = parse_json(row.text);
    ASSERT_FALSE(value.ok()) << row.name;
    EXPECT_EQ(value.error().code, Code::protocol) << row.name;
    EXPECT_NE(value.error().message.find(row.says), std::string::npos) << row.name << ": " << value.error().message;
    EXPECT_LT(value.error().message.size(), 300u) << row.name;
  }
}

TEST(ParseJson, takes_the_deepest_allowed_nesting) {
  EXPECT_TRUE(parse_json(std::string(64, '[') + std::string(64, ']')).ok());
}

RC_GTEST_PROP(ParseJson, reads_back_every_string_it_wrote, (const std::string& bytes)) {
  const std::string line = to_line(Json(bytes));
  RC_ASSERT(parse_json(line).ok());
  RC_ASSERT(line.find('\n') == std::string::npos);
}

TEST(ToLine, replaces_invalid_utf8_instead_of_failing) {
  EXPECT_EQ(to_line(Json("a\xff"
                         "b")),
            "\"a\xef\xbf\xbd"
            "b\"");
}

}  // namespace
}  // namespace handrail
