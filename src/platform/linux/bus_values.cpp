#include "platform/linux/bus_values.h"

#include <fmt/format.h>
#include <systemd/sd-bus.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "base/nearest.h"

namespace handrail::linux_ {
namespace {

constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxValues = 20000;

Error unfit(std::string_view type, const Json& value) {
  return make_error(Code::argument_invalid,
                    fmt::format("{} is no value of the D-Bus type \"{}\".", shortened(to_line(value), 80), type))
      .with_field("arguments", "a JSON list with one value for each type of `signature`");
}

Error bad_signature(std::string_view signature) {
  return make_error(Code::argument_invalid, fmt::format("\"{}\" is no D-Bus signature.", shortened(signature, 80)))
      .with_field("signature", "D-Bus types such as s, u, as, a{sv} or (si)");
}

// How many characters the first complete type has; 0 when there is none.
std::size_t type_length(std::string_view signature, int depth = 0) {
  if (signature.empty() || depth > kMaxDepth) return 0;
  const char first = signature[0];
  if (first == 'a') {
    const std::size_t inner = type_length(signature.substr(1), depth + 1);
    return inner == 0 ? 0 : inner + 1;
  }
  if (first == '(' || first == '{') {
    const char end = first == '(' ? ')' : '}';
    std::size_t at = 1;
    int members = 0;
    while (at < signature.size() && signature[at] != end) {
      const std::size_t inner = type_length(signature.substr(at), depth + 1);
      if (inner == 0) return 0;
      at += inner;
      ++members;
    }
    const bool whole = at < signature.size() && members > 0 && (first == '(' || members == 2);
    return whole ? at + 1 : 0;
  }
  return std::string_view("ybnqiuxtdsogv").find(first) == std::string_view::npos ? 0 : 1;
}

template <class Number>
Status append_number(sd_bus_message* message, char type, const Json& value) {
  const bool whole = value.is_number_integer();
  bool fits =
      whole && (value.is_number_unsigned()
                    ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<Number>::max())
                    : value.get<std::int64_t>() >= 0 ||
                          (std::numeric_limits<Number>::is_signed &&
                           value.get<std::int64_t>() >= static_cast<std::int64_t>(std::numeric_limits<Number>::min())));
  if (fits && !value.is_number_unsigned() && value.get<std::int64_t>() >= 0) {
    fits = static_cast<std::uint64_t>(value.get<std::int64_t>()) <=
           static_cast<std::uint64_t>(std::numeric_limits<Number>::max());
  }
  if (!fits) return unfit(std::string(1, type), value);
  const auto number = value.get<Number>();
  if (sd_bus_message_append_basic(message, type, &number) < 0) return unfit(std::string(1, type), value);
  return {};
}

Status append_one(sd_bus_message* message, std::string_view type, const Json& value, int depth);

Status append_all(sd_bus_message* message, std::string_view types, const Json& values, int depth) {
  std::size_t used = 0;
  for (std::string_view rest = types; !rest.empty(); ++used) {
    const std::size_t length = type_length(rest);
    if (length == 0) return bad_signature(types);
    if (used >= values.size()) return unfit(types, values);
    TRY(append_one(message, rest.substr(0, length), values[used], depth));
    rest.remove_prefix(length);
  }
  if (used != values.size()) return unfit(types, values);
  return {};
}

// A variant says its type, or has the one that JSON gives it.
Status append_variant(sd_bus_message* message, const Json& value, int depth) {
  std::string type = value.is_boolean()          ? "b"
                     : value.is_string()         ? "s"
                     : value.is_number_float()   ? "d"
                     : value.is_number_integer() ? "x"
                                                 : "";
  const bool typed = value.is_object() && value.size() == 2 && value.contains("type") && value.contains("value") &&
                     value["type"].is_string();
  if (typed) type = value["type"].get<std::string>();
  if (type.empty()) return unfit("v", value);
  if (type_length(type) != type.size()) return bad_signature(type);
  if (sd_bus_message_open_container(message, 'v', type.c_str()) < 0) return unfit("v", value);
  TRY(append_one(message, type, typed ? value["value"] : value, depth + 1));
  if (sd_bus_message_close_container(message) < 0) return unfit("v", value);
  return {};
}

// A key of a JSON object is text; the type says what it means.
Result<Json> key_value(char type, const std::string& key) {
  if (std::string_view("sog").find(type) != std::string_view::npos) return Json(key);
  Json value = TRY(parse_json(key));
  return value;
}

Status append_array(sd_bus_message* message, std::string_view type, const Json& value, int depth) {
  const std::string inner(type.substr(1));
  if (sd_bus_message_open_container(message, 'a', inner.c_str()) < 0) return unfit(type, value);
  if (inner[0] == '{') {
    if (!value.is_object()) return unfit(type, value);
    const std::string members = inner.substr(1, inner.size() - 2);
    for (const auto& [key, item] : value.items()) {
      if (sd_bus_message_open_container(message, 'e', members.c_str()) < 0) return unfit(type, value);
      const Json name = TRY(key_value(members[0], key));
      TRY(append_one(message, members.substr(0, 1), name, depth + 1));
      TRY(append_one(message, std::string_view(members).substr(1), item, depth + 1));
      if (sd_bus_message_close_container(message) < 0) return unfit(type, value);
    }
  } else {
    if (!value.is_array()) return unfit(type, value);
    for (const Json& item : value) TRY(append_one(message, inner, item, depth + 1));
  }
  if (sd_bus_message_close_container(message) < 0) return unfit(type, value);
  return {};
}

Status append_one(sd_bus_message* message, std::string_view type, const Json& value, int depth) {
  if (depth > kMaxDepth) return unfit(type, value);
  switch (type[0]) {
    case 'y': return append_number<std::uint8_t>(message, 'y', value);
    case 'n': return append_number<std::int16_t>(message, 'n', value);
    case 'q': return append_number<std::uint16_t>(message, 'q', value);
    case 'i': return append_number<std::int32_t>(message, 'i', value);
    case 'u': return append_number<std::uint32_t>(message, 'u', value);
    case 'x': return append_number<std::int64_t>(message, 'x', value);
    case 't': return append_number<std::uint64_t>(message, 't', value);
    case 'd': {
      if (!value.is_number()) return unfit(type, value);
      const double number = value.get<double>();
      if (sd_bus_message_append_basic(message, 'd', &number) < 0) return unfit(type, value);
      return {};
    }
    case 'b': {
      if (!value.is_boolean()) return unfit(type, value);
      const int on = value.get<bool>() ? 1 : 0;
      if (sd_bus_message_append_basic(message, 'b', &on) < 0) return unfit(type, value);
      return {};
    }
    case 's':
    case 'o':
    case 'g': {
      if (!value.is_string()) return unfit(type, value);
      const std::string text = value.get<std::string>();
      if (text.find('\0') != std::string::npos || sd_bus_message_append_basic(message, type[0], text.c_str()) < 0) {
        return unfit(type, value);
      }
      return {};
    }
    case 'v': return append_variant(message, value, depth);
    case 'a': return append_array(message, type, value, depth);
    case '(': {
      const std::string members(type.substr(1, type.size() - 2));
      if (!value.is_array() || sd_bus_message_open_container(message, 'r', members.c_str()) < 0) {
        return unfit(type, value);
      }
      TRY(append_all(message, members, value, depth + 1));
      if (sd_bus_message_close_container(message) < 0) return unfit(type, value);
      return {};
    }
    default: return unfit(type, value);
  }
}

// Reads what is left at one level.
class Reader {
 public:
  explicit Reader(sd_bus_message* message) : message_(message) {}

  Result<Json> rest(int depth) {
    Json values = Json::array();
    for (;;) {
      char type = 0;
      const char* contents = nullptr;
      const int there = sd_bus_message_peek_type(message_, &type, &contents);
      if (there < 0) return broken();
      if (there == 0) return values;
      if (++count_ > kMaxValues || depth > kMaxDepth) {
        if (sd_bus_message_skip(message_, nullptr) < 0) return broken();
        continue;
      }
      values.push_back(TRY(one(type, contents, depth)));
    }
  }

 private:
  static Error broken() { return make_error(Code::protocol, "The answer of the service cannot be read."); }

  template <class Number>
  Result<Json> number(char type) {
    Number value{};
    if (sd_bus_message_read_basic(message_, type, &value) < 0) return broken();
    return Json(value);
  }

  Result<Json> one(char type, const char* contents, int depth) {
    switch (type) {
      case 'y': return number<std::uint8_t>(type);
      case 'n': return number<std::int16_t>(type);
      case 'q': return number<std::uint16_t>(type);
      case 'i': return number<std::int32_t>(type);
      case 'u': return number<std::uint32_t>(type);
      case 'x': return number<std::int64_t>(type);
      case 't': return number<std::uint64_t>(type);
      case 'd': {
        Json value = TRY(number<double>(type));
        return std::isfinite(value.get<double>()) ? value : Json();
      }
      case 'b': return Json(TRY(number<int>(type)).get<int>() != 0);
      case 's':
      case 'o':
      case 'g': {
        const char* text = nullptr;
        if (sd_bus_message_read_basic(message_, type, &text) < 0) return broken();
        return Json(std::string(text));
      }
      case 'a':
      case 'r':
      case 'v': return container(type, contents == nullptr ? "" : contents, depth);
      default:
        // A descriptor is of no use to anybody outside.
        if (sd_bus_message_skip(message_, nullptr) < 0) return broken();
        return Json();
    }
  }

  Result<Json> container(char type, const std::string& contents, int depth) {
    if (sd_bus_message_enter_container(message_, type, contents.c_str()) < 0) return broken();
    Json value;
    if (type == 'a' && contents.starts_with('{')) {
      value = TRY(dictionary(contents.substr(1, contents.size() - 2), depth + 1));
    } else {
      value = TRY(rest(depth + 1));
      if (type == 'v') value = value.empty() ? Json() : Json(value.front());
    }
    if (sd_bus_message_exit_container(message_) < 0) return broken();
    return value;
  }

  Result<Json> dictionary(const std::string& members, int depth) {
    Json value = Json::object();
    for (;;) {
      const int entered = sd_bus_message_enter_container(message_, 'e', members.c_str());
      if (entered < 0) return broken();
      if (entered == 0) return value;
      const Json pair = TRY(rest(depth));
      if (pair.size() == 2) value[pair[0].is_string() ? pair[0].get<std::string>() : to_line(pair[0])] = pair[1];
      if (sd_bus_message_exit_container(message_) < 0) return broken();
    }
  }

  sd_bus_message* message_;
  std::size_t count_ = 0;
};

}  // namespace

Status append_values(sd_bus_message* message, std::string_view signature, const Json& values) {
  if (!values.is_array()) return unfit(signature, values);
  return append_all(message, signature, values, 0);
}

Result<Json> read_values(sd_bus_message* message) { return Reader(message).rest(0); }

}  // namespace handrail::linux_
