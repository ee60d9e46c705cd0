// The guardians that run for this user, found by the memory they share; counts only, never what is in it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace handrail::linux_ {

struct GuardianInfo {
  pid_t pid = 0;
  pid_t server = 0;
  bool server_alive = false;
  std::string display;
  std::string folder;  // of the server's sockets and locks
  std::size_t keys = 0;
  std::size_t buttons = 0;
  std::uint64_t keymap_bytes = 0;
  std::uint64_t windows_bytes = 0;
  std::uint64_t clipboard_bytes = 0;
  bool holds_clipboard = false;  // given back to the person, who has not copied anything since
};

std::vector<GuardianInfo> list_guardians();

}  // namespace handrail::linux_
