// Text rules for programs of other languages than the shell's: short phrases, by RE2.
#pragma once

#include <optional>
#include <string_view>

#include "policy/text_rules.h"

namespace handrail::policy {

std::optional<TextFinding> find_phrase(std::string_view view);

// Whether one is there, by the patterns alone.
bool holds_phrase(std::string_view view);
// Whether a phrase may be in the text: false only when none is. Most texts need no more than this one quick pass.
bool may_hold_phrase(std::string_view view);

}  // namespace handrail::policy
