#include "engine/stale_stack.h"

#include <algorithm>

namespace handrail::engine {

bool stack_changed(const SeenLook& seen, Point aim, const Receiver& now, Windows* windows) {
  // A frame, the background: other gates judge these.
  if (now.toplevel == 0 || !seen.look.area.contains(aim) || seen.windows.empty()) return false;
  const auto top = std::find_if(seen.windows.rbegin(), seen.windows.rend(),
                                [&](const Window& window) { return window.visible && window.bounds.contains(aim); });
  if (top != seen.windows.rend() && top->id == now.toplevel) return false;
  if (std::ranges::find(seen.windows, now.toplevel, &Window::id) != seen.windows.end()) return true;
  if (windows == nullptr) return false;
  const auto listed = windows->list(Deadline::in(kBackendPatience));
  return !listed.ok() || std::ranges::find(*listed, now.toplevel, &Window::id) != listed->end();
}

}  // namespace handrail::engine
