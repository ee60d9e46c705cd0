// The rules of the command scan: what a command, as far as it was read, must not be.
#pragma once

#include "policy/command_state.h"

namespace handrail::policy {

// The rules that hold as soon as the last piece is there; asked whenever the command at hand has shown more.
void judge_so_far(CommandState& state);

// The rules that can only be told at the end of a command: it is one stage of a pipeline.
void judge_whole(CommandState& state, bool in_background);

// Most commands have nothing to be judged at their end.
inline void judge_end(CommandState& state, bool in_background) {
  const Stage& stage = state.line->stage;
  if ((stage.seen & (kCat | kCopy)) == 0 && stage.interpreter == Word::other && !stage.target && !stage.is_function &&
      state.body == 0)
    return;
  judge_whole(state, in_background);
}

}  // namespace handrail::policy
