#include "app/colour.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace handrail::app {

bool takes_colour(std::FILE* out) {
  const char* none = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (none != nullptr && *none != '\0') return false;
  return ::isatty(::fileno(out)) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string coloured(std::string_view text, Colour colour, std::FILE* out) {
  if (!takes_colour(out)) return std::string(text);
  constexpr int kCodes[] = {1, 31, 32, 33};
  return fmt::format("\033[{}m{}\033[0m", kCodes[static_cast<std::size_t>(colour)], text);
}

}  // namespace handrail::app
