#include "describe/scalars.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/nearest.h"
#include "describe/codec.h"

namespace handrail::describe {
namespace {

constexpr double kMaxExactInteger = 9007199254740992.0;  // 2^53

std::string_view json_type(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null: return "null";
    case Json::value_t::boolean: return "a boolean";
    case Json::value_t::string: return "a string";
    case Json::value_t::array: return "a list";
    case Json::value_t::object: return "an object";
    default: return "a number";
  }
}

// A whole call is at fault when there is no place.
std::string at(const std::string& place) { return place.empty() ? "The arguments" : "`" + place + "`"; }
std::string are(const std::string& place) { return place.empty() ? "are" : "is"; }

Error mistyped(const Json& value, const std::string& place, std::string expected) {
  return make_error(Code::argument_invalid, fmt::format("{} {} {}.", at(place), are(place), json_type(value)))
      .with_field(place, std::move(expected));
}

Error out_of_range(const std::string& place, std::string given, std::string expected) {
  return make_error(Code::argument_invalid, fmt::format("{} is {}, which is out of range.", at(place), given))
      .with_field(place, std::move(expected));
}

// Without an exponent where people would write none.
std::string plain(double number) {
  const bool whole = number == std::floor(number) && std::abs(number) <= kMaxExactInteger;
  return whole ? fmt::format("{:.0f}", number) : fmt::format("{:g}", number);
}

std::string bounds(std::string_view what, const Limits& limits) {
  if (!limits.bounded) return std::string(what);
  return fmt::format("{} from {} to {}", what, plain(limits.min), plain(limits.max));
}

Result<double> read_whole(const Json& value, const std::string& place, const Limits& limits, double lowest,
                          double highest) {
  const std::string expected = bounds("a whole number", limits);
  if (!value.is_number()) return mistyped(value, place, expected);
  const double number = value.get<double>();
  if (!std::isfinite(number) || number != std::floor(number)) {
    return make_error(Code::argument_invalid, fmt::format("{} is {:g}, which is not whole.", at(place), number))
        .with_field(place, expected);
  }
  const bool inside =
      number >= lowest && number <= highest && (!limits.bounded || (number >= limits.min && number <= limits.max));
  if (!inside) return out_of_range(place, plain(number), expected);
  return number;
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

}  // namespace

std::string join_place(const std::string& place, std::string_view name) {
  return place.empty() ? std::string(name) : place + "." + std::string(name);
}

Result<bool> read_bool(const Json& value, const std::string& place) {
  if (!value.is_boolean()) return mistyped(value, place, "true or false");
  return value.get<bool>();
}

Result<int> read_int(const Json& value, const std::string& place, const Limits& limits) {
  return static_cast<int>(
      TRY(read_whole(value, place, limits, std::numeric_limits<int>::min(), std::numeric_limits<int>::max())));
}

Result<std::int64_t> read_int64(const Json& value, const std::string& place, const Limits& limits) {
  return static_cast<std::int64_t>(TRY(read_whole(value, place, limits, -kMaxExactInteger, kMaxExactInteger)));
}

Result<double> read_number(const Json& value, const std::string& place, const Limits& limits) {
  const std::string expected = bounds("a number", limits);
  if (!value.is_number()) return mistyped(value, place, expected);
  const double number = value.get<double>();
  if (!std::isfinite(number) || (limits.bounded && (number < limits.min || number > limits.max))) {
    return out_of_range(place, plain(number), expected);
  }
  return number;
}

Result<std::string> read_text(const Json& value, const std::string& place, const Limits& limits) {
  const std::string expected = limits.bounded ? bounds("a string with a length", limits) : "a string";
  if (!value.is_string()) return mistyped(value, place, expected);
  const auto& text = value.get_ref<const std::string&>();
  if (limits.bounded) {
    const auto length = static_cast<double>(characters(text));
    if (length < limits.min || length > limits.max) {
      return out_of_range(place, fmt::format("{:g} characters long", length), expected);
    }
  }
  return text;
}

Result<Json> read_object(const Json& value, const std::string& place) {
  if (!value.is_object()) return mistyped(value, place, "an object");
  return value;
}

Result<std::size_t> read_choice(const Json& value, const std::string& place,
                                const std::vector<std::string_view>& choices) {
  const std::string expected = "one of " + join_or(choices);
  if (!value.is_string()) return mistyped(value, place, expected);
  const auto& text = value.get_ref<const std::string&>();
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] == text) return i;
  }
  Error error = make_error(Code::argument_invalid, fmt::format("{} is `{}`.", at(place), shortened(text, 60)))
                    .with_field(place, expected);
  if (const auto close = nearest(text, choices); !close.empty()) error.hint = fmt::format("Did you mean `{}`?", close);
  return error;
}

Result<std::vector<double>> read_numbers(const Json& value, const std::string& place, std::size_t count,
                                         std::string_view expected) {
  if (!value.is_array()) return mistyped(value, place, std::string(expected));
  if (value.size() != count) {
    return make_error(Code::argument_invalid,
                      fmt::format("{} has {} {}.", at(place), value.size(), value.size() == 1 ? "item" : "items"))
        .with_field(place, std::string(expected));
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(TRY(read_number(value[i], fmt::format("{}[{}]", place, i), {})));
  }
  return numbers;
}

Status check_list(const Json& value, const std::string& place, const Limits& limits) {
  const std::string expected = limits.bounded ? bounds("a list with a length", limits) : "a list";
  if (!value.is_array()) return mistyped(value, place, expected);
  const auto length = static_cast<double>(value.size());
  if (limits.bounded && (length < limits.min || length > limits.max)) {
    return out_of_range(place, fmt::format("{} {} long", value.size(), value.size() == 1 ? "item" : "items"), expected);
  }
  return {};
}

Status check_object(const Json& value, const std::string& place, const std::vector<std::string_view>& names,
                    const std::vector<std::string_view>& needed, std::string_view example) {
  if (!value.is_object()) {
    return mistyped(value, place, example.empty() ? "an object" : fmt::format("an object such as {}", example));
  }
  for (const auto& item : value.items()) {
    if (std::find(names.begin(), names.end(), item.key()) != names.end()) continue;
    const std::string unknown = join_place(place, shortened(item.key(), 60));
    Error error = make_error(Code::argument_invalid, fmt::format("`{}` is not a field here.", unknown))
                      .with_field(unknown, names.empty() ? "no fields" : "only " + join_or(names));
    if (const auto close = nearest(item.key(), names); !close.empty()) {
      error.hint = fmt::format("Did you mean `{}`?", close);
    }
    return error;
  }
  for (const std::string_view name : needed) {
    if (!value.contains(name)) {
      const std::string missing = join_place(place, name);
      return make_error(Code::argument_invalid, fmt::format("`{}` is missing.", missing))
          .with_field(missing, "the field to be given");
    }
  }
  return {};
}

Json number_schema(std::string_view type, const Limits& limits) {
  Json schema{{"type", type}};
  if (limits.bounded) {
    const auto put = [&schema](const char* name, double value) {
      if (value == std::floor(value))
        schema[name] = static_cast<std::int64_t>(value);
      else
        schema[name] = value;
    };
    put("minimum", limits.min);
    put("maximum", limits.max);
  }
  return schema;
}

Json text_schema(const Limits& limits) {
  Json schema{{"type", "string"}};
  if (limits.bounded) {
    if (limits.min > 0) schema["minLength"] = static_cast<std::int64_t>(limits.min);
    schema["maxLength"] = static_cast<std::int64_t>(limits.max);
  }
  return schema;
}

Json choice_schema(const std::vector<std::string_view>& choices) {
  Json values = Json::array();
  for (const std::string_view choice : choices) values.push_back(std::string(choice));
  return {{"type", "string"}, {"enum", std::move(values)}};
}

Json list_schema(Json items, const Limits& limits) {
  Json schema{{"type", "array"}, {"items", std::move(items)}};
  if (limits.bounded) {
    if (limits.min > 0) schema["minItems"] = static_cast<std::int64_t>(limits.min);
    schema["maxItems"] = static_cast<std::int64_t>(limits.max);
  }
  return schema;
}

Json object_schema(Json properties, const std::vector<std::string_view>& needed) {
  Json schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!needed.empty()) {
    Json names = Json::array();
    for (const std::string_view name : needed) names.push_back(std::string(name));
    schema["required"] = std::move(names);
  }
  schema["additionalProperties"] = false;
  return schema;
}

Result<Point> Codec<Point>::read(const Json& value, const std::string& place, const Limits&) {
  const auto numbers = TRY(read_numbers(value, place, 2, "[x, y], two numbers"));
  return Point{numbers[0], numbers[1]};
}

Json Codec<Point>::schema(const Limits&) { return list_schema({{"type", "number"}}, between(2, 2)); }

Result<Rect> Codec<Rect>::read(const Json& value, const std::string& place, const Limits&) {
  constexpr std::string_view kExpected = "[x1, y1, x2, y2] with x1 < x2 and y1 < y2";
  const auto n = TRY(read_numbers(value, place, 4, kExpected));
  if (n[0] >= n[2] || n[1] >= n[3]) {
    return make_error(Code::argument_invalid, fmt::format("{} is empty or turned around.", at(place)))
        .with_field(place, std::string(kExpected));
  }
  return Rect{n[0], n[1], n[2] - n[0], n[3] - n[1]};
}

Json Codec<Rect>::schema(const Limits&) { return list_schema({{"type", "number"}}, between(4, 4)); }

}  // namespace handrail::describe
