#include "actions/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "actions/context.h"
#include "actions/observe.h"
#include "base/counted.h"
#include "base/one_line.h"
#include "base/utf8.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::Tier;
using catalog::Touches;

constexpr std::size_t kShown = 200;
constexpr std::size_t kMostListed = 16000;
// A program takes no longer word.
constexpr std::size_t kMostArguments = 120000;
constexpr std::size_t kMostVariable = 10000;

// What decides which code a program loads or finds, or where it asks for a desktop.
constexpr std::array<std::string_view, 22> kSteering{
    "PATH",           "IFS",        "ENV",         "BASH_ENV",    "SHELLOPTS",    "BASHOPTS",       "PS4",
    "CDPATH",         "GLOBIGNORE", "GCONV_PATH",  "HOSTALIASES", "NLSPATH",      "LOCPATH",        "TMPDIR",
    "DISPLAY",        "XAUTHORITY", "GTK_MODULES", "GTK_PATH",    "GTK3_MODULES", "GIO_MODULE_DIR", "NODE_OPTIONS",
    "XDG_RUNTIME_DIR"};
constexpr std::array<std::string_view, 12> kSteeringFamilies{
    "LD_", "PYTHON", "PERL", "RUBY", "GIT_", "DBUS_", "WAYLAND", "QT_", "BASH_FUNC", "MALLOC_", "GLIBC_", "SSH_"};

bool steers(std::string_view name) {
  return std::ranges::find(kSteering, name) != kSteering.end() ||
         std::ranges::any_of(kSteeringFamilies, [&](std::string_view family) { return name.starts_with(family); });
}

Error bad_variable(const std::string& entry, std::string_view why) {
  return make_error(Code::argument_invalid, fmt::format("The variable {} {}.", quoted(entry, kShown), why))
      .with_field("env", "NAME=value, with a name of letters, digits and _ that steers no loader");
}

Status check_variable(const std::string& entry) {
  const std::size_t equals = entry.find('=');
  if (equals == std::string::npos || equals == 0) return bad_variable(entry, "is not NAME=value");
  const std::string name = entry.substr(0, equals);
  const bool plain = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!plain || (name.front() >= '0' && name.front() <= '9')) return bad_variable(name, "has no plain name");
  if (entry.find('\0') != std::string::npos) return bad_variable(name, "has a NUL in it");
  if (entry.size() > kMostVariable) return bad_variable(name, "is longer than 10,000 bytes");
  if (steers(name)) return bad_variable(name, "may not be set: it decides what programs load or reach");
  return {};
}

Status check_text(const std::string& text, const char* field) {
  if (text.find('\0') == std::string::npos) return {};
  return make_error(Code::argument_invalid, fmt::format("`{}` has a NUL in it.", field))
      .with_field(field, "text without NUL");
}

template <class Run>
Status check_surroundings(const Run& run) {
  for (const std::string& entry : run.env) TRY(check_variable(entry));
  return check_text(run.cwd, "cwd");
}

template <class Run>
RunProgram program_of(const Run& run, std::vector<std::string> argv) {
  RunProgram program;
  program.argv = std::move(argv);
  program.input = run.input;
  program.cwd = run.cwd;
  for (const std::string& entry : run.env) {
    const std::size_t equals = entry.find('=');
    program.environment.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  program.patience = std::chrono::seconds(run.timeout_seconds);
  return program;
}

Result<Outcome> run_shell(ActionContext& context, const RunShell& run) {
  RunProgram program = program_of(run, {"/bin/sh", "-c", run.command});
  program.script = run.command;
  return context.perform(program);
}

Result<Outcome> run_exec(ActionContext& context, const RunArguments& run) {
  return context.perform(program_of(run, run.argv));
}

Result<Outcome> run_script(ActionContext& context, const RunScript& run) {
  std::vector<std::string> argv;
  switch (run.language) {
    case Language::shell: argv = {"/bin/sh", "-c", run.script}; break;
    case Language::bash: argv = {"bash", "--norc", "--noprofile", "-c", run.script}; break;
    case Language::python: argv = {"python3", "-I", "-B", "-c", run.script}; break;
    case Language::perl: argv = {"perl", "-e", run.script}; break;
    case Language::node: argv = {"node", "-e", run.script}; break;
  }
  RunProgram program = program_of(run, std::move(argv));
  program.script = run.script;
  return context.perform(program);
}

std::string text_of(const std::string& bytes) {
  // The end may be in the middle of a character.
  for (std::size_t cut = 0; cut < 4 && cut <= bytes.size(); ++cut) {
    std::string whole = bytes.substr(0, bytes.size() - cut);
    if (decode_utf8(whole).ok()) return whole;
  }
  // Lines stay lines; what is no text becomes escapes.
  std::string text;
  for (std::size_t start = 0; start < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', start), bytes.size());
    text += one_line(std::string_view(bytes).substr(start, end - start));
    if (end < bytes.size()) text += '\n';
    start = end + 1;
  }
  return text;
}

Result<Outcome> run_list(ActionContext& context, const ListProcesses& list) {
  ProcessList result;
  std::string lines;
  for (const ProcessInfo& each : TRY(context.processes())) {
    const bool wanted = list.name.empty() || each.name.find(list.name) != std::string::npos ||
                        each.executable.find(list.name) != std::string::npos;
    if (!wanted) continue;
    const ProcessRow row{each.pid, text_of(each.name), text_of(each.executable), each.memory_kb, each.cpu_seconds};
    const std::string line = fmt::format("{} {} {} {} kB {:.1f} s\n", row.pid, quoted(row.name, kShown),
                                         quoted(row.executable, kShown), row.memory_kb, row.cpu_seconds);
    if (result.processes.size() >= static_cast<std::size_t>(list.most) || lines.size() + line.size() > kMostListed) {
      ++result.left_out;
      continue;
    }
    lines += line;
    result.processes.push_back(row);
  }
  Outcome outcome = observed(describe::encode(result));
  outcome.text = fmt::format("{} process(es) of this user.", result.processes.size());
  if (result.left_out > 0) outcome.text += fmt::format(" {} more are left out.", result.left_out);
  outcome.untrusted = std::move(lines);
  return outcome;
}

// Values that say how the desktop is set up, and nothing that opens a door.
constexpr std::array<std::string_view, 15> kHarmless{"PATH",
                                                     "LANG",
                                                     "LC_ALL",
                                                     "LANGUAGE",
                                                     "TZ",
                                                     "USER",
                                                     "LOGNAME",
                                                     "HOME",
                                                     "SHELL",
                                                     "DISPLAY",
                                                     "WAYLAND_DISPLAY",
                                                     "XDG_SESSION_TYPE",
                                                     "XDG_CURRENT_DESKTOP",
                                                     "XDG_DATA_DIRS",
                                                     "XDG_CONFIG_DIRS"};

Result<Outcome> run_environment(ActionContext& context, const NoParams&) {
  EnvironmentResult result;
  for (const auto& [name, value] : TRY(context.environment())) {
    if (std::ranges::find(kHarmless, name) != kHarmless.end())
      result.variables.push_back(text_of(name + "=" + value));
    else
      result.withheld.push_back(text_of(name));
  }
  Outcome outcome = observed(describe::encode(result));
  outcome.text = fmt::format("{} of the desktop, and {} more whose values are withheld.",
                             counted(result.variables.size(), "variable"), result.withheld.size());
  for (const std::string& line : result.variables) outcome.untrusted += one_line(line) + "\n";
  return outcome;
}

Result<Outcome> run_end(ActionContext& context, const EndOne& one) {
  const ProcessInfo now = TRY(context.process(one.pid));
  return context.perform(EndProcess{now.pid, now.started});
}

constexpr std::array kShell{
    Example{"Count files.", R"({"command": "ls | wc -l"})"},
    Example{"With input.", R"({"command": "sort", "stdin": "b\na\n", "timeout_seconds": 5})"},
};
constexpr std::array kExec{Example{"One program.", R"({"argv": ["ls", "-l"], "cwd": "notes"})"}};
constexpr std::array kScript{Example{"A sum.", R"json({"language": "python", "script": "print(1 + 2)"})json"}};
constexpr std::array kList{
    Example{"All of them.", "{}"},
    Example{"By name.", R"({"name": "mousepad"})"},
};
constexpr std::array kNone{Example{"Ask.", "{}"}};
constexpr std::array kEnd{Example{"One process.", R"({"pid": 4242})"}};

constexpr std::array kProgramActions{
    action<RunShell, ProgramResult, run_shell>("shell", Category::scripting, Touches::programs, Tier::none,
                                               Capability::programs, "Run a command line in a sandbox.", kShell),
    action<RunArguments, ProgramResult, run_exec>("exec", Category::scripting, Touches::programs, Tier::none,
                                                  Capability::programs, "Run a program in a sandbox, without a shell.",
                                                  kExec),
    action<RunScript, ProgramResult, run_script>("run_script", Category::scripting, Touches::programs, Tier::none,
                                                 Capability::programs, "Run a script in a sandbox.", kScript),
    action<ListProcesses, ProcessList, run_list>("list_processes", Category::system, Touches::nothing, Tier::none,
                                                 Capability::programs, "List the processes of this user.", kList),
    action<NoParams, EnvironmentResult, run_environment>(
        "environment", Category::system, Touches::nothing, Tier::none, Capability::programs,
        "Tell the environment of the desktop; secrets are withheld.", kNone),
    action<EndOne, EndResult, run_end>("end_process", Category::system, Touches::programs, Tier::full,
                                       Capability::programs, "End a process of a granted app.", kEnd),
};

}  // namespace

Status check(const RunShell& run) {
  TRY(check_text(run.command, "command"));
  return check_surroundings(run);
}

Status check(const RunArguments& run) {
  std::size_t bytes = 0;
  for (const std::string& word : run.argv) {
    TRY(check_text(word, "argv"));
    bytes += word.size();
  }
  if (run.argv.front().empty()) {
    return make_error(Code::argument_invalid, "The first word of `argv` is empty.")
        .with_field("argv", "a program first");
  }
  if (bytes > kMostArguments) return make_error(Code::too_large, "The arguments are too long; give data by `stdin`.");
  return check_surroundings(run);
}

Status check(const RunScript& run) {
  if (run.script.size() > kMostArguments) {
    return make_error(Code::too_large,
                      fmt::format("The script has {} bytes; at most {} are taken.", run.script.size(), kMostArguments))
        .with_hint("Write it to a file with write_file and run that with exec.");
  }
  TRY(check_text(run.script, "script"));
  return check_surroundings(run);
}

Outcome program_ended(const ProgramEnd& end) {
  ProgramResult result;
  result.exit_code = end.signal != 0 ? 128 + end.signal : end.exit_code;
  if (end.signal != 0) result.signal = end.signal;
  result.timed_out = end.timed_out;
  result.output = text_of(end.output.text);
  result.errors = text_of(end.errors.text);
  result.output_bytes = end.output.bytes;
  result.errors_bytes = end.errors.bytes;
  Outcome outcome = acted(Route::system, Delivery::background, {Evidence::value_readback});
  outcome.text = end.timed_out     ? "Its time was up: it was ended with everything it started."
                 : end.signal != 0 ? fmt::format("It was ended by signal {}.", end.signal)
                                   : fmt::format("It ended with exit code {}.", end.exit_code);
  const auto cut = [&outcome](const ProgramOutput& stream, const char* name) {
    if (stream.bytes <= static_cast<std::int64_t>(stream.text.size())) return;
    outcome.text += fmt::format(" Of {} the first {} of {} bytes are shown.", name, stream.text.size(), stream.bytes);
  };
  cut(end.output, "stdout");
  cut(end.errors, "stderr");
  outcome.untrusted = result.output;
  if (!result.errors.empty())
    outcome.untrusted += (outcome.untrusted.empty() ? "" : "\n") + std::string("stderr:\n") + result.errors;
  outcome.data = describe::encode(result);
  if (end.timed_out) {
    outcome.failure = make_error(Code::timeout, "Its time was up: it was ended with everything it started.")
                          .with_side_effects(SideEffects::partial)
                          .with_hint("Give it more time with timeout_seconds, or less to do.");
  }
  return outcome;
}

std::span<const catalog::ActionSpec> program_actions() { return kProgramActions; }

}  // namespace handrail::actions
