// What the readers of the vendors' calls share: a step of ours, and fields read one by one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"

namespace handrail::surface {

struct NativeStep {
  std::string_view action;  // of the catalog
  Json params = Json::object();
};
using NativeSteps = std::vector<NativeStep>;

// The names that a vendor's calls have here, for errors and declarations.
std::span<const std::string_view> anthropic_calls();
std::span<const std::string_view> openai_calls();
std::span<const std::string_view> gemini_calls();
// Calls that only make sense in a browser or on a phone.
std::span<const std::string_view> gemini_elsewhere();

Result<NativeSteps> openai_steps(const Json& call);
Result<NativeSteps> gemini_steps(const Json& call);

// `argument_invalid` with what is understood.
Error unknown_call(std::string_view field, std::string_view name, std::span<const std::string_view> known);
// A check of the vendor's own that a person has to answer first.
Error needs_confirmation(std::string_view explanation);

Result<double> native_number(const Json& call, std::string_view field);
Result<std::string> native_text(const Json& call, std::string_view field);
// What an object says there, when it is text.
std::string text_in(const Json& object, std::string_view field);
// Keys pressed together, as one chord.
Result<std::string> native_chord(const Json& list, std::string_view field);

}  // namespace handrail::surface
