#include "platform/linux/sandboxed_app.h"

#include <algorithm>

namespace handrail::linux_ {
namespace {

// The next line, taken off the text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= 255 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
  });
}

}  // namespace

std::string flatpak_id(std::string_view info) {
  bool in_group = false;
  while (!info.empty()) {
    const std::string_view line = take_line(info);
    if (line.starts_with('[')) in_group = line == "[Application]" || line == "[Runtime]";
    if (in_group && line.starts_with("name=") && is_id(line.substr(5))) return std::string(line.substr(5));
  }
  return "";
}

std::string snap_id(std::string_view cgroup, std::string_view executable) {
  // "…/snap.firefox.firefox-1f2e.scope"
  const std::size_t at = cgroup.rfind("/snap.");
  if (at != std::string_view::npos) {
    std::string_view unit = cgroup.substr(at + 6);
    unit = unit.substr(0, unit.find('/'));
    const std::size_t dot = unit.find('.');
    if (dot != std::string_view::npos) {
      const std::string_view name = unit.substr(0, dot);
      std::string_view app = unit.substr(dot + 1);
      app = app.substr(0, app.find('.'));
      // A run's id, a UUID, may follow the app's name.
      if (app.size() > 37 && app[app.size() - 37] == '-') app.remove_suffix(37);
      if (is_id(name) && is_id(app))
        return name == app ? std::string(name) : std::string(name) + "_" + std::string(app);
    }
  }
  if (!executable.starts_with("/snap/")) return "";
  std::string_view name = executable.substr(6);
  name = name.substr(0, name.find('/'));
  return is_id(name) ? std::string(name) : "";
}

std::string cgroup_path(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.starts_with("0::")) return std::string(line.substr(3));
  }
  return "";
}

}  // namespace handrail::linux_
