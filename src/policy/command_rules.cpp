#include "policy/command_rules.h"

namespace handrail::policy {
namespace {

// A bracket that is never closed must not reach through a whole document.
constexpr std::uint32_t kMaxLines = 8;

}  // namespace

void judge_so_far(CommandState& state) {
  const Line& line = *state.line;
  const Stage& stage = line.stage;
  const std::uint32_t seen = stage.seen;
  if (seen == 0) return;
  const auto saw = [&](std::uint32_t bits) { return (seen & bits) == bits; };
  const auto has = [&](std::uint32_t letters) { return (stage.options & letters) == letters; };
  const auto has_any = [&](std::uint32_t letters) { return (stage.options & letters) != 0; };
  const bool recursive = (stage.capital & letter('r')) != 0;

  if (saw(kRemove)) {
    if (has(letter('r')) && (has(letter('f')) || saw(kAll))) state.find(CommandFinding::recursive_delete);
    if (saw(kFind | kFindRuns)) state.find(CommandFinding::recursive_delete);
    if (saw(kXargs) && (line.piped & kFind) != 0) state.find(CommandFinding::recursive_delete);
  }
  if (saw(kFind | kFindRuns | kShred)) state.find(CommandFinding::recursive_delete);
  if (saw(kWindowsDelete) && has(letter('s') | letter('q'))) state.find(CommandFinding::recursive_delete);

  if (saw(kMakeFs | kRawOperand) || saw(kTee | kRawOperand)) state.find(CommandFinding::raw_device_write);
  if (saw(kFormat | kDrive) && stage.options != 0) state.find(CommandFinding::raw_device_write);

  if (saw(kShred) && has_any(letter('u') | letter('z') | letter('n') | letter('f') | letter('v')))
    state.find(CommandFinding::overwrite);
  if (saw(kMove | kDevNull)) state.find(CommandFinding::overwrite);

  if (saw(kClean) && has(letter('f')) && has_any(letter('d') | letter('x'))) state.find(CommandFinding::git_clean);
  if (saw(kChmod) && recursive && (seen & (kOpenMode | kAll)) != 0) state.find(CommandFinding::open_permissions);
  if (saw(kChown | kAll) && recursive) state.find(CommandFinding::open_permissions);
  if (saw(kNetcat | kShell) && has_any(letter('e') | letter('c'))) state.find(CommandFinding::network_shell);
  if (saw(kSocket | kShell) && has(letter('i'))) state.find(CommandFinding::network_shell);

  if (state.lines - line.opened > kMaxLines) return;
  if ((line.to_run || line.is_command) && saw(kDownload)) state.find(CommandFinding::download_to_interpreter);
  if (line.to_run && (seen & (kDecoded | kPrint)) != 0) state.find(CommandFinding::text_to_interpreter);
  if (line.is_command && saw(kDecoded)) state.find(CommandFinding::text_to_interpreter);
}

void judge_whole(CommandState& state, bool in_background) {
  const Line& line = *state.line;
  const Stage& stage = line.stage;
  const bool interprets = stage.interpreter != Word::other;
  const bool reads_program = interprets && !stage.operand;
  if (state.body > 0) {
    if (stage.is_function && (in_background || (line.in_pipe && line.piped_function)))
      state.find(CommandFinding::fork_bomb);
    state.body_means.seen |= stage.seen & (kOutput | kNetcat | kRemove);
    if ((stage.seen & kRemove) != 0) state.body_means.options |= stage.options;
    if (reads_program && !line.in_pipe && stage.interpreter != Word::run) state.body_means.runs_input = true;
  }
  if (line.in_pipe && (reads_program || (interprets && (stage.seen & kExecutes) != 0))) {
    if ((line.piped & (kDownload | kNetcat)) != 0) state.find(CommandFinding::download_to_interpreter);
    // What is printed is data for most scripts, and a program for a shell.
    const std::uint32_t text = stage.interpreter == Word::script ? kDecoded : kDecoded | kPrint;
    if ((line.piped & text) != 0) state.find(CommandFinding::text_to_interpreter);
  }
  if (stage.target && !stage.more_operands &&
      (stage.colon || (stage.words == 0 && stage.path_target && !line.in_pipe))) {
    state.find(CommandFinding::overwrite);
  }
  if ((stage.seen & kCat) != 0 && (stage.seen & kDevNull) != 0 && stage.target) state.find(CommandFinding::overwrite);
  if ((stage.seen & kCopy) != 0 && (stage.seen & kRawOperand) != 0 && state.last_is_raw)
    state.find(CommandFinding::raw_device_write);
}

}  // namespace handrail::policy
