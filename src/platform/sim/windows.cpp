#include <cmath>
#include <string>

#include "platform/sim/ports.h"

namespace handrail::sim {
namespace {

Error no_window() { return make_error(Code::not_found, "There is no such window."); }

constexpr int kWorkspaces = 4;

Status check_workspace(int workspace, int least) {
  if (workspace >= least && workspace < kWorkspaces) return {};
  return make_error(Code::argument_invalid, "There is no such workspace.")
      .with_field("workspace", "a number from `list_workspaces`");
}

Status check_frame(const ChangeWindow& change) {
  const Rect& frame = change.frame;
  const bool moves = change.verb == WindowVerb::move || change.verb == WindowVerb::place;
  const bool resizes = change.verb == WindowVerb::resize || change.verb == WindowVerb::place;
  if (moves && !(std::isfinite(frame.x) && std::isfinite(frame.y))) {
    return make_error(Code::argument_invalid, "The place is not a point.").with_field("frame", "finite x and y");
  }
  const bool sized = std::isfinite(frame.width) && std::isfinite(frame.height) && !frame.empty();
  if (resizes && !sized) {
    return make_error(Code::argument_invalid, "The size is not positive.")
        .with_field("frame", "positive width and height");
  }
  if (change.verb == WindowVerb::send) return check_workspace(change.workspace, -1);
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
      case WindowVerb::place:
        desktop.move(id, change.frame.origin());
        desktop.resize(id, change.frame.width, change.frame.height);
        break;
      case WindowVerb::maximise:
        if (window->state == WindowState::minimised) {
          return make_error(Code::argument_invalid, "The window is minimised.")
              .with_hint("Call `restore_window` first.");
        }
        desktop.maximise(id);
        break;
      case WindowVerb::restore: desktop.restore(id); break;
      case WindowVerb::raise: desktop.raise(id); break;
      case WindowVerb::send: desktop.send(id, change.workspace); break;
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

Result<std::vector<Workspace>> SimWindows::workspaces(Deadline deadline) {
  return hub_.use(deadline, [](Desktop& desktop) -> Result<std::vector<Workspace>> {
    std::vector<Workspace> all;
    for (int i = 0; i < kWorkspaces; ++i) all.push_back({i, "Desk " + std::to_string(i + 1), i == desktop.workspace()});
    return all;
  });
}

Status SimWindows::switch_workspace(int workspace, Permit, Deadline deadline, std::stop_token stop) {
  if (stop.stop_requested()) return make_error(Code::cancelled, "The change was cancelled.");
  TRY(check_workspace(workspace, 0));
  TRY(hub_.use(deadline, [&](Desktop& desktop) -> Result<bool> {
    desktop.go_to_workspace(workspace);
    return true;
  }));
  return {};
}

}  // namespace handrail::sim
