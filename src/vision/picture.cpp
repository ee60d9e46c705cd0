#include "vision/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "vision/jpeg.h"
#include "vision/png.h"
#include "vision/rows.h"
#include "vision/sizing.h"
#include "vision/webp.h"

namespace handrail::vision {
namespace {

// The encoders of one call, with all their buffers; made when first needed.
struct Encoders {
  std::unique_ptr<JpegEncoder> jpeg;
  std::unique_ptr<PngEncoder> png;
  std::unique_ptr<WebpEncoder> webp;

  Status encode(const Rows& rows, ImageFormat format, int quality, std::vector<std::uint8_t>& out) {
    switch (format) {
      case ImageFormat::jpeg:
        if (!jpeg) jpeg = std::make_unique<JpegEncoder>();
        return jpeg->encode(rows, quality, out);
      case ImageFormat::png:
        if (!png) png = std::make_unique<PngEncoder>();
        png->encode(rows, out);
        return {};
      case ImageFormat::webp: break;
    }
    if (!webp) webp = std::make_unique<WebpEncoder>();
    return webp->encode(rows, quality, out);
  }
};

// As many as there ever were calls at the same time, kept for the process's life: fresh pages cost
// more than the work done in them.
class Shelf {
 public:
  std::unique_ptr<Encoders> take() {
    const std::lock_guard lock(mutex_);
    if (kept_.empty()) return std::make_unique<Encoders>();
    auto encoders = std::move(kept_.back());
    kept_.pop_back();
    return encoders;
  }
  void put_back(std::unique_ptr<Encoders> encoders) {
    const std::lock_guard lock(mutex_);
    kept_.push_back(std::move(encoders));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Encoders>> kept_;
};

Shelf& shelf() {
  static Shelf shelf;
  return shelf;
}

constexpr std::array kLowerQualities{60, 45, 30, 20};
constexpr double kShrink = 0.75;

Status check(const Frame& frame, Size target, const EncodeOptions& options) {
  if (frame.size().empty() || !frame.pixels) {
    return make_error(Code::argument_invalid, "There are no pixels to make a picture of.");
  }
  if (target.empty() || target.width > kMaxEncodedSide || target.height > kMaxEncodedSide) {
    return make_error(Code::argument_invalid,
                      fmt::format("A picture of {}x{} cannot be made.", target.width, target.height))
        .with_field("size", fmt::format("1 to {} on each side", kMaxEncodedSide));
  }
  if (options.quality < 1 || options.quality > 100) {
    return make_error(Code::argument_invalid, fmt::format("`quality` is {}.", options.quality))
        .with_field("quality", "1 to 100");
  }
  return {};
}

// Until the bytes fit: lower qualities first (PNG has none), then smaller sizes at the lowest.
Result<Picture> encode_within_cap(const Frame& frame, Size target, const EncodeOptions& options, Frame* sized,
                                  Encoders& encoders) {
  Picture picture{options.format, target, {}};
  const auto fits_cap = [&] { return options.byte_cap == 0 || picture.bytes.size() <= options.byte_cap; };
  TRY(encoders.encode(Rows(frame, target, sized), options.format, options.quality, picture.bytes));
  if (fits_cap()) return picture;

  int quality = options.quality;
  if (options.format != ImageFormat::png) {
    const Rows rows(frame, target);
    for (const int lower : kLowerQualities) {
      if (lower >= quality) continue;
      quality = lower;
      TRY(encoders.encode(rows, options.format, quality, picture.bytes));
      if (fits_cap()) return picture;
    }
  }
  const auto smaller = [](int side) { return std::max(1, static_cast<int>(side * kShrink + 0.5)); };
  for (Size size{smaller(target.width), smaller(target.height)}; !too_small_to_show(size);
       size = {smaller(size.width), smaller(size.height)}) {
    picture.size = size;
    TRY(encoders.encode(Rows(frame, size), options.format, quality, picture.bytes));
    if (fits_cap()) return picture;
  }
  return make_error(Code::too_large, fmt::format("No picture fits into {} bytes.", options.byte_cap))
      .with_hint("Raise the byte cap or look at a smaller region.");
}

}  // namespace

Result<Picture> picture_of(const Frame& frame, Size target, const EncodeOptions& options, Frame* sized) {
  TRY(check(frame, target, options));
  auto encoders = shelf().take();
  auto picture = encode_within_cap(frame, target, options, sized, *encoders);
  shelf().put_back(std::move(encoders));
  return picture;
}

}  // namespace handrail::vision
