#include "surface/words.h"

#include <algorithm>

namespace handrail::surface {
namespace {

std::string_view renamed(std::span<const Renamed> list, std::string_view word) {
  const auto found = std::ranges::find(list, word, &Renamed::from);
  return found == list.end() ? std::string_view() : found->to;
}

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// An action that only the catalog has. Plain words such as "click" are English as well.
bool is_foreign(std::string_view word, const Words& words) {
  if (word.find('_') == std::string_view::npos || !words.catalog->find(word).ok()) return false;
  return std::ranges::find(words.names, word) == words.names.end();
}

// `names` between backticks may be an app's: they stay where `inside` is not set.
std::string translated(std::string_view text, const Words& words, bool inside, bool* foreign) {
  std::string out;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size();) {
    if (!letter(text[i])) {
      if (text[i] == '`') quoted = !quoted;
      out += text[i++];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && letter(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    const std::string_view other = quoted && !inside ? std::string_view() : renamed(words.actions, word);
    out += other.empty() ? word : other;
    if (other.empty() && foreign != nullptr && is_foreign(word, words)) *foreign = true;
    i = end;
  }
  return out;
}

void translate(Error& error, const Words& words) {
  error.message = translated(error.message, words, false, nullptr);
  error.expected = translated(error.expected, words, false, nullptr);
  error.hint = hint_in_words(error.next_step(), words);
  // Nothing of it is left: what its kind says in general.
  if (error.hint.empty()) error.hint = hint_in_words(error.next_step(), words);
  const std::string field = error.field.substr(0, error.field.find_first_of(".["));
  const std::string_view other = renamed(words.fields, field);
  if (other.empty()) return;
  error.field.replace(0, field.size(), other);
  const std::string quoted = "`" + field + "`";
  if (const std::size_t at = error.message.find(quoted); at != std::string::npos)
    error.message.replace(at + 1, field.size(), other);
}

}  // namespace

std::string hint_in_words(std::string_view hint, const Words& words) {
  std::string out;
  while (!hint.empty()) {
    const std::size_t end = std::min(hint.find(". "), hint.size());
    const std::string_view sentence = hint.substr(0, std::min(end + 1, hint.size()));
    hint.remove_prefix(std::min(end + 2, hint.size()));
    bool foreign = false;
    const std::string said = translated(sentence, words, true, &foreign);
    if (foreign) continue;
    if (!out.empty()) out += ' ';
    out += said;
  }
  return out;
}

Result<Outcome> in_words_of(Result<Outcome> outcome, const Words& words) {
  if (!outcome.ok()) {
    Error error = std::move(outcome).error();
    translate(error, words);
    return error;
  }
  outcome->text = translated(outcome->text, words, false, nullptr);
  if (outcome->failure) translate(*outcome->failure, words);
  return outcome;
}

}  // namespace handrail::surface
