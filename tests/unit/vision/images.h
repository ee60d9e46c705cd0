// Frames to test with: noise is the hardest case, a drawn screen the usual one.
#pragma once

#include <cstdint>
#include <random>

#include "model/frame.h"

namespace handrail::vision {

inline Frame noise(Size size, unsigned seed = 1) {
  Frame frame = make_frame(size);
  std::mt19937 random(seed);
  std::uint8_t* pixels = writable(frame);
  for (std::size_t i = 0; i < frame.stride * static_cast<std::size_t>(size.height); ++i) {
    pixels[i] = static_cast<std::uint8_t>(random());
  }
  return frame;
}

inline void fill(Frame& frame, PixelRect box, std::uint32_t colour) {
  for (int y = box.y; y < box.y + box.height; ++y) {
    for (int x = box.x; x < box.x + box.width; ++x) {
      std::uint8_t* pixel =
          writable(frame) + static_cast<std::size_t>(y) * frame.stride + static_cast<std::size_t>(x) * 4;
      for (int c = 0; c < 4; ++c) pixel[c] = static_cast<std::uint8_t>(colour >> (8 * c));
    }
  }
}

// Flat areas, edges, lines of small marks like text, and a gradient. The unused byte is noise.
inline Frame screen(Size size) {
  Frame frame = noise(size, 7);
  std::uint8_t* pixels = writable(frame);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      std::uint8_t* pixel = pixels + static_cast<std::size_t>(y) * frame.stride + static_cast<std::size_t>(x) * 4;
      const bool bar = y < size.height / 12;
      const bool picture = x > size.width * 3 / 4;
      const bool mark = !bar && !picture && (y / 3) % 6 < 3 && ((x * 7 + y / 18 * 13) / 5) % 3 == 0;
      pixel[0] = static_cast<std::uint8_t>(mark ? 30 : bar ? 160 : picture ? x * 255 / size.width : 250);
      pixel[1] = static_cast<std::uint8_t>(mark ? 30 : bar ? 90 : picture ? y * 255 / size.height : 250);
      pixel[2] = static_cast<std::uint8_t>(mark ? 30 : bar ? 40 : picture ? 128 : 245);
    }
  }
  return frame;
}

}  // namespace handrail::vision
