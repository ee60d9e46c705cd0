// The words that matter in commands, and what they are.
#pragma once

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
// Whether a file name pattern such as "r?" or "/b?n/r*" can mean rm. False for words without a pattern.
bool pattern_for_remove(std::string_view word);

// A file in /dev that is a disk, memory or the like: everything but the harmless ones.
bool is_raw_device(std::string_view path);
// The root, a home, a system folder, or all there is.
bool is_everything(std::string_view path);

}  // namespace handrail::policy
