#include "platform/linux/toolkit_needs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace handrail::linux_ {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRendererFlag = "--force-renderer-accessibility";

struct ProgramNeed {
  std::string_view name;  // of the file, or of the Flatpak
  std::string_view flag;
};

// Browsers and apps that are made of Chromium show the frame of their window at most, without the flag. Most are known
// by the files beside them; these are started by scripts that lie elsewhere.
constexpr std::array kPrograms{
    ProgramNeed{"chromium", kRendererFlag},
    ProgramNeed{"chromium-browser", kRendererFlag},
    ProgramNeed{"google-chrome", kRendererFlag},
    ProgramNeed{"google-chrome-stable", kRendererFlag},
    ProgramNeed{"google-chrome-beta", kRendererFlag},
    ProgramNeed{"google-chrome-unstable", kRendererFlag},
    ProgramNeed{"brave-browser", kRendererFlag},
    ProgramNeed{"brave-browser-stable", kRendererFlag},
    ProgramNeed{"microsoft-edge", kRendererFlag},
    ProgramNeed{"microsoft-edge-stable", kRendererFlag},
    ProgramNeed{"opera", kRendererFlag},
    ProgramNeed{"vivaldi", kRendererFlag},
    ProgramNeed{"vivaldi-stable", kRendererFlag},
    ProgramNeed{"electron", kRendererFlag},
    ProgramNeed{"code", kRendererFlag},
    ProgramNeed{"codium", kRendererFlag},
    ProgramNeed{"discord", kRendererFlag},
    ProgramNeed{"element-desktop", kRendererFlag},
    ProgramNeed{"obsidian", kRendererFlag},
    ProgramNeed{"signal-desktop", kRendererFlag},
    ProgramNeed{"slack", kRendererFlag},
    ProgramNeed{"teams-for-linux", kRendererFlag},
    ProgramNeed{"com.brave.Browser", kRendererFlag},
    ProgramNeed{"com.discordapp.Discord", kRendererFlag},
    ProgramNeed{"com.github.IsmaelMartinez.teams_for_linux", kRendererFlag},
    ProgramNeed{"com.google.Chrome", kRendererFlag},
    ProgramNeed{"com.microsoft.Edge", kRendererFlag},
    ProgramNeed{"com.opera.Opera", kRendererFlag},
    ProgramNeed{"com.slack.Slack", kRendererFlag},
    ProgramNeed{"com.visualstudio.code", kRendererFlag},
    ProgramNeed{"com.vivaldi.Vivaldi", kRendererFlag},
    ProgramNeed{"com.vscodium.codium", kRendererFlag},
    ProgramNeed{"im.riot.Riot", kRendererFlag},
    ProgramNeed{"md.obsidian.Obsidian", kRendererFlag},
    ProgramNeed{"org.chromium.Chromium", kRendererFlag},
    ProgramNeed{"org.signal.Signal", kRendererFlag},
};

std::string_view by_name(std::string_view name) {
  const auto found = std::ranges::find(kPrograms, name, &ProgramNeed::name);
  return found == kPrograms.end() ? std::string_view() : found->flag;
}

// What every build of it, Electron too, has beside the program.
bool made_of_chromium(const std::string& program) {
  std::error_code failed;
  const fs::path real = fs::canonical(program, failed);
  if (failed) return false;
  const fs::path folder = real.parent_path();
  return fs::exists(folder / "icudtl.dat", failed) && fs::exists(folder / "resources.pak", failed);
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// The place in the command of the program that it is about; its size when there is none.
std::size_t program_place(const std::vector<std::string>& argv) {
  std::size_t at = 0;
  if (at < argv.size() && file_name(argv[at]) == "env") {
    ++at;
    while (at < argv.size() && (argv[at].starts_with('-') || argv[at].find('=') != std::string::npos)) ++at;
  }
  if (at < argv.size() && file_name(argv[at]) == "flatpak") {
    while (at < argv.size() && argv[at] != "run") ++at;
    ++at;
    while (at < argv.size() && argv[at].starts_with('-')) ++at;
  }
  return std::min(at, argv.size());
}

}  // namespace

const Environment& accessibility_variables() {
  static const Environment variables{
      // Qt 5, and Chromium takes it for a yes too.
      {"QT_ACCESSIBILITY", "1"},
      // Qt 6 shows no tree otherwise when accessibility was off at its start.
      {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1"},
  };
  return variables;
}

std::string accessibility_flag(const std::string& program) {
  std::string_view flag = by_name(file_name(program));
  if (flag.empty() && program.starts_with('/') && made_of_chromium(program)) flag = kRendererFlag;
  return std::string(flag);
}

std::vector<std::string> with_accessibility(std::vector<std::string> argv) {
  const std::size_t at = program_place(argv);
  if (at == argv.size()) return argv;
  std::string flag = accessibility_flag(argv[at]);
  const bool given =
      std::ranges::any_of(argv, [&](const std::string& word) { return word == flag || word.starts_with(flag + "="); });
  if (!flag.empty() && !given) argv.insert(argv.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(flag));
  return argv;
}

}  // namespace handrail::linux_
