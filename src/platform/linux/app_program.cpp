#include "platform/linux/app_program.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "base/nearest.h"
#include "platform/linux/identity.h"
#include "platform/linux/installed_apps.h"
#include "platform/linux/named_app.h"
#include "platform/linux/running_script.h"
#include "platform/linux/toolkit_needs.h"
#include "platform/linux/wrapped_program.h"

namespace handrail::linux_ {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxInterpreters = 4;  // as the kernel allows

std::string path_of(const Environment& environment) {
  const auto found = environment.find("PATH");
  return found == environment.end() || found->second.empty() ? "/usr/bin:/bin" : found->second;
}

std::string canonical(const std::string& path) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  return failed ? std::string() : real.string();
}

// The words of a first line "#!/usr/bin/env python3"; empty for other files.
std::vector<std::string> interpreter_line(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line(256, '\0');
  in.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(in.gcount()));
  if (!line.starts_with("#!")) return {};
  line = line.substr(2, line.find('\n') == std::string::npos ? std::string::npos : line.find('\n') - 2);
  std::vector<std::string> words;
  for (std::size_t at = line.find_first_not_of(" \t\r"); at != std::string::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t\r", end);
  }
  return words;
}

// What the kernel will run for these words, with the script that it is given.
AppIdentity program_identity(const std::string& program, const std::vector<std::string>& argv,
                             const Environment& environment) {
  AppIdentity identity;
  identity.executable = program;
  identity.script = script_of(program, argv, "/");
  for (int i = 0; i < kMaxInterpreters; ++i) {
    std::vector<std::string> words = interpreter_line(identity.executable);
    if (!words.empty() && words[0].ends_with("/env")) {
      words.erase(words.begin());
      while (!words.empty() && (words[0].starts_with('-') || words[0].find('=') != std::string::npos))
        words.erase(words.begin());
    }
    if (words.empty()) break;
    const Result<std::string> found = find_program(words[0], path_of(environment));
    const std::string interpreter = found.ok() ? canonical(*found) : "";
    if (interpreter.empty()) break;
    identity.script = identity.executable;
    identity.executable = interpreter;
  }
  // What the system starts by a script shows the windows of another program.
  if (const std::string wrapped = wrapped_program(program); !wrapped.empty() && identity.script == program) {
    identity.executable = wrapped;
    identity.script.clear();
  }
  identity.file = file_id(identity.executable);
  return identity;
}

}  // namespace

std::string trimmed_name(const std::string& app) {
  const std::size_t first = app.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  return app.substr(first, app.find_last_not_of(" \t\r\n") - first + 1);
}

Result<DesktopEntry> find_entry(const std::string& app, const Environment& environment) {
  return match_entry(entries_system_first(environment), trimmed_name(app));
}

Result<std::vector<std::string>> launch_command(const DesktopEntry& entry, const Environment& environment,
                                                const std::string& file) {
  std::vector<std::string> argv = TRY(command_of(entry, file));
  argv[0] = TRY(find_program(argv[0], path_of(environment)));
  if (!argv[0].starts_with('/')) {
    return make_error(Code::not_found,
                      fmt::format("{} starts a program without a whole path.", shortened(entry.id, 80)))
        .with_hint("Name another app.");
  }
  return with_accessibility(std::move(argv));
}

Result<AppProgram> resolve_program(const std::string& app, const Environment& environment) {
  const std::string name = trimmed_name(app);
  AppProgram program;
  if (name.starts_with('/')) {
    const std::string file = canonical(TRY(find_program(name, "")));
    program.identity = program_identity(file, {file}, environment);
    NamedApps named(environment);
    program.identity.desktop_id = named.desktop_id(program.identity.executable, program.identity.script);
    const std::string id = program.identity.desktop_id;
    program.app = {id.empty() ? file : id, fs::path(file).filename().string(), file, {}};
  } else {
    const DesktopEntry entry = TRY(find_entry(name, environment));
    const std::vector<std::string> argv = TRY(launch_command(entry, environment));
    program.identity = program_identity(canonical(argv[0]), argv, environment);
    program.identity.desktop_id = entry.id;
    program.app = app_of(entry, environment, {});
  }
  if (!program.identity.file.known()) {
    return make_error(Code::not_found, fmt::format("The program of {} cannot be read.", shortened(name, 80)))
        .with_hint(std::string(kNameAnApp));
  }
  return program;
}

}  // namespace handrail::linux_
