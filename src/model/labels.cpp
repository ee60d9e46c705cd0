#include "model/labels.h"

namespace handrail {

std::string plain_label(std::string_view label) {
  label = label.substr(0, label.find('\t'));
  while (label.ends_with(' ')) label.remove_suffix(1);
  for (const std::string_view dots : {"…", "..."}) {
    if (label.ends_with(dots)) label.remove_suffix(dots.size());
  }
  std::string plain;
  for (const char c : label) {
    if (c == '_' || c == '&') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  while (plain.ends_with(' ')) plain.pop_back();
  return plain;
}

std::vector<std::string> menu_path(std::string_view text) {
  std::vector<std::string> path;
  while (!text.empty()) {
    const std::size_t end = text.find('>');
    std::string_view label = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    while (label.starts_with(' ')) label.remove_prefix(1);
    while (label.ends_with(' ')) label.remove_suffix(1);
    if (!label.empty()) path.emplace_back(label);
  }
  return path;
}

}  // namespace handrail
