// Pictures as files: JPEG, PNG or WebP, within a number of bytes. It knows nothing of screens.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "model/frame.h"

namespace handrail::vision {

struct EncodeOptions {
  ImageFormat format = ImageFormat::jpeg;
  int quality = 75;          // 1 to 100; PNG has none
  std::size_t byte_cap = 0;  // 0: none
};

// The longest side that every format can hold.
inline constexpr int kMaxEncodedSide = 16383;

// The frame in its own size; see picture_of() for the contract.
Result<Picture> encode(const Frame& frame, const EncodeOptions& options = {});

// "image/jpeg" and so on.
std::string_view mime_type(ImageFormat format);

}  // namespace handrail::vision
