// What a scan of commands knows at one place of the text: the commands that are being read, one inside another, and
// what the words before mean for the next one. Plain data; the steps that change it are in stage_words and
// command_scan, the rules that judge it in command_rules.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "policy/command_names.h"
#include "policy/command_scan.h"
#include "policy/command_words.h"

namespace handrail::policy {

// What a command has shown so far.
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
// What a group of commands hands on to the pipe behind it.
inline constexpr std::uint32_t kOutput = kDownload | kDecoded | kPrint;

constexpr std::uint32_t letter(char c) { return 1U << (c - 'a'); }

// What the next word is, other than a part of the command.
enum Next : std::uint8_t {
  kInputNext = 1,     // read from
  kOutputNext = 2,    // written to
  kFunctionNext = 4,  // the name of a function
  kAliasNext = 8,     // what a name stands for
};

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

// A pipeline, and what stands before it in the same brackets.
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

struct CommandState {
  static constexpr std::size_t kMaxDepth = 32;

  std::array<Line, kMaxDepth + 1> open;  // brackets, from the outermost
  std::size_t depth = 0;
  Line* line = open.data();  // the innermost
  std::optional<CommandFinding> found;
  std::uint32_t lines = 0;  // with words, so far

  std::string_view last;  // the word before
  bool last_is_raw = false;
  std::uint8_t next = 0;      // what the next word is, bits of Next
  bool alias_next = false;    // the next words give names
  std::string_view alias_of;  // the name that the next word gets

  CommandNames names;
  std::string_view function;  // whose parentheses were just seen
  std::string_view body_of;   // whose body this is
  int body = 0;               // depth of braces in it
  CommandNames::Meaning body_means;

  CommandState() = default;
  CommandState(const CommandState&) = delete;
  CommandState& operator=(const CommandState&) = delete;

  void find(CommandFinding finding) {
    if (!found) found = finding;
  }
};

}  // namespace handrail::policy
