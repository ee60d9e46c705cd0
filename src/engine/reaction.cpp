#include "engine/reaction.h"

#include <algorithm>
#include <array>

namespace handrail::engine {
namespace {

// Most reactions show within a frame or two; what begins later is told by the next look.
constexpr Millis kPatience{250};
// After something else has moved: what the element shows comes with it, or not at all.
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
  if (const auto now = picture_of(computer_, window_)) picture_ = own_copy(*now);
}

bool ElementReaction::has_state() const {
  if (!element_) return false;
  constexpr std::array kStates{ElementState::checkable, ElementState::selectable, ElementState::expandable};
  return std::ranges::any_of(kStates, [&](ElementState state) { return element_->states.has(state); }) ||
         element_->role == "toggle button" || element_->role == "check box" || element_->role == "radio button";
}

Difference ElementReaction::looks_otherwise() const {
  const auto now = picture_ ? picture_of(computer_, window_) : std::nullopt;
  if (!now) return {};
  return difference(*picture_, *now, element_ ? box_in(*now, element_->bounds) : Box{});
}

// Gone, called otherwise, or in another state.
bool ElementReaction::reads_otherwise() const {
  if (!element_) return false;
  const auto now = computer_.accessibility()->read(key_, Deadline::in(kPatience));
  if (!now.ok()) return now.error().code == Code::target_stale;
  return now->value != element_->value || !(without_focus(now->states) == without_focus(element_->states));
}

Reacted ElementReaction::await(const std::stop_token& stop, By by) const {
  Screen* screen = computer_.screen();
  Deadline deadline = Deadline::in(kPatience);
  std::uint64_t seen = changes_;
  Reacted reacted;
  while (true) {
    reacted.evidence = app_.evidence(stop);
    if (!reacted.evidence.empty()) return reacted;
    const Difference now = looks_otherwise();
    if (now.inside && by == By::look) {
      reacted.evidence = {Evidence::pixels_changed};
      return reacted;
    }
    if ((now.inside || now.outside) && !reacted.elsewhere) {
      reacted.elsewhere = true;
      deadline = deadline.within(kSameTime);
    }
    if (screen == nullptr || deadline.passed() || stop.stop_requested()) break;
    const auto next = screen->wait_for_change(seen, deadline, stop);
    if (!next.ok()) break;
    seen = *next;
  }
  if (reads_otherwise()) reacted.evidence = {Evidence::value_readback};
  return reacted;
}

}  // namespace handrail::engine
