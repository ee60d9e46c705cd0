// The test program is also what its desktops are supervised by, the guardian of its servers, and, as `own`, `try` and
// `serve`, the other process of a test.
#include <gtest/gtest.h>

#include <cstdio>
#include <string_view>

#include "guardian_server.h"
#include "platform/linux/desktop.h"
#include "platform/linux/desktop_record.h"
#include "platform/linux/guardian_process.h"
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
  if (word == "guardian" && argc > 2) return linux_::guardian_main(argv[2], linux_::make_test_restorer);
  if (word == "serve") return linux_::run_guarded_server({argv + 2, argv + argc});
  if (word == "own") return own_desktop();
  if (word == "try") return try_desktop();
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
