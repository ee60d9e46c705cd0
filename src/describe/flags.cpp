#include "describe/flags.h"

#include <fmt/format.h>

namespace handrail::describe {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Error wrong(const Flag& flag, std::string_view text, std::string expected) {
  return make_error(Code::argument_invalid, fmt::format("`--{}` is `{}`.", flag.name, text))
      .with_field(flag.field, std::move(expected));
}

Result<Json> number(const Flag& flag, std::string_view text) {
  const auto value = parse_json(text);
  if (!value.ok() || !value->is_number()) return wrong(flag, text, "a number");
  return *value;
}

Result<Json> numbers(const Flag& flag, std::string_view text) {
  Json list = Json::array();
  for (const std::string& part : split(text, ',')) list.push_back(TRY(number(flag, part)));
  return list;
}

}  // namespace

std::string flag_name(std::string_view field) {
  std::string name(field);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string flag_text(const Json& value) {
  if (value.is_null() || value == "" || value == false || (value.is_structured() && value.empty())) return {};
  return value.is_string() ? value.get<std::string>() : to_line(value);
}

Result<Json> flag_value(const Flag& flag, std::string_view text) {
  switch (flag.kind) {
    case Kind::boolean:
      if (text == "true" || text.empty()) return Json(true);
      if (text == "false") return Json(false);
      return wrong(flag, text, "true or false");
    case Kind::integer:
    case Kind::number: return number(flag, text);
    case Kind::text:
    case Kind::choice: return Json(std::string(text));
    case Kind::list: {
      Json list = Json::array();
      for (std::string& part : split(text, ',')) list.push_back(std::move(part));
      return list;
    }
    case Kind::point:
    case Kind::region: return numbers(flag, text);
    case Kind::points: {
      Json list = Json::array();
      for (const std::string& part : split(text, ' ')) list.push_back(TRY(numbers(flag, part)));
      return list;
    }
    case Kind::json: {
      auto value = parse_json(text);
      if (value.ok()) return value;
      return wrong(flag, text.substr(0, 60), "JSON text");
    }
  }
  return wrong(flag, text, "a value");
}

}  // namespace handrail::describe
