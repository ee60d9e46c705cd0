#include "describe/codec.h"

#include <gtest/gtest.h>

#include <limits>

#include "describe/flags.h"

namespace handrail::describe {

enum class Colour { red, green };

struct Inside {
  std::string name;
  int weight = 7;
};

struct Everything {
  Point at;
  Colour colour = Colour::green;
  int count = 1;
  double ratio = 0.5;
  bool bold = false;
  std::optional<std::string> note;
  std::vector<std::string> tags;
  std::vector<Inside> insides;
  std::optional<Rect> region;
};

template <>
struct Names<Colour> {
  static constexpr std::array list{Name{Colour::red, "red"}, Name{Colour::green, "green"}};
};
template <>
struct Fields<Inside> {
  static constexpr auto list = std::tuple{
      needed("name", &Inside::name, "A name."),
      field("weight", &Inside::weight, "A weight."),
  };
};
template <>
struct Fields<Everything> {
  using T = Everything;
  static constexpr auto list = std::tuple{
      needed("at", &T::at, "Where."),
      field("colour", &T::colour, "Which."),
      field("count", &T::count, "How many.", between(1, 3)),
      field("ratio", &T::ratio, "How much.", between(0, 1)),
      field("bold", &T::bold, "Whether."),
      field("note", &T::note, "A note.", between(1, 5)),
      field("tags", &T::tags, "Tags.", between(0, 2)),
      field("insides", &T::insides, "Parts."),
      field("region", &T::region, "A part."),
  };
};

namespace {

Result<Everything> read(std::string_view text) { return decode<Everything>(parse_json(text).value()); }

TEST(Decode, fills_in_what_is_given_and_keeps_the_initialisers) {
  const auto value = read(R"({"at":[1,2.5],"colour":"red","tags":["a"],"insides":[{"name":"x"}],"note":"ä"})");
  ASSERT_TRUE(value.ok()) << to_text(value.error());
  EXPECT_EQ(value->at, (Point{1, 2.5}));
  EXPECT_EQ(value->colour, Colour::red);
  EXPECT_EQ(value->count, 1);
  EXPECT_EQ(value->note, "ä");
  EXPECT_EQ(value->insides.at(0).weight, 7);
  EXPECT_FALSE(value->region.has_value());
}

TEST(Decode, takes_a_whole_number_written_as_a_fraction) {
  EXPECT_EQ(read(R"({"at":[0,0],"count":2.0})").value().count, 2);
}

struct Wrong {
  const char* text;
  const char* field;
  const char* message;
  const char* expected;
  const char* hint;
};

TEST(Decode, names_the_field_what_was_expected_and_the_nearest_name) {
  const Wrong rows[] = {
      {R"({})", "at", "`at` is missing", "", ""},
      {R"({"at":[1,2],"cuont":1})", "cuont", "not a field", "count", "Did you mean `count`?"},
      {R"({"at":[1]})", "at", "has 1 item.", "[x, y]", ""},
      {R"({"at":"1,2"})", "at", "is a string", "[x, y]", ""},
      {R"({"at":[1,"NaN"]})", "at[1]", "is a string", "a number", ""},
      {R"({"at":[1,2],"count":4})", "count", "out of range", "from 1 to 3", ""},
      {R"({"at":[1,2],"count":1.5})", "count", "not whole", "a whole number", ""},
      {R"({"at":[1,2],"count":1e300})", "count", "out of range", "from 1 to 3", ""},
      {R"({"at":[1,2],"count":"1"})", "count", "is a string", "a whole number", ""},
      {R"({"at":[1,2],"count":null})", "count", "is null", "a whole number", ""},
      {R"({"at":[1,2],"ratio":-0.1})", "ratio", "out of range", "from 0 to 1", ""},
      {R"({"at":[1,2],"bold":1})", "bold", "is a number", "true or false", ""},
      {R"({"at":[1,2],"colour":"gren"})", "colour", "is `gren`", "red or green", "Did you mean `green`?"},
      {R"({"at":[1,2],"note":"äöüßéx"})", "note", "6 characters", "from 1 to 5", ""},
      {R"({"at":[1,2],"tags":["a","b","c"]})", "tags", "3 items", "from 0 to 2", ""},
      {R"({"at":[1,2],"tags":["a",1]})", "tags[1]", "is a number", "a string", ""},
      {R"({"at":[1,2],"insides":[{"weight":1}]})", "insides[0].name", "is missing", "", ""},
      {R"({"at":[1,2],"insides":[{"name":"x","wieght":1}]})", "insides[0].wieght", "not a field", "weight", "`weight`"},
      {R"({"at":[1,2],"region":[5,5,1,9]})", "region", "turned around", "x1 < x2", ""},
      {R"([])", "", "are a list", "an object", ""},
  };
  for (const Wrong& row : rows) {
    const auto value = read(row.text);
    ASSERT_FALSE(value.ok()) << row.text;
    const Error& error = value.error();
    EXPECT_EQ(error.code, Code::argument_invalid) << row.text;
    EXPECT_EQ(error.field, row.field) << row.text;
    EXPECT_NE(error.message.find(row.message), std::string::npos) << row.text << ": " << error.message;
    EXPECT_NE(error.expected.find(row.expected), std::string::npos) << row.text << ": " << error.expected;
    EXPECT_NE(error.hint.find(row.hint), std::string::npos) << row.text << ": " << error.hint;
  }
}

TEST(Decode, refuses_numbers_that_are_not_finite) {
  Json value = Json::parse(R"({"at":[1,2]})");
  value["ratio"] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(decode<Everything>(value).error().field, "ratio");
  value["ratio"] = 0.5;
  value["at"][0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(decode<Everything>(value).error().field, "at[0]");
}

TEST(Encode, gives_back_what_was_decoded) {
  const char* text = R"({"at":[1.0,2.0],"colour":"red","count":3,"ratio":0.25,"bold":true,"note":"n","tags":["t"],)"
                     R"("insides":[{"name":"x","weight":1}],"region":[1.0,2.0,3.0,5.0]})";
  EXPECT_EQ(to_line(encode(read(text).value())), text);
}

TEST(Schema, comes_from_the_same_list) {
  const Json all = schema<Everything>();
  EXPECT_EQ(all["required"], Json({"at"}));
  EXPECT_EQ(all["additionalProperties"], false);
  EXPECT_EQ(all["properties"]["count"],
            Json::parse(R"({"type":"integer","minimum":1,"maximum":3,"description":"How many.","default":1})"));
  EXPECT_EQ(all["properties"]["colour"],
            Json::parse(R"({"type":"string","enum":["red","green"],"description":"Which.","default":"green"})"));
  EXPECT_EQ(all["properties"]["at"]["minItems"], 2);
  EXPECT_FALSE(all["properties"]["note"].contains("default"));
}

TEST(Flags, say_the_same_as_json) {
  const auto list = flags<Everything>();
  ASSERT_EQ(list.size(), 9u);
  EXPECT_EQ(list[0].kind, Kind::point);
  EXPECT_EQ(list[0].presence, Presence::required);
  EXPECT_EQ(list[1].initial, "green");
  Json params = Json::object();
  const std::pair<std::size_t, const char*> given[] = {{0, "10,20.5"}, {1, "red"}, {2, "2"}, {4, "true"}, {6, "a,b"}};
  for (const auto& [index, text] : given) params[list[index].field] = flag_value(list[index], text).value();
  const auto value = decode<Everything>(params);
  ASSERT_TRUE(value.ok()) << to_text(value.error());
  EXPECT_EQ(value->at, (Point{10, 20.5}));
  EXPECT_EQ(value->tags, (std::vector<std::string>{"a", "b"}));
  EXPECT_FALSE(flag_value(list[2], "two").ok());
}

}  // namespace
}  // namespace handrail::describe
