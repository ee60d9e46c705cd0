#include "engine/reaction.h"

namespace handrail::engine {
namespace {

// Most reactions show within a frame or two; what begins later is told by the next look.
constexpr Millis kPatience{250};
// After something has moved: what the element says of it comes with it, or not at all.
constexpr Millis kSameTime{60};

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

ElementReaction::ElementReaction(Computer& computer, const ElementKey& element, const std::optional<Target>& target)
    : computer_(computer), app_(computer, element.pid, target), key_(element), window_(app_.window()) {
  Accessibility* port = computer_.accessibility();
  if (port != nullptr && !element.id.object.empty()) {
    if (auto now = port->read(element, soon()); now.ok()) element_ = std::move(now).value();
  }
  if (element_ && element_->window != 0) window_ = element_->window;
  if (Screen* screen = computer_.screen()) {
    if (const auto count = screen->change_count(soon()); count.ok()) changes_ = *count;
  }
  picture_ = stamp_of(computer_, window_);
}

bool ElementReaction::looks_otherwise() const {
  const auto now = picture_ ? stamp_of(computer_, window_) : std::nullopt;
  return now && now != picture_;
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
  std::uint64_t seen = changes_;
  bool moved = false;
  while (true) {
    std::vector<Evidence> window = app_.evidence(stop);
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
