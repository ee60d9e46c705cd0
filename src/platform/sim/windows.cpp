#include <cmath>

#include "platform/sim/ports.h"

namespace handrail::sim {
namespace {

Error no_window() { return make_error(Code::not_found, "There is no such window."); }

Status check_frame(const ChangeWindow& change) {
  const Rect& frame = change.frame;
  if (change.verb == WindowVerb::move && !(std::isfinite(frame.x) && std::isfinite(frame.y))) {
    return make_error(Code::argument_invalid, "The place is not a point.").with_field("frame", "finite x and y");
  }
  const bool sized = std::isfinite(frame.width) && std::isfinite(frame.height) && !frame.empty();
  if (change.verb == WindowVerb::resize && !sized) {
    return make_error(Code::argument_invalid, "The size is not positive.")
        .with_field("frame", "positive width and height");
  }
  return {};
}

}  // namespace

Result<std::vector<Window>> SimWindows::list(Deadline deadline) {
  return hub_.use(deadline, [](Desktop& desktop) -> Result<std::vector<Window>> {
    std::vector<Window> told;
    for (const auto& window : desktop.windows()) told.push_back(desktop.describe(*window));
    return told;
  });
}

Result<Window> SimWindows::change(const ChangeWindow& change, Permit, Deadline deadline, std::stop_token stop) {
  if (stop.stop_requested()) return make_error(Code::cancelled, "The change was cancelled.");
  return hub_.use(deadline, [&](Desktop& desktop) -> Result<Window> {
    SimWindow* window = desktop.find(change.window);
    if (window == nullptr) return no_window();
    TRY(check_frame(change));
    const auto late = [] {
      return make_error(Code::timeout, "The window did not change in time.").with_side_effects(SideEffects::possible);
    };
    if (!window->obeys) return late();
    const WindowId id = window->id;
    switch (change.verb) {
      case WindowVerb::focus: desktop.focus(id); break;
      case WindowVerb::move: desktop.move(id, change.frame.origin()); break;
      case WindowVerb::resize: desktop.resize(id, change.frame.width, change.frame.height); break;
      case WindowVerb::minimise: desktop.minimise(id); break;
      case WindowVerb::close: {
        const Window last = desktop.describe(*window);
        const Millis delay = window->delay;
        desktop.later(delay, [id](Desktop& d) { d.remove(id); });
        if (delay > deadline.left()) return late();
        desktop.advance(delay);
        return last;
      }
    }
    return desktop.describe(*window);
  });
}

}  // namespace handrail::sim
