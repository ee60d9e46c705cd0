#include "model/frame.h"

#include <cstring>
#include <new>

namespace handrail {
namespace {
constexpr std::size_t kSlack = 32;
}

Frame make_frame(Size size) {
  Frame frame;
  frame.width = size.width;
  frame.height = size.height;
  frame.stride = static_cast<std::size_t>(size.width) * 4;
  const std::size_t bytes = frame.stride * static_cast<std::size_t>(size.height) + kSlack;
  auto* memory = static_cast<std::uint8_t*>(::operator new (bytes, std::align_val_t{64}));
  std::memset(memory, 0, bytes);
  frame.pixels = std::shared_ptr<const std::uint8_t>(
      memory, [](const std::uint8_t* p) { ::operator delete (const_cast<std::uint8_t*>(p), std::align_val_t{64}); });
  return frame;
}

std::uint8_t* writable(Frame& frame) { return const_cast<std::uint8_t*>(frame.pixels.get()); }

}  // namespace handrail
