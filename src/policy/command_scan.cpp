// One pass over a command line. It is longer than a file should be because it is one state machine: every step reads
// and writes the same few members, and cutting it would spread them over files without making any part understandable
// alone.
#include "policy/command_scan.h"

#include <array>
#include <cstdint>
#include <vector>

#include "policy/command_words.h"
#include "policy/shell_view.h"

namespace handrail::policy {
namespace {

// What a command line has shown so far.
enum Seen : std::uint32_t {
  kRemove = 1U << 0,
  kFind = 1U << 1,
  kFindRuns = 1U << 2,  // -exec and the like
  kDd = 1U << 3,
  kMakeFs = 1U << 4,
  kRawOperand = 1U << 5,
  kShred = 1U << 6,
  kGit = 1U << 7,
  kClean = 1U << 8,
  kChmod = 1U << 9,
  kChown = 1U << 10,
  kMove = 1U << 11,
  kCopy = 1U << 12,
  kTee = 1U << 13,
  kCat = 1U << 14,
  kTruncate = 1U << 15,
  kDownload = 1U << 16,
  kDecoder = 1U << 17,  // decodes when told to
  kDecoded = 1U << 18,
  kPrint = 1U << 19,
  kNetcat = 1U << 20,
  kShell = 1U << 21,  // anywhere in the command
  kXargs = 1U << 22,
  kWindowsDelete = 1U << 23,
  kAll = 1U << 24,  // an operand that means everything
  kOpenMode = 1U << 25,
  kDevNull = 1U << 26,
  kRuns = 1U << 27,  // an interpreter, eval or source as the command
  kFormat = 1U << 28,
  kDrive = 1U << 29,
  kExecutes = 1U << 30,  // exec, eval, system as words of a one-line program
  kSocket = 1U << 31,
};

constexpr std::uint32_t letter(char c) { return 1U << (c - 'a'); }

enum class Place : std::uint8_t { command, behind_prefix, argument };

// One command of a pipeline.
struct Stage {
  std::uint32_t seen = 0;
  std::uint32_t options = 0;  // letters, any case
  std::uint32_t capital = 0;
  Word interpreter = Word::other;  // as the command
  Place place = Place::command;
  std::uint8_t skipped = 0;    // words behind a prefix that may be its own
  std::uint8_t words = 0;      // up to 255
  bool operand = false;        // the interpreter has a program of its own
  bool comment = false;        // the rest is a comment
  bool wants_zero = false;     // the word before was a size option
  bool colon = false;          // the command is ":"
  bool is_function = false;    // the command is the function that is being defined
  bool more_operands = false;  // anything behind the first word
  bool target = false;         // output goes to a file
  bool path_target = false;    // and that is named by a whole path
};

struct Line {
  Stage stage;
  std::uint32_t piped = 0;  // seen in earlier stages
  std::uint32_t piped_options = 0;
  std::uint32_t group = 0;   // seen in the commands before, for "} |" and ") |"
  std::uint32_t opened = 0;  // at which line with words
  bool in_pipe = false;
  bool piped_function = false;
  bool table = false;         // a row of a table, not a pipeline
  bool substitution = false;  // $( or ` or <(
  bool to_run = false;        // what it prints is run
  bool is_command = false;    // what it prints is the command
};

// Word bytes come last; the bits say what a word holds.
enum : std::uint8_t { kSpaceByte = 0, kMarkByte = 1, kWordByte = 2, kGlobByte = 6, kEqualsByte = 10 };
constexpr std::array<std::uint8_t, 256> make_bytes() {
  std::array<std::uint8_t, 256> bytes{};
  bytes.fill(kWordByte);
  for (const char c : {'?', '*'}) bytes[static_cast<std::uint8_t>(c)] = kGlobByte;
  bytes['='] = kEqualsByte;
  for (const char c : {' ', '\t', ',', '[', ']'}) bytes[static_cast<std::uint8_t>(c)] = kSpaceByte;
  for (const char c : {'\n', ';', '&', '|', '(', ')', '`', '<', '>', '{', '}', kQuotedEnd})
    bytes[static_cast<std::uint8_t>(c)] = kMarkByte;
  return bytes;
}
constexpr std::array<std::uint8_t, 256> kBytes = make_bytes();
std::uint8_t byte_of(char c) { return kBytes[static_cast<std::uint8_t>(c)]; }

class Scan {
 public:
  explicit Scan(std::string_view view) : view_(view) { stack_.reserve(kMaxDepth); }

  std::optional<CommandFinding> run() {
    while (at_ < view_.size() && !found_) {
      const std::uint8_t kind = byte_of(view_[at_]);
      if (kind == kSpaceByte) {
        ++at_;
      } else if (kind >= kWordByte) {
        const std::size_t start = at_;
        holds_ = 0;
        for (std::uint8_t next = kind; next >= kWordByte;) {
          holds_ |= next;
          if (++at_ == view_.size()) break;
          next = byte_of(view_[at_]);
        }
        std::string_view word = view_.substr(start, at_ - start);
        if (word.back() == '$' && peek(0) == '(') word.remove_suffix(1);
        const bool descriptor =
            word.size() == 1 && word[0] >= '0' && word[0] <= '9' && (peek(0) == '>' || peek(0) == '<');
        if (!word.empty() && !descriptor) take(word);
        line_start_ = false;
      } else {
        mark(view_[at_]);
      }
    }
    if (!found_) end_stage(false);
    while (!found_ && !stack_.empty()) {
      pop();
      end_stage(false);
    }
    return found_;
  }

 private:
  static constexpr std::size_t kMaxDepth = 32;
  static constexpr std::uint32_t kMaxLines = 8;

  void find(CommandFinding finding) {
    if (!found_) found_ = finding;
  }
  bool saw(std::uint32_t bits) const { return (line_.stage.seen & bits) == bits; }
  char peek(std::size_t ahead) const { return at_ + ahead < view_.size() ? view_[at_ + ahead] : '\0'; }

  void mark(char c) {
    ++at_;
    switch (c) {
      case '\n':
        if (line_.stage.words != 0) ++lines_;
        // A pipe at the end of a line goes on in the next one.
        if (!(line_.in_pipe && line_.stage.words == 0) || line_.table) end_command();
        line_start_ = true;
        return;
      case ';':
        if (joined()) return soften();
        end_command();
        break;
      case kQuotedEnd: soften(); break;
      case '&': ampersand(); break;
      case '|': bar(); break;
      case '(': {
        const bool substitution = at_ >= 2 && (view_[at_ - 2] == '$' || view_[at_ - 2] == '<' || view_[at_ - 2] == '>');
        push(substitution, at_ >= 2 && view_[at_ - 2] == '$');
        break;
      }
      case ')': closing(); break;
      case '`':
        if (!stack_.empty() && backticks_ > 0 && depth_of_backtick_ == stack_.size()) {
          backticks_ = 0;
          close_scope();
        } else {
          push(true, false);
          backticks_ = 1;
          depth_of_backtick_ = stack_.size();
        }
        break;
      case '<':
        if (peek(0) == '(') break;
        while (peek(0) == '<') ++at_;
        input_next_ = true;
        break;
      case '>': redirect(); break;
      case '{': open_brace(); break;
      case '}': close_brace(); break;
      default: break;
    }
    line_start_ = false;
  }

  // "a;b" and "a&b" may be one quoted address, so nothing is forgotten there.
  bool joined() const { return at_ < view_.size() && byte_of(view_[at_]) >= kWordByte; }
  void soften() {
    end_stage(false);
    line_.stage.place = Place::command;
    line_.stage.interpreter = Word::other;
    line_.stage.is_function = false;
  }

  void ampersand() {
    if (peek(0) == '>') return;  // "&>"
    if (peek(0) == '&') {
      ++at_;
      return end_command();
    }
    if (joined()) {
      end_stage(true);
      return soften();
    }
    end_stage(true);
    end_command();
  }

  void bar() {
    if (peek(0) == '|') {
      ++at_;
      return end_command();
    }
    if (line_start_) {
      end_command();
      line_.table = true;
    }
    if (line_.table) {
      end_stage(false);
      line_.stage = {};
      return;
    }
    end_stage(false);
    if (peek(0) == '&') ++at_;
    line_.piped |= line_.stage.seen;
    if (line_.stage.words == 0) line_.piped |= line_.group;
    line_.piped_options |= line_.stage.options;
    line_.piped_function = line_.stage.is_function;
    line_.stage = {};
    line_.in_pipe = true;
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
    if (peek(0) != '(') output_next_ = true;
  }

  void push(bool substitution, bool may_be_command) {
    if (!substitution && peek(0) == ')') {
      if (at_ >= 2 && byte_of(view_[at_ - 2]) >= kWordByte) function_ = last_;
      ++at_;
      return;
    }
    input_next_ = output_next_ = false;
    if (stack_.size() >= kMaxDepth) return;
    stack_.push_back(line_);
    Line inner;
    inner.stage = line_.stage;
    inner.stage.place = Place::command;
    inner.stage.interpreter = Word::other;
    inner.stage.words = 0;
    inner.stage.seen &= ~(kRuns | kShell | kDownload | kDecoder | kDecoded | kPrint);
    inner.table = line_.table;
    inner.substitution = substitution;
    inner.opened = substitution ? lines_ : line_.opened;
    if (!substitution) {
      inner.to_run = line_.to_run;
      inner.is_command = line_.is_command;
      inner.piped = line_.piped;
      inner.in_pipe = line_.in_pipe;
      inner.piped_options = line_.piped_options;
    } else {
      inner.to_run = line_.to_run || (line_.stage.seen & kRuns) != 0;
      inner.is_command = may_be_command && line_.stage.place == Place::command;
    }
    line_ = inner;
  }

  void closing() {
    if (stack_.empty()) {
      input_next_ = output_next_ = false;
      return;
    }
    close_scope();
  }
  void close_scope() {
    end_stage(false);
    if (found_) return;
    pop();
  }
  void pop() {
    const std::uint32_t seen = (line_.stage.seen | line_.group | line_.piped) & ~(kRuns | kXargs);
    const std::uint32_t options = line_.stage.options;
    const std::uint32_t capital = line_.stage.capital;
    const bool substitution = line_.substitution;
    line_ = stack_.back();
    stack_.pop_back();
    if (backticks_ > 0 && depth_of_backtick_ > stack_.size()) backticks_ = 0;
    line_.stage.seen |= seen;
    line_.stage.options |= options;
    line_.stage.capital |= capital;
    if (line_.stage.place == Place::command && substitution) line_.stage.place = Place::argument;
    if (line_.stage.words < 255) ++line_.stage.words;
    judge();
  }

  void open_brace() {
    // "name() {" begins a body; a brace inside it goes deeper.
    if (body_ == 0 && !function_.empty()) {
      body_ = 1;
      body_of_ = function_;
      function_ = {};
      end_command();
    } else if (body_ > 0 && body_ < 1000) {
      ++body_;
    }
    line_.stage.place = Place::command;
  }
  void close_brace() {
    end_stage(false);
    if (body_ > 0 && --body_ == 0) body_of_ = {};
    // What the group printed goes on into a pipe.
    line_.stage.seen |= line_.group & (kDownload | kDecoded | kPrint);
    line_.stage.is_function = false;
  }

  void end_command() {
    end_stage(false);
    const std::uint32_t group = line_.group | line_.stage.seen | line_.piped;
    line_.stage = {};
    line_.piped = line_.piped_options = 0;
    line_.in_pipe = line_.piped_function = line_.table = false;
    // Kept for the end of a group only as long as one may be open.
    line_.group = group & (kDownload | kDecoded | kPrint);
    input_next_ = output_next_ = false;
    last_ = {};
  }

  // A stage is complete: what can only be said at its end.
  void end_stage(bool in_background) {
    const Stage& stage = line_.stage;
    if (stage.is_function && body_ > 0 && (in_background || (line_.in_pipe && line_.piped_function))) {
      find(CommandFinding::fork_bomb);
    }
    const bool reads_program = stage.interpreter != Word::other && !stage.operand;
    const std::uint32_t source = line_.piped;
    if (line_.in_pipe && (reads_program || (stage.interpreter != Word::other && (stage.seen & kExecutes) != 0))) {
      if ((source & (kDownload | kNetcat)) != 0) find(CommandFinding::download_to_interpreter);
      if (stage.interpreter != Word::script && (source & (kDecoded | kPrint)) != 0)
        find(CommandFinding::text_to_interpreter);
      if (stage.interpreter == Word::script && (source & kDecoded) != 0) find(CommandFinding::text_to_interpreter);
    }
    if (stage.target && !stage.more_operands &&
        (stage.colon || (stage.words == 0 && stage.path_target && !line_.in_pipe))) {
      find(CommandFinding::overwrite);
    }
    if ((stage.seen & kCat) != 0 && (stage.seen & kDevNull) != 0 && stage.target) find(CommandFinding::overwrite);
    if ((stage.seen & kCopy) != 0 && (stage.seen & kRawOperand) != 0 && last_is_raw_)
      find(CommandFinding::raw_device_write);
  }

  void take(std::string_view word) {
    if (output_next_) {
      output_next_ = false;
      line_.stage.target = true;
      line_.stage.path_target = word[0] == '/' || word[0] == '~';
      if (is_raw_device(word)) find(CommandFinding::raw_device_write);
      if (word == "/dev/null" || word.starts_with("/dev/std") || word.starts_with("/dev/fd") ||
          word.starts_with("/dev/tty"))
        line_.stage.target = false;
      if (word.starts_with("/dev/tcp/") || word.starts_with("/dev/udp/")) socket();
      return;
    }
    if (input_next_) {
      input_next_ = false;
      if (word.starts_with("/dev/tcp/")) socket();
      // A here-string may be options for what reads them.
      return;
    }
    Stage& stage = line_.stage;
    // A comment gives an interpreter nothing; other commands may be in a shell that knows no comments here.
    if (word[0] == '#' && stage.interpreter != Word::other) stage.comment = true;
    if (stage.words < 255) ++stage.words;
    last_is_raw_ = false;
    const std::uint32_t seen = stage.seen;
    const std::uint32_t options = stage.options;
    const std::uint32_t capital = stage.capital;
    if (word[0] == '-' && word.size() > 1) {
      option(word);
    } else {
      plain(word);
    }
    last_ = word;
    if (stage.seen != seen || stage.options != options || stage.capital != capital) judge();
  }

  void socket() {
    line_.stage.seen |= kSocket;
    judge();
  }

  void option(std::string_view word) {
    Stage& stage = line_.stage;
    if (stage.place == Place::command) stage.place = Place::argument;
    stage.wants_zero = (word == "-s" || word == "--size") && (stage.seen & kTruncate) != 0;
    if (stage.words > 1) stage.more_operands = true;
    if (word[1] == '-') return long_option(word);
    std::uint32_t letters = 0;
    std::uint32_t capitals = 0;
    for (std::size_t i = 1; i < word.size() && i <= 12; ++i) {
      const char c = word[i];
      if (c >= 'a' && c <= 'z') {
        letters |= letter(c);
      } else if (c >= 'A' && c <= 'Z') {
        letters |= letter(static_cast<char>(c - 'A' + 'a'));
        capitals |= letter(static_cast<char>(c - 'A' + 'a'));
      } else {
        break;
      }
    }
    stage.options |= letters;
    stage.capital |= capitals;
    if ((stage.seen & kFind) != 0) {
      if (word == "-delete") find(CommandFinding::recursive_delete);
      if (word.starts_with("-exec") || word.starts_with("-ok") || word == "-x" || word == "-X") stage.seen |= kFindRuns;
    }
    if ((stage.seen & kTruncate) != 0 && word == "-s0") find(CommandFinding::overwrite);
    if ((stage.seen & kDecoder) != 0 && (letters & (letter('d') | letter('r'))) != 0) stage.seen |= kDecoded;
    // A program on the command line, and no longer what comes by the pipe.
    if (stage.interpreter == Word::script &&
        (letters & (letter('c') | letter('m') | letter('e') | letter('n') | letter('p') | letter('r'))) != 0) {
      stage.operand = true;
    }
  }

  void long_option(std::string_view word) {
    Stage& stage = line_.stage;
    const std::string_view name =
        word.substr(2, word.find('=') == std::string_view::npos ? std::string_view::npos : word.find('=') - 2);
    const auto short_for = [&](std::string_view whole) { return !name.empty() && whole.starts_with(name); };
    if (short_for("recursive")) {
      stage.options |= letter('r');
      stage.capital |= letter('r');
    }
    if (short_for("force")) stage.options |= letter('f');
    if (name == "no-preserve-root" && (stage.seen & kRemove) != 0) find(CommandFinding::recursive_delete);
    if ((stage.seen & kDecoder) != 0 &&
        (short_for("decode") || short_for("decompress") || short_for("decrypt") || short_for("revert")))
      stage.seen |= kDecoded;
    if ((stage.seen & kTruncate) != 0 && word == "--size=0") find(CommandFinding::overwrite);
    if ((stage.seen & kFind) != 0 && (name == "exec" || name == "exec-batch")) stage.seen |= kFindRuns;
  }

  void plain(std::string_view word) {
    Stage& stage = line_.stage;
    Word kind = word_of(word);
    if (kind == Word::other && holds_ != kWordByte) {
      if ((holds_ & kGlobByte) == kGlobByte && pattern_for_remove(word)) kind = Word::remove;
      if ((holds_ & kEqualsByte) == kEqualsByte) kind = assigned(word);
    }
    if (kind == Word::other && !aliases_.empty()) {
      for (const Alias& alias : aliases_) {
        if (alias.name == word) kind = alias.word;
      }
    }
    if (stage.place != Place::argument || stage.interpreter != Word::other) position(word, kind);
    if (stage.wants_zero && word == "0") find(CommandFinding::overwrite);
    stage.wants_zero = false;
    if (stage.words > 1) stage.more_operands = true;
    if (kind != Word::other || function_next_) command(kind);
    if (stage.seen != 0 || word[0] == '/' || last_ == "function") operand(word);
  }

  // "x=rm" gives the command another name, as a variable or an alias.
  Word assigned(std::string_view word) {
    if (word.size() > 64) return Word::other;
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0) return Word::other;
    const Word kind = word_of(word.substr(equals + 1));
    if (kind != Word::other && alias_next_ && aliases_.size() < 8) aliases_.push_back({word.substr(0, equals), kind});
    return kind == Word::remove ? kind : Word::other;
  }

  // Whether the word is the command of its stage, behind prefixes.
  void position(std::string_view word, Word kind) {
    Stage& stage = line_.stage;
    if (stage.interpreter != Word::other && stage.place == Place::argument) {
      if (word != "-" && word != "/dev/stdin" && word != "/proc/self/fd/0" && word != "/dev/fd/0" &&
          (stage.options & letter('s')) == 0)
        stage.operand = stage.operand || !stage.comment;
      if (kind == Word::run || word == "exec" || word.starts_with("exec") || word.starts_with("os.system") ||
          word.starts_with("system") || kind == Word::cat)
        stage.seen |= kExecutes;
      return;
    }
    if (stage.place == Place::argument) return;
    alias_next_ = kind == Word::alias;
    if (kind == Word::prefix || kind == Word::xargs) {
      stage.place = Place::behind_prefix;
      return;
    }
    if (kind == Word::shell || kind == Word::script || kind == Word::run) {
      stage.interpreter = kind;
      stage.seen |= kRuns;
      stage.place = Place::argument;
      stage.options = 0;
      return;
    }
    if ((holds_ & kEqualsByte) == kEqualsByte && word[0] != '=') return;  // VAR=value before the command
    if (stage.place == Place::command) {
      stage.colon = word == ":";
      stage.is_function = body_ > 0 && word == body_of_;
    }
    if (stage.place == Place::behind_prefix && ++stage.skipped <= 2) return;
    stage.place = Place::argument;
  }

  void begin(std::uint32_t bit) {
    Stage& stage = line_.stage;
    if ((stage.seen & bit) == 0) {
      // Options before it belong to others, unless xargs hands them over.
      stage.options = stage.capital = 0;
      stage.seen &= ~kAll;
      if ((stage.seen & kXargs) != 0) stage.options |= line_.piped_options;
    }
    stage.seen |= bit;
  }

  void command(Word kind) {
    Stage& stage = line_.stage;
    switch (kind) {
      case Word::remove: begin(kRemove); break;
      case Word::find: stage.seen |= kFind; break;
      case Word::dd: stage.seen |= kDd; break;
      case Word::make_fs: stage.seen |= kMakeFs; break;
      case Word::shred: begin(kShred); break;
      case Word::git: stage.seen |= kGit; break;
      case Word::clean:
        if ((stage.seen & kGit) != 0) begin(kClean);
        break;
      case Word::chmod: begin(kChmod); break;
      case Word::chown: begin(kChown); break;
      case Word::move: stage.seen |= kMove; break;
      case Word::copy: stage.seen |= kCopy; break;
      case Word::tee: stage.seen |= kTee; break;
      case Word::cat: stage.seen |= kCat; break;
      case Word::truncate: stage.seen |= kTruncate; break;
      case Word::download: stage.seen |= kDownload; break;
      case Word::netcat: begin(kNetcat); break;
      case Word::decode: stage.seen |= kDecoder; break;
      case Word::transform: stage.seen |= kDecoded; break;
      case Word::print: stage.seen |= kPrint; break;
      case Word::shell: stage.seen |= kShell; break;
      case Word::xargs: stage.seen |= kXargs; break;
      case Word::windows_delete: begin(kWindowsDelete); break;
      case Word::format: stage.seen |= kFormat; break;
      default: break;
    }
    if (kind == Word::function)
      function_next_ = true;
    else if (function_next_)
      function_next_ = false, function_ = {};
  }

  void operand(std::string_view word) {
    Stage& stage = line_.stage;
    if (last_ == "function") function_ = word;
    if (word[0] == '/') {
      if (is_raw_device(word)) {
        stage.seen |= kRawOperand;
        last_is_raw_ = true;
      }
      if (word == "/dev/null") {
        if ((stage.seen & kCopy) != 0 && stage.words <= 3 && (stage.seen & kDevNull) == 0 && kCopyWord(last_))
          find(CommandFinding::overwrite);
        stage.seen |= kDevNull;
      }
      if (word.size() == 2 && (stage.seen & (kWindowsDelete | kFormat)) != 0) {
        const char c = static_cast<char>(word[1] | 0x20);
        if (c >= 'a' && c <= 'z') stage.options |= letter(c);
      }
    }
    if ((stage.seen & (kRemove | kChmod | kChown)) != 0 && is_everything(word)) {
      if (word != "*" || (stage.seen & kRemove) != 0) stage.seen |= kAll;
    }
    if ((stage.seen & kChmod) != 0 &&
        (word == "777" || word == "0777" || word == "000" || word == "0" || word == "0000" || word == "a+rwx" ||
         word == "ugo+rwx" || word == "a=rwx" || word == "a-rwx" || word == "+rwx")) {
      stage.seen |= kOpenMode;
    }
    if ((stage.seen & kDd) != 0 && word.starts_with("of=") && is_raw_device(word.substr(3)))
      find(CommandFinding::raw_device_write);
    if ((stage.seen & kShred) != 0 && looks_like_file(word)) find(CommandFinding::overwrite);
    if ((stage.seen & kFormat) != 0 && word.size() == 2 && word[1] == ':') stage.seen |= kDrive;
    if ((stage.seen & kDecoder) != 0 && (word == "enc" || word == "aes-256-cbc")) stage.seen |= kDecoder;
    if (word.starts_with("/dev/tcp/")) stage.seen |= kSocket;
  }
  static bool kCopyWord(std::string_view word) { return word_of(word) == Word::copy || word.starts_with('-'); }

  static bool looks_like_file(std::string_view word) {
    if (word[0] == '/' || word[0] == '~') return true;
    for (std::size_t i = 1; i + 1 < word.size() && i < 128; ++i) {
      const char next = static_cast<char>(word[i + 1] | 0x20);
      if (word[i] == '/' || (word[i] == '.' && next >= 'a' && next <= 'z')) return true;
    }
    return false;
  }

  // The rules that hold as soon as the last piece is there.
  void judge() {
    const Stage& stage = line_.stage;
    const std::uint32_t seen = stage.seen;
    if (seen == 0) return;
    const auto has = [&](std::uint32_t letters) { return (stage.options & letters) == letters; };
    if ((seen & kRemove) != 0) {
      if (has(letter('r')) && (has(letter('f')) || (seen & kAll) != 0)) find(CommandFinding::recursive_delete);
      if ((seen & kFind) != 0 && (seen & kFindRuns) != 0) find(CommandFinding::recursive_delete);
      if ((seen & kXargs) != 0 && (line_.piped & kFind) != 0) find(CommandFinding::recursive_delete);
    }
    if ((seen & (kFind | kFindRuns | kShred)) == (kFind | kFindRuns | kShred)) find(CommandFinding::recursive_delete);
    if ((seen & kMakeFs) != 0 && (seen & kRawOperand) != 0) find(CommandFinding::raw_device_write);
    if ((seen & kTee) != 0 && (seen & kRawOperand) != 0) find(CommandFinding::raw_device_write);
    if ((seen & kShred) != 0 &&
        ((stage.options & (letter('u') | letter('z') | letter('n') | letter('f') | letter('v'))) != 0))
      find(CommandFinding::overwrite);
    if ((seen & kMove) != 0 && (seen & kDevNull) != 0) find(CommandFinding::overwrite);
    if ((seen & kClean) != 0 && has(letter('f')) && (stage.options & (letter('d') | letter('x'))) != 0)
      find(CommandFinding::git_clean);
    const bool recursive = (stage.capital & letter('r')) != 0;
    if ((seen & kChmod) != 0 && recursive && (seen & (kOpenMode | kAll)) != 0) find(CommandFinding::open_permissions);
    if ((seen & kChown) != 0 && recursive && (seen & kAll) != 0) find(CommandFinding::open_permissions);
    if ((seen & kWindowsDelete) != 0 && has(letter('s') | letter('q'))) find(CommandFinding::recursive_delete);
    if ((seen & kFormat) != 0 && (seen & kDrive) != 0 && stage.options != 0) find(CommandFinding::raw_device_write);
    if ((seen & kNetcat) != 0 && (seen & kShell) != 0 && (stage.options & (letter('e') | letter('c'))) != 0)
      find(CommandFinding::network_shell);
    if ((seen & kSocket) != 0 && (seen & kShell) != 0 && has(letter('i'))) find(CommandFinding::network_shell);
    // A bracket that is never closed must not reach through a whole document.
    if (lines_ - line_.opened > kMaxLines) return;
    if (line_.to_run && (seen & kDownload) != 0) find(CommandFinding::download_to_interpreter);
    if (line_.to_run && (seen & (kDecoded | kPrint)) != 0) find(CommandFinding::text_to_interpreter);
    if (line_.is_command && (seen & kDownload) != 0) find(CommandFinding::download_to_interpreter);
    if (line_.is_command && (seen & kDecoded) != 0) find(CommandFinding::text_to_interpreter);
  }

  struct Alias {
    std::string_view name;
    Word word;
  };

  std::string_view view_;
  std::size_t at_ = 0;
  std::optional<CommandFinding> found_;
  Line line_;
  std::vector<Line> stack_;
  std::vector<Alias> aliases_;
  std::uint32_t lines_ = 0;  // with words, so far
  bool alias_next_ = false;
  bool function_next_ = false;
  bool line_start_ = true;
  bool input_next_ = false;
  bool output_next_ = false;
  bool last_is_raw_ = false;
  std::uint8_t holds_ = 0;  // kinds of bytes in the word at hand
  int backticks_ = 0;
  std::size_t depth_of_backtick_ = 0;
  std::string_view last_;
  std::string_view function_;  // whose parentheses were just seen
  std::string_view body_of_;   // whose body this is
  int body_ = 0;               // depth of braces in it
};

}  // namespace

std::optional<CommandFinding> scan_commands(std::string_view view) { return Scan(view).run(); }

}  // namespace handrail::policy
