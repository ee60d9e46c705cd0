// The single description of a struct or an enum. From it come strict decoding, encoding, JSON Schema,
// command line flags and reference docs; nothing else describes a parameter.
//
//   struct Click { Point at; int count = 1; };
//   template <> struct Fields<Click> {
//     static constexpr auto list = std::tuple{
//         needed("at", &Click::at, "Where."),
//         field("count", &Click::count, "1 to 3 clicks.", between(1, 3)),
//     };
//   };
#pragma once

#include <array>
#include <string_view>
#include <tuple>

namespace handrail::describe {

// Bounds of a value. For numbers the value, for text its characters, for lists their length.
struct Limits {
  double min = 0;
  double max = 0;
  bool bounded = false;
};

constexpr Limits between(double min, double max) { return {min, max, true}; }

enum class Presence { required, optional };

template <class Owner, class Member>
struct Field {
  std::string_view name;
  Member Owner::*member;
  std::string_view doc;
  Limits limits;
  Presence presence;
};

// A field with a default: the member's initialiser.
template <class Owner, class Member>
constexpr Field<Owner, Member> field(std::string_view name, Member Owner::*member, std::string_view doc,
                                     Limits limits = {}) {
  return {name, member, doc, limits, Presence::optional};
}

// A field that a caller must give.
template <class Owner, class Member>
constexpr Field<Owner, Member> needed(std::string_view name, Member Owner::*member, std::string_view doc,
                                      Limits limits = {}) {
  return {name, member, doc, limits, Presence::required};
}

template <class T>
struct Fields;

// Enumerators and their wire strings, in the order in which they are shown.
template <class E>
struct Names;

template <class E>
struct Name {
  E value;
  std::string_view text;
};
// Clang 14 does not deduce the arguments of an aggregate by itself.
template <class E>
Name(E, std::string_view) -> Name<E>;

template <class T>
concept Described = requires {
  Fields<T>::list;
};
template <class E>
concept Named = requires {
  Names<E>::list;
};

template <Named E>
constexpr std::string_view name_of(E value) {
  for (const auto& entry : Names<E>::list) {
    if (entry.value == value) return entry.text;
  }
  return {};
}

// A duplicate or empty name or doc stops the build.
template <Described T>
consteval bool well_described() {
  return std::apply(
      [](const auto&... fields) {
        const std::array<std::string_view, sizeof...(fields)> names{fields.name...};
        for (std::size_t i = 0; i < names.size(); ++i) {
          if (names[i].empty()) return false;
          for (std::size_t j = 0; j < i; ++j) {
            if (names[i] == names[j]) return false;
          }
        }
        return (!fields.doc.empty() && ... && true);
      },
      Fields<T>::list);
}

}  // namespace handrail::describe
