#include "engine/stale_stack.h"

#include <algorithm>

namespace handrail::engine {

bool stack_changed(const SeenLook& seen, Point aim, const Receiver& now, Windows* windows) {
  // A frame, the background: other gates judge these.
  if (now.toplevel == 0 || !seen.look.area.contains(aim) || seen.windows.empty()) return false;
  const auto top_by_bounds = [aim](const std::vector<Window>& list) -> WindowId {
    const auto top = std::find_if(list.rbegin(), list.rend(), [aim](const Window& window) {
      return window.visible && window.bounds.contains(aim);
    });
    return top == list.rend() ? 0 : top->id;
  };
  const WindowId before = top_by_bounds(seen.windows);
  if (before == now.toplevel) return false;
  const bool was_there = std::ranges::find(seen.windows, now.toplevel, &Window::id) != seen.windows.end();
  if (windows == nullptr) return was_there;
  const auto listed = windows->list(Deadline::in(kBackendPatience));
  if (!listed.ok()) return true;
  // Below a window that is not a rectangle, or lets clicks through, as it was then.
  if (was_there && top_by_bounds(*listed) == before) return false;
  return was_there || std::ranges::find(*listed, now.toplevel, &Window::id) != listed->end();
}

}  // namespace handrail::engine
