// The names that a text gives to commands, as aliases and functions. Constant time each.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "policy/command_words.h"

namespace handrail::policy {

class CommandNames {
 public:
  struct Meaning {
    Word word = Word::other;  // the name stands for this word
    std::uint32_t seen = 0;   // its commands show this
    std::uint32_t options = 0;
    bool runs_input = false;  // it hands what it reads to an interpreter
    bool empty() const { return word == Word::other && seen == 0 && !runs_input; }
  };

  // Adds to what the name means already: which definition is in force where is not known.
  void add(std::string_view name, const Meaning& meaning);
  // Nothing when the text has not named it so.
  const Meaning* find(std::string_view name) const;
  // False for most words that it does not hold.
  bool may_hold(std::string_view word) const { return (marks_ & mark_of(word)) != 0; }

 private:
  struct Entry {
    std::string_view name;
    Meaning meaning;
    std::uint32_t next;  // in the same slot; 0: none
  };
  static std::uint64_t mark_of(std::string_view word) {
    return std::uint64_t{1} << ((word.size() * 7 + static_cast<unsigned char>(word.front())) % 64);
  }
  std::uint32_t entry_of(std::string_view name) const;  // from 1; 0: none
  void grow();

  std::uint64_t marks_ = 0;  // by length and first character
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // index into entries_, from 1
};

}  // namespace handrail::policy
