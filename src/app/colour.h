// Colours for people: on a terminal, unless NO_COLOR is set.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace handrail::app {

enum class Colour { bold, red, green, yellow };

bool takes_colour(std::FILE* out);
// The text itself where there are none.
std::string coloured(std::string_view text, Colour colour, std::FILE* out);

}  // namespace handrail::app
