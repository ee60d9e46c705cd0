#include "policy/app_name.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace handrail::policy {
namespace {

constexpr std::string_view kDesktop = ".desktop";
constexpr std::string_view kBlanks = " \t\r\n\f\v";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool strip_suffix(std::string& text, std::string_view suffix) {
  if (text.size() <= suffix.size() || !text.ends_with(suffix)) return false;
  text.resize(text.size() - suffix.size());
  return true;
}

// What packagers and build systems put around a program's name.
constexpr std::array<std::string_view, 19> kTrailers{
    ".appimage", "-wrapped", ".bin",     "-bin",  ".real", ".orig",  "-x86_64", ".x86_64", "_x86_64", "-amd64",
    "_amd64",    "-arm64",   "-aarch64", "-i386", ".exe",  "-linux", ".sh",     ".py",     ".jar"};

bool strip_version(std::string& name) {
  const std::size_t last = name.find_last_not_of("0123456789.");
  if (last == std::string::npos || last + 1 == name.size()) return false;
  std::size_t end = last + 1;
  // "emacs-28.2", "tool_v2": the separator goes too.
  if (end > 1 && name[end - 1] == 'v' && (name[end - 2] == '-' || name[end - 2] == '_')) --end;
  while (end > 1 && (name[end - 1] == '-' || name[end - 1] == '_')) --end;
  name.resize(end);
  return true;
}

}  // namespace

std::string lower(std::string_view text) {
  std::string folded(text);
  // By hand: a locale must not change what matches.
  for (char& c : folded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return folded;
}

std::string clean_app_name(std::string_view name) {
  std::string text(trimmed(name));
  while (text.size() > kDesktop.size() && lower(text).ends_with(kDesktop)) {
    text = std::string(trimmed(std::string_view(text).substr(0, text.size() - kDesktop.size())));
  }
  if (text.find('/') != std::string::npos) {
    text = std::filesystem::path(text).lexically_normal().string();
    // lexically_normal keeps a second slash at the front and one at the end.
    while (text.size() > 1 && text[0] == '/' && text[1] == '/') text.erase(0, 1);
    while (text.size() > 1 && text.back() == '/') text.pop_back();
  }
  return text;
}

std::string folded_app_name(std::string_view name) { return lower(clean_app_name(name)); }

std::string_view base_name(std::string_view path) {
  // The kernel's mark for a file that is gone.
  constexpr std::string_view kDeleted = " (deleted)";
  if (path.ends_with(kDeleted)) path.remove_suffix(kDeleted.size());
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::vector<std::string> program_names(std::string_view path) {
  std::string name = lower(base_name(path));
  if (name.empty()) return {};
  std::vector<std::string> names{name};
  if (name.size() > 1 && name[0] == '.') name.erase(0, 1);
  for (bool changed = true; changed && names.size() < 8;) {
    changed = false;
    for (const std::string_view trailer : kTrailers) changed = strip_suffix(name, trailer) || changed;
    if (name != names.back()) names.push_back(name);
    if (strip_version(name)) {
      changed = true;
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace handrail::policy
