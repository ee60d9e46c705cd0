// Text that an agent must not put anywhere, whoever asks: commands that fetch and run, destroy, or write raw devices,
// with their usual disguises taken off first. Linear time, whatever the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace handrail::policy {

struct TextFinding {
  std::string_view rule;  // "download_to_interpreter"
  std::string_view says;  // what it forbids, one clause for people
};

// The first rule that the text breaks. Any bytes are taken; invalid UTF-8 is looked at as it is.
std::optional<TextFinding> find_forbidden(std::string_view text);

}  // namespace handrail::policy
