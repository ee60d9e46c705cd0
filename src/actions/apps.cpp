#include "actions/apps.h"

#include <fmt/format.h>

#include <algorithm>

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

constexpr std::size_t kNameBytes = 200;

Result<Outcome> run_open(ActionContext& context, const OpenApplication& open) {
  std::string app = open.app;
  if (app.empty()) app = TRY(context.app_for(open.file)).id;
  return context.perform(OpenApp{app, open.file, !open.behind});
}

Result<Outcome> run_activate(ActionContext& context, const ActivateApp& activate) {
  const Target target = TRY(context.aim(activate.app, {}));
  if (target.screen || !activate.raise) {
    Outcome outcome = acted(Route::system, Delivery::background, {Evidence::value_readback});
    outcome.text = fmt::format("Later calls are about {}. Its window stays where it is.",
                               target.screen ? "the whole screen" : one_line(target.app));
    return outcome;
  }
  ChangeWindow front;
  front.window = target.window;
  return context.perform(front);
}

// Those of the app's process, lowest first.
Result<std::vector<Window>> windows_of(ActionContext& context, std::int64_t pid) {
  std::vector<Window> windows = TRY(context.windows());
  std::erase_if(windows, [&](const Window& window) { return window.pid != pid; });
  return windows;
}

Result<ChangeApp> plan_for(ActionContext& context, const std::string& app, AppVerb verb) {
  const Target target = TRY(context.aim(app, {}));
  if (target.screen) {
    return make_error(Code::argument_invalid, "The whole screen is no app.").with_field("app", "the name of an app");
  }
  ChangeApp plan;
  plan.app = one_line(target.app);
  plan.pid = target.pid;
  plan.verb = verb;
  for (const Window& window : TRY(windows_of(context, target.pid))) {
    const bool minimised = window.state == WindowState::minimised;
    if (verb == AppVerb::quit || (verb == AppVerb::unhide) == minimised) plan.windows.push_back(window.id);
  }
  return plan;
}

Result<Outcome> run_hide(ActionContext& context, const OneApp& one) {
  const ChangeApp plan = TRY(plan_for(context, one.app, AppVerb::hide));
  return context.perform(plan);
}
Result<Outcome> run_unhide(ActionContext& context, const OneApp& one) {
  const ChangeApp plan = TRY(plan_for(context, one.app, AppVerb::unhide));
  return context.perform(plan);
}

// The window that came when the others were asked to close, else the topmost that is left.
const Window& in_the_way(const std::vector<Window>& left, const std::vector<WindowId>& asked) {
  for (auto window = left.rbegin(); window != left.rend(); ++window) {
    if (std::ranges::find(asked, window->id) == asked.end()) return *window;
  }
  return left.back();
}

Result<Outcome> run_quit(ActionContext& context, const QuitApp& quit) {
  ChangeApp plan = TRY(plan_for(context, quit.app, AppVerb::quit));
  plan.force = quit.force;
  Outcome outcome = TRY(context.perform(plan));
  if (outcome.dry_run || outcome.failure) return outcome;
  QuitResult result{plan.app, false, 0, {}, {}};
  const std::vector<Window> left = TRY(windows_of(context, plan.pid));
  result.closed = left.empty();
  result.windows_left = static_cast<int>(left.size());
  if (!left.empty()) {
    const Window& window = in_the_way(left, plan.windows);
    result.dialog = window.title;
    ElementsRequest request;
    request.target = TRY(context.aim("", window.id));
    // An app without elements has a title all the same.
    if (const auto seen = context.elements(request); seen.ok()) {
      for (const SeenElement& each : seen->elements) {
        if (each.element.role == "push button" && !each.element.name.empty()) {
          result.buttons.push_back(each.element.name);
        }
      }
    }
    outcome.text += fmt::format(" A window is in the way: {} with {}; answer it, or leave the app open.", window.id,
                                counted(result.buttons.size(), "button"));
    outcome.untrusted = fmt::format("title {}\n", quoted(result.dialog, kNameBytes));
    for (const std::string& button : result.buttons) {
      outcome.untrusted += fmt::format("button {}\n", quoted(button, kNameBytes));
    }
  }
  outcome.data = describe::encode(result);
  return outcome;
}

Result<Outcome> run_list_apps(ActionContext& context, const NoParams&) {
  AppsResult result;
  for (const App& app : TRY(context.apps())) result.apps.push_back({app.id, app.name, !app.pids.empty()});
  Outcome outcome = observed(describe::encode(result));
  outcome.text = fmt::format("{}.", counted(result.apps.size(), "app"));
  for (const AppRow& row : result.apps) {
    outcome.untrusted +=
        fmt::format("{} {}{}\n", one_line(row.id), quoted(row.name, kNameBytes), row.running ? " running" : "");
  }
  return outcome;
}

constexpr std::array kOpen{
    Example{"By desktop id.", R"({"app": "org.xfce.mousepad"})"},
    Example{"By name.", R"({"app": "Calculator"})"},
    Example{"A file, with the default app for it.", R"({"file": "/home/me/notes.txt"})"},
    Example{"Behind what is in front.", R"({"app": "Calculator", "behind": true})"},
};
constexpr std::array kOne{Example{"By name.", R"({"app": "mousepad"})"}};
constexpr std::array kNone{Example{"Ask.", "{}"}};

constexpr std::array kAppActions{
    action<OpenApplication, OpenResult, run_open>(
        "open_app", Category::apps, Touches::apps, Tier::full, Capability::apps,
        "Open an app or a file; an app that is running comes to the front.", kOpen),
    action<ActivateApp, NoResult, run_activate>(
        "activate_app", Category::apps, Touches::windows, Tier::click, Capability::windows,
        "Make an app the one that later calls are about; its window comes to the front only when asked.", kOne),
    action<OneApp, NoResult, run_hide>("hide_app", Category::apps, Touches::windows, Tier::click, Capability::windows,
                                       "Minimise all windows of an app.", kOne),
    action<OneApp, NoResult, run_unhide>("unhide_app", Category::apps, Touches::windows, Tier::click,
                                         Capability::windows, "Bring all minimised windows of an app back.", kOne),
    action<QuitApp, QuitResult, run_quit>(
        "quit_app", Category::apps, Touches::apps, Tier::full, Capability::windows,
        "Ask an app to close all its windows, for at most 8 s; tells the dialog that is in the way.", kOne),
    action<NoParams, AppsResult, run_list_apps>("list_apps", Category::apps, Touches::nothing, Tier::none,
                                                Capability::apps, "List the installed apps.", kNone),
};

}  // namespace

Status check(const OpenApplication& open) {
  if (!open.file.empty() && (!open.file.starts_with('/') || open.file.find('\0') != std::string::npos)) {
    return make_error(Code::argument_invalid, "`file` is no absolute path.")
        .with_field("file", "the absolute path of a regular file that is there");
  }
  if (!open.app.empty() || !open.file.empty()) return {};
  return make_error(Code::argument_invalid, "Neither an app nor a file is named.")
      .with_field("app", "the desktop id or name of an installed app, or `file` beside it");
}

Outcome opened(const App& app, const std::optional<Window>& window, bool was_running, bool raised) {
  Outcome outcome = acted(Route::system, raised ? Delivery::foreground : Delivery::background,
                          window ? std::vector{Evidence::window_change} : std::vector<Evidence>{});
  outcome.data = describe::encode(OpenResult{app.id, window ? static_cast<std::int64_t>(window->id) : 0, was_running});
  const std::string name = one_line(app.name);
  outcome.text = !window       ? fmt::format("{} was started; no window of it has appeared yet.", name)
                 : !raised     ? fmt::format("{} is open; what was in front stays there.", name)
                 : was_running ? fmt::format("{} was running and is in front now.", name)
                               : fmt::format("{} is open.", name);
  return outcome;
}

std::span<const catalog::ActionSpec> app_actions() { return kAppActions; }

}  // namespace handrail::actions
