#include "app/desktop_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <filesystem>

#include "app/commands.h"
#include "app/config.h"
#include "app/verbs.h"
#include "base/json.h"
#include "front/cli/options.h"
#include "platform/linux/desktop.h"
#include "platform/linux/desktop_control.h"
#include "platform/linux/desktop_entry.h"
#include "platform/linux/desktop_record.h"
#include "platform/linux/supervisor.h"
#include "platform/x11/monitors.h"

namespace handrail::app {
namespace {

using linux_::DesktopInfo;

Result<Size> parse_size(const std::string& text, const std::string& field) {
  Size size;
  const char* end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  if (width.ec == std::errc() && width.ptr != end && *width.ptr == 'x') {
    const auto height = std::from_chars(width.ptr + 1, end, size.height);
    if (height.ec == std::errc() && height.ptr == end) return size;
  }
  return make_error(Code::argument_invalid, fmt::format("--{} is `{}`.", field, text))
      .with_field(field, "WIDTHxHEIGHT in pixels, such as 1280x800");
}

Result<std::size_t> screen_count(const cli::Parsed& parsed) {
  const std::string text = parsed.value("screens", "1");
  if (text.size() == 1 && text[0] >= '1' && text[0] <= '8') return static_cast<std::size_t>(text[0] - '0');
  return make_error(Code::argument_invalid, fmt::format("--screens is `{}`.", text)).with_field("screens", "1 to 8");
}

Result<std::vector<Size>> screens_of(const cli::Parsed& parsed) {
  std::vector<Size> screens;
  for (const std::string& text : parsed.values("screen")) screens.push_back(TRY(parse_size(text, "screen")));
  if (!screens.empty()) return screens;
  const Config config = TRY(load_config(config_path()));
  const Size size = TRY(parse_size(parsed.value("size", config.desktop.size), "size"));
  return std::vector<Size>(TRY(screen_count(parsed)), size);
}

Result<linux_::DesktopHome> home_of(const cli::Parsed& parsed) {
  const std::string text = parsed.value("home", "private");
  if (text == "private") return linux_::DesktopHome::private_;
  if (text == "shared") return linux_::DesktopHome::shared;
  return make_error(Code::argument_invalid, fmt::format("--home is `{}`.", text))
      .with_field("home", "private or shared");
}

std::string told_screens(const DesktopInfo& info) {
  std::string text;
  for (const PixelRect& s : info.screens) text += fmt::format("{}{}x{}", text.empty() ? "" : " + ", s.width, s.height);
  return text;
}

void print_line(const Json& value) { fmt::print("{}\n", to_line(value)); }

// A name may stand alone or behind --name.
Result<std::string> name_of(const cli::Parsed& parsed, const std::string& alone) {
  const std::string named = parsed.value("name");
  if (named.empty() || alone.empty() || named == alone) return named.empty() ? alone : named;
  return make_error(Code::argument_invalid, fmt::format("Two desktops are named: `{}` and `{}`.", alone, named))
      .with_hint("Name one.");
}

Result<int> start(const cli::Parsed& parsed) {
  linux_::DesktopOptions options;
  options.name = TRY(name_of(parsed, parsed.words.empty() ? "" : parsed.words[0]));
  if (options.name.empty()) options.name = linux_::DesktopOptions().name;
  options.screens = TRY(screens_of(parsed));
  options.home = TRY(home_of(parsed));
  options.reuse = parsed.has("reuse");
  for (const std::string& text : parsed.values("app")) options.apps.push_back(TRY(linux_::split_command(text)));
  const DesktopInfo info = TRY(linux_::start_desktop(options));
  if (parsed.has("json")) {
    print_line(linux_::to_json(info));
    return 0;
  }
  fmt::print(
      "Desktop {0} runs on {1} ({2}).\n"
      "  home     {3}\n"
      "  connect  handrail mcp --desktop {0}\n"
      "  run      handrail desktop exec --name {0} -- COMMAND\n"
      "  end      handrail desktop stop {0}\n",
      info.name, info.display, told_screens(info), info.home);
  return 0;
}

Result<int> stop(const cli::Parsed& parsed) {
  std::vector<std::string> names = parsed.words;
  for (const std::string& name : parsed.values("name")) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (parsed.has("all")) {
    names.clear();
    for (const DesktopInfo& info : TRY(linux_::list_desktops())) names.push_back(info.name);
  } else if (names.empty()) {
    names.push_back(TRY(linux_::find_desktop("")).name);
  }
  for (const std::string& name : names) TRY(linux_::stop_desktop(name));
  if (parsed.has("json")) {
    print_line({{"ended", names}});
    return 0;
  }
  for (const std::string& name : names) fmt::print("Desktop {} ended.\n", name);
  if (names.empty()) fmt::print("No embedded desktop runs.\n");
  return 0;
}

Result<int> list(const cli::Parsed& parsed) {
  const std::vector<DesktopInfo> running = TRY(linux_::list_desktops());
  if (parsed.has("json")) {
    Json all = Json::array();
    for (const DesktopInfo& info : running) all.push_back(linux_::to_json(info));
    print_line(all);
    return 0;
  }
  if (running.empty()) fmt::print("No embedded desktop runs. Start one with `handrail desktop start`.\n");
  for (const DesktopInfo& info : running) {
    fmt::print("{:<16} {:<6} {:<24} {}\n", info.name, info.display, told_screens(info), info.home);
  }
  return 0;
}

// A path is meant from where the caller stands, not from where the supervisor does.
std::string from_here(const std::string& program) {
  return program.find('/') == std::string::npos ? program : std::filesystem::absolute(program).string();
}

Result<int> exec(const cli::Parsed& parsed) {
  // `exec shop -- xterm`: one word before the dashes is the desktop.
  const bool names_it = parsed.dashes == 1;
  const std::vector<std::string> command(parsed.words.begin() + (names_it ? 1 : 0), parsed.words.end());
  if (command.empty()) {
    return make_error(Code::argument_invalid, "There is no command to run.")
        .with_hint("Write it behind two dashes: handrail desktop exec -- xterm");
  }
  const std::string name = TRY(name_of(parsed, names_it ? parsed.words[0] : ""));
  const DesktopInfo info = TRY(linux_::find_desktop(name));
  linux_::ProgramRequest request{.argv = command};
  request.argv[0] = from_here(request.argv[0]);
  std::error_code failed;
  request.cwd = std::filesystem::current_path(failed).string();
  const bool waits = parsed.has("wait");
  request.bound = waits;
  if (waits) request.streams = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  const linux_::LaunchedProgram program = TRY(linux_::run_on_desktop(info, request, Deadline::in(kBackendPatience)));
  if (!waits) {
    if (parsed.has("json")) {
      print_line({{"desktop", info.name}, {"pid", program.pid}});
    } else {
      fmt::print("Process {} runs on desktop {}.\n", program.pid, info.name);
    }
    return 0;
  }
  while (!wait_readable(program.ended.get(), Deadline::in(std::chrono::hours(1))).ok()) continue;
  const ExitStatus status = TRY(program.exit_status());
  // The way shells tell the two apart.
  return status.signal == 0 ? status.code : 128 + status.signal;
}

}  // namespace

Verbs desktop_verbs() {
  static const std::vector<Verb> all{
      {"start",
       "start [NAME] [options]",
       "Start a desktop; returns when it is ready.",
       {{"name", "NAME", "Its name. Default `default`.", "desktop"},
        {"size", "WxH", "Size of each screen in pixels. Default: the setting desktop.size, 1280x800."},
        {"screens", "N", "Number of screens, side by side. Default 1."},
        {"screen", "WxH", "Size of one screen; once for each, instead of --size and --screens."},
        {"home", "WHICH", "private: a home folder of its own (the default). shared: yours."},
        {"app", "APP", "App id or command to start on it; may be given several times."},
        {"reuse", "", "Take the one that runs under this name, if one does."},
        {"json", "", "Print everything about it as JSON."}},
       "  handrail desktop start\n"
       "  handrail desktop start shop --screen 1920x1080 --screen 1280x800\n"
       "  handrail desktop start --app org.xfce.mousepad --app 'xterm -e top'\n",
       start,
       1},
      {"stop",
       "stop [NAME…] [options]",
       "End desktops; returns when nothing of them is left.",
       {{"name", "NAME", "The same as NAME alone.", "desktop"},
        {"all", "", "Every one that runs."},
        {"json", "", "Print the names as JSON."}},
       "  handrail desktop stop\n"
       "  handrail desktop stop shop\n"
       "  handrail desktop stop --all\n",
       stop,
       cli::kAnyWords},
      {"list",
       "list [options]",
       "List the desktops that run.",
       {{"json", "", "Print everything about them as JSON."}},
       "  handrail desktop list\n",
       list},
      {"exec",
       "exec [NAME] [options] -- COMMAND [arguments…]",
       "Run a command or an app id on a desktop.",
       {{"name", "NAME", "Which desktop. Default `default`, or the only one that runs.", "desktop"},
        {"wait", "", "Stay until it ends, with this terminal; exit with its status."},
        {"json", "", "Print the process id as JSON."}},
       "  handrail desktop exec -- galculator\n"
       "  handrail desktop exec shop --wait -- xdpyinfo\n",
       exec,
       cli::kAnyWords},
  };
  return all;
}

int desktop_command(std::span<const std::string> arguments) {
  if (arguments.size() == 1 && arguments[0] == "supervise") return linux_::supervise(x11::define_monitors);
  const std::string help = verb_help("desktop",
                                     "embedded desktops, on no screen and private to you: an X server with window\n"
                                     "manager, session bus and accessibility.",
                                     desktop_verbs(),
                                     "  handrail desktop start --size 1920x1080\n"
                                     "  handrail desktop exec -- mousepad notes.txt\n"
                                     "  handrail desktop stop --all\n");
  return run_verb("desktop", desktop_verbs(), help, arguments);
}

}  // namespace handrail::app
