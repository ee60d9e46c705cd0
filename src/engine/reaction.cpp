#include "engine/reaction.h"

#include <algorithm>

#include "vision/pixel_print.h"

namespace handrail::engine {
namespace {

// Most reactions show within a frame or two; what begins later is told by the next look.
constexpr Millis kPatience{250};

Deadline soon() { return Deadline::in(kBackendPatience); }

}  // namespace

Reaction::Reaction(Computer& computer, std::int64_t pid, const std::optional<Target>& target)
    : computer_(computer), pid_(pid) {
  if (target && !target->screen && target->pid == pid) window_ = target->window;
  windows_ = windows_now();
  if (Screen* screen = computer_.screen()) {
    if (const auto count = screen->change_count(soon()); count.ok()) changes_ = *count;
  }
  picture_ = picture_now();
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

std::optional<std::uint64_t> Reaction::picture_now() const {
  Screen* screen = computer_.screen();
  if (screen == nullptr || !window_) return std::nullopt;
  CaptureRequest request;
  request.window = window_;
  auto taken = screen->capture(request, soon());
  if (!taken.ok()) return std::nullopt;
  return vision::print_of(taken->frame);
}

std::vector<Evidence> Reaction::evidence(std::stop_token stop) const {
  Screen* screen = computer_.screen();
  const Deadline deadline = Deadline::in(kPatience);
  std::uint64_t seen = changes_;
  while (true) {
    if (windows_now() != windows_) return {Evidence::window_change};
    if (const auto now = picture_now(); picture_ && now && *picture_ != *now) return {Evidence::pixels_changed};
    if (screen == nullptr || deadline.passed() || stop.stop_requested()) return {};
    const auto next = screen->wait_for_change(seen, deadline, stop);
    if (!next.ok()) return {};
    seen = *next;
  }
}

}  // namespace handrail::engine
