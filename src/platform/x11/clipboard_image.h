// The size that an image claims in its header, before anything decodes it.
#pragma once

#include <string_view>

#include "base/result.h"

namespace handrail::x11 {

// No picture of a desktop is larger; a small file can claim to be.
inline constexpr std::uint64_t kMaxImagePixels = 100'000'000;

// `too_large` for a PNG, GIF, BMP or JPEG that claims more. What is none of these passes.
Status check_image_size(std::string_view bytes);

}  // namespace handrail::x11
