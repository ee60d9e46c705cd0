#include "app/desk_guardian.h"

#include "base/log.h"

namespace handrail::app {

Result<linux_::GuardianLink*> DeskGuardian::link() {
  if (linux_::GuardianLink* started = started_) return started;
  const std::lock_guard lock(mutex_);
  if (!link_) {
    linux_::GuardianOptions options;
    options.display = TRY(where_());
    link_ = TRY(linux_::GuardianLink::start(std::move(options)));
    started_ = link_.get();
  }
  return link_.get();
}

Status DeskGuardian::ready() { return TRY(link())->ready(); }

Status DeskGuardian::held(const HeldNow& now) {
  // Nothing is down and nobody was told otherwise: no reason to start a process.
  if (started_ == nullptr && now.keycodes.empty() && now.buttons.empty()) return {};
  return TRY(link())->held(now);
}

Status DeskGuardian::keep(Kept what, std::string bytes) {
  if (started_ == nullptr && bytes.empty()) return {};
  return TRY(link())->keep(what, std::move(bytes));
}

Status DeskGuardian::give_back(Kept what, Deadline deadline) {
  if (started_ == nullptr) return {};
  return TRY(link())->give_back(what, deadline);
}

void DeskGuardian::grabbing(bool on) noexcept {
  if (linux_::GuardianLink* started = started_) started->grabbing(on);
}

void DeskGuardian::moved(const std::string& display, const std::string& xauthority) {
  if (linux_::GuardianLink* started = started_) {
    const Status told = started->watch_display(display, xauthority);
    if (!told.ok()) log(LogLevel::warning, "guardian: {}", told.error().message);
  }
}

}  // namespace handrail::app
