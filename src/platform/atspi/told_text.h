// Names, descriptions and values as apps tell them, made fit for showing. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace handrail::atspi {

inline constexpr std::size_t kLongestName = 1000;   // characters
inline constexpr std::size_t kLongestValue = 2000;  // characters

// Valid UTF-8 of at most `most` characters: U+FFFD for bytes that are none, a space for each control character. Line
// breaks and tabs stay where `lines` is set.
std::string told_text(std::string_view bytes, std::size_t most, bool lines = false);

}  // namespace handrail::atspi
