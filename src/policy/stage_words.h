// What each word adds to the command that it stands in: its name, options and operands.
#pragma once

#include <cstdint>
#include <string_view>

#include "policy/command_state.h"

namespace handrail::policy {

// What a word holds besides ordinary characters.
enum Holds : std::uint8_t { kPlainWord = 2, kGlob = 4, kEquals = 8, kSlash = 16, kDot = 32 };

// Takes one word, not empty, into the innermost command and judges what changed.
void take_word(CommandState& state, std::string_view word, std::uint8_t holds);

// Takes a word that means nothing by itself and stands in a command of which nothing is known yet. That is most words
// of any text; false, with nothing changed, for others.
inline bool take_idle_word(CommandState& state, std::string_view word, std::uint8_t holds) {
  Stage& stage = state.line->stage;
  if ((holds & (kGlob | kSlash)) != 0 || stage.seen != 0 || stage.interpreter != Word::other || state.next != 0 ||
      word[0] == '-' || state.names.may_hold(word))
    return false;
  const bool sets = (holds & kEquals) != 0;  // "name=value" before the command or behind it
  if (sets && (state.alias_next || word[0] == '=' || word.back() == '=')) return false;
  if (!is_no_command(sets ? word.substr(word.find('=') + 1) : word, (holds & kDot) != 0)) return false;
  if (stage.words < 255) ++stage.words;
  if (stage.words > 1) stage.more_operands = true;
  stage.wants_zero = state.last_is_raw = false;
  state.last = word;
  if (stage.place == Place::argument || sets) return true;
  state.alias_next = false;
  if (stage.place == Place::command) {
    stage.colon = word.size() == 1 && word[0] == ':';
    stage.is_function = state.body > 0 && word == state.body_of;
    stage.place = Place::argument;
  } else if (++stage.skipped > 2) {
    stage.place = Place::argument;
  }
  return true;
}

}  // namespace handrail::policy
