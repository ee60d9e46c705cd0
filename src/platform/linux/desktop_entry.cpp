#include "platform/linux/desktop_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace handrail::linux_ {
namespace {

constexpr std::string_view kGroup = "[Desktop Entry]";

Error bad_line(int line, std::string_view why) {
  return make_error(Code::protocol, fmt::format("Line {} of the desktop entry: {}.", line, why));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_key(std::string_view key) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  };
  const std::size_t locale = key.find('[');
  if (locale != std::string_view::npos) {
    if (key.back() != ']') return false;
    key = key.substr(0, locale);
  }
  return !key.empty() && std::ranges::all_of(key, allowed);
}

std::optional<std::string> unescaped(std::string_view value) {
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] != '\\') {
      text += value[i];
      continue;
    }
    if (++i == value.size()) return {};
    switch (value[i]) {
      case 's': text += ' '; break;
      case 'n': text += '\n'; break;
      case 't': text += '\t'; break;
      case 'r': text += '\r'; break;
      case '\\': text += '\\'; break;
      // Lists escape their separator, and Exec has its own quoting on top: both are left as written.
      default: text += '\\'; text += value[i];
    }
  }
  return text;
}

std::optional<bool> truth(std::string_view value) {
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  return {};
}

// Fills the field that `key` means; false when the value does not fit it.
bool assign(DesktopEntry& entry, std::string& type, std::string_view key, std::string_view value) {
  const auto flag = [&](bool& target) {
    const std::optional<bool> given = truth(value);
    target = given.value_or(false);
    return given.has_value();
  };
  const auto text = [&](std::string& target) {
    std::optional<std::string> given = unescaped(value);
    if (given) target = std::move(*given);
    return given.has_value();
  };
  if (key == "Type") return text(type);
  if (key == "Name") return text(entry.name);
  if (key == "Exec") return text(entry.exec);
  if (key == "TryExec") return text(entry.try_exec);
  if (key == "Icon") return text(entry.icon);
  if (key == "Path") return text(entry.working_folder);
  if (key == "StartupWMClass") return text(entry.wm_class);
  if (key == "MimeType") return text(entry.mime_types);
  if (key == "Actions") return text(entry.actions);
  if (key == "NoDisplay") return flag(entry.no_display);
  if (key == "Hidden") return flag(entry.hidden);
  if (key == "Terminal") return flag(entry.terminal);
  return true;
}

// The text that a field code stands for when no file is opened.
std::optional<std::string> code_text(const DesktopEntry& entry, char code) {
  switch (code) {
    case '%': return "%";
    case 'c': return entry.name;
    case 'k': return entry.path;
    case 'f':
    case 'F':
    case 'u':
    case 'U':
    case 'd':
    case 'D':
    case 'n':
    case 'N':
    case 'v':
    case 'm':
    case 'i': return "";
    default: return {};
  }
}

// file:///a%20b
std::string address_of(const std::string& file) {
  std::string address = "file://";
  for (const char c : file) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    address += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return address;
}

// `file` is taken once.
Result<std::optional<std::string>> filled_in(const DesktopEntry& entry, const std::string& word, std::string& file) {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '%') {
      text += word[i];
      continue;
    }
    const char letter = i + 1 < word.size() ? word[++i] : '\0';
    const bool path = letter == 'f' || letter == 'F', address = letter == 'u' || letter == 'U';
    if (!file.empty() && (path || address)) {
      text += path ? file : address_of(file);
      file.clear();
      continue;
    }
    const auto code = code_text(entry, letter);
    if (!code)
      return make_error(Code::protocol, fmt::format("The Exec line of {} has an unknown field code.", entry.id));
    text += *code;
  }
  // A word that was only a code for files is no argument at all.
  if (text.empty() && !word.empty()) return std::optional<std::string>{};
  return std::optional<std::string>{text};
}

}  // namespace

Result<DesktopEntry> parse_desktop_entry(std::string_view text) {
  DesktopEntry entry;
  std::string type;
  std::set<std::string_view> seen;
  bool started = false, inside = false;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.find('\0') != std::string_view::npos) return bad_line(number, "a null byte");
    if (trimmed(line).empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      line = trimmed(line);
      if (line.back() != ']') return bad_line(number, "a group without its closing bracket");
      if (!started && line != kGroup) return bad_line(number, "another group comes before [Desktop Entry]");
      if (started && line == kGroup) return bad_line(number, "[Desktop Entry] comes twice");
      inside = line == kGroup;
      started = true;
      continue;
    }
    if (!started) return bad_line(number, "text before [Desktop Entry]");
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return bad_line(number, "no equals sign");
    const std::string_view key = trimmed(line.substr(0, equals)), value = trimmed(line.substr(equals + 1));
    if (!is_key(key)) return bad_line(number, "a key with forbidden characters");
    if (!inside) continue;
    if (!seen.insert(key).second) return bad_line(number, fmt::format("{} comes twice", key));
    if (!assign(entry, type, key, value)) return bad_line(number, fmt::format("{} has no valid value", key));
  }
  if (type != "Application") return make_error(Code::protocol, "The desktop entry is not of type Application.");
  if (entry.name.empty()) return make_error(Code::protocol, "The desktop entry has no Name.");
  // One that is marked as deleted says nothing else.
  if (entry.exec.empty() && !entry.hidden) return make_error(Code::protocol, "The desktop entry has no Exec.");
  return entry;
}

Result<std::vector<std::string>> split_command(std::string_view text) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (word) words.push_back(std::move(*word));
      word.reset();
      continue;
    }
    if (!word) word.emplace();
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else if (c == '\\' && quote != '\'') {
      if (++i == text.size()) return make_error(Code::argument_invalid, "The command ends in a backslash.");
      // Between double quotes a backslash only guards these; before anything else it is itself.
      if (quote == '"' && std::string_view("\"`$\\").find(text[i]) == std::string_view::npos) *word += '\\';
      *word += text[i];
    } else {
      *word += c;
    }
  }
  if (quote != 0) return make_error(Code::argument_invalid, "The command has a quote that does not end.");
  if (word) words.push_back(std::move(*word));
  if (words.empty()) return make_error(Code::argument_invalid, "The command is empty.");
  return words;
}

Result<std::vector<std::string>> command_of(const DesktopEntry& entry, const std::string& file) {
  std::string left = file;
  std::vector<std::string> argv;
  for (const std::string& word : TRY(split_command(entry.exec))) {
    if (word == "%i") {
      if (!entry.icon.empty()) argv.insert(argv.end(), {"--icon", entry.icon});
      continue;
    }
    // What is opened is never what is started.
    std::string no_file;
    std::optional<std::string> text = TRY(filled_in(entry, word, argv.empty() ? no_file : left));
    if (text) argv.push_back(std::move(*text));
  }
  if (argv.empty() || argv[0].empty()) {
    return make_error(Code::protocol, fmt::format("The Exec line of {} names no program.", entry.id));
  }
  if (!left.empty()) {
    return make_error(Code::argument_invalid, fmt::format("{} says that it opens no files.", entry.name))
        .with_field("file", "a file for an app that opens files; or leave it out");
  }
  return argv;
}

}  // namespace handrail::linux_
