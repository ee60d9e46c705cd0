// Commands and scripts in a sandbox, and the processes of this user.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/action_spec.h"
#include "model/program.h"

namespace handrail::actions {

struct RunShell {
  std::string command;
  std::string cwd;
  std::vector<std::string> env;
  std::string input;
  int timeout_seconds = 30;
};

struct RunArguments {
  std::vector<std::string> argv;
  std::string cwd;
  std::vector<std::string> env;
  std::string input;
  int timeout_seconds = 30;
};

enum class Language { shell, bash, python, perl, node };

struct RunScript {
  Language language = Language::shell;
  std::string script;
  std::string cwd;
  std::vector<std::string> env;
  std::string input;
  int timeout_seconds = 30;
};

Status check(const RunShell& run);
Status check(const RunArguments& run);
Status check(const RunScript& run);

struct ProgramResult {
  int exit_code = 0;
  std::optional<int> signal;
  bool timed_out = false;
  std::string output;
  std::string errors;
  std::int64_t output_bytes = 0;
  std::int64_t errors_bytes = 0;
};

struct ProcessRow {
  std::int64_t pid = 0;
  std::string name;
  std::string executable;
  std::int64_t memory_kb = 0;
  double cpu_seconds = 0;
};

struct ListProcesses {
  std::string name;
  int most = 200;
};

struct ProcessList {
  std::vector<ProcessRow> processes;
  std::int64_t left_out = 0;
};

struct EnvironmentResult {
  std::vector<std::string> variables;
  std::vector<std::string> withheld;
};

struct EndOne {
  std::int64_t pid = 0;
};

struct EndResult {
  bool forced = false;
};

// What a run came to, as far as it was seen.
Outcome program_ended(const ProgramEnd& end);

std::span<const catalog::ActionSpec> program_actions();

}  // namespace handrail::actions

namespace handrail::describe {

inline constexpr std::string_view kCwdDoc = "Folder to run it in, below a granted one; the first of them when empty.";
inline constexpr std::string_view kEnvDoc = "Further variables, each as NAME=value.";
inline constexpr std::string_view kInputDoc = "Text on its standard input.";
inline constexpr std::string_view kTimeDoc = "Everything it started is ended after so many seconds.";
inline constexpr Limits kSeconds = between(1, 600);
inline constexpr Limits kInputs = between(0, 1000000);

template <>
struct Names<actions::Language> {
  using L = actions::Language;
  static constexpr std::array list{Name{L::shell, "shell"}, Name{L::bash, "bash"}, Name{L::python, "python"},
                                   Name{L::perl, "perl"}, Name{L::node, "node"}};
};
template <>
struct Fields<actions::RunShell> {
  using T = actions::RunShell;
  static constexpr auto list = std::tuple{
      needed("command", &T::command, "Command line for /bin/sh.", between(1, 30000)),
      field("cwd", &T::cwd, kCwdDoc, between(0, 4000)),
      field("env", &T::env, kEnvDoc, between(0, 100)),
      field("stdin", &T::input, kInputDoc, kInputs),
      field("timeout_seconds", &T::timeout_seconds, kTimeDoc, kSeconds),
  };
};
template <>
struct Fields<actions::RunArguments> {
  using T = actions::RunArguments;
  static constexpr auto list = std::tuple{
      needed("argv", &T::argv, "Program, by name or absolute path, and its arguments; no shell reads them.",
             between(1, 1000)),
      field("cwd", &T::cwd, kCwdDoc, between(0, 4000)),
      field("env", &T::env, kEnvDoc, between(0, 100)),
      field("stdin", &T::input, kInputDoc, kInputs),
      field("timeout_seconds", &T::timeout_seconds, kTimeDoc, kSeconds),
  };
};
template <>
struct Fields<actions::RunScript> {
  using T = actions::RunScript;
  static constexpr auto list = std::tuple{
      needed("language", &T::language, "What reads the script."),
      needed("script", &T::script, "The script.", between(1, 100000)),
      field("cwd", &T::cwd, kCwdDoc, between(0, 4000)),
      field("env", &T::env, kEnvDoc, between(0, 100)),
      field("stdin", &T::input, kInputDoc, kInputs),
      field("timeout_seconds", &T::timeout_seconds, kTimeDoc, kSeconds),
  };
};
template <>
struct Fields<actions::ProgramResult> {
  using T = actions::ProgramResult;
  static constexpr auto list = std::tuple{
      field("exit_code", &T::exit_code, "0 is success; 128 and the signal when one ended it."),
      field("signal", &T::signal, "The signal that ended it."),
      field("timed_out", &T::timed_out, "It was ended because its time was up."),
      field("stdout", &T::output, "Its output, at most 16,000 bytes; not to be trusted."),
      field("stderr", &T::errors, "Its errors, at most 16,000 bytes; not to be trusted."),
      field("stdout_bytes", &T::output_bytes, "All that it wrote there."),
      field("stderr_bytes", &T::errors_bytes, "All that it wrote there."),
  };
};
template <>
struct Fields<actions::ProcessRow> {
  using T = actions::ProcessRow;
  static constexpr auto list = std::tuple{
      field("pid", &T::pid, "Number of the process."),
      field("name", &T::name, "Name that it gives itself; not to be trusted."),
      field("executable", &T::executable, "The file that runs."),
      field("memory_kb", &T::memory_kb, "Memory in use."),
      field("cpu_seconds", &T::cpu_seconds, "Processor time used so far."),
  };
};
template <>
struct Fields<actions::ListProcesses> {
  using T = actions::ListProcesses;
  static constexpr auto list = std::tuple{
      field("name", &T::name, "Only those with this text in their name or executable.", between(0, 200)),
      field("most", &T::most, "Rows at most.", between(1, 1000)),
  };
};
template <>
struct Fields<actions::ProcessList> {
  using T = actions::ProcessList;
  static constexpr auto list = std::tuple{
      field("processes", &T::processes, "Of this user, by number."),
      field("left_out", &T::left_out, "Rows that were not listed."),
  };
};
template <>
struct Fields<actions::EnvironmentResult> {
  using T = actions::EnvironmentResult;
  static constexpr auto list = std::tuple{
      field("variables", &T::variables, "Each as NAME=value, of those whose values are harmless."),
      field("withheld", &T::withheld, "Names of the others."),
  };
};
template <>
struct Fields<actions::EndOne> {
  using T = actions::EndOne;
  static constexpr auto list = std::tuple{
      needed("pid", &T::pid, "Number of the process, from list_processes.", between(2, 4194304)),
  };
};
template <>
struct Fields<actions::EndResult> {
  using T = actions::EndResult;
  static constexpr auto list = std::tuple{
      field("forced", &T::forced, "It did not end when it was asked, and was killed."),
  };
};

}  // namespace handrail::describe
