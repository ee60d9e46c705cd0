// Text as the keys that type it.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/key.h"

namespace handrail::sim {

// Newline is Return, tab is Tab. Invalid UTF-8 and other control characters are `argument_invalid`.
Result<std::vector<Key>> keys_for(std::string_view text);

}  // namespace handrail::sim
