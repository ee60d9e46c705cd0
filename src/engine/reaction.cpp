#include "engine/reaction.h"

namespace handrail::engine {
namespace {

// Most reactions show within a frame or two; what begins later is told by the next look.
constexpr Millis kPatience{250};
// After something has moved: what the element says of it comes with it, or not at all.
constexpr Millis kSameTime{60};
constexpr Millis kFresh{20};

Deadline soon() { return Deadline::in(kBackendPatience); }

// The focus comes and goes with windows, and says nothing of what was done.
ElementStates without_focus(ElementStates states) {
  for (const ElementState state : {ElementState::focused, ElementState::active, ElementState::showing}) {
    states.set(state, false);
  }
  return states;
}

}  // namespace

Reaction::Reaction(Computer& computer, std::int64_t pid, const std::optional<Target>& target)
    : computer_(computer), pid_(pid), windows_(windows_of(computer, pid)) {
  if (target && !target->screen && target->pid == pid) window_ = target->window;
}

std::vector<Evidence> Reaction::evidence(const std::stop_token&) const {
  if (windows_of(computer_, pid_) == windows_) return {};
  return {Evidence::window_change};
}

ElementReaction::ElementReaction(Computer& computer, ElementKey element, WindowId window,
                                 const std::optional<Target>& target)
    : computer_(computer), key_(std::move(element)), begun_(Clock::now()) {
  before_ = std::async(std::launch::async, [this, window, target] { return look(window, target); });
}

bool ElementReaction::is_of(const ElementKey& element) const {
  return key_ == element && element_ && Clock::now() - begun_ < kFresh;
}

ElementReaction::Before ElementReaction::look(WindowId window, const std::optional<Target>& target) const {
  Before before{Reaction(computer_, key_.pid, target), {}, 0, {}};
  before.window = window != 0 ? window : before.app.window();
  if (Screen* screen = computer_.screen()) {
    if (const auto count = screen->change_count(soon()); count.ok()) before.changes = *count;
  }
  before.picture = stamp_of(computer_, before.window);
  return before;
}

bool ElementReaction::looks_otherwise() const {
  const Before& before = before_.get();
  const auto now = before.picture ? stamp_of(computer_, before.window) : std::nullopt;
  return now && now != before.picture;
}

// Gone, called otherwise, or in another state.
bool ElementReaction::reads_otherwise() const {
  if (!element_) return false;
  const auto now = computer_.accessibility()->read(key_, Deadline::in(kPatience));
  if (!now.ok()) return now.error().code == Code::target_stale;
  return now->value != element_->value || !(without_focus(now->states) == without_focus(element_->states));
}

std::vector<Evidence> ElementReaction::await(const std::stop_token& stop) const {
  Screen* screen = computer_.screen();
  Deadline deadline = Deadline::in(kPatience);
  std::uint64_t seen = before_.get().changes;
  bool moved = false;
  while (true) {
    std::vector<Evidence> window = windows(stop);
    if (!window.empty()) return window;
    if (!moved && looks_otherwise()) {
      moved = true;
      deadline = deadline.within(kSameTime);
    }
    if (screen == nullptr || deadline.passed() || stop.stop_requested()) break;
    const auto next = screen->wait_for_change(seen, deadline, stop);
    if (!next.ok()) break;
    seen = *next;
  }
  if (reads_otherwise()) return {Evidence::value_readback};
  if (moved) return {Evidence::pixels_changed};
  return {};
}

}  // namespace handrail::engine
