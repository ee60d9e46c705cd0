#include "policy/shell_assignments.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "policy/shell_view.h"

namespace handrail::policy {
namespace {

constexpr std::size_t kMaxCommand = 160;
constexpr int kMaxAttempts = 8;
constexpr int kMaxNames = 8;
constexpr std::size_t kNone = std::string_view::npos;

constexpr std::string_view kEnds("\n;|&)\x02");
static_assert(kEnds.back() == kQuotedEnd);

// Behind the first letter of each command: its second one.
constexpr std::array<char, 256> make_seconds() {
  std::array<char, 256> seconds{};
  seconds.fill('\xff');
  seconds['f'] = 'o';
  seconds['m'] = 'a';
  seconds['p'] = 'r';
  seconds['r'] = seconds['s'] = 'e';
  return seconds;
}
constexpr std::array<char, 256> kSeconds = make_seconds();

// No view holds the byte 0xff: it is ASCII.
bool may_begin(const char* at) { return kSeconds[static_cast<std::uint8_t>(at[0])] == at[1]; }

// One of the four that begin here; all are looked at, which is faster than to stop at the first.
bool one_may_begin(const char* at) {
  unsigned found = 0;
  for (int i = 0; i < 4; ++i) found |= may_begin(at + i) ? 1U : 0U;
  return found != 0;
}

// After these a command or an argument begins.
bool is_break(char c) { return c == ' ' || c == '\t' || c == '(' || c == '{' || c == '`' || kEnds.find(c) != kNone; }

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \t<"));
  text.remove_prefix(word.size());
  return word;
}

// What comes to the command by a pipe from echo or printf, in the text before it.
std::string_view piped_text(std::string_view before) {
  if (before.size() > kMaxCommand) before.remove_prefix(before.size() - kMaxCommand);
  before.remove_prefix(std::min(before.find_last_of("\n;&") + 1, before.size()));
  for (const std::string_view printer : {std::string_view("echo "), std::string_view("printf ")}) {
    const std::size_t at = before.find(printer);
    if (at == kNone) continue;
    const std::string_view text = before.substr(at + printer.size());
    const std::size_t bar = text.find('|');
    if (bar != kNone) return text.substr(0, bar);
  }
  return {};
}

// The text behind "<<<", or the line behind "<< END".
std::string_view here_text(std::string_view rest) {
  if (rest.starts_with("<<<")) {
    rest.remove_prefix(3);
    return rest.substr(0, rest.find_first_of(kEnds));
  }
  if (!rest.starts_with("<<")) return {};
  rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  return rest.substr(0, rest.find('\n'));
}

// The variables, and where the command stands that sets some.
struct Target {
  ShellVariables& variables;
  std::size_t at;
};

void set(const Target& target, std::string_view name, std::string_view value) {
  value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
  value = value.substr(0, value.find_last_not_of(" \t") + 1);
  if (!name.empty() && !value.empty()) target.variables.set(name, value, target.at, false);
}

// Each name gets the whole text: how it is parted does not matter for what it holds.
void learn_read(std::string_view before, std::string_view rest, const Target& target) {
  std::array<std::string_view, kMaxNames> names;
  std::size_t count = 0;
  const std::string_view words = rest.substr(0, rest.find_first_of(kEnds));
  std::string_view left = words;
  while (count < names.size()) {
    const std::string_view word = next_word(left);
    if (word.empty()) break;
    if (word[0] != '-') names[count++] = word;
  }
  const std::size_t redirected = words.find('<');
  const std::string_view value = redirected == kNone ? piped_text(before) : here_text(rest.substr(redirected));
  for (std::size_t i = 0; i < count; ++i) set(target, names[i], value);
}

// The format of printf with its arguments filled in.
std::string formatted(std::string_view format, std::string_view arguments) {
  std::string out;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    while (i + 1 < format.size() && (format[i + 1] < 'A' || format[i + 1] > 'z')) ++i;
    ++i;
    out += next_word(arguments);
  }
  return out;
}

void learn_printf(std::string_view rest, const Target& target) {
  rest = rest.substr(0, rest.find_first_of(kEnds));
  std::string_view option = next_word(rest);
  if (!option.starts_with("-v")) return;
  option.remove_prefix(2);
  const std::string_view name = option.empty() ? next_word(rest) : option;
  const std::string_view format = next_word(rest);
  // A format may have held spaces, so what is left is part of the value when nothing stands for it.
  const bool fills = format.find('%') != kNone;
  set(target, name, formatted(format, rest) + (fills ? std::string() : std::string(rest)));
}

void learn_for(std::string_view rest, const Target& target) {
  rest = rest.substr(0, rest.find_first_of(kEnds));
  const std::string_view name = next_word(rest);
  if (next_word(rest) == "in") set(target, name, rest);
}

void learn_set(std::string_view rest, const Target& target) {
  rest = rest.substr(0, rest.find_first_of(kEnds));
  std::string_view words = rest;
  while (true) {
    std::string_view ahead = words;
    const std::string_view word = next_word(ahead);
    if (!word.starts_with('-') && !word.starts_with('+')) break;
    words = ahead;
    if (word == "--") break;
  }
  set(target, "@", words);
  set(target, "*", words);
  static constexpr std::string_view kPlaces[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};
  for (const std::string_view place : kPlaces) set(target, place, next_word(words));
}

enum class Command : std::uint8_t { none, read, print, loop, set };
struct Found {
  Command command = Command::none;
  std::size_t size = 0;  // of its name
};
Found command_at(std::string_view text) {
  static constexpr struct {
    std::string_view name;
    Command command;
  } kCommands[] = {{"read ", Command::read},    {"mapfile ", Command::read}, {"readarray ", Command::read},
                   {"printf ", Command::print}, {"for ", Command::loop},     {"set ", Command::set}};
  for (const auto& [name, command] : kCommands) {
    if (text.starts_with(name)) return {command, name.size()};
  }
  return {};
}

}  // namespace

void ShellAssignments::learn(std::string_view view, ShellVariables& variables) {
  const char* const at = view.data();
  const std::size_t end = view.empty() ? 0 : view.size() - 1;
  for (std::size_t i = learned_; i < end; ++i) {
    while (i + 4 < end && !one_may_begin(at + i)) i += 4;
    if (!may_begin(at + i)) continue;
    if (i > 0 && !is_break(view[i - 1])) continue;
    const std::string_view text = view.substr(i, kMaxCommand);
    const Found found = command_at(text);
    if (found.command == Command::none) continue;
    const Target target{variables, i};
    const std::string_view before = view.substr(0, i);
    const std::string_view rest = text.substr(found.size);
    switch (found.command) {
      case Command::read: learn_read(before, rest, target); break;
      case Command::print: learn_printf(rest, target); break;
      case Command::loop: learn_for(rest, target); break;
      default: learn_set(rest, target); break;
    }
    // One that goes on is looked at again when more of it has come, a few times.
    if (text.size() == kMaxCommand || rest.find('\n') != kNone || rest.find(';') != kNone) continue;
    if (pending_ != i) attempts_ = 0;
    pending_ = i;
    if (++attempts_ > kMaxAttempts) continue;
    learned_ = i;
    return;
  }
  learned_ = view.size();
}

}  // namespace handrail::policy
