// The closest valid name to a mistyped one, for errors that help.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace handrail {

// Empty when nothing is close enough to be what was meant.
std::string_view nearest(std::string_view given, std::span<const std::string_view> candidates);

// The same, up to `most` of them, the closest first. A name of several words is close too when one of them is: `clik`
// is close to `left_click`.
std::vector<std::string_view> nearest_some(std::string_view given, std::span<const std::string_view> candidates,
                                           std::size_t most = 3);

// "Did you mean `a`, `b` or `c`?" Empty without names.
std::string did_you_mean(std::span<const std::string_view> names);

// "a, b or c"
std::string join_or(std::span<const std::string_view> names);

// Longer text is cut at a character boundary, with "…" in place of the rest.
std::string shortened(std::string_view text, std::size_t max_bytes);

}  // namespace handrail
