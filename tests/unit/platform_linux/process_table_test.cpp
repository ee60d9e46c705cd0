#include "platform/linux/process_table.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace handrail::linux_ {
namespace {

// In a child of this process's child, which ends with what it saw.
bool seen_from_below(bool (*look)(pid_t top)) {
  const pid_t top = ::getpid();
  const auto result_of = [](pid_t child) {
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  };
  const pid_t child = ::fork();
  if (child == 0) {
    const pid_t grandchild = ::fork();
    if (grandchild == 0) ::_exit(look(top) ? 0 : 1);
    ::_exit(result_of(grandchild) ? 0 : 1);
  }
  return result_of(child);
}

TEST(ProcessTable, KnowsWhoStartedWhom) {
  EXPECT_TRUE(seen_from_below([](pid_t top) { return is_ancestor(top, ::getpid()); }));
  EXPECT_TRUE(seen_from_below([](pid_t) { return is_ancestor(::getppid(), ::getpid()); }));
  EXPECT_TRUE(seen_from_below([](pid_t top) { return !is_ancestor(::getpid(), top); }));
  EXPECT_FALSE(is_ancestor(::getpid(), ::getpid()));
  EXPECT_FALSE(is_ancestor(1, ::getpid())) << "it takes in orphans";
  EXPECT_FALSE(is_ancestor(0, ::getpid()));
  EXPECT_FALSE(is_ancestor(-5, ::getpid()));
}

}  // namespace
}  // namespace handrail::linux_
