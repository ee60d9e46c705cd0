#include "base/nearest.h"

#include <algorithm>
#include <cctype>

namespace handrail {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = previous[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, change});
    }
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view given, std::span<const std::string_view> candidates) {
  // Names are short; a long one is no typo, and the comparison is quadratic.
  if (given.empty() || given.size() > 64) return {};
  std::string_view best;
  std::size_t best_distance = given.size() / 2 + 1;
  for (const std::string_view candidate : candidates) {
    // "coords" for "coordinate": a shared beginning of three letters counts as close.
    const std::size_t shared =
        static_cast<std::size_t>(std::mismatch(given.begin(), given.end(), candidate.begin(), candidate.end(),
                                               [](char a, char b) { return lower(a) == lower(b); })
                                     .first -
                                 given.begin());
    std::size_t distance = edit_distance(given, candidate);
    if (shared >= 3) distance = std::min(distance, (given.size() + 1) / 2);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string join_or(std::span<const std::string_view> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

std::string shortened(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  std::size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace handrail
