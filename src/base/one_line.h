// Text that nobody vouches for, made fit to stand inside a line of ours: it cannot end the line, nor the quotes around
// it. Pure.
#pragma once

#include <string>
#include <string_view>

namespace handrail {

// Line breaks, tabs and other control characters, marks that turn or hide text, and bytes that are no UTF-8 as escapes.
std::string one_line(std::string_view text);

// The same between single quotes, cut after `max_bytes` of the text itself; quotes and backslashes in it are escaped.
std::string quoted(std::string_view text, std::size_t max_bytes);

}  // namespace handrail
