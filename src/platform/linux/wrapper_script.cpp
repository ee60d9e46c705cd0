#include "platform/linux/wrapper_script.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace handrail::linux_ {
namespace {

bool name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Commands as lists of words, quotes and all: words end at blanks, commands at line ends and operators.
std::vector<std::vector<std::string>> commands_of(std::string_view text) {
  std::vector<std::vector<std::string>> commands(1);
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) commands.back().push_back(std::exchange(word, ""));
  };
  const auto end_command = [&] {
    end_word();
    if (!commands.back().empty()) commands.emplace_back();
  };
  char quote = 0;
  int depth = 0;  // of $( … )
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      if (text[i + 1] != '\n') (word += c) += text[i + 1];
      ++i;
    } else if (quote != 0) {
      word += c;
      if (c == quote) quote = 0;
    } else if (depth > 0 || (c == '$' && i + 1 < text.size() && text[i + 1] == '(')) {
      word += c;
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (c == '$' && depth == 0) (word += text[++i], ++depth);
    } else if (c == '\'' || c == '"' || c == '`') {
      word += quote = c;
    } else if (c == '#' && word.empty()) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      end_word();
    } else if (c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')' || c == '{' || c == '}') {
      // "${NAME}" is a part of its word.
      const bool braces = (c == '{' && word.ends_with('$')) || (c == '}' && word.rfind("${") != std::string::npos &&
                                                                word.find('}', word.rfind("${")) == std::string::npos);
      if (braces)
        word += c;
      else
        end_command();
    } else {
      word += c;
    }
  }
  end_command();
  return commands;
}

// The ways of a script to say the folder that it lies in.
bool means_own_folder(std::string_view value) {
  std::string plain;
  for (const char c : value) {
    if (c != '"' && c != '\'' && c != ' ') plain += c;
  }
  constexpr std::array<std::string_view, 8> kWays{"$(dirname$0)",
                                                  "`dirname$0`",
                                                  "$(dirname$(readlink-f$0))",
                                                  "`dirname$(readlink-f$0)`",
                                                  "$(dirname$(realpath$0))",
                                                  "$(cd$(dirname$0)&&pwd)",
                                                  "$(dirname$(readlink-f--$0))",
                                                  "${0%/*}"};
  return std::ranges::find(kWays, plain) != kWays.end();
}

class Script {
 public:
  explicit Script(const std::string& script) : folder_(script.substr(0, script.rfind('/'))) {}

  void run(const std::vector<std::string>& words) {
    std::size_t at = 0;
    constexpr std::array<std::string_view, 9> kBefore{"then", "else",  "do",      "export", "readonly",
                                                      "!",    "local", "declare", "command"};
    while (at < words.size() && std::ranges::find(kBefore, words[at]) != kBefore.end()) ++at;
    const std::size_t first = at;
    while (at < words.size() && assignment(words[at])) ++at;
    if (at == words.size()) {
      for (std::size_t i = first; i < at; ++i) assign(words[i]);
    } else if (words[at] == "exec") {
      exec(words, at + 1);
    }
  }

  std::vector<std::string> targets() && { return std::move(targets_); }

 private:
  static bool assignment(const std::string& word) {
    const std::size_t equals = word.find('=');
    return equals != std::string::npos && equals > 0 && !(word[0] >= '0' && word[0] <= '9') &&
           std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), name_character);
  }

  // What has two values has none that is known.
  void assign(const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    const std::string written = word.substr(name.size() + 1);
    const std::optional<std::string> value = means_own_folder(written) ? folder_ : filled_in(written);
    const auto found = values_.find(name);
    if (found == values_.end())
      values_.emplace(name, value);
    else if (found->second != value)
      found->second.reset();
  }

  void exec(const std::vector<std::string>& words, std::size_t at) {
    while (at < words.size() && words[at].starts_with('-')) at += words[at] == "-a" ? 2 : 1;
    if (at >= words.size() || words[at].find_first_of("<>") != std::string::npos) return;
    const std::optional<std::string> target = filled_in(words[at]);
    if (!target || target->empty()) return;
    if (std::ranges::find(targets_, *target) == targets_.end()) targets_.push_back(*target);
  }

  // A plain word with its variables; nothing for anything that needs a shell.
  std::optional<std::string> filled_in(std::string_view word) const {
    std::string text;
    char quote = 0;
    for (std::size_t i = 0; i < word.size(); ++i) {
      const char c = word[i];
      if (c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (quote == '\'') {
        text += c;
      } else if (c == '$') {
        const auto value = variable(word, i);
        if (!value) return std::nullopt;
        text += *value;
      } else if (c == '\\' || c == '`' || (quote == 0 && (c == '*' || c == '?' || c == '[' || c == '~'))) {
        return std::nullopt;
      } else {
        text += c;
      }
    }
    if (quote != 0) return std::nullopt;
    return text;
  }

  // The one whose dollar sign is at `i`, which ends up at its last character.
  std::optional<std::string> variable(std::string_view word, std::size_t& i) const {
    const bool braces = i + 1 < word.size() && word[i + 1] == '{';
    const std::size_t begin = i + (braces ? 2 : 1);
    std::size_t end = begin;
    while (end < word.size() && name_character(word[end])) ++end;
    if (end == begin || (braces && (end == word.size() || word[end] != '}'))) return std::nullopt;
    const auto found = values_.find(std::string(word.substr(begin, end - begin)));
    i = braces ? end : end - 1;
    return found == values_.end() ? std::nullopt : found->second;
  }

  const std::string folder_;
  std::map<std::string, std::optional<std::string>> values_;
  std::vector<std::string> targets_;
};

}  // namespace

std::vector<std::string> exec_targets(std::string_view text, const std::string& script) {
  Script read(script);
  for (const std::vector<std::string>& words : commands_of(text)) read.run(words);
  return std::move(read).targets();
}

}  // namespace handrail::linux_
