#include "app/switch_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands.h"
#include "app/config.h"
#include "front/cli/options.h"
#include "platform/linux/control_socket.h"
#include "platform/linux/runtime_folder.h"

namespace handrail::app {
namespace {

using linux_::ControlAnswer;
using linux_::ControlCommand;

// A server that hangs is reported by then.
constexpr Millis kPatience{1900};

std::string escaped(const Json& value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return value.is_string() ? text.substr(1, text.size() - 2) : text;
}

Json to_json(const ControlAnswer& answer) {
  Json json{{"pid", answer.pid}, {"ok", answer.ok()}, {"took_ms", answer.took_ms}};
  if (!answer.error.empty()) json["error"] = answer.error;
  const auto status = answer.reply.is_object() ? answer.reply.find("status") : answer.reply.end();
  if (answer.reply.is_object() && status != answer.reply.end()) json["status"] = *status;
  return json;
}

int exit_code(const std::vector<ControlAnswer>& answers) {
  return std::ranges::all_of(answers, &ControlAnswer::ok) ? 0 : row(Code::timeout).cli_exit;
}

void print_json(Json head, const std::vector<ControlAnswer>& answers) {
  Json servers = Json::array();
  for (const ControlAnswer& answer : answers) servers.push_back(to_json(answer));
  head["servers"] = std::move(servers);
  fmt::print("{}\n", head.dump(-1, ' ', true, Json::error_handler_t::replace));
}

void print_failures(const std::vector<ControlAnswer>& answers) {
  for (const ControlAnswer& answer : answers) {
    if (answer.ok()) continue;
    fmt::print(stderr, "handrail: process {} was not reached: {}\n", answer.pid, escaped(Json(answer.error)));
    fmt::print(stderr, "  End it with `kill {}` when it must not go on.\n", answer.pid);
  }
}

// What a server says of itself, fit for a terminal.
struct ServerStatus {
  std::string desktop = "an unknown desktop";
  std::string session = "an unknown session";
  bool stopped = false;
  std::string because;
  std::size_t grants = 0;
};

ServerStatus status_of(const ControlAnswer& answer) {
  ServerStatus status;
  const Json told = to_json(answer).value("status", Json::object());
  if (!told.is_object()) return status;
  const auto take = [&told](const char* name, std::string& text) {
    if (const auto found = told.find(name); found != told.end() && found->is_string()) text = escaped(*found);
  };
  take("desktop", status.desktop);
  take("session", status.session);
  take("because", status.because);
  status.stopped = told.value("stopped", Json(false)) == true;
  if (const Json grants = told.value("grants", Json(0)); grants.is_number_unsigned()) status.grants = grants;
  return status;
}

std::string settings_off() {
  const auto config = load_config(config_path());
  return config.ok() ? off_by_settings(*config) : config.error().message;
}

void print_off_by_settings(const std::string& settings) {
  fmt::print("Handrail is off by its settings, which `handrail resume` does not change: {}\n", escaped(Json(settings)));
}

constexpr std::string_view kCalled = "a person called `handrail stop`";

// `handrail stop lunch break` and `handrail stop --reason 'lunch break'` say the same.
std::string reason_given(const cli::Parsed& parsed) {
  std::string why = parsed.value("reason");
  for (const std::string& word : parsed.words) why += (why.empty() ? "" : " ") + word;
  return why.empty() ? std::string(kCalled) : fmt::format("{} ({})", kCalled, why);
}

Result<int> stop(const cli::Parsed& parsed) {
  const auto state = linux_::state_paths();
  const auto before = state.ok() ? linux_::stopped_reason(state->stop_marker) : std::nullopt;
  // Why it was switched off first is what the owner must know before switching it on.
  const std::string reason = before && *before != kCalled ? *before : reason_given(parsed);
  const Deadline deadline = Deadline::in(kPatience);
  const std::string folder = TRY(linux_::runtime_folder());
  std::vector<ControlAnswer> answers = TRY(linux_::tell_servers(folder, ControlCommand::stop, reason, deadline));
  const linux_::StatePaths paths = TRY(linux_::state_paths());
  const Status marked = linux_::mark_stopped(paths.stop_marker, reason);
  // One that began to listen in between may have looked for the marker before it was there.
  for (ControlAnswer& late : TRY(linux_::tell_servers(folder, ControlCommand::stop, reason, deadline, answers))) {
    answers.push_back(std::move(late));
  }
  if (!marked.ok()) return marked.error();
  if (parsed.has("json")) {
    print_json({{"stopped", true}, {"reason", reason}}, answers);
    return exit_code(answers);
  }
  for (const ControlAnswer& answer : answers) {
    if (answer.ok()) fmt::print("Process {} is switched off.\n", answer.pid);
  }
  print_failures(answers);
  if (before) fmt::print("Handrail was off already: {}.\n", escaped(Json(reason)));
  fmt::print("Handrail is off until `handrail resume`.\n");
  return exit_code(answers);
}

Result<int> resume(const cli::Parsed& parsed) {
  const linux_::StatePaths paths = TRY(linux_::state_paths());
  const bool was_off = linux_::stopped_reason(paths.stop_marker).has_value();
  TRY(linux_::clear_stopped(paths.stop_marker));
  const std::string folder = TRY(linux_::runtime_folder());
  const auto answers = TRY(linux_::tell_servers(folder, ControlCommand::resume, "", Deadline::in(kPatience)));
  if (parsed.has("json")) {
    print_json({{"stopped", false}}, answers);
    return exit_code(answers);
  }
  // One that its own settings keep off has answered, and is off all the same.
  const auto now = TRY(linux_::tell_servers(folder, ControlCommand::status, "", Deadline::in(kPatience)));
  for (const ControlAnswer& answer : answers) {
    if (!answer.ok()) continue;
    const auto asked = std::ranges::find(now, answer.pid, &ControlAnswer::pid);
    const ServerStatus status = asked == now.end() ? ServerStatus() : status_of(*asked);
    if (asked == now.end() || !asked->ok())
      fmt::print("Process {} was told; whether it may act is not known.\n", answer.pid);
    else if (status.stopped)
      fmt::print("Process {} stays off: {}.\n", answer.pid, status.because);
    else
      fmt::print("Process {} may act{}.\n", answer.pid, was_off ? " again" : "");
  }
  print_failures(answers);
  if (const std::string settings = settings_off(); !settings.empty())
    print_off_by_settings(settings);
  else if (!was_off)
    fmt::print("Handrail was on already.\n");
  else if (answers.empty())
    fmt::print("Servers that start from now on may act.\n");
  return exit_code(answers);
}

Result<int> status(const cli::Parsed& parsed) {
  const linux_::StatePaths paths = TRY(linux_::state_paths());
  const auto off = linux_::stopped_reason(paths.stop_marker);
  const std::string folder = TRY(linux_::runtime_folder());
  const auto answers = TRY(linux_::tell_servers(folder, ControlCommand::status, "", Deadline::in(kPatience)));
  if (parsed.has("json")) {
    Json head{{"stopped", off.has_value()}};
    if (off) head["reason"] = *off;
    print_json(std::move(head), answers);
    return exit_code(answers);
  }
  if (const std::string settings = settings_off(); !settings.empty()) {
    print_off_by_settings(settings);
  } else {
    fmt::print("Handrail is {}.\n", off ? fmt::format("off: {}", escaped(Json(*off))) : "on");
  }
  if (answers.empty()) fmt::print("No server runs.\n");
  for (const ControlAnswer& answer : answers) {
    if (!answer.ok()) continue;
    const ServerStatus status = status_of(answer);
    fmt::print("Process {} works on {}, as {}. ", answer.pid, status.desktop, status.session);
    if (status.stopped)
      fmt::print("It is off: {}.\n", status.because);
    else if (status.grants == 0)
      fmt::print("It may act, and no app is granted.\n");
    else
      fmt::print("It may act, with {} {} granted.\n", status.grants, status.grants == 1 ? "app" : "apps");
  }
  print_failures(answers);
  return exit_code(answers);
}

struct Switch {
  std::string_view usage;
  std::string_view about;
  std::vector<cli::Option> options;
  Result<int> (*run)(const cli::Parsed& parsed);
  std::size_t words = 0;
};

int run(const Switch& command, std::span<const std::string> arguments) {
  const std::string help =
      fmt::format("handrail {}: {}\n\nOptions:\n{}", command.usage, command.about, cli::option_help(command.options));
  return run_command(arguments, command.options, command.usage, help, command.run, command.words);
}

}  // namespace

Options stop_options() {
  static const std::vector<cli::Option> all{{"reason", "TEXT", "Told to whoever tries to act."},
                                            {"json", "", "Print the answers as JSON."}};
  return all;
}

Options resume_options() {
  static const std::vector<cli::Option> all{{"json", "", "Print the answers as JSON."}};
  return all;
}

Options status_options() { return resume_options(); }

int stop_command(std::span<const std::string> arguments) {
  return run({"stop [REASON] [options]",
              "switch every server of yours off, in the middle of what it does, and keep new ones off.", stop_options(),
              stop, cli::kAnyWords},
             arguments);
}

int resume_command(std::span<const std::string> arguments) {
  return run(
      {"resume [options]", "let servers act again that `handrail stop` has switched off.", resume_options(), resume},
      arguments);
}

int status_command(std::span<const std::string> arguments) {
  return run({"status [options]", "which servers of yours run, and whether they may act.", status_options(), status},
             arguments);
}

}  // namespace handrail::app
