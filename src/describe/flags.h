// Command line flags from field lists: `--at 10,20 --count 2`. The flags become the same JSON that a
// tool call carries, so that both are judged by one decoder.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "describe/codec.h"

namespace handrail::describe {

struct Flag {
  std::string name;   // "show-cursor"
  std::string field;  // "show_cursor"
  Kind kind = Kind::text;
  Presence presence = Presence::optional;
  std::string doc;
  std::vector<std::string_view> choices;
  std::string initial;  // the default, as text; empty when there is none
};

template <class T>
std::vector<std::string_view> choices_of() {
  if constexpr (Named<T>)
    return Codec<T>::choices();
  else
    return {};
}
template <class T>
struct Inner {
  using type = T;
};
template <class T>
struct Inner<std::optional<T>> : Inner<T> {};
template <class T>
struct Inner<std::vector<T>> : Inner<T> {};

std::string flag_name(std::string_view field);
std::string flag_text(const Json& value);

template <Described T>
std::vector<Flag> flags() {
  std::vector<Flag> list;
  const T defaults{};
  const auto add = [&](const auto& field) {
    using Member = std::remove_cvref_t<decltype(defaults.*field.member)>;
    Flag flag{flag_name(field.name),
              std::string(field.name),
              Codec<Member>::kKind,
              field.presence,
              std::string(field.doc),
              choices_of<typename Inner<Member>::type>(),
              {}};
    if (field.presence == Presence::optional) flag.initial = flag_text(Codec<Member>::write(defaults.*field.member));
    list.push_back(std::move(flag));
  };
  std::apply([&](const auto&... fields) { (add(fields), ...); }, Fields<T>::list);
  return list;
}

// One flag's text as the JSON of its kind. Lists are separated by commas, points are "x,y", several
// points "x,y x,y", regions "x1,y1,x2,y2", everything nested is JSON text.
Result<Json> flag_value(const Flag& flag, std::string_view text);

}  // namespace handrail::describe
