#include "actions/windows.h"

#include <fmt/format.h>

#include "actions/context.h"
#include "actions/observe.h"
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
  outcome.text = fmt::format("{} window(s), lowest first.", result.windows.size());
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

constexpr std::array kNone{Example{"Ask.", "{}"}};
constexpr std::array kOne{Example{"One window.", R"({"window": 4194307})"}};
constexpr std::array kMoveWindow{Example{"To the corner.", R"({"window": 4194307, "to": [0, 0]})"}};
constexpr std::array kResize{Example{"To half a screen.", R"({"window": 4194307, "width": 640, "height": 800})"}};

constexpr std::array kWindowActions{
    action<NoParams, WindowsResult, run_list_windows>("list_windows", Category::windows, Touches::nothing, Tier::none,
                                                      Capability::windows,
                                                      "List the windows with place, state and owner.", kNone),
    action<OneWindow, NoResult, run_focus>("focus_window", Category::windows, Touches::windows, Tier::full,
                                           Capability::windows, "Bring a window to the front and focus it.", kOne),
    action<MoveWindow, NoResult, run_move_window>("move_window", Category::windows, Touches::windows, Tier::full,
                                                  Capability::windows, "Move a window.", kMoveWindow),
    action<ResizeWindow, NoResult, run_resize_window>("resize_window", Category::windows, Touches::windows, Tier::full,
                                                      Capability::windows, "Resize a window.", kResize),
    action<OneWindow, NoResult, run_minimise>("minimise_window", Category::windows, Touches::windows, Tier::full,
                                              Capability::windows, "Minimise a window.", kOne),
    action<OneWindow, NoResult, run_close>("close_window", Category::windows, Touches::windows, Tier::full,
                                           Capability::windows,
                                           "Ask a window to close; unsaved work may make it ask back.", kOne),
};

}  // namespace

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
