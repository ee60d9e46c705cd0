// Opaque handles: 128 random bits as text, so that they cannot be guessed.
#pragma once

#include <string>
#include <string_view>

namespace handrail {

// `prefix` + 32 hex digits.
std::string random_id(std::string_view prefix);

}  // namespace handrail
