#include <algorithm>
#include <functional>

#include "platform/sim/ports.h"

namespace handrail::sim {

AppIdentity identity_of(const std::string& app, std::int64_t pid) {
  AppIdentity identity;
  identity.pid = pid;
  identity.started = static_cast<std::uint64_t>(pid);
  identity.file = {1, std::hash<std::string>{}(app) | 1U, 1};
  identity.executable = "/sim/" + app;
  identity.desktop_id = app;
  identity.claimed_class = app;
  return identity;
}

Receiver receiver_of(const SimWindow* window) {
  Receiver receiver;
  receiver.kind = ReceiverKind::root;
  if (window == nullptr) return receiver;
  receiver.kind = ReceiverKind::app;
  receiver.window = receiver.toplevel = window->id;
  receiver.app = identity_of(window->spec.app, window->spec.pid);
  return receiver;
}

Receiver focus_of(const Desktop& desktop) {
  if (desktop.focused()) return receiver_of(desktop.find(*desktop.focused()));
  Receiver nobody;
  nobody.kind = ReceiverKind::nobody;
  return nobody;
}

Result<Receiver> SimTargets::at(Point point, Deadline deadline) {
  return hub_.use(deadline, [&](Desktop& desktop) -> Result<Receiver> { return receiver_of(desktop.top_at(point)); });
}

Result<Receiver> SimTargets::focus(Deadline deadline) {
  return hub_.use(deadline, [](Desktop& desktop) -> Result<Receiver> { return focus_of(desktop); });
}

Result<Receiver> SimTargets::of(WindowId id, Deadline deadline) {
  return hub_.use(deadline, [&](Desktop& desktop) -> Result<Receiver> {
    const SimWindow* window = desktop.find(id);
    if (window == nullptr) return make_error(Code::not_found, "There is no such window.");
    return receiver_of(window);
  });
}

Result<Receiver> SimTargets::of_process(std::int64_t pid, Deadline deadline) {
  return hub_.use(deadline, [&](Desktop& desktop) -> Result<Receiver> {
    for (const auto& window : desktop.windows()) {
      if (window->spec.pid == pid) return receiver_of(window.get());
    }
    return make_error(Code::not_found, "There is no such process.");
  });
}

Result<std::optional<Millis>> SimTargets::person_idle(Deadline deadline) {
  return hub_.use(deadline, [](Desktop& desktop) -> Result<std::optional<Millis>> {
    if (!desktop.person_seen()) return std::optional<Millis>();
    return std::optional<Millis>(desktop.now() - *desktop.person_seen());
  });
}

Result<std::vector<Rect>> SimSecrets::fields(const std::vector<std::int64_t>& pids, Deadline deadline) {
  return hub_.use(deadline, [&](Desktop& desktop) -> Result<std::vector<Rect>> {
    std::vector<Rect> places;
    for (const auto& window : desktop.windows()) {
      if (std::ranges::find(pids, window->spec.pid) == pids.end()) continue;
      for (const TextField& field : window->spec.fields) {
        if (field.secret) places.push_back(window->desktop_place(field.place));
      }
    }
    return places;
  });
}

Result<std::optional<bool>> SimSecrets::focused(std::int64_t pid, Deadline deadline) {
  return hub_.use(deadline, [&](Desktop& desktop) -> Result<std::optional<bool>> {
    const SimWindow* window = desktop.focused() ? desktop.find(*desktop.focused()) : nullptr;
    if (window == nullptr || window->spec.pid != pid) return std::optional<bool>(false);
    const TextField* field = window->focused_field();
    return std::optional<bool>(field != nullptr && field->secret);
  });
}

Status SimIsolation::hide(const std::function<bool(const Receiver& owner)>& shows, Deadline deadline) {
  return hub_.use(deadline, [&](Desktop& desktop) -> Status {
    std::vector<WindowId> out;
    for (const auto& window : desktop.windows()) {
      if (desktop.shown(*window) && !shows(receiver_of(window.get()))) out.push_back(window->id);
    }
    const std::optional<WindowId> focused = desktop.focused();
    if (hidden_.empty() && !out.empty()) focused_ = focused;
    for (const WindowId id : out) desktop.minimise(id);
    hidden_.insert(hidden_.end(), out.begin(), out.end());
    return {};
  });
}

Status SimIsolation::restore(Deadline deadline) {
  return hub_.use(deadline, [&](Desktop& desktop) -> Status {
    for (const WindowId id : hidden_) {
      if (desktop.find(id) != nullptr) desktop.focus(id);
    }
    if (!hidden_.empty() && focused_ && desktop.find(*focused_) != nullptr) desktop.focus(*focused_);
    hidden_.clear();
    return {};
  });
}

Status SimClipboardGuard::guard(Deadline deadline) {
  return hub_.use(deadline, [&](Desktop& desktop) -> Status {
    if (!guarding_) kept_ = desktop.clipboards();
    guarding_ = true;
    desktop.clipboards().clear();
    return {};
  });
}

Status SimClipboardGuard::restore(Deadline deadline) {
  return hub_.use(deadline, [&](Desktop& desktop) -> Status {
    if (guarding_) desktop.clipboards() = kept_;
    guarding_ = false;
    return {};
  });
}

}  // namespace handrail::sim
