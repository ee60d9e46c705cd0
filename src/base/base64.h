// Base64 with padding (RFC 4648, section 4): pictures in JSON, bytes of a clipboard.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace handrail {

std::size_t base64_length(std::size_t bytes);
std::string base64_encode(std::span<const std::uint8_t> bytes);
// For texts that are put together: no second copy of a large picture.
void append_base64(std::string& text, std::span<const std::uint8_t> bytes);

// Strict: only the alphabet, padding exactly where it belongs, unused bits zero, no line breaks.
// Anything else is `argument_invalid` saying where.
Result<std::vector<std::uint8_t>> base64_decode(std::string_view text);

}  // namespace handrail
