#include "actions/apps.h"

#include <fmt/format.h>

#include "actions/context.h"
#include "actions/observe.h"
#include "base/one_line.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::Tier;
using catalog::Touches;

constexpr std::size_t kNameBytes = 200;

Result<Outcome> run_open(ActionContext& context, const OpenApplication& open) {
  return context.perform(OpenApp{open.app});
}

Result<Outcome> run_list_apps(ActionContext& context, const NoParams&) {
  AppsResult result;
  for (const App& app : TRY(context.apps())) result.apps.push_back({app.id, app.name, !app.pids.empty()});
  Outcome outcome = observed(describe::encode(result));
  outcome.text = fmt::format("{} app(s).", result.apps.size());
  for (const AppRow& row : result.apps) {
    outcome.untrusted +=
        fmt::format("{} {}{}\n", one_line(row.id), quoted(row.name, kNameBytes), row.running ? " running" : "");
  }
  return outcome;
}

constexpr std::array kOpen{
    Example{"By desktop id.", R"({"app": "org.xfce.mousepad"})"},
    Example{"By name.", R"({"app": "Calculator"})"},
};
constexpr std::array kNone{Example{"Ask.", "{}"}};

constexpr std::array kAppActions{
    action<OpenApplication, OpenResult, run_open>("open_app", Category::apps, Touches::apps, Tier::full,
                                                  Capability::apps,
                                                  "Open an app, or bring it to the front when it is running.", kOpen),
    action<NoParams, AppsResult, run_list_apps>("list_apps", Category::apps, Touches::nothing, Tier::none,
                                                Capability::apps, "List the installed apps.", kNone),
};

}  // namespace

Outcome opened(const App& app, const std::optional<Window>& window, bool was_running) {
  Outcome outcome = acted(Route::system, Delivery::foreground,
                          window ? std::vector{Evidence::window_change} : std::vector<Evidence>{});
  outcome.data = describe::encode(OpenResult{app.id, window ? static_cast<std::int64_t>(window->id) : 0, was_running});
  const std::string name = one_line(app.name);
  outcome.text = !window       ? fmt::format("{} was started; no window of it has appeared yet.", name)
                 : was_running ? fmt::format("{} was running and is in front now.", name)
                               : fmt::format("{} is open.", name);
  return outcome;
}

std::span<const catalog::ActionSpec> app_actions() { return kAppActions; }

}  // namespace handrail::actions
