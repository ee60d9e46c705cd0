#include "vision/rows.h"

#include <array>
#include <cstring>
#include <mutex>

namespace handrail::vision {
namespace {

// Tables of the last few pairs of sizes: a session alternates between a display and a window or two.
std::shared_ptr<const Scaler> scaler_for(Size source, Size target) {
  static std::mutex mutex;
  static std::array<std::shared_ptr<const Scaler>, 4> kept;
  static std::size_t oldest = 0;
  const std::lock_guard lock(mutex);
  for (const auto& scaler : kept) {
    if (scaler && scaler->source() == source && scaler->target() == target) return scaler;
  }
  auto made = std::make_shared<const Scaler>(source, target);
  kept[oldest] = made;
  oldest = (oldest + 1) % kept.size();
  return made;
}

}  // namespace

Rows::Rows(const Frame& frame, Size target, Frame* sized) : frame_(frame), target_(target) {
  if (frame.size() != target) scaler_ = scaler_for(frame.size(), target);
  if (sized == nullptr) return;
  if (sized->size() != target || sized->pixels.use_count() != 1) *sized = make_frame(target);
  sized_ = writable(*sized);
  sized_stride_ = sized->stride;
}

Strip Rows::strip(int from, int to, RowMemory& memory) const {
  const std::size_t row_bytes = static_cast<std::size_t>(target_.width) * 4;
  if (!scaler_) {
    if (sized_ != nullptr) {
      for (int y = from; y < to; ++y) {
        std::memcpy(sized_ + static_cast<std::size_t>(y) * sized_stride_, frame_.row(y), row_bytes);
      }
    }
    return {frame_.row(from), frame_.stride};
  }
  if (sized_ != nullptr) {
    std::uint8_t* out = sized_ + static_cast<std::size_t>(from) * sized_stride_;
    scaler_->rows(frame_, from, to, out, sized_stride_, memory.blend);
    return {out, sized_stride_};
  }
  const std::size_t needed = row_bytes * static_cast<std::size_t>(to - from);
  if (memory.strip.size() < needed) memory.strip.resize(needed);
  scaler_->rows(frame_, from, to, memory.strip.data(), row_bytes, memory.blend);
  return {memory.strip.data(), row_bytes};
}

}  // namespace handrail::vision
