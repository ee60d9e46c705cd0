#include "vision/encode.h"

#include "vision/picture.h"

namespace handrail::vision {

Result<Picture> encode(const Frame& frame, const EncodeOptions& options) {
  return picture_of(frame, frame.size(), options);
}

std::string_view mime_type(ImageFormat format) {
  switch (format) {
    case ImageFormat::jpeg: return "image/jpeg";
    case ImageFormat::png: return "image/png";
    case ImageFormat::webp: break;
  }
  return "image/webp";
}

}  // namespace handrail::vision
