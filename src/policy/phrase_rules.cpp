#include "policy/phrase_rules.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace handrail::policy {
namespace {

// Phrases without gaps: what lies between words must not matter, or time would not
// be linear in practice.
struct Phrase {
  const char* pattern;
  TextFinding finding;
};

constexpr Phrase kPhrases[] = {
    {R"(fork\s+while\s+fork|fork\s*\(\)\s+while\s+fork|(?:while|for)\s*\(?\s*(?:1|true|True|;;)\s*\)?\s*[:{]?\s*(?:os\s*\.\s*)?fork\s*\(|%0\s*\|\s*%0)"
     R"(|while\s+(?:1|True)\s*:\s*os\s*\.\s*fork)",
     {"fork_bomb", "starting processes without end"}},
    {R"((?:rmtree|rmSync|rmdirSync|remove_tree|rm_rf|rm_r)\s*\(?\s*(?:os\.path\.expanduser\(|Path\.home\(|os\.homedir\()?\s*[/~]\*?\s*[),]|rmtree\s*\(\s*Path\.home\()",
     {"recursive_delete", "deleting folders without asking"}},
    {R"((?:exec|eval|system)\s*\(\s*(?:zlib\.decompress\(|compile\()?\s*(?:__import__\(\s*)?(?:base64\.b64decode|codecs\.decode|atob|base64_decode|base64\)\.b64decode|bytes\.fromhex|Buffer\.from)\b)",
     {"text_to_interpreter", "handing decoded or printed text to an interpreter"}},
    {R"((?i:(?:exec|eval|iex|invoke-expression)\s*\(?\s*\(?\s*(?:urllib\.request\.urlopen|requests\.get|urlopen|file_get_contents\(http|new-object\s+(?:system\.)?net\.webclient|\(new-object\s+(?:system\.)?net\.webclient|iwr|irm|curl|wget)\b))",
     {"download_to_interpreter", "running what a download brings without looking at it"}},
};

struct Patterns {
  RE2 any;
  std::vector<std::unique_ptr<RE2>> each;
};

RE2::Options options() {
  RE2::Options options(RE2::Latin1);
  options.set_log_errors(false);
  options.set_never_capture(true);
  options.set_max_mem(16 << 20);
  return options;
}

const Patterns& patterns() {
  static const Patterns* const made = [] {
    std::string all;
    for (const Phrase& phrase : kPhrases) all += (all.empty() ? "(?:" : "|(?:") + std::string(phrase.pattern) + ")";
    auto* patterns = new Patterns{RE2(all, options()), {}};
    for (const Phrase& phrase : kPhrases) patterns->each.push_back(std::make_unique<RE2>(phrase.pattern, options()));
    return patterns;
  }();
  return *made;
}

// A rare letter of every word that a phrase holds: forK, rMtree, systeM, eXec, ieX, eVal, and %0.
constexpr std::array<bool, 256> make_marks() {
  std::array<bool, 256> marks{};
  for (const char c : {'k', '0', 'm', 'x', 'X', 'v', 'V'}) marks[static_cast<std::uint8_t>(c)] = true;
  return marks;
}
constexpr std::array<bool, 256> kMarks = make_marks();

// The same for a block, without branches: compilers turn it into a few wide instructions.
constexpr std::size_t kBlock = 16;
bool has_mark(const char* at) {
  std::uint8_t found = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const char c = at[i];
    const char small = static_cast<char>(c | 0x20);
    found = static_cast<std::uint8_t>(found | (c == 'k') | (c == '0') | (c == 'm') | (small == 'x') | (small == 'v'));
  }
  return found != 0;
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
char fold(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A view that can be asked for any place, before the start and behind the end too.
class Around {
 public:
  explicit Around(std::string_view text) : text_(text) {}
  char at(std::size_t place) const { return place < text_.size() ? text_[place] : '\0'; }
  bool holds(std::size_t place, std::string_view folded) const {
    for (std::size_t i = 0; i < folded.size(); ++i) {
      if (fold(at(place + i)) != folded[i]) return false;
    }
    return true;
  }
  std::size_t behind_space(std::size_t place) const {
    while (is_space(at(place))) ++place;
    return place;
  }
  std::size_t before_space(std::size_t place) const {
    while (is_space(at(place))) --place;
    return place;
  }
  // The first place from `place` on that is neither space nor an opening bracket.
  std::size_t behind_brackets(std::size_t place) const {
    while (place < text_.size() && (is_space(text_[place]) || text_[place] == '(')) ++place;
    return place;
  }

 private:
  std::string_view text_;
};

// How decoders and downloads begin.
constexpr std::string_view kSources[] = {"__import", "atob",   "base64",   "buffer", "bytes", "codecs",
                                         "compile",  "curl",   "file_get", "irm",    "iwr",   "new-object",
                                         "requests", "urllib", "urlopen",  "wget",   "zlib"};
constexpr std::array<std::uint32_t, 128> make_starts() {
  std::array<std::uint32_t, 128> starts{};
  for (std::size_t i = 0; i < std::size(kSources); ++i) starts[static_cast<std::uint8_t>(kSources[i][0])] |= 1U << i;
  return starts;
}
constexpr std::array<std::uint32_t, 128> kStarts = make_starts();  // which of them begin with a letter

// Behind exec, eval, system and the like.
bool begins_source(const Around& text, std::size_t place) {
  place = text.behind_brackets(place);
  std::uint32_t left = kStarts[static_cast<std::uint8_t>(fold(text.at(place))) & 0x7fU];
  for (; left != 0; left &= left - 1) {
    if (text.holds(place, kSources[std::countr_zero(left)])) return true;
  }
  return false;
}

// Behind a call that removes trees: how a path that is everything begins.
bool begins_path(const Around& text, std::size_t place) {
  const char c = text.at(text.behind_brackets(place));
  return c == '/' || c == '~' || c == 'o' || c == 'P';
}

// At the m of rmtree and its like.
bool may_remove(const Around& text, std::size_t i) {
  std::size_t size = 0;
  switch (text.at(i + 1)) {
    case 't': size = text.holds(i, "mtree") ? 5 : 0; break;
    case 'S': size = text.holds(i, "msync") ? 5 : 0; break;
    case 'd': size = text.holds(i, "mdirsync") ? 8 : 0; break;
    case '_': size = text.holds(i, "m_rf") ? 4 : text.holds(i, "m_r") ? 3 : 0; break;
    default: break;
  }
  return size != 0 && begins_path(text, i + size);
}

// At the k of fork: "fork while", "fork() while", or the head of an endless loop before it.
bool may_fork_on(const Around& text, std::size_t i) {
  std::size_t next = text.behind_space(i + 1);
  if (text.at(next) == '(' && text.at(next + 1) == ')') next = text.behind_space(next + 2);
  if (text.at(next) == 'w') return true;
  std::size_t before = text.before_space(i - 4);
  if (text.at(before) == '.') {
    before = text.before_space(before - 1);
    if (text.at(before) == 's') before = text.before_space(before - 2);
  }
  return std::string_view(":{)1e;").find(text.at(before)) != std::string_view::npos;
}

bool may_begin(const Around& text, std::size_t i) {
  switch (text.at(i)) {
    case 'k': return text.holds(i - 3, "fork") && may_fork_on(text, i);
    case '0': return text.at(i - 1) == '%' && text.at(text.behind_space(i + 1)) == '|';
    case 'm':
      if (text.at(i - 1) == 'e') {
        if (text.holds(i - 5, "system")) return begins_source(text, i + 1);
        return text.holds(i - 2, "remove_tree") && begins_path(text, i + 9);
      }
      return text.at(i - 1) == 'r' && may_remove(text, i);
    case 'v':
    case 'V': return text.holds(i - 1, "eval") && begins_source(text, i + 3);
    default:
      if (text.holds(i - 1, "exec")) return begins_source(text, i + 3);
      if (text.holds(i - 2, "iex")) return begins_source(text, i + 1);
      return text.holds(i - 8, "invoke-expression") && begins_source(text, i + 9);
  }
}

}  // namespace

bool may_hold_phrase(std::string_view view) {
  const Around text(view);
  for (std::size_t i = 0; i < view.size();) {
    if (view.size() - i >= kBlock && !has_mark(view.data() + i)) {
      i += kBlock;
      continue;
    }
    for (const std::size_t end = std::min(view.size(), i + kBlock); i < end; ++i) {
      if (kMarks[static_cast<std::uint8_t>(view[i])] && may_begin(text, i)) return true;
    }
  }
  return false;
}

bool holds_phrase(std::string_view view) {
  return RE2::PartialMatch(re2::StringPiece(view.data(), view.size()), patterns().any);
}

std::optional<TextFinding> find_phrase(std::string_view view) {
  if (!may_hold_phrase(view) || !holds_phrase(view)) return {};
  const re2::StringPiece text(view.data(), view.size());
  const Patterns& rules = patterns();
  for (std::size_t i = 0; i < rules.each.size(); ++i) {
    if (RE2::PartialMatch(text, *rules.each[i])) return kPhrases[i].finding;
  }
  return {};
}

}  // namespace handrail::policy
