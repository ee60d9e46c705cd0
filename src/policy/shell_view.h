// A text as a shell would read it: quotes, escapes and line continuations taken off, simple variables, braces and
// substitutions filled in. Not a shell: it forgives everything and leaves what it does not know.
#pragma once

#include <string_view>

#include "policy/shell_output.h"

namespace handrail::policy {

// Stands for a ";" or "&" inside quotes: it ends a command only for who runs the quoted text.
inline constexpr char kQuotedEnd = '\x02';

struct ShellView {
  ShellOutput text;
  bool overflow = false;  // it would have grown without bound
};

// Linear; the result is at most about three times as long as `text`, a skeleton.
ShellView shell_view(std::string_view text);

}  // namespace handrail::policy
