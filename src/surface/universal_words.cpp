#include "surface/universal_words.h"

#include <algorithm>
#include <array>

#include "surface/universal_rows.h"

namespace handrail::surface {
namespace {

struct Renamed {
  std::string_view from;
  std::string_view to;
};

constexpr std::array kActions{
    Renamed{"screenshot", "capture"},    Renamed{"find_element", "capture"},  Renamed{"get_value", "capture"},
    Renamed{"click_element", "click"},   Renamed{"press_key", "key"},         Renamed{"key_into", "key"},
    Renamed{"type_into", "type"},        Renamed{"scroll_element", "scroll"}, Renamed{"drag_elements", "drag"},
    Renamed{"select_menu", "set_value"},
};
// Of those that are found wrong only while the action runs.
constexpr std::array kFields{Renamed{"at", "coordinate"}, Renamed{"from", "from_coordinate"},
                             Renamed{"to", "to_coordinate"}, Renamed{"duration", "seconds"}};

template <std::size_t N>
std::string_view renamed(const std::array<Renamed, N>& list, std::string_view word) {
  const auto found = std::ranges::find(list, word, &Renamed::from);
  return found == list.end() ? std::string_view() : found->to;
}

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// An action that only the catalog has. Plain words such as "click" are English as well.
bool is_foreign(std::string_view word, const catalog::Catalog& catalog) {
  if (word.find('_') == std::string_view::npos || !catalog.find(word).ok()) return false;
  return std::ranges::find(universal_actions(), word, &FlatAction::name) == universal_actions().end();
}

// `names` between backticks may be an app's: they stay where `inside` is not set.
std::string translated(std::string_view text, bool inside, bool* foreign, const catalog::Catalog* catalog) {
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
    const std::string_view other = quoted && !inside ? std::string_view() : renamed(kActions, word);
    out += other.empty() ? word : other;
    if (other.empty() && foreign != nullptr && is_foreign(word, *catalog)) *foreign = true;
    i = end;
  }
  return out;
}

void translate(Error& error, const catalog::Catalog& catalog) {
  error.message = translated(error.message, false, nullptr, nullptr);
  error.expected = translated(error.expected, false, nullptr, nullptr);
  error.hint = hint_in_universal_words(error.next_step(), catalog);
  // Nothing of it is left: what its kind says in general.
  if (error.hint.empty()) error.hint = hint_in_universal_words(error.next_step(), catalog);
  const std::string field = error.field.substr(0, error.field.find_first_of(".["));
  const std::string_view other = renamed(kFields, field);
  if (other.empty()) return;
  error.field.replace(0, field.size(), other);
  const std::string quoted = "`" + field + "`";
  if (const std::size_t at = error.message.find(quoted); at != std::string::npos)
    error.message.replace(at + 1, field.size(), other);
}

}  // namespace

std::string hint_in_universal_words(std::string_view hint, const catalog::Catalog& catalog) {
  std::string out;
  while (!hint.empty()) {
    const std::size_t end = std::min(hint.find(". "), hint.size());
    const std::string_view sentence = hint.substr(0, std::min(end + 1, hint.size()));
    hint.remove_prefix(std::min(end + 2, hint.size()));
    bool foreign = false;
    const std::string words = translated(sentence, true, &foreign, &catalog);
    if (foreign) continue;
    if (!out.empty()) out += ' ';
    out += words;
  }
  return out;
}

Result<Outcome> in_universal_words(Result<Outcome> outcome, const catalog::Catalog& catalog) {
  if (!outcome.ok()) {
    Error error = std::move(outcome).error();
    translate(error, catalog);
    return error;
  }
  outcome->text = translated(outcome->text, false, nullptr, nullptr);
  if (outcome->failure) translate(*outcome->failure, catalog);
  return outcome;
}

}  // namespace handrail::surface
