// The words that matter in commands, and what they are.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace handrail::policy {

enum class Word : std::uint8_t {
  other,
  remove,  // rm and its like
  find,    // can run or delete by itself
  dd,
  make_fs,  // writes a device from the start
  shred,
  git,
  clean,  // of git
  chmod,
  chown,
  move,
  copy,
  tee,
  cat,
  truncate,
  download,
  request,  // GET and its like: a download as the name of a command
  netcat,
  decode,     // turns unreadable into readable when told to
  transform,  // always does
  print,      // echo, printf
  shell,
  script,  // other interpreters
  run,     // eval, source
  prefix,  // runs the command behind it
  xargs,
  alias,
  function,
  windows_delete,
  format,
  closes,  // }, done, fi: the end of a group
};

// By the name alone, any case, folders left out: "/bin/RM" is remove.
Word word_of(std::string_view word);
// The same for a word without folders and endings.
Word bare_word_of(std::string_view word);

// Where the words are by length, first and last character.
struct WordSlots {
  static constexpr std::size_t kLongest = 17;
  static constexpr std::size_t kCount = 2048;
  static const std::array<std::uint8_t, kCount> kRows;                                         // 0: no word is here
  static constexpr std::size_t fold(char c) { return static_cast<unsigned char>(c) | 0x20U; }  // letters to small ones
  static constexpr std::size_t of(std::string_view word) {
    return (word.size() * 67 + fold(word.front()) * 37 + fold(word.back()) * 5) % kCount;
  }
};
// Whether a word without slashes surely is Word::other. It may say no for others too.
inline bool is_no_command(std::string_view word, bool has_dot) {
  if (word.size() > WordSlots::kLongest + 4) return true;
  const std::size_t first = WordSlots::fold(word.front());
  const std::size_t last = WordSlots::fold(word.back());
  // python311, newfs_x, mkfs.x and x.exe are not in the table.
  if ((last >= '0' && last <= '9') || first == 'n') return false;
  if (has_dot) return word.size() > 1 && last != 'e' && first != 'm';
  return WordSlots::kRows[WordSlots::of(word)] == 0;
}

// Whether a file name pattern such as "r?" or "/b?n/r*" can mean rm. False for words without a pattern.
bool pattern_for_remove(std::string_view word);

// A file in /dev that is a disk, memory or the like: everything but the harmless ones.
bool is_raw_device(std::string_view path);
// The root, a home, a system folder, or all there is.
bool is_everything(std::string_view path);

}  // namespace handrail::policy
