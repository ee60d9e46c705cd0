#include "policy/deed_names.h"

#include <algorithm>
#include <string>

#include "policy/app_name.h"

namespace handrail::policy {
namespace {

constexpr std::size_t kLongest = 80;

struct Row {
  std::string_view words;
  DeedKind kind;
};
constexpr Row kRows[] = {
    {"quit", DeedKind::ends_program},
    {"exit", DeedKind::ends_program},
    {"open terminal", DeedKind::opens_terminal},
    {"open in terminal", DeedKind::opens_terminal},
    {"open terminal here", DeedKind::opens_terminal},
    {"new terminal", DeedKind::opens_terminal},
    {"run in terminal", DeedKind::opens_terminal},
    {"log out", DeedKind::leaves_session},
    {"logout", DeedKind::leaves_session},
    {"shut down", DeedKind::leaves_session},
    {"shutdown", DeedKind::leaves_session},
    {"power off", DeedKind::leaves_session},
    {"restart computer", DeedKind::leaves_session},
    {"reboot", DeedKind::leaves_session},
    {"suspend", DeedKind::leaves_session},
    {"hibernate", DeedKind::leaves_session},
    {"lock screen", DeedKind::leaves_session},
    {"switch user", DeedKind::leaves_session},
};

// Words of letters and digits, one space between them: marks of keys, dots and what stands for "more" are gone. Of an
// action's name ("app.quit", "win.open-terminal") it is what follows the group.
std::string words_of(std::string_view name) {
  const bool is_action =
      name.find(' ') == std::string_view::npos && name.find('.') != std::string_view::npos && name.back() != '.';
  if (is_action) name.remove_prefix(name.rfind('.') + 1);
  std::string words;
  for (const char c : name.substr(0, kLongest)) {
    if (c == '_' || c == '&') continue;  // a letter's mark
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain) words += c;
    if (!plain && !words.empty() && words.back() != ' ') words += ' ';
  }
  while (!words.empty() && words.back() == ' ') words.pop_back();
  return lower(words);
}

}  // namespace

DeedKind deed_named(std::string_view name) {
  if (name.empty()) return DeedKind::ordinary;
  const std::string words = words_of(name);
  const auto row = std::ranges::find_if(kRows, [&](const Row& each) {
    // "Quit Text Editor" and "Quit  Ctrl+Q" end one too.
    return words == each.words || words.starts_with(std::string(each.words) + " ");
  });
  return row == std::end(kRows) ? DeedKind::ordinary : row->kind;
}

}  // namespace handrail::policy
