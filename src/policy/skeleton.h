// What a text looks like to a person: characters that look like ASCII become ASCII, invisible ones vanish, every kind
// of line end is one. For matching only; the result is never shown or sent.
#pragma once

#include <memory>
#include <string_view>

namespace handrail::policy {

struct Skeleton {
  std::unique_ptr<char[]> own;  // empty when the text was plain already
  std::string_view text;        // ASCII, kForeign for each other character; `own`, or the text that was given
  bool control = false;         // it holds control characters that no ordinary text has
};

inline constexpr char kForeign = '\x7f';

// Any bytes are taken; what is no UTF-8 counts as foreign characters. Linear. `text` must outlive the result.
Skeleton skeleton_of(std::string_view text);

}  // namespace handrail::policy
