#include "platform/sim/sim_computer.h"

namespace handrail::sim {

SimComputer::SimComputer(SimSpec spec) : hub_(spec.displays, spec.waiting) {
  for (AppSpec& app : spec.apps) add_app(std::move(app));
  for (const Capability capability :
       {Capability::services, Capability::notifications, Capability::brightness, Capability::screen_lock}) {
    hub_.lack(capability, "a session around its windows", "Use a real desktop.");
  }
}

SimComputer::~SimComputer() = default;

Screen* SimComputer::screen() { return hub_.has(Capability::screen) ? &screen_ : nullptr; }
Input* SimComputer::input() {
  return hub_.has(Capability::pointer) || hub_.has(Capability::keyboard) ? &input_ : nullptr;
}
Windows* SimComputer::windows() { return hub_.has(Capability::windows) ? &windows_ : nullptr; }
Apps* SimComputer::apps() { return hub_.has(Capability::apps) ? &apps_ : nullptr; }
Clipboard* SimComputer::clipboard() { return hub_.has(Capability::clipboard) ? &clipboard_ : nullptr; }
Capabilities SimComputer::capabilities() { return hub_.capabilities(); }

WindowId SimComputer::add_window(WindowSpec spec) {
  return hub_.arrange([&](Desktop& desktop) { return desktop.add(std::move(spec)); });
}

void SimComputer::add_app(AppSpec spec) {
  hub_.arrange([&](Desktop& desktop) { desktop.apps().push_back(std::move(spec)); });
}

void SimComputer::set_displays(const std::vector<DisplaySpec>& displays) {
  hub_.arrange([&](Desktop& desktop) { desktop.set_displays(displays); });
}

void SimComputer::go_to_workspace(int workspace) {
  hub_.arrange([&](Desktop& desktop) { desktop.go_to_workspace(workspace); });
}

void SimComputer::advance(Millis span) {
  hub_.arrange([&](Desktop& desktop) { desktop.advance(span); });
}

void SimComputer::with_desktop(const std::function<void(Desktop&)>& act) {
  hub_.arrange([&](Desktop& desktop) { act(desktop); });
}

void SimComputer::person_moves() {
  hub_.arrange([](Desktop& desktop) { desktop.see_person(); });
}

std::vector<Event> SimComputer::log(WindowId id) {
  return hub_.arrange([&](Desktop& desktop) {
    const SimWindow* window = desktop.find(id);
    return window != nullptr ? window->log : std::vector<Event>{};
  });
}

std::string SimComputer::text(WindowId id, std::size_t field) {
  return hub_.arrange([&](Desktop& desktop) {
    const SimWindow* window = desktop.find(id);
    return window != nullptr && field < window->spec.fields.size() ? window->spec.fields[field].text : std::string();
  });
}

int SimComputer::clicks(WindowId id, std::size_t button) {
  return hub_.arrange([&](Desktop& desktop) {
    const SimWindow* window = desktop.find(id);
    return window != nullptr && button < window->spec.buttons.size() ? window->spec.buttons[button].clicks : 0;
  });
}

Point SimComputer::scrolled(WindowId id, std::size_t area) {
  return hub_.arrange([&](Desktop& desktop) {
    const SimWindow* window = desktop.find(id);
    return window != nullptr && area < window->spec.scrolls.size() ? window->spec.scrolls[area].offset : Point{};
  });
}

std::optional<WindowId> SimComputer::focused() {
  return hub_.arrange([](Desktop& desktop) { return desktop.focused(); });
}

Point SimComputer::pointer() {
  return hub_.arrange([](Desktop& desktop) { return desktop.pointer(); });
}

std::vector<Button> SimComputer::buttons_down() {
  return hub_.arrange([](Desktop& desktop) {
    return std::vector<Button>(desktop.buttons_down().begin(), desktop.buttons_down().end());
  });
}

std::vector<Key> SimComputer::keys_down() {
  return hub_.arrange([](Desktop& desktop) { return desktop.keys_down(); });
}

Millis SimComputer::now() {
  return hub_.arrange([](Desktop& desktop) { return desktop.now(); });
}

void SimComputer::lose_server() { hub_.set_lost(true); }

void SimComputer::restore_server() { hub_.set_lost(false); }

void SimComputer::restart_server() {
  hub_.arrange([](Desktop& desktop) { desktop.reset(); });
  input_.forget_held();
  hub_.set_lost(false);
}

void SimComputer::lack(Capability capability, std::string missing, std::string fix) {
  hub_.lack(capability, std::move(missing), std::move(fix));
}

void SimComputer::vanish(WindowId window) {
  hub_.arrange([&](Desktop& desktop) { desktop.remove(window); });
}

void SimComputer::slow_down(WindowId id, Millis delay) {
  hub_.arrange([&](Desktop& desktop) {
    if (SimWindow* window = desktop.find(id)) window->delay = delay;
  });
}

void SimComputer::make_stubborn(WindowId id) {
  hub_.arrange([&](Desktop& desktop) {
    if (SimWindow* window = desktop.find(id)) window->obeys = false;
  });
}

void SimComputer::after_event(std::size_t nth, std::function<void()> act) { hub_.after_event(nth, std::move(act)); }

}  // namespace handrail::sim
