// Decoders that share no code with the encoders under test, to red green blue bytes.
#pragma once

#include <spng.h>
#include <turbojpeg.h>
#include <webp/decode.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "model/frame.h"

namespace handrail::vision {

struct Decoded {
  Size size;
  std::vector<std::uint8_t> rgb;
};

inline Decoded decode_jpeg(const std::vector<std::uint8_t>& bytes) {
  const std::unique_ptr<void, int (*)(void*)> handle(tjInitDecompress(), &tjDestroy);
  Decoded image;
  int subsampling = 0, colours = 0;
  if (tjDecompressHeader3(handle.get(), bytes.data(), bytes.size(), &image.size.width, &image.size.height, &subsampling,
                          &colours) != 0) {
    return {};
  }
  image.rgb.resize(static_cast<std::size_t>(image.size.width) * static_cast<std::size_t>(image.size.height) * 3);
  // Warnings (a corrupt restart marker is only one) count as failure here.
  if (tjDecompress2(handle.get(), bytes.data(), bytes.size(), image.rgb.data(), image.size.width, 0, image.size.height,
                    TJPF_RGB, TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING) != 0) {
    return {};
  }
  return image;
}

inline Decoded decode_png(const std::vector<std::uint8_t>& bytes) {
  const std::unique_ptr<spng_ctx, void (*)(spng_ctx*)> context(spng_ctx_new(0), &spng_ctx_free);
  spng_set_crc_action(context.get(), SPNG_CRC_ERROR, SPNG_CRC_ERROR);
  spng_ihdr header{};
  std::size_t size = 0;
  if (spng_set_png_buffer(context.get(), bytes.data(), bytes.size()) != 0 ||
      spng_get_ihdr(context.get(), &header) != 0 || spng_decoded_image_size(context.get(), SPNG_FMT_RGB8, &size) != 0) {
    return {};
  }
  Decoded image{{static_cast<int>(header.width), static_cast<int>(header.height)}, std::vector<std::uint8_t>(size)};
  if (spng_decode_image(context.get(), image.rgb.data(), size, SPNG_FMT_RGB8, 0) != 0) return {};
  return image;
}

inline Decoded decode_webp(const std::vector<std::uint8_t>& bytes) {
  Decoded image;
  std::uint8_t* pixels = WebPDecodeRGB(bytes.data(), bytes.size(), &image.size.width, &image.size.height);
  if (pixels == nullptr) return {};
  image.rgb.assign(
      pixels, pixels + static_cast<std::size_t>(image.size.width) * static_cast<std::size_t>(image.size.height) * 3);
  WebPFree(pixels);
  return image;
}

inline Decoded decode(const Picture& picture) {
  switch (picture.format) {
    case ImageFormat::jpeg: return decode_jpeg(picture.bytes);
    case ImageFormat::png: return decode_png(picture.bytes);
    case ImageFormat::webp: break;
  }
  return decode_webp(picture.bytes);
}

}  // namespace handrail::vision
