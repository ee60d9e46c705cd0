// One pass over a view: words go to the command that they stand in, and marks open, join and end commands.
#include "policy/command_scan.h"

#include <array>
#include <cstdint>

#include "policy/command_rules.h"
#include "policy/command_state.h"
#include "policy/shell_view.h"
#include "policy/stage_words.h"

namespace handrail::policy {
namespace {

// Bytes of words come last, with the bits of Holds.
enum : std::uint8_t { kSpaceByte = 0, kMarkByte = 1 };
constexpr std::array<std::uint8_t, 256> make_bytes() {
  std::array<std::uint8_t, 256> bytes{};
  bytes.fill(kPlainWord);
  for (const char c : {'?', '*'}) bytes[static_cast<std::uint8_t>(c)] = kPlainWord | kGlob;
  bytes['='] = kPlainWord | kEquals;
  bytes['/'] = kPlainWord | kSlash;
  bytes['.'] = kPlainWord | kDot;
  for (const char c : {' ', '\t', ',', '[', ']'}) bytes[static_cast<std::uint8_t>(c)] = kSpaceByte;
  for (const char c : {'\n', ';', '&', '|', '(', ')', '`', '<', '>', '{', '}', kQuotedEnd})
    bytes[static_cast<std::uint8_t>(c)] = kMarkByte;
  return bytes;
}
constexpr std::array<std::uint8_t, 256> kBytes = make_bytes();
std::uint8_t byte_of(char c) { return kBytes[static_cast<std::uint8_t>(c)]; }

class Scan {
 public:
  explicit Scan(std::string_view view) : view_(view) {}

  std::optional<CommandFinding> run() {
    while (at_ < view_.size() && !state_.found) {
      const std::uint8_t kind = byte_of(view_[at_]);
      if (kind == kSpaceByte) {
        ++at_;
      } else if (kind == kMarkByte) {
        mark(view_[at_++]);
      } else {
        word();
      }
    }
    if (!state_.found) judge_end(state_, false);
    while (!state_.found && state_.depth > 0) {
      pop();
      judge_end(state_, false);
    }
    return state_.found;
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < view_.size() ? view_[at_ + ahead] : '\0'; }
  char before(std::size_t back) const { return at_ >= back ? view_[at_ - back] : '\0'; }
  Line& line() { return *state_.line; }
  Stage& stage() { return state_.line->stage; }

  void word() {
    const std::size_t start = at_;
    std::uint8_t holds = 0;
    for (std::uint8_t kind = byte_of(view_[at_]); kind >= kPlainWord;) {
      holds |= kind;
      if (++at_ == view_.size()) break;
      kind = byte_of(view_[at_]);
    }
    line_start_ = false;
    std::string_view word = view_.substr(start, at_ - start);
    const char first = word[0];
    const char next = peek(0);
    if (next == '(' && word.back() == '$') {
      word.remove_suffix(1);
      if (word.empty()) return;
    }
    if ((next == '>' || next == '<') && word.size() == 1 && first >= '0' && first <= '9') return;  // "2>"
    if (!take_idle_word(state_, word, holds)) take_word(state_, word, holds);
  }

  void mark(char c) {
    switch (c) {
      case '\n':
        if (stage().words != 0) ++state_.lines;
        // A pipe at the end of a line goes on in the next one.
        if (!(line().in_pipe && stage().words == 0) || line().table) end_command();
        line_start_ = true;
        return;
      case ';':
        if (is_joined()) return soften();
        end_command();
        break;
      case kQuotedEnd: soften(); break;
      case '&': ampersand(); break;
      case '|': bar(); break;
      case '(': open_bracket(); break;
      case ')': close_bracket(); break;
      case '`': backtick(); break;
      case '<':
        if (peek(0) != '(') input();
        break;
      case '>': redirect(); break;
      case '{': open_brace(); break;
      case '}': close_brace(); break;
      default: break;
    }
    line_start_ = false;
  }

  // "a;b" and "a&b" may be one quoted address, so nothing is forgotten there.
  bool is_joined() const { return at_ < view_.size() && byte_of(view_[at_]) >= kPlainWord; }
  void soften() {
    judge_end(state_, false);
    stage().place = Place::command;
    stage().interpreter = Word::other;
    stage().is_function = false;
  }

  void end_command() {
    judge_end(state_, false);
    Line& now = line();
    // Kept for the end of a group only as long as one may be open.
    now.group = (now.group | now.stage.seen | now.piped) & kOutput;
    now.stage = {};
    now.piped = now.piped_options = 0;
    now.in_pipe = now.piped_function = now.table = false;
    state_.next &= kFunctionNext;
    state_.last = {};
  }

  void ampersand() {
    if (peek(0) == '>') return;  // "&>"
    if (peek(0) == '&') {
      ++at_;
      return end_command();
    }
    judge_end(state_, true);
    if (is_joined()) return soften();
    end_command();
  }

  void bar() {
    if (peek(0) == '|') {
      ++at_;
      return end_command();
    }
    if (line_start_) {
      end_command();
      line().table = true;
    }
    judge_end(state_, false);
    if (!line().table) {
      if (peek(0) == '&') ++at_;
      line().piped |= stage().seen;
      if (stage().words == 0) line().piped |= line().group;
      line().piped_options |= stage().options;
      line().piped_function = stage().is_function;
      line().in_pipe = true;
    }
    stage() = {};
  }

  void input() {
    std::size_t signs = 1;
    for (; peek(0) == '<'; ++signs) ++at_;
    state_.next |= kInputNext;
    // A text in the command line is as good as printed.
    if (signs == 3 || (signs == 2 && (stage().seen & kCat) != 0)) stage().seen |= kPrint;
    if (signs == 3 && stage().interpreter == Word::shell && !stage().operand)
      state_.find(CommandFinding::text_to_interpreter);
  }

  void redirect() {
    while (peek(0) == '>' || peek(0) == '|' || peek(0) == '!') ++at_;
    if (peek(0) == '&') {
      ++at_;
      if (peek(0) == '-' || (peek(0) >= '0' && peek(0) <= '9')) {
        ++at_;
        return;
      }
    }
    if (peek(0) != '(') state_.next |= kOutputNext;
  }

  void open_bracket() {
    const char opener = before(2);
    const bool substitution = opener == '$' || opener == '<' || opener == '>';
    if (!substitution && peek(0) == ')') {
      if (at_ >= 2 && byte_of(opener) >= kPlainWord) state_.function = state_.last;
      ++at_;
      return;
    }
    // "name() (" has a body too.
    const bool is_body = !substitution && state_.body == 0 && !state_.function.empty() && stage().words <= 1;
    if (is_body) begin_body();
    push(substitution, opener == '$');
    if (is_body) body_depth_ = state_.depth;
  }

  void push(bool substitution, bool may_be_command) {
    state_.next &= kFunctionNext;
    if (state_.depth == CommandState::kMaxDepth) return;
    const Line& outer = line();
    Line& inner = state_.open[++state_.depth];
    inner.stage = outer.stage;
    inner.stage.place = Place::command;
    inner.stage.interpreter = Word::other;
    inner.stage.words = 0;
    inner.stage.seen &= ~(kRuns | kShell | kDecoder | kOutput);
    inner.piped = substitution ? 0 : outer.piped;
    inner.piped_options = substitution ? 0 : outer.piped_options;
    inner.group = 0;
    inner.opened = substitution ? state_.lines : outer.opened;
    inner.in_pipe = !substitution && outer.in_pipe;
    inner.piped_function = false;
    inner.table = outer.table;
    inner.substitution = substitution;
    inner.to_run = outer.to_run || (substitution && (outer.stage.seen & kRuns) != 0);
    inner.is_command = substitution ? may_be_command && outer.stage.place == Place::command : outer.is_command;
    state_.line = &inner;
  }

  void close_bracket() {
    if (state_.depth == 0) {
      state_.next &= kFunctionNext;
      return;
    }
    judge_end(state_, false);
    if (!state_.found) pop();
  }

  void pop() {
    const Line& inner = line();
    const std::uint32_t seen = (inner.stage.seen | inner.group | inner.piped) & ~(kRuns | kXargs);
    if (body_depth_ != 0 && body_depth_ == state_.depth) end_body();
    state_.line = &state_.open[--state_.depth];
    if (backtick_depth_ > state_.depth) backtick_depth_ = 0;
    Stage& now = stage();
    now.seen |= seen;
    now.options |= inner.stage.options;
    now.capital |= inner.stage.capital;
    if (now.place == Place::command && inner.substitution) now.place = Place::argument;
    if (now.words < 255) ++now.words;
    judge_so_far(state_);
  }

  void backtick() {
    if (backtick_depth_ != 0 && backtick_depth_ == state_.depth) {
      backtick_depth_ = 0;
      return close_bracket();
    }
    push(true, false);
    backtick_depth_ = state_.depth;
  }

  void open_brace() {
    // "name() {" begins a body; a brace inside it goes deeper.
    if (state_.body == 0 && !state_.function.empty()) {
      end_command();
      begin_body();
    } else if (state_.body > 0 && state_.body < 1000 && body_depth_ == 0) {
      ++state_.body;
    }
    stage().place = Place::command;
  }
  void close_brace() {
    judge_end(state_, false);
    if (state_.body > 0 && body_depth_ == 0 && --state_.body == 0) end_body();
    // What the group printed goes on into a pipe.
    stage().seen |= line().group & kOutput;
    stage().is_function = false;
  }

  void begin_body() {
    state_.body = 1;
    state_.body_of = state_.function;
    state_.function = {};
    state_.body_means = {};
  }
  void end_body() {
    state_.names.add(state_.body_of, state_.body_means);
    state_.body = 0;
    state_.body_of = {};
    body_depth_ = 0;
  }

  std::string_view view_;
  std::size_t at_ = 0;
  CommandState state_;
  bool line_start_ = true;
  std::size_t backtick_depth_ = 0;  // of the substitution that the next backtick closes; 0: none
  std::size_t body_depth_ = 0;      // of a function's body in parentheses; 0: none
};

}  // namespace

std::optional<CommandFinding> scan_commands(std::string_view view) { return Scan(view).run(); }

}  // namespace handrail::policy
