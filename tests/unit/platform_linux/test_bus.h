// A message bus of a test's own, on which nothing is started by itself.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <filesystem>
#include <optional>
#include <string>

#include "base/process.h"

namespace handrail::linux_ {

inline constexpr Millis kPatience{20000};

class TestBus {
 public:
  TestBus() {
    std::string form = "/tmp/hr-bus-XXXXXX";
    if (::mkdtemp(form.data()) == nullptr) return;
    folder_ = form;
    auto ready = make_pipe();
    if (!ready.ok()) return;
    SpawnOptions options;
    options.argv = {
        "dbus-daemon",      "--session", "--nofork", "--nopidfile", "--address=unix:path=" + folder_ + "/bus",
        "--print-address=3"};
    options.environment = {{"PATH", "/usr/bin:/bin"}, {"XDG_DATA_DIRS", folder_}, {"XDG_DATA_HOME", folder_}};
    options.keep = {{ready->write.get(), 3}};
    auto started = Process::spawn(options);
    EXPECT_TRUE(started.ok()) << to_text(started.error());
    if (!started.ok()) return;
    process_.emplace(std::move(*started));
    ready->write.reset();
    EXPECT_TRUE(wait_readable(ready->read.get(), Deadline::in(kPatience)).ok());
  }
  ~TestBus() {
    process_.reset();
    std::filesystem::remove_all(folder_);
  }
  std::string address() const { return "unix:path=" + folder_ + "/bus"; }
  void freeze() { EXPECT_TRUE(process_->send_signal(SIGSTOP).ok()); }

 private:
  std::string folder_;
  std::optional<Process> process_;
};

}  // namespace handrail::linux_
