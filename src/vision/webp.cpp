#include "vision/webp.h"

#include <fmt/format.h>
#include <webp/encode.h>

#include <algorithm>
#include <cstring>

namespace handrail::vision {
namespace {

constexpr int kStripRows = 64;

int append(const std::uint8_t* data, std::size_t size, const WebPPicture* picture) {
  auto& out = *static_cast<std::vector<std::uint8_t>*>(picture->custom_ptr);
  out.insert(out.end(), data, data + size);
  return 1;
}

// Frees what the library attaches to a picture.
struct OwnedPicture {
  WebPPicture picture;
  bool valid;
  OwnedPicture() : valid(WebPPictureInit(&picture) != 0) {}
  ~OwnedPicture() {
    if (valid) WebPPictureFree(&picture);
  }
};

}  // namespace

Status WebpEncoder::encode(const Rows& rows, int quality, std::vector<std::uint8_t>& out) {
  const Size size = rows.size();
  const std::size_t stride = static_cast<std::size_t>(size.width) * 4;
  whole_.resize(stride * static_cast<std::size_t>(size.height));
  share((size.height + kStripRows - 1) / kStripRows, [&](int part, int lane) {
    const int from = part * kStripRows, to = std::min(size.height, from + kStripRows);
    const Strip strip = rows.strip(from, to, memory_[static_cast<std::size_t>(lane)]);
    for (int y = from; y < to; ++y) {
      std::memcpy(whole_.data() + static_cast<std::size_t>(y) * stride, strip.row(y - from), stride);
    }
  });

  OwnedPicture owned;
  WebPConfig config;
  if (!owned.valid || WebPConfigPreset(&config, WEBP_PRESET_TEXT, static_cast<float>(quality)) == 0) {
    return make_error(Code::internal, "The WebP library has another version than this program was built for.");
  }
  config.method = 0;
  config.thread_level = 1;
  out.clear();
  WebPPicture& picture = owned.picture;
  picture.width = size.width;
  picture.height = size.height;
  picture.writer = &append;
  picture.custom_ptr = &out;
  if (WebPPictureImportBGRX(&picture, whole_.data(), static_cast<int>(stride)) == 0 ||
      WebPEncode(&config, &picture) == 0) {
    return make_error(Code::internal,
                      fmt::format("The WebP encoder failed with error {}.", static_cast<int>(picture.error_code)));
  }
  return {};
}

}  // namespace handrail::vision
