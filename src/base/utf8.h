// UTF-8 as code points. Strict: overlong forms, surrogates and values past U+10FFFF are invalid.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace handrail {

// `argument_invalid` names the first bad byte by its position, counted from 0.
Result<std::u32string> decode_utf8(std::string_view text);

// U+FFFD for what is no character.
std::string encode_utf8(char32_t character);

}  // namespace handrail
