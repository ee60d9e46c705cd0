// The closest valid name to a mistyped one, for errors that help.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace handrail {

// Empty when nothing is close enough to be what was meant.
std::string_view nearest(std::string_view given, std::span<const std::string_view> candidates);

// "a, b or c"
std::string join_or(std::span<const std::string_view> names);

// Longer text is cut at a character boundary, with "…" in place of the rest.
std::string shortened(std::string_view text, std::size_t max_bytes);

}  // namespace handrail
