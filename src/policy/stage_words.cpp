#include "policy/stage_words.h"

#include <algorithm>

#include "policy/command_rules.h"

namespace handrail::policy {
namespace {

// The name of a command begins: options before it belong to others, unless xargs hands them over.
void begin(Line& line, std::uint32_t bit) {
  Stage& stage = line.stage;
  if ((stage.seen & bit) == 0) {
    stage.options = stage.capital = 0;
    stage.seen &= ~kAll;
    if ((stage.seen & kXargs) != 0) stage.options |= line.piped_options;
  }
  stage.seen |= bit;
}

void take_name(Line& line, Word kind) {
  Stage& stage = line.stage;
  switch (kind) {
    case Word::remove: return begin(line, kRemove);
    case Word::shred: return begin(line, kShred);
    case Word::chmod: return begin(line, kChmod);
    case Word::chown: return begin(line, kChown);
    case Word::netcat: return begin(line, kNetcat);
    case Word::windows_delete: return begin(line, kWindowsDelete);
    case Word::clean:
      if ((stage.seen & kGit) != 0) begin(line, kClean);
      return;
    case Word::find: stage.seen |= kFind; return;
    case Word::dd: stage.seen |= kDd; return;
    case Word::make_fs: stage.seen |= kMakeFs; return;
    case Word::git: stage.seen |= kGit; return;
    case Word::move: stage.seen |= kMove; return;
    case Word::copy: stage.seen |= kCopy; return;
    case Word::tee: stage.seen |= kTee; return;
    case Word::cat: stage.seen |= kCat; return;
    case Word::truncate: stage.seen |= kTruncate; return;
    case Word::download: stage.seen |= kDownload; return;
    case Word::decode: stage.seen |= kDecoder; return;
    case Word::transform: stage.seen |= kDecoded; return;
    case Word::print: stage.seen |= kPrint; return;
    case Word::shell: stage.seen |= kShell; return;
    case Word::xargs: stage.seen |= kXargs; return;
    case Word::format: stage.seen |= kFormat; return;
    default: return;
  }
}

void take_long_option(CommandState& state, std::string_view word) {
  Stage& stage = state.line->stage;
  const std::string_view name =
      word.substr(2, word.find('=') == std::string_view::npos ? word.size() : word.find('=') - 2);
  const auto short_for = [&](std::string_view whole) { return !name.empty() && whole.starts_with(name); };
  if (short_for("recursive")) {
    stage.options |= letter('r');
    stage.capital |= letter('r');
  }
  if (short_for("force")) stage.options |= letter('f');
  if (name == "no-preserve-root" && (stage.seen & kRemove) != 0) state.find(CommandFinding::recursive_delete);
  if ((stage.seen & kDecoder) != 0 &&
      (short_for("decode") || short_for("decompress") || short_for("decrypt") || short_for("revert")))
    stage.seen |= kDecoded;
  if ((stage.seen & kTruncate) != 0 && word == "--size=0") state.find(CommandFinding::overwrite);
  if ((stage.seen & kFind) != 0 && (name == "exec" || name == "exec-batch")) stage.seen |= kFindRuns;
}

void take_option(CommandState& state, std::string_view word) {
  Stage& stage = state.line->stage;
  if (stage.place == Place::command) stage.place = Place::argument;
  stage.wants_zero = (word == "-s" || word == "--size") && (stage.seen & kTruncate) != 0;
  if (stage.words > 1) stage.more_operands = true;
  if (word[1] == '-') return take_long_option(state, word);
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
    if (word == "-delete") state.find(CommandFinding::recursive_delete);
    if (word.starts_with("-exec") || word.starts_with("-ok") || word == "-x" || word == "-X") stage.seen |= kFindRuns;
  }
  if ((stage.seen & kTruncate) != 0 && word == "-s0") state.find(CommandFinding::overwrite);
  if ((stage.seen & kDecoder) != 0 && (letters & (letter('d') | letter('r'))) != 0) stage.seen |= kDecoded;
  // A program on the command line, and no longer what comes by the pipe.
  if (stage.interpreter == Word::script &&
      (letters & (letter('c') | letter('m') | letter('e') | letter('n') | letter('p') | letter('r'))) != 0) {
    stage.operand = true;
  }
}

// "x=rm" gives the command another name, as a variable or an alias.
Word take_assignment(CommandState& state, std::string_view word) {
  if (word.size() > 64) return Word::other;
  std::size_t equals = 0;
  while (equals < word.size() && word[equals] != '=') ++equals;
  if (equals == word.size() || equals == 0) return Word::other;
  const Word kind = word_of(word.substr(equals + 1));
  if (state.alias_next && kind == Word::prefix) {
    state.next |= kAliasNext;
    state.alias_of = word.substr(0, equals);
  } else if (state.alias_next) {
    state.names.add(word.substr(0, equals), {.word = kind});
  }
  return kind == Word::remove ? kind : Word::other;
}

// A word behind an interpreter: its program, or a sign that it runs what it reads.
void take_program(Stage& stage, std::string_view word, Word kind) {
  const bool is_input = word == "-" || word == "/dev/stdin" || word == "/proc/self/fd/0" || word == "/dev/fd/0";
  if (!is_input && (stage.options & letter('s')) == 0) stage.operand = stage.operand || !stage.comment;
  if (kind == Word::run || word.starts_with("exec") || word.starts_with("os.system") || word.starts_with("system") ||
      kind == Word::cat)
    stage.seen |= kExecutes;
}

// A function of the text is called.
void take_call(CommandState& state, const CommandNames::Meaning& meaning) {
  Stage& stage = state.line->stage;
  if ((meaning.seen & kRemove) != 0) begin(*state.line, kRemove);
  stage.seen |= meaning.seen;
  stage.options |= meaning.options;
  if (!meaning.runs_input) return;
  stage.interpreter = Word::shell;
  stage.seen |= kRuns;
}

// Whether the word is the command of its stage, behind prefixes.
void take_place(CommandState& state, std::string_view word, Word kind, std::uint8_t holds) {
  Stage& stage = state.line->stage;
  if (stage.place == Place::argument) {
    if (stage.interpreter != Word::other) take_program(stage, word, kind);
    return;
  }
  state.alias_next = kind == Word::alias;
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
  if ((holds & kEquals) != 0 && word[0] != '=') return;  // VAR=value before the command
  if (kind == Word::request) stage.seen |= kDownload;
  // What a loop or a branch printed goes on into a pipe.
  if (kind == Word::closes) stage.seen |= state.line->group & kOutput;
  if (kind == Word::other && state.names.may_hold(word)) {
    if (const auto* meaning = state.names.find(word)) take_call(state, *meaning);
  }
  if (stage.place == Place::command) {
    stage.colon = word == ":";
    stage.is_function = state.body > 0 && word == state.body_of;
  }
  if (stage.place == Place::behind_prefix && ++stage.skipped <= 2) return;
  stage.place = Place::argument;
}

bool looks_like_file(std::string_view word) {
  if (word[0] == '/' || word[0] == '~') return true;
  for (std::size_t i = 1; i + 1 < word.size() && i < 128; ++i) {
    const char next = static_cast<char>(word[i + 1] | 0x20);
    if (word[i] == '/' || (word[i] == '.' && next >= 'a' && next <= 'z')) return true;
  }
  return false;
}

bool opens_mode(std::string_view word) {
  static constexpr std::string_view kModes[] = {"777",   "0777",    "000",   "0",     "0000",
                                                "a+rwx", "ugo+rwx", "a=rwx", "a-rwx", "+rwx"};
  const char first = word[0];
  if (first != '7' && first != '0' && first != 'a' && first != 'u' && first != '+') return false;
  return word.size() < 8 && std::ranges::find(kModes, word) != std::end(kModes);
}

void take_path(CommandState& state, std::string_view word) {
  Stage& stage = state.line->stage;
  if (is_raw_device(word)) {
    stage.seen |= kRawOperand;
    state.last_is_raw = true;
  }
  if (word == "/dev/null") {
    const bool is_source = word_of(state.last) == Word::copy || state.last.starts_with('-');
    if ((stage.seen & kCopy) != 0 && stage.words <= 3 && (stage.seen & kDevNull) == 0 && is_source)
      state.find(CommandFinding::overwrite);
    stage.seen |= kDevNull;
  }
  if (word.size() == 2 && (stage.seen & (kWindowsDelete | kFormat)) != 0) {
    const char c = static_cast<char>(word[1] | 0x20);
    if (c >= 'a' && c <= 'z') stage.options |= letter(c);
  }
  if (word.starts_with("/dev/tcp/")) stage.seen |= kSocket;
}

void take_operand(CommandState& state, std::string_view word) {
  Stage& stage = state.line->stage;
  if (word[0] == '/') take_path(state, word);
  if ((stage.seen & (kRemove | kChmod | kChown)) != 0 && (stage.seen & kAll) == 0 && is_everything(word)) {
    if (word != "*" || (stage.seen & kRemove) != 0) stage.seen |= kAll;
  }
  if ((stage.seen & (kChmod | kOpenMode)) == kChmod && opens_mode(word)) stage.seen |= kOpenMode;
  if ((stage.seen & kDd) != 0 && word.starts_with("of=") && is_raw_device(word.substr(3)))
    state.find(CommandFinding::raw_device_write);
  if ((stage.seen & kShred) != 0 && looks_like_file(word)) state.find(CommandFinding::overwrite);
  if ((stage.seen & kFormat) != 0 && word.size() == 2 && word[1] == ':') stage.seen |= kDrive;
}

void take_plain(CommandState& state, std::string_view word, std::uint8_t holds) {
  Stage& stage = state.line->stage;
  Word kind = (holds & (kSlash | kDot)) != 0 ? word_of(word)
              : (holds & kEquals) != 0       ? Word::other
                                             : bare_word_of(word);
  if (kind == Word::other && (holds & (kGlob | kEquals)) != 0) {
    if ((holds & kGlob) != 0 && pattern_for_remove(word)) kind = Word::remove;
    if ((holds & kEquals) != 0) kind = take_assignment(state, word);
  }
  if (kind == Word::other && state.names.may_hold(word)) {
    if (const auto* meaning = state.names.find(word)) kind = meaning->word;
  }
  if ((state.next & kAliasNext) != 0 && (holds & kEquals) == 0 && kind != Word::prefix) {
    state.names.add(state.alias_of, {.word = kind});
    state.next &= ~kAliasNext;
  }
  if (stage.place != Place::argument || stage.interpreter != Word::other) take_place(state, word, kind, holds);
  if (stage.wants_zero && word == "0") state.find(CommandFinding::overwrite);
  stage.wants_zero = false;
  if (stage.words > 1) stage.more_operands = true;
  if ((state.next & kFunctionNext) != 0) {
    state.function = word;
    state.next &= ~kFunctionNext;
  }
  if (kind == Word::function) state.next |= kFunctionNext;
  if (kind != Word::other) take_name(*state.line, kind);
  if (stage.seen != 0 || word[0] == '/') take_operand(state, word);
}

// The word behind ">" or "<".
void take_redirection(CommandState& state, std::string_view word) {
  Stage& stage = state.line->stage;
  if ((state.next & kOutputNext) != 0) {
    stage.path_target = word[0] == '/' || word[0] == '~';
    if (is_raw_device(word)) state.find(CommandFinding::raw_device_write);
    const bool is_stream = word == "/dev/null" || word.starts_with("/dev/std") || word.starts_with("/dev/fd") ||
                           word.starts_with("/dev/tty");
    stage.target = !is_stream;
    state.next &= ~kOutputNext;
  } else {
    // A here-string may be options for what reads them.
    state.next &= ~kInputNext;
  }
  if (word.starts_with("/dev/tcp/") || word.starts_with("/dev/udp/")) {
    stage.seen |= kSocket;
    judge_so_far(state);
  }
}

}  // namespace

void take_word(CommandState& state, std::string_view word, std::uint8_t holds) {
  if ((state.next & (kOutputNext | kInputNext)) != 0) return take_redirection(state, word);
  Stage& stage = state.line->stage;
  // A comment gives an interpreter nothing; other commands may be in a shell that knows no comments here.
  if (word[0] == '#' && stage.interpreter != Word::other) stage.comment = true;
  if (stage.words < 255) ++stage.words;
  state.last_is_raw = false;
  const std::uint32_t seen = stage.seen;
  const std::uint32_t options = stage.options;
  const std::uint32_t capital = stage.capital;
  if (word[0] == '-' && word.size() > 1) {
    take_option(state, word);
  } else {
    take_plain(state, word, holds);
  }
  state.last = word;
  if (stage.seen != seen || stage.options != options || stage.capital != capital) judge_so_far(state);
}

}  // namespace handrail::policy
