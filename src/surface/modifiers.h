// Modifiers as one text, "ctrl+shift", and as the list that actions take.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace handrail::surface {

// An error names `param`.
Result<Json> modifier_list(const Json& text, std::string_view param);
std::string modifier_text(const Json& list);

}  // namespace handrail::surface
