#include "engine/still_watch.h"

#include <algorithm>
#include <utility>

namespace handrail::engine {
namespace {

Deadline soon() { return Deadline::in(kBackendPatience); }

}  // namespace

StillWatch::StillWatch(Computer& computer, const std::optional<Target>& target)
    : computer_(&computer), begun_(Clock::now()) {
  if (target && !target->screen) target_ = target;
  if (Screen* screen = computer.screen()) {
    if (const auto count = screen->change_count(soon()); count.ok()) changes_ = *count;
  }
  if (!target_) return;
  windows_ = windows_of(computer, target_->pid);
  picture_ = stamp_of(computer, target_->window);
  said_something();
}

bool StillWatch::moved() {
  if (!target_) return true;
  std::vector<WindowId> windows = windows_of(*computer_, target_->pid);
  bool other = windows != windows_;
  windows_ = std::move(windows);
  const auto now = stamp_of(*computer_, target_->window);
  if (now && picture_ != now) {
    picture_ = now;
    other = true;
  }
  return other;
}

bool StillWatch::said_something() {
  Accessibility* port = target_ && target_->pid != 0 ? computer_->accessibility() : nullptr;
  if (port == nullptr) return false;
  const auto count = port->change_count({target_->pid}, soon());
  if (!count.ok()) return false;
  const bool more = elements_ && *elements_ != *count;
  elements_ = *count;
  return more;
}

Result<actions::Settled> StillWatch::settle(const Rest& rest, const std::stop_token& stop) {
  Screen* screen = computer_->screen();
  if (screen == nullptr) return make_error(Code::capability_unsupported, "This computer has no screen.");
  const Deadline end = Deadline::in(rest.most);
  actions::Settled settled;
  TimePoint last = Clock::now();
  const auto note = [&] {
    last = Clock::now();
    if (!settled.changed) settled.first_change_ms = millis_since(begun_);
    settled.settled_ms = millis_since(begun_);
    settled.changed = true;
  };
  // What changed since the watch began counts.
  const std::uint64_t now = TRY(screen->change_count(soon()));
  if (std::exchange(changes_, now) != now && moved()) note();
  if (said_something()) note();
  while (true) {
    const TimePoint quiet = last + (settled.changed ? rest.quiet : rest.first);
    settled.still = !end.passed();
    if (end.passed() || Clock::now() >= quiet) break;
    const auto next = screen->wait_for_change(changes_, Deadline(std::min(quiet, end.at())), stop);
    if (!next.ok() && next.error().code != Code::timeout) return next.error();
    if (next.ok()) {
      changes_ = *next;
      if (moved()) note();
    }
    if (said_something()) note();
  }
  return settled;
}

}  // namespace handrail::engine
