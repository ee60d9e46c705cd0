#include "app/setup_command.h"

#include <fmt/format.h>

#include "app/commands.h"
#include "app/running_apps.h"
#include "base/json.h"
#include "front/cli/options.h"
#include "platform/linux/accessibility_switch.h"
#include "platform/linux/runtime_folder.h"

namespace handrail::app {
namespace {

// The accessibility bus has to be started.
constexpr Millis kPatience{10000};
// For apps that begin to show their elements now that it is on.
constexpr Millis kAppPatience{3000};

}  // namespace

Options setup_options() {
  static const std::vector<cli::Option> list{
      {"restore", "", "Put back what it was before."},
      {"desktop", "WHICH", "The name of a running embedded desktop, or an X display such as :0.", "name"},
      {"json", "", "Print what was done as JSON."},
  };
  return list;
}

namespace {

constexpr std::string_view kHelp =
    "handrail setup [options]: switches accessibility on in your session, waits until it is up, and says which "
    "running\n"
    "apps have to be restarted before their elements can be seen. The session remembers it; --restore puts back what\n"
    "it was. Embedded desktops need none of this.\n\nOptions:\n";
constexpr std::string_view kExamples = "\nExamples:\n  handrail setup\n  handrail setup --restore\n";

std::string needs(const RunningApp& app) {
  if (!app.flag.empty()) return fmt::format("close it and start it with {}", app.flag);
  if (app.shows) return "";
  return "restart it; if it still shows none, it has none, and agents see and click its pixels";
}

std::string program_name(const RunningApp& app) {
  const std::string name = app.program.substr(app.program.rfind('/') + 1);
  return name.empty() ? "an app" : Json(name).dump(-1, ' ', true, Json::error_handler_t::replace);
}

Json to_json(const RunningApp& app) {
  Json json{{"pid", app.pid}, {"program", app.program}, {"shows_elements", app.shows && app.flag.empty()}};
  if (!app.flag.empty()) json["flag"] = app.flag;
  if (const std::string what = needs(app); !what.empty()) json["needs"] = what;
  return json;
}

Result<int> restore(const std::string& bus, const std::string& record, bool as_json) {
  const std::optional<bool> was_on = TRY(linux_::restore_accessibility(bus, record, Deadline::in(kPatience)));
  if (as_json) {
    Json json{{"restored", was_on.has_value()}};
    if (was_on) json["enabled"] = *was_on;
    fmt::print("{}", to_pretty(json));
  } else {
    fmt::print("{}", was_on ? fmt::format("Accessibility is {} again, as it was before `handrail setup`.\n",
                                          *was_on ? "on" : "off")
                            : "There is nothing to put back.\n");
  }
  return 0;
}

Result<int> set_up(Desk& desk, const std::string& bus, const std::string& record, bool as_json) {
  const linux_::AccessibilityOn on = TRY(linux_::switch_accessibility_on(bus, record, Deadline::in(kPatience)));
  // Without a display there are no windows to ask about.
  const auto displays = desk.computer->screen()->displays(Deadline::in(kBackendPatience));
  std::vector<RunningApp> apps;
  if (displays.ok()) apps = TRY(running_apps(desk, Deadline::in(kAppPatience)));
  if (as_json) {
    Json rows = Json::array();
    for (const RunningApp& app : apps) rows.push_back(to_json(app));
    fmt::print("{}", to_pretty({{"enabled", true},
                                {"was_enabled", on.was_on},
                                {"to_restore", on.to_restore},
                                {"bus", on.bus},
                                {"apps", std::move(rows)}}));
    return 0;
  }
  fmt::print("Accessibility {} on, and its bus answers.\n", on.was_on ? "is" : "was off and is now");
  if (on.to_restore) fmt::print("`handrail setup --restore` puts back what it was.\n");
  if (!displays.ok()) fmt::print("Apps were not looked at: {}\n", displays.error().message);
  for (const RunningApp& app : apps) {
    const std::string what = needs(app);
    fmt::print("{:<5} {} (process {}){}\n", what.empty() ? "ok" : "fix", program_name(app), app.pid,
               what.empty() ? " shows its elements" : ": " + what);
  }
  return 0;
}

Result<int> run(const cli::Parsed& parsed) {
  Desk desk = TRY(open_desk({parsed.value("desktop"), DeskRequest::Otherwise::running}));
  const std::string bus = TRY(desk.session_bus());
  if (bus.empty()) {
    return make_error(Code::permission_missing, "There is no session bus: DBUS_SESSION_BUS_ADDRESS is not set.")
        .with_hint("Run it in a terminal of your desktop session.");
  }
  const std::string record = TRY(linux_::state_folder()) + "/accessibility.json";
  if (parsed.has("restore")) return restore(bus, record, parsed.has("json"));
  return set_up(desk, bus, record, parsed.has("json"));
}

}  // namespace

int setup_command(std::span<const std::string> arguments) {
  const std::string help = fmt::format("{}{}{}", kHelp, cli::option_help(setup_options()), kExamples);
  return run_command(arguments, setup_options(), "setup [options]", help, run);
}

}  // namespace handrail::app
