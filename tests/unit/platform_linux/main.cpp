// The test program is also what its desktops are supervised by, and, as `own` and `try`, the other
// process of a test.
#include <gtest/gtest.h>

#include <cstdio>
#include <string_view>

#include "platform/linux/desktop.h"
#include "platform/linux/desktop_record.h"
#include "platform/linux/supervisor.h"
#include "platform/x11/monitors.h"

namespace {

using namespace handrail;

void print(const Json& value) {
  std::puts(to_line(value).c_str());
  std::fflush(stdout);
}

// Owns a desktop until it is killed.
int own_desktop() {
  const auto desktop = linux_::EmbeddedDesktop::start({.name = "owned"});
  if (!desktop.ok()) return 1;
  print(linux_::to_json(desktop->info()));
  for (;;) ::pause();
}

// Starts and stops a desktop, printing what it was in between.
int try_desktop() {
  const auto info = linux_::start_desktop({.name = "tried"});
  if (!info.ok()) {
    print(linux_::to_json(info.error()));
    return 1;
  }
  print(linux_::to_json(*info));
  return linux_::stop_desktop("tried").ok() ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view word = argc > 1 ? argv[1] : "";
  if (word == "desktop") return linux_::supervise(x11::define_monitors);
  if (word == "own") return own_desktop();
  if (word == "try") return try_desktop();
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
