#include "surface/native_steps.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "describe/codec.h"

namespace handrail::surface {

Error unknown_call(std::string_view field, std::string_view name, std::span<const std::string_view> known) {
  Error error = make_error(Code::argument_invalid, fmt::format("There is no call `{}`.", shortened(name, 60)))
                    .with_field(std::string(field), fmt::format("one of: {}", fmt::join(known, ", ")));
  error.hint = did_you_mean(nearest_some(name, known));
  return error;
}

Error needs_confirmation(std::string_view explanation) {
  return make_error(Code::access_denied,
                    fmt::format("The model's own check wants a person to confirm this first: {}",
                                explanation.empty() ? "it says no more." : shortened(explanation, 200)))
      .with_hint("Ask the person; when they agree, send the call again without the check.");
}

Result<double> native_number(const Json& call, std::string_view field) {
  if (!call.contains(field)) {
    return make_error(Code::argument_invalid, fmt::format("`{}` is missing.", field))
        .with_field(std::string(field), "a number");
  }
  return describe::read_number(call[std::string(field)], std::string(field), {});
}

Result<std::string> native_text(const Json& call, std::string_view field) {
  if (!call.contains(field)) {
    return make_error(Code::argument_invalid, fmt::format("`{}` is missing.", field))
        .with_field(std::string(field), "a text");
  }
  return describe::read_text(call[std::string(field)], std::string(field), {});
}

std::string text_in(const Json& object, std::string_view field) {
  if (!object.is_object() || !object.contains(field)) return {};
  const Json& value = object[std::string(field)];
  return value.is_string() ? value.get<std::string>() : std::string();
}

Result<std::string> native_chord(const Json& list, std::string_view field) {
  TRY(describe::check_list(list, std::string(field), describe::between(1, 8)));
  std::string chord;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string key =
        TRY(describe::read_text(list[i], fmt::format("{}[{}]", field, i), describe::between(1, 40)));
    chord += (chord.empty() ? "" : "+") + key;
  }
  return chord;
}

}  // namespace handrail::surface
