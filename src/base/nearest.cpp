#include "base/nearest.h"

#include <algorithm>
#include <cctype>
#include <utility>

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

// Names are short; a long one is no typo, and the comparison is quadratic.
bool may_be_a_typo(std::string_view given) { return !given.empty() && given.size() <= 64; }

std::size_t too_far(std::string_view given) { return given.size() / 2 + 1; }

std::size_t distance_to(std::string_view given, std::string_view candidate) {
  // "coords" for "coordinate": a shared beginning of three letters counts as close.
  const std::size_t shared =
      static_cast<std::size_t>(std::mismatch(given.begin(), given.end(), candidate.begin(), candidate.end(),
                                             [](char a, char b) { return lower(a) == lower(b); })
                                   .first -
                               given.begin());
  // "timeout" for "timeout-seconds".
  if (shared >= 3 && shared == given.size()) return std::min<std::size_t>(candidate.size() - shared, 1);
  const std::size_t distance = edit_distance(given, candidate);
  return shared >= 3 ? std::min(distance, (given.size() + 1) / 2) : distance;
}

// To the closest word of a name, one further than the same distance to the whole of it.
std::size_t distance_to_word(std::string_view given, std::string_view candidate) {
  constexpr std::size_t kShort = 3;
  std::size_t best = too_far(given);
  while (!candidate.empty()) {
    const std::size_t end = std::min(candidate.find_first_of("_-. "), candidate.size());
    const std::string_view word = candidate.substr(0, end);
    candidate.remove_prefix(std::min(end + 1, candidate.size()));
    if (word.size() < kShort) continue;
    const std::size_t distance = edit_distance(given, word);
    if (distance <= given.size() / 3) best = std::min(best, distance + 1);
  }
  return best;
}

}  // namespace

std::string_view nearest(std::string_view given, std::span<const std::string_view> candidates) {
  if (!may_be_a_typo(given)) return {};
  std::string_view best;
  std::size_t best_distance = too_far(given);
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = distance_to(given, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::vector<std::string_view> nearest_some(std::string_view given, std::span<const std::string_view> candidates,
                                           std::size_t most) {
  if (!may_be_a_typo(given)) return {};
  std::vector<std::pair<std::size_t, std::string_view>> close;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = std::min(distance_to(given, candidate), distance_to_word(given, candidate));
    if (distance < too_far(given)) close.emplace_back(distance, candidate);
  }
  std::ranges::stable_sort(close, {}, &std::pair<std::size_t, std::string_view>::first);
  std::vector<std::string_view> names;
  for (const auto& [distance, name] : close) {
    // One that is right but for a letter needs no company that is further off.
    if (names.size() == most || distance > close.front().first + 1) break;
    names.push_back(name);
  }
  return names;
}

std::string did_you_mean(std::span<const std::string_view> names) {
  if (names.empty()) return {};
  std::vector<std::string> quoted;
  for (const std::string_view name : names) quoted.push_back("`" + std::string(name) + "`");
  const std::vector<std::string_view> views(quoted.begin(), quoted.end());
  return "Did you mean " + join_or(views) + "?";
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
