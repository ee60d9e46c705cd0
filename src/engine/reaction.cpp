#include "engine/reaction.h"

#include <algorithm>
#include <cstring>

namespace handrail::engine {
namespace {

// Most reactions show within a frame or two; what begins later is told by the next look.
constexpr Millis kPatience{250};

Deadline soon() { return Deadline::in(kBackendPatience); }

bool same(const Frame& a, const Frame& b) {
  if (!(a.size() == b.size())) return false;
  const auto width = static_cast<std::size_t>(a.width) * 4;
  for (int y = 0; y < a.height; ++y) {
    if (std::memcmp(a.row(y), b.row(y), width) != 0) return false;
  }
  return true;
}

// The frame may be a lease of a buffer that the next capture writes to.
Frame copy(const Frame& frame) {
  Frame own = make_frame(frame.size());
  std::uint8_t* out = writable(own);
  for (int y = 0; y < frame.height; ++y) {
    std::memcpy(out + static_cast<std::size_t>(y) * own.stride, frame.row(y),
                static_cast<std::size_t>(frame.width) * 4);
  }
  return own;
}

}  // namespace

Reaction::Reaction(Computer& computer, std::int64_t pid, const std::optional<Target>& target)
    : computer_(computer), pid_(pid) {
  if (target && !target->screen && target->pid == pid) window_ = target->window;
  windows_ = windows_now();
  if (Screen* screen = computer_.screen()) {
    if (const auto count = screen->change_count(soon()); count.ok()) changes_ = *count;
  }
  if (auto now = picture_now()) picture_ = copy(*now);
}

std::vector<WindowId> Reaction::windows_now() const {
  std::vector<WindowId> ids;
  Windows* windows = computer_.windows();
  if (windows == nullptr) return ids;
  const auto list = windows->list(soon());
  if (!list.ok()) return ids;
  for (const Window& window : *list) {
    if (window.pid == pid_) ids.push_back(window.id);
  }
  std::ranges::sort(ids);
  return ids;
}

std::optional<Frame> Reaction::picture_now() const {
  Screen* screen = computer_.screen();
  if (screen == nullptr || !window_) return std::nullopt;
  CaptureRequest request;
  request.window = window_;
  auto taken = screen->capture(request, soon());
  if (!taken.ok()) return std::nullopt;
  return taken->frame;
}

std::vector<Evidence> Reaction::evidence(std::stop_token stop) const {
  Screen* screen = computer_.screen();
  const Deadline deadline = Deadline::in(kPatience);
  std::uint64_t seen = changes_;
  while (true) {
    if (windows_now() != windows_) return {Evidence::window_change};
    if (const auto now = picture_now(); picture_ && now && !same(*picture_, *now)) return {Evidence::pixels_changed};
    if (screen == nullptr || deadline.passed() || stop.stop_requested()) return {};
    const auto next = screen->wait_for_change(seen, deadline, stop);
    if (!next.ok()) return {};
    seen = *next;
  }
}

}  // namespace handrail::engine
