#include "platform/linux/wrapped_program.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/process.h"
#include "platform/linux/running_script.h"
#include "platform/linux/wrapper_script.h"

namespace handrail::linux_ {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestScript = 64 * 1024;
constexpr int kMostScripts = 3;  // that start one another
constexpr const char* kSystemPath = "/usr/bin:/bin";
constexpr std::array<std::string_view, 5> kSystemFolders{"/usr/", "/opt/", "/bin/", "/nix/store/", "/gnu/store/"};
constexpr std::array<std::string_view, 5> kTrailers{".bin", "-bin", ".real", "-real", "-wrapped"};
constexpr std::array<std::string_view, 5> kShells{"sh", "bash", "dash", "ksh", "zsh"};

// Whoever could write it, or put another in its place, is root.
bool is_the_systems(const std::string& path) {
  if (std::ranges::none_of(kSystemFolders, [&](std::string_view folder) { return path.starts_with(folder); }))
    return false;
  for (fs::path at = path; at != at.root_path(); at = at.parent_path()) {
    struct stat info {};
    if (::lstat(at.c_str(), &info) != 0 || info.st_uid != 0 || (info.st_mode & S_IWOTH) != 0) return false;
    if (S_ISREG(info.st_mode) && (info.st_mode & S_IWGRP) != 0 && info.st_gid != 0) return false;
  }
  return true;
}

std::string canonical(const std::string& path) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  return failed ? std::string() : real.string();
}

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(kLongestScript + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text.size() > kLongestScript ? std::string() : text;
}

bool is_binary(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::array<char, 4> magic{};
  in.read(magic.data(), magic.size());
  return in.gcount() == 4 && std::string_view(magic.data(), 4) ==
                                 "\x7f"
                                 "ELF";
}

bool is_shell_script(std::string_view text) {
  if (!text.starts_with("#!")) return false;
  std::string_view line = text.substr(2, text.find('\n') - 2);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  line = line.substr(0, line.find_first_of(" \t\r"));
  return std::ranges::find(kShells, line.substr(line.rfind('/') + 1)) != kShells.end();
}

std::string beside(const std::string& script) {
  for (const std::string_view trailer : kTrailers) {
    const std::string file = canonical(script + std::string(trailer));
    if (!file.empty() && is_the_systems(file) && is_binary(file)) return file;
  }
  return {};
}

std::string followed(const std::string& script, int scripts) {
  if (scripts == 0 || !is_the_systems(script)) return {};
  const std::string text = text_of(script);
  if (!is_shell_script(text)) return {};
  std::string found = beside(script);
  if (!found.empty()) return found;
  for (const std::string& target : exec_targets(text, script)) {
    const Result<std::string> file = find_program(target, kSystemPath);
    const std::string real = file.ok() ? canonical(*file) : "";
    if (real.empty()) continue;
    if (!is_the_systems(real)) return {};
    const std::string program = is_binary(real) ? real : followed(real, scripts - 1);
    if (program.empty() || (!found.empty() && found != program)) return {};
    found = program;
  }
  return found;
}

}  // namespace

std::string wrapped_program(const std::string& script) {
  const std::string program = followed(script, kMostScripts);
  return program.empty() || runs_scripts(program) ? std::string() : program;
}

}  // namespace handrail::linux_
