#include "policy/shell_view.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "policy/shell_assignments.h"
#include "policy/shell_variables.h"

namespace handrail::policy {
namespace {

constexpr std::size_t kMaxBrace = 96;         // of a {a,b} list
constexpr std::size_t kMaxSubstitution = 96;  // of a $(echo …) that is filled in
constexpr std::size_t kMaxName = 64;

enum : std::uint8_t { kOrdinary, kSpecial, kBoundary };
constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (const char c : {'\'', '"', '\\', '$', '{', '[', '`', '=', ')'}) classes[static_cast<std::uint8_t>(c)] = kSpecial;
  for (const char c : {' ', '\t', '\n', ';', '&', '|', '(', '<', '>', ','})
    classes[static_cast<std::uint8_t>(c)] = kBoundary;
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = make_classes();
std::uint8_t class_of(char c) { return kClasses[static_cast<std::uint8_t>(c)]; }

bool parts_words(char c) {
  return class_of(c) == kBoundary || c == ')' || c == '[' || c == '{' || c == '`' || c == kQuotedEnd;
}

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return is_name_start(c) || is_digit(c); }
int hex(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class Reader {
 public:
  explicit Reader(std::string_view text)
      : text_(text), limit_(text.size() + text.size() / 2 + 4096), out_(limit_ + 256) {}

  ShellView read() {
    while (at_ < text_.size() && !overflow_) step();
    end_value();
    return {std::move(out_), overflow_};
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void step() {
    out_.make_room();
    const char c = text_[at_];
    const std::uint8_t kind = class_of(c);
    if (kind == kOrdinary || (kind == kBoundary && is_bare())) return copy();
    if (kind == kBoundary) return boundary(c);
    switch (c) {
      case '\'':
      case '"':
        if (value_start_ != kNone && value_quote_ == c) end_value();
        if (c == '\'') ansi_ = false;
        if (quote_ == '\0') {
          quote_ = c;
        } else if (quote_ == c) {
          quote_ = '\0';
        }
        ++at_;
        break;
      case '\\': escape(); break;
      case '$': dollar(); break;
      case '{': brace(); break;
      case '[': bracket(); break;
      case '`': backtick(); break;
      case '=': equals(); break;
      default: close(); break;
    }
  }

  // In no quotes and no value.
  bool is_bare() const { return value_start_ == kNone && quote_ == '\0'; }

  // Most of any text is copied.
  void copy() {
    const std::size_t start = at_;
    if (is_bare()) {
      while (at_ < text_.size() && class_of(text_[at_]) != kSpecial) ++at_;
      out_.append(text_.substr(start, at_ - start));
    } else {
      while (at_ < text_.size() && class_of(text_[at_]) == kOrdinary) ++at_;
      out_.append(text_.substr(start, at_ - start));
    }
  }

  void boundary(char c) {
    if (value_start_ != kNone && value_quote_ == '\0') end_value();
    if (c == '\n') quote_ = '\0';  // an apostrophe that nothing closes
    out_.put(quote_ != '\0' && (c == ';' || c == '&') ? kQuotedEnd : c);
    ++at_;
  }

  // "\xHH" and octals are decoded everywhere: what prints them is not known here.
  void escape() {
    const char next = peek(1);
    if (next == 'x' && hex(peek(2)) >= 0) return numeric(2, 16, 2);
    if ((next == 'u' || next == 'U') && hex(peek(2)) >= 0) return numeric(2, 16, next == 'u' ? 4 : 8);
    if (next == '0' && peek(2) >= '0' && peek(2) <= '7') return numeric(2, 8, 3);
    if (next >= '0' && next <= '7' && peek(2) >= '0' && peek(2) <= '7') return numeric(1, 8, 3);
    if (next == '\n') {
      at_ += 2;
      return;
    }
    if (ansi_ && next == 'n') {
      out_.put('\n');
      at_ += 2;
      return;
    }
    if (ansi_ && next == 't') {
      out_.put(' ');
      at_ += 2;
      return;
    }
    ++at_;
    if (at_ >= text_.size()) return;
    // What is escaped stays in its word, but still parts words for those who split at it.
    out_.put(text_[at_++]);
  }

  void numeric(std::size_t skip, int base, std::size_t digits) {
    at_ += skip;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < digits && at_ < text_.size(); ++i, ++at_) {
      const int digit = hex(text_[at_]);
      if (digit < 0 || digit >= base) break;
      value = value * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digit);
    }
    out_.put(value >= 0x20 && value < 0x7f ? static_cast<char>(value) : value == '\n' ? '\n' : '\x7f');
  }

  void dollar() {
    const char next = peek(1);
    if (next == '\'') {
      ansi_ = true;
      if (quote_ == '\0') quote_ = '\'';
      at_ += 2;
      return;
    }
    if (next == '"') {
      at_ += 2;
      return;
    }
    if (next == '(') return substitution(2, ')');
    if (next == '{') return parameter();
    if (is_name_start(next)) {
      std::size_t end = at_ + 1;
      while (end < text_.size() && is_name(text_[end]) && end - at_ <= kMaxName) ++end;
      const std::string_view name = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end;
      fill(name);
      return;
    }
    // Positional and special parameters of a shell that nobody gave arguments.
    if (is_digit(next) || next == '@' || next == '*' || next == '!' || next == '#' || next == '?' || next == '-') {
      const std::string_view name = text_.substr(at_ + 1, 1);
      at_ += 2;
      return fill(name);
    }
    out_.put('$');
    ++at_;
  }

  void emit(std::string_view value) {
    if (out_.size() + value.size() > limit_) {
      overflow_ = true;
      return;
    }
    out_.append(value);
  }

  void fill(std::string_view name) {
    if (name == "IFS") {
      out_.put(' ');
      return;
    }
    if (const auto value = value_of(name)) return emit(*value);
  }

  std::optional<std::string_view> value_of(std::string_view name) {
    assignments_.learn(out_.view(), variables_);
    if (const auto value = variables_.find(name)) return value;
    if (name == "HOME") return "~";
    return {};
  }

  // Where the next closing brace is; each stretch of the text is looked through once.
  std::size_t next_close() {
    if (next_close_ < at_ || next_close_ == kNone) next_close_ = std::min(text_.find('}', at_), text_.size());
    return next_close_;
  }

  void parameter() {
    const std::string_view rest = text_.substr(at_ + 2, kMaxBrace);
    const std::size_t end = next_close() - at_ - 2;
    if (end >= rest.size()) {
      out_.put('$');
      out_.put('{');
      at_ += 2;
      return;
    }
    std::string_view body = rest.substr(0, end);
    at_ += 2 + end + 1;
    const bool indirect = body.starts_with('!');
    if (indirect || body.starts_with('#')) body.remove_prefix(1);
    std::size_t length = 0;
    while (length < body.size() && is_name(body[length])) ++length;
    const std::string_view name = body.substr(0, length);
    const std::string_view operation = body.substr(length);
    if (name == "IFS") return fill(name);
    std::optional<std::string_view> value = value_of(name);
    if (indirect && value) value = value_of(std::string(*value));
    if (operation.starts_with(":-") || operation.starts_with(":=") || operation.starts_with(":+")) {
      return otherwise(name, value, operation[1], operation.substr(2));
    }
    if (operation.starts_with("-") || operation.starts_with("=") || operation.starts_with("+")) {
      return otherwise(name, value, operation[0], operation.substr(1));
    }
    if (!value) return;
    if (operation.size() > 1 && operation[0] == ':' && (is_digit(operation[1]) || operation[1] == ' ')) {
      std::size_t from = 0;
      std::size_t count = std::string_view::npos;
      const char* stop = operation.data() + operation.size();
      const auto parsed = std::from_chars(operation.data() + 1, stop, from);
      if (parsed.ptr != stop && *parsed.ptr == ':') std::from_chars(parsed.ptr + 1, stop, count);
      return emit(from < value->size() ? value->substr(from, count) : std::string_view());
    }
    emit(*value);
  }

  // ${name-other} and its like; "=" keeps the other text as the value.
  void otherwise(std::string_view name, std::optional<std::string_view> value, char sign, std::string_view other) {
    other = unquoted(other);
    if (value && sign != '+') return emit(*value);
    if (sign == '=' && !name.empty()) variables_.set(name, other, out_.size(), false);
    emit(other);
  }

  std::string_view unquoted(std::string_view text) {
    while (!text.empty() && (text.front() == '"' || text.front() == '\'')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == '"' || text.back() == '\'')) text.remove_suffix(1);
    return text;
  }

  // $(echo rm) and `printf rm` are what they print; others stay, for the scan to see.
  void substitution(std::size_t skip, char close_with) {
    std::size_t first = skip;
    while (first < kMaxSubstitution && peek(first) == ' ') ++first;
    if ((peek(first) == 'e' || peek(first) == 'p') && printed(skip, close_with)) return;
    if (close_with == ')') out_.put('$');
    out_.put(close_with == ')' ? '(' : close_with);
    at_ += skip;
  }

  bool printed(std::size_t skip, char close_with) {
    const std::string_view rest = text_.substr(at_ + skip, kMaxSubstitution);
    std::size_t used = 0;
    const auto eat = [&](std::string_view word) {
      if (!rest.substr(used).starts_with(word)) return false;
      used += word.size();
      while (used < rest.size() && rest[used] == ' ') ++used;
      return true;
    };
    while (used < rest.size() && rest[used] == ' ') ++used;
    if (!eat("echo ") && !eat("printf ")) return false;
    while (eat("-n ") || eat("-e ") || eat("-ne ") || eat("-en ") || eat("%s ") || eat("'%s' ") || eat("\"%s\" ") ||
           eat("-- "))
      continue;
    const std::size_t end = rest.find(close_with, used);
    if (end == std::string_view::npos) return false;
    if (rest.substr(used, end - used).find_first_of("|;&$`(\n<>") != std::string_view::npos) return false;
    skip_close_at_ = at_ + skip + end;
    at_ += skip + used;
    return true;
  }

  void backtick() {
    if (at_ == skip_close_at_) {
      ++at_;
      return;
    }
    if (peek(1) == '`') {  // a code fence, not a substitution
      while (peek(0) == '`') {
        out_.make_room();
        out_.put(' ');
        ++at_;
      }
      return;
    }
    substitution(1, '`');
  }

  void close() {
    if (at_ == skip_close_at_) {
      ++at_;
      return;
    }
    if (value_start_ != kNone && (value_quote_ == '\0' || value_quote_ == ')')) end_value();
    out_.put(')');
    ++at_;
  }

  // r{m,} and {rm,-rf,/}: every alternative as a word with what stands before and after.
  void brace() {
    const std::string_view rest = text_.substr(at_ + 1, kMaxBrace);
    const std::size_t end = next_close() - at_ - 1;
    const bool list = end < rest.size() && rest.substr(0, end).find_first_of("{ \t\n;|&(") == std::string_view::npos &&
                      rest.substr(0, end).find(',') != std::string_view::npos;
    if (!list || out_.size() > limit_) {
      overflow_ = overflow_ || (list && out_.size() > limit_);
      out_.put('{');
      ++at_;
      return;
    }
    const std::string prefix(out_.view().substr(word_start(32)));
    std::string_view suffix = rest.substr(end + 1, 32);
    const auto word_end = std::find_if(suffix.begin(), suffix.end(), [](char c) { return class_of(c) != kOrdinary; });
    suffix = suffix.substr(0, static_cast<std::size_t>(word_end - suffix.begin()));
    std::string_view body = rest.substr(0, end);
    bool first = true;
    while (true) {
      const std::size_t comma = std::min(body.find(','), body.size());
      if (!first) {
        out_.put(' ');
        out_.append(prefix);
      }
      first = false;
      out_.make_room();
      for (const char c : body.substr(0, comma)) {
        if (c == '\'' || c == '"' || c == '\\') continue;
        out_.put(c);
        out_.make_room();
      }
      if (comma == body.size()) break;
      out_.append(suffix);
      body.remove_prefix(comma + 1);
    }
    at_ += 1 + end + 1;  // the suffix itself follows in the text
  }

  // [m] is a pattern for m.
  void bracket() {
    if (peek(2) == ']' && is_name(peek(1))) {
      out_.put(peek(1));
      at_ += 3;
      return;
    }
    out_.put('[');
    ++at_;
  }

  // Where the word begins that the output ends with; at most `longest` characters before its end.
  std::size_t word_start(std::size_t longest) const {
    const std::string_view text = out_.view();
    const std::size_t stop = text.size() - std::min(text.size(), longest);
    std::size_t at = text.size();
    while (at > stop && !parts_words(text[at - 1])) --at;
    return at;
  }

  void equals() {
    end_value();
    const std::string_view text = out_.view();
    const bool append = text.ends_with('+');
    const std::size_t end = text.size() - (append ? 1 : 0);
    std::size_t start = end;
    while (start > 0 && end - start <= kMaxName && is_name(text[start - 1])) --start;
    out_.put('=');
    ++at_;
    if (start == end || end - start > kMaxName || is_digit(text[start]) || (start > 0 && !parts_words(text[start - 1])))
      return;
    name_at_ = start;
    name_size_ = end - start;
    append_ = append;
    value_start_ = out_.size();
    value_quote_ = peek(0) == '\'' || peek(0) == '"' ? peek(0) : '\0';
    if (value_quote_ != '\0') {
      if (quote_ == '\0') quote_ = value_quote_;
      ++at_;
    } else if (peek(0) == '(') {  // a list
      out_.put('(');
      ++at_;
      value_quote_ = ')';
      ++value_start_;
    }
  }

  void end_value() {
    ansi_ = false;
    if (value_start_ == kNone) return;
    const std::string_view value = out_.view().substr(value_start_, ShellVariables::kMaxValue);
    // A number is no part of a command's name.
    if (uses_variables_ && !value.empty() && !std::ranges::all_of(value, is_digit)) {
      variables_.set(out_.view().substr(name_at_, name_size_), value, name_at_, append_);
    }
    value_start_ = kNone;
  }

  static constexpr std::size_t kNone = std::string::npos;

  std::string_view text_;
  std::size_t limit_;
  ShellOutput out_;
  std::size_t at_ = 0;
  bool overflow_ = false;
  char quote_ = '\0';  // that is open
  bool ansi_ = false;  // inside $'…'
  std::size_t skip_close_at_ = kNone;
  std::size_t next_close_ = kNone;  // the first brace that closes at or after some earlier place
  ShellVariables variables_;
  ShellAssignments assignments_;
  bool uses_variables_ = text_.find('$') != std::string_view::npos;
  std::size_t value_start_ = kNone;  // of an assignment that is being read
  char value_quote_ = '\0';
  std::size_t name_at_ = 0;
  std::size_t name_size_ = 0;
  bool append_ = false;
};

}  // namespace

ShellView shell_view(std::string_view text) { return Reader(text).read(); }

}  // namespace handrail::policy
