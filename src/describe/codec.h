// Decoding, encoding and schemas from field lists. Decoding is strict: unknown, missing, mistyped,
// non-finite and out-of-range fields are `argument_invalid` with the field, what was expected and,
// where there is one, the nearest valid name. (Duplicates are found by the parser.)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "describe/fields.h"
#include "describe/scalars.h"
#include "model/geometry.h"

namespace handrail::describe {

template <class T>
struct Codec;

template <class T>
Result<T> decode(const Json& value, const std::string& place = {}) {
  return Codec<T>::read(value, place, {});
}
template <class T>
Json encode(const T& value) {
  return Codec<T>::write(value);
}
template <class T>
Json schema() {
  return Codec<T>::schema({});
}

template <>
struct Codec<bool> {
  static constexpr Kind kKind = Kind::boolean;
  static Result<bool> read(const Json& value, const std::string& place, const Limits&) {
    return read_bool(value, place);
  }
  static Json write(bool value) { return value; }
  static Json schema(const Limits&) { return {{"type", "boolean"}}; }
};

template <>
struct Codec<int> {
  static constexpr Kind kKind = Kind::integer;
  static Result<int> read(const Json& value, const std::string& place, const Limits& limits) {
    return read_int(value, place, limits);
  }
  static Json write(int value) { return value; }
  static Json schema(const Limits& limits) { return number_schema("integer", limits); }
};

template <>
struct Codec<std::int64_t> {
  static constexpr Kind kKind = Kind::integer;
  static Result<std::int64_t> read(const Json& value, const std::string& place, const Limits& limits) {
    return read_int64(value, place, limits);
  }
  static Json write(std::int64_t value) { return value; }
  static Json schema(const Limits& limits) { return number_schema("integer", limits); }
};

template <>
struct Codec<double> {
  static constexpr Kind kKind = Kind::number;
  static Result<double> read(const Json& value, const std::string& place, const Limits& limits) {
    return read_number(value, place, limits);
  }
  static Json write(double value) { return value; }
  static Json schema(const Limits& limits) { return number_schema("number", limits); }
};

template <>
struct Codec<std::string> {
  static constexpr Kind kKind = Kind::text;
  static Result<std::string> read(const Json& value, const std::string& place, const Limits& limits) {
    return read_text(value, place, limits);
  }
  static Json write(const std::string& value) { return value; }
  static Json schema(const Limits& limits) { return text_schema(limits); }
};

// Any object, judged by whoever it is handed to.
template <>
struct Codec<Json> {
  static constexpr Kind kKind = Kind::json;
  static Result<Json> read(const Json& value, const std::string& place, const Limits&) {
    return read_object(value, place);
  }
  static Json write(const Json& value) { return value; }
  static Json schema(const Limits&) { return {{"type", "object"}}; }
};

// [x, y]
template <>
struct Codec<Point> {
  static constexpr Kind kKind = Kind::point;
  static Result<Point> read(const Json& value, const std::string& place, const Limits&);
  static Json write(const Point& value) { return Json::array({value.x, value.y}); }
  static Json schema(const Limits&);
};

// [x1, y1, x2, y2]: two opposite corners, the second one right of and below the first.
template <>
struct Codec<Rect> {
  static constexpr Kind kKind = Kind::region;
  static Result<Rect> read(const Json& value, const std::string& place, const Limits&);
  static Json write(const Rect& value) {
    return Json::array({value.x, value.y, value.x + value.width, value.y + value.height});
  }
  static Json schema(const Limits&);
};

template <Named E>
struct Codec<E> {
  static constexpr Kind kKind = Kind::choice;
  static std::vector<std::string_view> choices() {
    std::vector<std::string_view> texts;
    for (const auto& entry : Names<E>::list) texts.push_back(entry.text);
    return texts;
  }
  static Result<E> read(const Json& value, const std::string& place, const Limits&) {
    return Names<E>::list[TRY(read_choice(value, place, choices()))].value;
  }
  static Json write(E value) { return std::string(name_of(value)); }
  static Json schema(const Limits&) { return choice_schema(choices()); }
};

template <class T>
struct Codec<std::optional<T>> {
  static constexpr Kind kKind = Codec<T>::kKind;
  static Result<std::optional<T>> read(const Json& value, const std::string& place, const Limits& limits) {
    return std::optional<T>(TRY(Codec<T>::read(value, place, limits)));
  }
  static Json write(const std::optional<T>& value) { return value ? Codec<T>::write(*value) : Json(); }
  static Json schema(const Limits& limits) { return Codec<T>::schema(limits); }
};

template <class T>
struct Codec<std::vector<T>> {
  static constexpr Kind kKind = Codec<T>::kKind == Kind::text || Codec<T>::kKind == Kind::choice ? Kind::list
                                : Codec<T>::kKind == Kind::point                                 ? Kind::points
                                                                                                 : Kind::json;
  static Result<std::vector<T>> read(const Json& value, const std::string& place, const Limits& limits) {
    TRY(check_list(value, place, limits));
    std::vector<T> items;
    items.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      items.push_back(TRY(Codec<T>::read(value[i], place + "[" + std::to_string(i) + "]", {})));
    }
    return items;
  }
  static Json write(const std::vector<T>& items) {
    Json list = Json::array();
    for (const T& item : items) list.push_back(Codec<T>::write(item));
    return list;
  }
  static Json schema(const Limits& limits) { return list_schema(Codec<T>::schema({}), limits); }
};

template <Described T>
struct Codec<T> {
  static_assert(well_described<T>(), "every field has a unique name and a doc");
  static constexpr Kind kKind = Kind::json;

  static Result<T> read(const Json& value, const std::string& place, const Limits&) {
    std::string_view example;
    if constexpr (requires { Fields<T>::example; }) example = Fields<T>::example;
    TRY(check_object(value, place, names(), needed_names(), example));
    T result{};
    std::optional<Error> failure;
    const auto read_one = [&](const auto& field) {
      const auto found = value.find(field.name);
      if (found == value.end()) return true;
      using Member = std::remove_reference_t<decltype(result.*field.member)>;
      auto member = Codec<Member>::read(*found, join_place(place, field.name), field.limits);
      if (!member.ok()) {
        failure = std::move(member).error();
        return false;
      }
      result.*field.member = std::move(member).value();
      return true;
    };
    std::apply([&](const auto&... fields) { static_cast<void>((read_one(fields) && ...)); }, Fields<T>::list);
    if (failure) return std::move(*failure);
    return result;
  }

  // Absent optionals are left out.
  static Json write(const T& value) {
    Json object = Json::object();
    const auto write_one = [&](const auto& field) {
      using Member = std::remove_cvref_t<decltype(value.*field.member)>;
      Json member = Codec<Member>::write(value.*field.member);
      if (!member.is_null()) object[std::string(field.name)] = std::move(member);
    };
    std::apply([&](const auto&... fields) { (write_one(fields), ...); }, Fields<T>::list);
    return object;
  }

  static Json schema(const Limits&) {
    Json properties = Json::object();
    const T defaults{};
    const auto add = [&](const auto& field) {
      using Member = std::remove_cvref_t<decltype(defaults.*field.member)>;
      Json property = Codec<Member>::schema(field.limits);
      property["description"] = std::string(field.doc);
      if (field.presence == Presence::optional) {
        Json initial = Codec<Member>::write(defaults.*field.member);
        if (!initial.is_null() && !initial.empty() && initial != "") property["default"] = std::move(initial);
      }
      properties[std::string(field.name)] = std::move(property);
    };
    std::apply([&](const auto&... fields) { (add(fields), ...); }, Fields<T>::list);
    return object_schema(std::move(properties), needed_names());
  }

  static std::vector<std::string_view> names() {
    return std::apply([](const auto&... fields) { return std::vector<std::string_view>{fields.name...}; },
                      Fields<T>::list);
  }
  static std::vector<std::string_view> needed_names() {
    std::vector<std::string_view> list;
    std::apply(
        [&](const auto&... fields) {
          (static_cast<void>(fields.presence == Presence::required ? list.push_back(fields.name) : void()), ...);
        },
        Fields<T>::list);
    return list;
  }
};

}  // namespace handrail::describe
