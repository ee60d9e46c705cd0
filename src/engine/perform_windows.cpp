// Acts on windows, workspaces and whole apps, with what was seen of them.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "actions/apps.h"
#include "actions/windows.h"
#include "engine/call_context.h"
#include "engine/permit_mint.h"

namespace handrail::engine {
namespace {

// Windows and apps answer through a window manager or a program that has to start.
constexpr Millis kWindowPatience{5000};
constexpr Millis kStartPatience{15000};
// An app that is asked to close may ask back, and a person may be needed for the answer.
constexpr Millis kQuitPatience{8000};
// A window that comes when others are asked to close is looked at again after this: some only flash up.
constexpr Millis kDialogStays{400};
constexpr Millis kLookAgain{100};
constexpr std::size_t kMostClosing = 32;

const Window* find_in(const std::vector<Window>& list, WindowId id) {
  const auto found = std::ranges::find(list, id, &Window::id);
  return found == list.end() ? nullptr : &*found;
}

bool covered(const std::vector<Window>& list, const Window& window) {
  return std::ranges::any_of(list, [&](const Window& other) {
    return other.visible && other.stacking > window.stacking && other.id != window.id &&
           !intersect(other.bounds, window.bounds).empty();
  });
}

Deadline soon() { return Deadline::in(kBackendPatience); }

// Asks windows to close, all at once: each answers in its own time.
class Closing {
 public:
  Closing(Windows& windows, Deadline deadline) : windows_(windows), deadline_(deadline) {}
  void ask(WindowId id, Permit permit) {
    threads_.emplace_back([this, id, permit = std::move(permit)]() mutable {
      // Whether it has gone is seen in the list.
      static_cast<void>(windows_.change({id, WindowVerb::close, {}}, std::move(permit), deadline_, stop_.get_token()));
    });
  }
  ~Closing() { stop_.request_stop(); }
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;

 private:
  Windows& windows_;
  Deadline deadline_;
  std::stop_source stop_;
  std::vector<std::jthread> threads_;
};

}  // namespace

Result<Outcome> CallContext::execute(const OpenApp& open) {
  Apps* apps = TRY(require(computer_.apps(), "app launcher"));
  std::optional<WindowId> in_front;
  if (!open.raise) {
    Windows* windows = TRY(require(computer_.windows(), "window control"));
    const std::vector<Window> before = TRY(windows->list(soon()));
    if (const auto focused = std::ranges::find_if(before, &Window::focused); focused != before.end()) {
      in_front = focused->id;
    }
  }
  const OpenedApp result = TRY(apps->open(open, PermitMint::mint({}), Deadline::in(kStartPatience), options_.stop));
  Outcome outcome = actions::opened(result.app, result.window, result.was_running, open.raise);
  if (in_front && result.window && !keep_in_front(*in_front, result.window->id)) {
    outcome.delivery = Delivery::foreground;
    outcome.text += " It took the front, and what was there could not be brought back.";
  }
  return outcome;
}

// Some apps take the focus whatever they were told.
bool CallContext::keep_in_front(WindowId window, WindowId newcomer) {
  Windows* windows = computer_.windows();
  if (!settle().ok()) return false;
  const auto list = windows->list(soon());
  if (!list.ok()) return false;
  const Window* front = find_in(*list, window);
  const Window* other = find_in(*list, newcomer);
  if (front == nullptr || other == nullptr) return true;
  if (!front->focused) return bring_back(window);
  if (front->stacking > other->stacking || intersect(front->bounds, other->bounds).empty()) return true;
  return windows->change({window, WindowVerb::raise, {}}, permit_to_restore(), soon(), {}).ok();
}

Result<Outcome> CallContext::execute(const ChangeWindow& change) {
  Windows* windows = TRY(require(computer_.windows(), "window control"));
  const std::vector<Window> list = TRY(windows->list(soon()));
  const Window* before = find_in(list, change.window);
  const Window now = TRY(windows->change(change, PermitMint::mint({}), Deadline::in(kWindowPatience), options_.stop));
  bool under_others = false;
  if (change.verb == WindowVerb::raise) under_others = covered(TRY(windows->list(soon())), now);
  return actions::changed(change, before == nullptr ? std::nullopt : std::optional(*before), now, under_others);
}

Result<Outcome> CallContext::execute(const SwitchWorkspace& go) {
  Windows* windows = TRY(require(computer_.windows(), "window control"));
  TRY(windows->switch_workspace(go.workspace, PermitMint::mint({}), Deadline::in(kWindowPatience), options_.stop));
  Outcome outcome = acted(Route::system, Delivery::foreground, {Evidence::window_change});
  outcome.text = fmt::format("Workspace {} shows now.", go.workspace);
  return outcome;
}

Result<Outcome> CallContext::execute(const ChangeApp& change) {
  if (change.verb == AppVerb::quit) return quit(change);
  Windows* windows = TRY(require(computer_.windows(), "window control"));
  const bool hides = change.verb == AppVerb::hide;
  std::size_t done = 0;
  std::optional<Error> failure;
  for (const WindowId window : change.windows) {
    ChangeWindow each;
    each.window = window;
    each.verb = hides ? WindowVerb::minimise : WindowVerb::restore;
    const auto now = windows->change(each, PermitMint::mint({}), Deadline::in(kBackendPatience), options_.stop);
    if (now.ok())
      ++done;
    else if (now.error().code != Code::not_found)
      failure = now.error();
  }
  if (failure && done == 0) return *failure;
  Outcome outcome = acted(Route::system, Delivery::foreground, {Evidence::window_change});
  if (failure) {
    outcome.effect = Effect::partial;
    outcome.failure = std::move(failure);
  }
  outcome.text = change.windows.empty() ? fmt::format("{} has no window to {}.", change.app, hides ? "hide" : "show")
                                        : fmt::format("{} of {} window(s) of {} {} now.", done, change.windows.size(),
                                                      change.app, hides ? "are hidden" : "show");
  return outcome;
}

Result<Outcome> CallContext::quit(const ChangeApp& change) {
  Windows* windows = TRY(require(computer_.windows(), "window control"));
  Screen* screen = TRY(require(computer_.screen(), "screen"));
  const Deadline deadline = Deadline::in(kQuitPatience);
  std::vector<WindowId> asked = change.windows;
  if (asked.size() > kMostClosing) asked.resize(kMostClosing);
  std::vector<Window> left;
  {
    Closing closing(*windows, deadline);
    for (const WindowId id : asked) closing.ask(id, PermitMint::mint({}));
    std::optional<Deadline> dialog_came;
    for (;;) {
      const std::uint64_t seen = TRY(screen->change_count(soon()));
      left = TRY(windows->list(soon()));
      std::erase_if(left, [&](const Window& window) { return window.pid != change.pid; });
      const bool dialog = std::ranges::any_of(left, [&](const Window& window) {
        return std::ranges::find(change.windows, window.id) == change.windows.end();
      });
      if (left.empty() || deadline.passed() || options_.stop.stop_requested()) break;
      if (!dialog) dialog_came.reset();
      if (dialog && !dialog_came) dialog_came = Deadline::in(kDialogStays);
      if (dialog_came && dialog_came->passed()) break;
      // Windows may go without a pixel changing, when others are above them.
      static_cast<void>(screen->wait_for_change(seen, deadline.within(kLookAgain), options_.stop));
    }
  }
  const std::size_t before = change.windows.size();
  const bool forced = !left.empty() && change.force;
  if (forced) {
    Apps* apps = TRY(require(computer_.apps(), "app launcher"));
    if (Status ended = apps->end(change.pid, PermitMint::mint({}), Deadline::in(kWindowPatience)); !ended.ok()) {
      return std::move(ended.error()).with_side_effects(SideEffects::possible);
    }
  }
  const bool closed = left.empty() || forced;
  Outcome outcome =
      acted(Route::system, Delivery::foreground,
            closed || left.size() < before ? std::vector{Evidence::window_change} : std::vector<Evidence>{});
  if (!closed && left.size() < before) outcome.effect = Effect::partial;
  outcome.text = forced         ? fmt::format("{} did not close, and its process was ended.", change.app)
                 : left.empty() ? fmt::format("All windows of {} are closed.", change.app)
                                : fmt::format("{} was asked to close and is still there.", change.app);
  return outcome;
}

}  // namespace handrail::engine
