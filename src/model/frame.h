// Pixels as they come from a screen, and pictures as they go to a client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/geometry.h"

namespace handrail {

// Raw pixels: 4 bytes each, blue green red unused, rows top to bottom. The memory may be a lease of a
// shared buffer: drop the frame as soon as it has been scaled or copied. At least 32 readable bytes
// follow the last row, so that vector code may load past the end.
struct Frame {
  int width = 0;
  int height = 0;
  std::size_t stride = 0;  // bytes from one row to the next
  std::shared_ptr<const std::uint8_t> pixels;

  Size size() const { return {width, height}; }
  const std::uint8_t* row(int y) const { return pixels.get() + static_cast<std::size_t>(y) * stride; }
};

// A frame of its own, all pixels zero.
Frame make_frame(Size size);
// Writable pixels of a frame that nobody else holds.
std::uint8_t* writable(Frame& frame);

enum class ImageFormat { jpeg, png, webp };

// An encoded image.
struct Picture {
  ImageFormat format = ImageFormat::jpeg;
  Size size;
  std::vector<std::uint8_t> bytes;
};

}  // namespace handrail
