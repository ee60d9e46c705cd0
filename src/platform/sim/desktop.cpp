#include "platform/sim/desktop.h"

#include <algorithm>
#include <cmath>

namespace handrail::sim {

Desktop::Desktop(const std::vector<DisplaySpec>& displays) { set_displays(displays); }

void Desktop::set_displays(const std::vector<DisplaySpec>& specs) {
  const std::vector<DisplaySpec> wanted = specs.empty() ? std::vector<DisplaySpec>{DisplaySpec{}} : specs;
  double largest = 1;
  for (const DisplaySpec& spec : wanted) largest = std::max(largest, spec.scale);
  displays_.clear();
  for (const DisplaySpec& spec : wanted) {
    Display display;
    display.id = static_cast<int>(displays_.size());
    display.name = spec.name;
    display.bounds = spec.bounds;
    display.scale = spec.scale;
    display.primary = displays_.empty();
    // Origins are spread by the largest scale, so that displays of mixed scales never overlap in pixels.
    display.pixels = {static_cast<int>(std::lround(spec.bounds.x * largest)),
                      static_cast<int>(std::lround(spec.bounds.y * largest)),
                      static_cast<int>(std::lround(spec.bounds.width * spec.scale)),
                      static_cast<int>(std::lround(spec.bounds.height * spec.scale))};
    displays_.push_back(display);
  }
  pointer_display_ = 0;
  pointer_ = to_pixel(displays_[0], displays_[0].bounds.centre());
  touch();
}

WindowId Desktop::add(WindowSpec spec) {
  auto window = std::make_unique<SimWindow>();
  window->id = ++last_window_;
  window->spec = std::move(spec);
  if (window->spec.pid == 0) window->spec.pid = next_pid();
  const WindowId id = window->id;
  windows_.push_back(std::move(window));
  if (shown(*windows_.back())) set_focus(id);
  touch();
  return id;
}

SimWindow* Desktop::find(WindowId id) const {
  for (const auto& window : windows_) {
    if (window->id == id) return window.get();
  }
  return nullptr;
}

bool Desktop::shown(const SimWindow& window) const {
  return window.state != WindowState::minimised && (window.spec.workspace == -1 || window.spec.workspace == workspace_);
}

SimWindow* Desktop::top_at(Point at) const {
  for (auto window = windows_.rbegin(); window != windows_.rend(); ++window) {
    if (shown(**window) && (*window)->spec.bounds.contains(at)) return window->get();
  }
  return nullptr;
}

Window Desktop::describe(const SimWindow& window) const {
  Window told;
  told.id = window.id;
  told.title = window.spec.title;
  told.app = window.spec.app;
  told.pid = window.spec.pid;
  told.bounds = window.spec.bounds;
  told.content = window.content();
  for (const auto& other : windows_) {
    if (other->id == window.id) break;
    ++told.stacking;
  }
  told.workspace = window.spec.workspace;
  told.state = window.state;
  told.focused = focused_ == window.id;
  told.visible = shown(window);
  return told;
}

void Desktop::raise(WindowId id) {
  const auto found = std::find_if(windows_.begin(), windows_.end(), [id](const auto& w) { return w->id == id; });
  if (found == windows_.end() || found + 1 == windows_.end()) return;
  std::rotate(found, found + 1, windows_.end());
  touch();
}

void Desktop::set_focus(std::optional<WindowId> id) {
  if (focused_ == id) return;
  const std::optional<WindowId> before = std::exchange(focused_, id);
  if (before) deliver(*before, event(EventKind::focus_out));
  if (id) deliver(*id, event(EventKind::focus_in));
  touch();
}

void Desktop::focus_topmost() {
  for (auto window = windows_.rbegin(); window != windows_.rend(); ++window) {
    if (shown(**window)) return set_focus((*window)->id);
  }
  set_focus(std::nullopt);
}

void Desktop::focus(WindowId id) {
  SimWindow* window = find(id);
  if (window->spec.workspace != -1 && window->spec.workspace != workspace_) go_to_workspace(window->spec.workspace);
  if (window->state == WindowState::minimised) window->state = WindowState::normal;
  raise(id);
  set_focus(id);
  touch();
}

void Desktop::move(WindowId id, Point to) {
  SimWindow* window = find(id);
  window->spec.bounds.x = to.x;
  window->spec.bounds.y = to.y;
  touch();
}

void Desktop::resize(WindowId id, double width, double height) {
  SimWindow* window = find(id);
  window->spec.bounds.width = std::max(width, kFrame.left + kFrame.right + 1);
  window->spec.bounds.height = std::max(height, kFrame.top + kFrame.bottom + 1);
  touch();
}

void Desktop::minimise(WindowId id) {
  find(id)->state = WindowState::minimised;
  if (focused_ == id) focus_topmost();
  touch();
}

void Desktop::maximise(WindowId id) {
  SimWindow* window = find(id);
  if (window->state == WindowState::maximised) return;
  window->normal_bounds = window->spec.bounds;
  const Display* display = display_at(displays_, window->spec.bounds.centre());
  window->spec.bounds = (display == nullptr ? displays_.front() : *display).bounds;
  window->state = WindowState::maximised;
  touch();
}

void Desktop::restore(WindowId id) {
  SimWindow* window = find(id);
  if (window->state == WindowState::minimised) {
    window->state = WindowState::normal;
    raise(id);
    if (shown(*window)) set_focus(id);
  } else if (window->state == WindowState::maximised) {
    window->state = WindowState::normal;
    window->spec.bounds = window->normal_bounds;
  }
  touch();
}

void Desktop::send(WindowId id, int workspace) {
  SimWindow* window = find(id);
  window->spec.workspace = workspace;
  if (focused_ == id && !shown(*window)) focus_topmost();
  touch();
}

void Desktop::remove(WindowId id) {
  const SimWindow* window = find(id);
  if (window == nullptr) return;
  const std::int64_t pid = window->spec.pid;
  std::erase_if(windows_, [id](const auto& w) { return w->id == id; });
  const bool still_runs =
      std::any_of(windows_.begin(), windows_.end(), [pid](const auto& w) { return w->spec.pid == pid; });
  if (!still_runs) {
    for (AppSpec& spec : apps_) std::erase(spec.app.pids, pid);
  }
  if (grab_ == id) grab_.reset();
  if (focused_ == id) {
    focused_.reset();
    focus_topmost();
  }
  touch();
}

void Desktop::go_to_workspace(int workspace) {
  workspace_ = workspace;
  focus_topmost();
  touch();
}

void Desktop::advance(Millis span) {
  const Millis end = now_ + span;
  while (!timers_.empty() && timers_.front().due <= end) {
    Timer timer = std::move(timers_.front());
    timers_.erase(timers_.begin());
    now_ = std::max(now_, timer.due);
    timer.act(*this);
  }
  now_ = end;
}

void Desktop::later(Millis delay, std::function<void(Desktop&)> act) {
  const Millis due = now_ + delay;
  const auto place =
      std::upper_bound(timers_.begin(), timers_.end(), due, [](Millis at, const Timer& t) { return at < t.due; });
  timers_.insert(place, Timer{due, std::move(act)});
}

std::optional<Millis> Desktop::next_due() const {
  if (timers_.empty()) return std::nullopt;
  return timers_.front().due - now_;
}

void Desktop::reset() {
  windows_.clear();
  focused_.reset();
  grab_.reset();
  buttons_down_.clear();
  keys_down_.clear();
  timers_.clear();
  clipboards_.clear();
  for (AppSpec& spec : apps_) spec.app.pids.clear();
  workspace_ = 0;
  touch();
}

}  // namespace handrail::sim
