// How large a picture may be before a model's own downscaling would blur it: the public sizing rule.
// Pure arithmetic; it knows nothing of pixels or codecs.
#pragma once

#include <cstdint>

#include "model/geometry.h"

namespace handrail::vision {

// The classes of model input that the sizing rule tells apart.
enum class Tier { standard, high_resolution };

// What a caller asks for on top of the rule; 0 is no limit.
struct SizeLimits {
  int max_width = 0;
  int max_height = 0;
};

// No side of any picture is longer, whatever the tier.
inline constexpr int kMaxSide = 8000;

// What a picture of this size costs a model.
std::int64_t image_tokens(Size size);

// Whether a picture of this size is sent as it is.
bool fits(Size size, Tier tier, SizeLimits limits = {});

// The largest size with the source's aspect that fits; the source itself when it does. Never larger
// than the source, never below 1x1. An empty source stays as it is.
Size fit(Size source, Tier tier = Tier::standard, SizeLimits limits = {});

// Below 8x8 a picture shows nothing; it is dropped and the text of the reply says so.
bool too_small_to_show(Size size);

}  // namespace handrail::vision
