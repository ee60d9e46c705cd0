// `handrail doctor`: what works here, and the fix for what does not.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "app/colour.h"
#include "app/commands.h"
#include "app/config.h"
#include "app/desk.h"
#include "catalog/action_spec.h"
#include "front/cli/options.h"
#include "platform/linux/control_socket.h"
#include "platform/linux/runtime_folder.h"
#include "platform/linux/session_bus.h"

namespace handrail::app {
namespace {

struct Check {
  std::string what;
  bool good = false;
  bool needed = true;  // false: worth having
  std::string found;
  std::string fix;
};

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

void check_settings(std::vector<Check>& checks) {
  const std::string path = config_path();
  const auto config = load_config(path);
  if (!config.ok()) {
    const Error& wrong = config.error();
    const std::string expected = wrong.expected.empty() ? "" : fmt::format(" Expected {}.", wrong.expected);
    checks.push_back({"config file", false, true, wrong.message + expected, std::string(wrong.next_step())});
    return;
  }
  const bool there = std::filesystem::exists(path);
  checks.push_back({"config file", true, true, there ? path : "defaults (" + path + " does not exist)", ""});
  const std::string set_off = off_by_settings(*config);
  const auto paths = linux_::state_paths();
  const auto stopped = paths.ok() ? linux_::stopped_reason(paths->stop_marker) : std::optional<std::string>();
  checks.push_back(
      {"switched on", set_off.empty() && !stopped, true,
       !set_off.empty() ? "no: " + set_off
       : stopped        ? "no: " + *stopped
                        : "yes",
       !set_off.empty() ? "Change that setting, then start the servers again." : "Run `handrail resume`."});
}

// Asked of the session bus, on which apps look for it.
Result<std::optional<bool>> accessibility_enabled(const Desk& desk) {
  const std::string address = TRY(desk.session_bus());
  if (address.empty()) return std::optional<bool>();
  const Deadline deadline = Deadline::in(kBackendPatience);
  linux_::SessionBus bus = TRY(linux_::SessionBus::connect(address, deadline));
  return bus.accessibility_enabled(linux_::SessionBus::Start::no, deadline);
}

Check check_elements(const Desk& desk) {
  Check check{"apps show their elements", false, false, "", "Run `handrail setup`."};
  const auto on = accessibility_enabled(desk);
  check.good = on.ok() && on->value_or(false);
  if (!on.ok())
    check.found = on.error().message;
  else if (!*on)
    check.found = "nobody tells whether accessibility is on";
  else
    check.found = **on ? "accessibility is on" : "accessibility is off: Qt, Chromium and others show none";
  return check;
}

void check_desktop(std::vector<Check>& checks, const std::string& wanted) {
  auto desk = open_desk({wanted, DeskRequest::Otherwise::running});
  if (!desk.ok()) {
    // Nothing is broken where no desktop was asked for and none runs.
    const bool asked = !wanted.empty() || desk.error().code != Code::not_found;
    checks.push_back({"desktop", false, asked, desk.error().message, std::string(desk.error().next_step())});
    return;
  }
  const auto displays = desk->computer->screen()->displays(Deadline::in(kBackendPatience));
  checks.push_back({"desktop", displays.ok(), true,
                    displays.ok() ? fmt::format("{}, {} {}", desk->told, displays->size(),
                                                displays->size() == 1 ? "display" : "displays")
                                  : displays.error().message,
                    displays.ok() ? "" : std::string(displays.error().next_step())});
  if (!displays.ok()) return;
  const Capabilities capabilities = desk->computer->capabilities();
  for (const auto& entry : describe::Names<Capability>::list) {
    if (entry.value == Capability::none) continue;
    const CapabilityState& state = capabilities[entry.value];
    // Without elements there are still pixels, pointer and keys; and not every machine has a backlight.
    const bool needed = entry.value < Capability::accessibility;
    checks.push_back({std::string(entry.text), state.available, needed,
                      state.available ? "works" : "lacks " + state.missing, state.fix});
  }
  checks.push_back(check_elements(*desk));
}

void check_embedded(std::vector<Check>& checks) {
  struct Program {
    const char* name;
    const char* package;
  };
  for (const Program& program :
       {Program{"Xvfb", "xvfb"}, Program{"openbox", "openbox"}, Program{"dbus-daemon", "dbus"}}) {
    const bool there = on_path(program.name);
    checks.push_back({fmt::format("embedded desktop: {}", program.name), there, false,
                      there ? "installed" : "not installed", fmt::format("sudo apt install {}", program.package)});
  }
  const bool accessibility = std::filesystem::exists("/usr/libexec/at-spi-bus-launcher");
  checks.push_back({"embedded desktop: accessibility", accessibility, false,
                    accessibility ? "installed" : "not installed", "sudo apt install at-spi2-core"});
}

}  // namespace

Options doctor_options() {
  static const std::vector<cli::Option> all{
      {"desktop", "WHICH", "The name of a running embedded desktop, or an X display such as :0.", "name"},
      {"json", "", "Print the checks as JSON."},
  };
  return all;
}

namespace {

Result<int> diagnose(const cli::Parsed& parsed) {
  std::vector<Check> checks;
  check_settings(checks);
  check_desktop(checks, parsed.value("desktop"));
  check_embedded(checks);
  bool good = true;
  Json rows = Json::array();
  for (const Check& check : checks) {
    if (check.needed) good = good && check.good;
    if (parsed.has("json")) {
      rows.push_back({{"check", check.what}, {"ok", check.good}, {"needed", check.needed}, {"found", check.found}});
      if (!check.good) rows.back()["fix"] = check.fix;
      continue;
    }
    const std::string_view word = check.good ? "ok   " : check.needed ? "FAIL " : "miss ";
    const Colour colour = check.good ? Colour::green : check.needed ? Colour::red : Colour::yellow;
    fmt::print("{} {:<32} {}\n", coloured(word, colour, stdout), check.what, check.found);
    if (!check.good) fmt::print("      {:<32} fix: {}\n", "", check.fix);
  }
  if (parsed.has("json")) fmt::print("{}", to_pretty({{"ok", good}, {"checks", std::move(rows)}}));
  return good ? 0 : row(Code::permission_missing).cli_exit;
}

}  // namespace

int doctor_command(std::span<const std::string> arguments) {
  const std::string help = fmt::format(
      "handrail doctor [options]: checks this machine and says how to mend what is missing.\n\n"
      "Options:\n{}\nExamples:\n  handrail doctor\n  handrail doctor --desktop :0\n",
      cli::option_help(doctor_options()));
  return run_command(arguments, doctor_options(), "doctor [options]", help, diagnose);
}

}  // namespace handrail::app
