#include "actions/windows.h"

#include <fmt/format.h>

#include <cmath>

#include "actions/context.h"
#include "actions/observe.h"
#include "base/counted.h"
#include "base/one_line.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::NoResult;
using catalog::Tier;
using catalog::Touches;

constexpr std::size_t kTitleBytes = 200;

Result<Outcome> run_list_windows(ActionContext& context, const NoParams&) {
  WindowsResult result;
  for (const Window& window : TRY(context.windows())) result.windows.push_back(window_row(window));
  Outcome outcome = observed(describe::encode(result));
  outcome.text = fmt::format("{}, lowest first.", counted(result.windows.size(), "window"));
  for (const WindowRow& row : result.windows) {
    outcome.untrusted += fmt::format("#{} {} [{}]{}\n", row.id, quoted(row.title, kTitleBytes), one_line(row.app),
                                     row.focused ? " focused" : "");
  }
  return outcome;
}

Result<Outcome> change(ActionContext& context, std::int64_t window, WindowVerb verb, Rect frame = {}) {
  return context.perform(ChangeWindow{static_cast<WindowId>(window), verb, frame});
}

Result<Outcome> run_focus(ActionContext& context, const OneWindow& one) {
  return change(context, one.window, WindowVerb::focus);
}
Result<Outcome> run_minimise(ActionContext& context, const OneWindow& one) {
  return change(context, one.window, WindowVerb::minimise);
}
Result<Outcome> run_close(ActionContext& context, const OneWindow& one) {
  return change(context, one.window, WindowVerb::close);
}
Result<Outcome> run_move_window(ActionContext& context, const MoveWindow& move) {
  return change(context, move.window, WindowVerb::move, {move.to.x, move.to.y, 0, 0});
}
Result<Outcome> run_resize_window(ActionContext& context, const ResizeWindow& resize) {
  return change(context, resize.window, WindowVerb::resize,
                {0, 0, static_cast<double>(resize.width), static_cast<double>(resize.height)});
}

Result<Outcome> run_maximise(ActionContext& context, const OneWindow& one) {
  return change(context, one.window, WindowVerb::maximise);
}
Result<Outcome> run_restore(ActionContext& context, const OneWindow& one) {
  return change(context, one.window, WindowVerb::restore);
}
Result<Outcome> run_raise(ActionContext& context, const OneWindow& one) {
  return change(context, one.window, WindowVerb::raise);
}
Result<Outcome> run_set_frame(ActionContext& context, const SetFrame& set) {
  return change(context, set.window, WindowVerb::place,
                {set.to.x, set.to.y, static_cast<double>(set.width), static_cast<double>(set.height)});
}

Result<Outcome> run_list_workspaces(ActionContext& context, const NoParams&) {
  WorkspacesResult result;
  Outcome outcome;
  std::string names;
  int current = 0;
  for (const Workspace& each : TRY(context.workspaces())) {
    result.workspaces.push_back({each.number, each.name, each.current});
    names += fmt::format("{} {}\n", each.number, quoted(each.name, kTitleBytes));
    if (each.current) current = each.number;
  }
  outcome = observed(describe::encode(result));
  outcome.text = fmt::format("{}; {} shows.", counted(result.workspaces.size(), "workspace"), current);
  outcome.untrusted = std::move(names);
  return outcome;
}

Result<Outcome> run_switch_workspace(ActionContext& context, const OneWorkspace& one) {
  return context.perform(SwitchWorkspace{one.workspace});
}

Result<Outcome> run_send(ActionContext& context, const SendWindow& send) {
  ChangeWindow plan;
  plan.window = static_cast<WindowId>(send.window);
  plan.verb = WindowVerb::send;
  plan.workspace = send.workspace;
  return context.perform(plan);
}

bool close_to(double a, double b) { return std::abs(a - b) <= 1; }

// The place or the size that was asked for is the one that it has.
bool reached(const ChangeWindow& asked, const Rect& now) {
  const bool placed = close_to(now.x, asked.frame.x) && close_to(now.y, asked.frame.y);
  const bool sized = close_to(now.width, asked.frame.width) && close_to(now.height, asked.frame.height);
  switch (asked.verb) {
    case WindowVerb::move: return placed;
    case WindowVerb::resize: return sized;
    case WindowVerb::place: return placed && sized;
    default: return true;
  }
}

std::string told_place(const Window& now) {
  return fmt::format("Window {} is at ({:g}, {:g}, {:g}, {:g}) now.", now.id, now.bounds.x, now.bounds.y,
                     now.bounds.width, now.bounds.height);
}

std::string_view word(WindowState state) {
  for (const auto& each : describe::Names<WindowState>::list) {
    if (each.value == state) return each.text;
  }
  return "normal";
}

constexpr std::array kNone{Example{"Ask.", "{}"}};
constexpr std::array kOne{Example{"One window.", R"({"window": 4194307})"}};
constexpr std::array kMoveWindow{Example{"To the corner.", R"({"window": 4194307, "to": [0, 0]})"}};
constexpr std::array kResize{Example{"To half a screen.", R"({"window": 4194307, "width": 640, "height": 800})"}};

constexpr std::array kSetFrame{
    Example{"The left half of a screen.", R"({"window": 4194307, "to": [0, 0], "width": 640, "height": 800})"}};
constexpr std::array kSend{Example{"To the second workspace.", R"({"window": 4194307, "workspace": 1})"},
                           Example{"On all of them.", R"({"window": 4194307, "workspace": -1})"}};
constexpr std::array kWorkspace{Example{"To the second one.", R"({"workspace": 1})"}};

constexpr std::array kWindowActions{
    action<NoParams, WindowsResult, run_list_windows>("list_windows", Category::windows, Touches::nothing, Tier::none,
                                                      Capability::windows,
                                                      "List the windows with place, state and owner.", kNone),
    action<OneWindow, ChangedWindow, run_focus>("focus_window", Category::windows, Touches::windows, Tier::full,
                                                Capability::windows, "Bring a window to the front and focus it.", kOne),
    action<MoveWindow, ChangedWindow, run_move_window>("move_window", Category::windows, Touches::windows, Tier::full,
                                                       Capability::windows, "Move a window.", kMoveWindow),
    action<ResizeWindow, ChangedWindow, run_resize_window>("resize_window", Category::windows, Touches::windows,
                                                           Tier::full, Capability::windows, "Resize a window.",
                                                           kResize),
    action<OneWindow, ChangedWindow, run_minimise>("minimise_window", Category::windows, Touches::windows, Tier::full,
                                                   Capability::windows, "Minimise a window.", kOne),
    action<SetFrame, ChangedWindow, run_set_frame>("set_frame", Category::windows, Touches::windows, Tier::full,
                                                   Capability::windows, "Move and resize a window in one.", kSetFrame),
    action<OneWindow, ChangedWindow, run_maximise>("maximise_window", Category::windows, Touches::windows, Tier::full,
                                                   Capability::windows, "Maximise a window.", kOne),
    action<OneWindow, ChangedWindow, run_restore>(
        "restore_window", Category::windows, Touches::windows, Tier::full, Capability::windows,
        "Bring a minimised window back, or end that it is maximised or full screen.", kOne),
    action<OneWindow, ChangedWindow, run_raise>("raise_window", Category::windows, Touches::windows, Tier::full,
                                                Capability::windows,
                                                "Put a window above the others without giving it the keyboard.", kOne),
    action<NoParams, WorkspacesResult, run_list_workspaces>("list_workspaces", Category::windows, Touches::nothing,
                                                            Tier::none, Capability::windows, "List the workspaces.",
                                                            kNone),
    action<OneWorkspace, NoResult, run_switch_workspace>("switch_workspace", Category::windows, Touches::windows,
                                                         Tier::full, Capability::windows, "Show another workspace.",
                                                         kWorkspace),
    action<SendWindow, ChangedWindow, run_send>("send_to_workspace", Category::windows, Touches::windows, Tier::full,
                                                Capability::windows, "Send a window to another workspace.", kSend),
    action<OneWindow, NoResult, run_close>("close_window", Category::windows, Touches::windows, Tier::full,
                                           Capability::windows,
                                           "Ask a window to close; unsaved work may make it ask back.", kOne),
};

}  // namespace

Outcome changed(const ChangeWindow& asked, const std::optional<Window>& before, const Window& now, bool covered) {
  Outcome outcome = acted(Route::system, Delivery::foreground, {Evidence::window_change});
  if (asked.verb == WindowVerb::close) {
    outcome.text = fmt::format("Window {} is closed.", now.id);
    return outcome;
  }
  outcome.data = describe::encode(ChangedWindow{window_row(now)});
  switch (asked.verb) {
    case WindowVerb::send:
      outcome.text = now.workspace < 0 ? fmt::format("Window {} is on all workspaces now.", now.id)
                                       : fmt::format("Window {} is on workspace {} now.", now.id, now.workspace);
      break;
    case WindowVerb::maximise:
      outcome.text = fmt::format("{} It is {}.", told_place(now), word(now.state));
      if (now.state == WindowState::maximised) break;
      outcome.effect = Effect::suspected_noop;
      outcome.evidence.clear();
      outcome.text += " The window manager did not maximise it; some windows cannot be.";
      break;
    case WindowVerb::restore: outcome.text = fmt::format("{} It is {}.", told_place(now), word(now.state)); break;
    case WindowVerb::raise:
      outcome.delivery = Delivery::background;
      outcome.text = covered ? fmt::format("Window {} was raised, but others that stay on top cover it.", now.id)
                             : fmt::format("Window {} is above the others now.", now.id);
      if (covered) {
        outcome.effect = Effect::unverified;
        outcome.evidence.clear();
      } else if (now.focused && before && !before->focused) {
        // xfwm4 does, whoever asks.
        outcome.effect = Effect::partial;
        outcome.delivery = Delivery::foreground;
        outcome.text += " The window manager gave it the keyboard as well.";
      }
      break;
    default: outcome.text = told_place(now);
  }
  if (reached(asked, now.bounds)) return outcome;
  const bool moved = before && !(before->bounds == now.bounds);
  outcome.effect = moved ? Effect::partial : Effect::suspected_noop;
  if (!moved) outcome.evidence.clear();
  outcome.text += " That is not what was asked for: the window manager or the app gave it another place or size.";
  if (now.state != WindowState::normal) outcome.text += fmt::format(" It is {}; restore it first.", word(now.state));
  return outcome;
}

WindowRow window_row(const Window& window) {
  return {static_cast<std::int64_t>(window.id),
          window.title,
          window.app,
          window.pid,
          {window.bounds.x, window.bounds.y, window.bounds.width, window.bounds.height},
          window.stacking,
          window.workspace,
          window.state,
          window.focused};
}

std::span<const catalog::ActionSpec> window_actions() { return kWindowActions; }

}  // namespace handrail::actions
