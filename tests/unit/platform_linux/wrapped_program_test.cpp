#include "platform/linux/wrapped_program.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "platform/linux/wrapper_script.h"

namespace handrail::linux_ {
namespace {

using Targets = std::vector<std::string>;

TEST(WrapperScript, names_what_its_exec_lines_start) {
  const std::string at = "/opt/google/chrome/google-chrome";
  EXPECT_EQ(exec_targets("#!/bin/sh\nexec /usr/lib/x/x \"$@\"\n", at), Targets{"/usr/lib/x/x"});
  EXPECT_EQ(
      exec_targets("APPNAME=chromium\nLIBDIR=/usr/lib/$APPNAME\nif true; then\n  exec $LIBDIR/$APPNAME $FLAGS\nfi", at),
      Targets{"/usr/lib/chromium/chromium"});
  EXPECT_EQ(exec_targets("HERE=\"`dirname \"$(readlink -f \"$0\")\"`\"\nexec -a \"$0\" \"$HERE/chrome\" \"$@\"", at),
            Targets{"/opt/google/chrome/chrome"});
  EXPECT_EQ(exec_targets("D=\"$(dirname \"$0\")\"\nexec \"${D}/app\"", at), Targets{"/opt/google/chrome/app"});
  EXPECT_EQ(exec_targets("GTK_THEME=x exec gimp-2.10 \"$@\"", at), Targets{"gimp-2.10"});
  EXPECT_EQ(exec_targets("exec \\\n  /usr/bin/a \\\n  -b", at), Targets{"/usr/bin/a"});
  EXPECT_EQ(exec_targets("exec a; exec a\nexec b", at), (Targets{"a", "b"}));
}

TEST(WrapperScript, passes_over_what_it_cannot_know) {
  const std::string at = "/usr/bin/wrapper";
  EXPECT_EQ(exec_targets("exec $1", at), Targets{});
  EXPECT_EQ(exec_targets("exec \"$UNKNOWN/x\"", at), Targets{});
  EXPECT_EQ(exec_targets("P=/usr/bin/a\nP=/usr/bin/b\nexec $P", at), Targets{}) << "two values";
  EXPECT_EQ(exec_targets("P=$(which a)\nexec $P", at), Targets{});
  EXPECT_EQ(exec_targets("exec > log 2>&1", at), Targets{});
  EXPECT_EQ(exec_targets("# exec /usr/bin/a\necho 'exec /usr/bin/b'\nfind . -exec rm {} \\;", at), Targets{});
  EXPECT_EQ(exec_targets("echo \"\nexec /usr/bin/a\n\"", at), Targets{}) << "inside quotes";
  EXPECT_EQ(exec_targets("exec /usr/bin/*", at), Targets{});
  EXPECT_EQ(exec_targets("", at), Targets{});
}

TEST(WrappedProgram, is_the_one_behind_an_installed_script) {
  EXPECT_EQ(wrapped_program("/usr/bin/chromium"), "/usr/lib/chromium/chromium");
}

TEST(WrappedProgram, is_nothing_for_other_files) {
  EXPECT_EQ(wrapped_program(""), "");
  EXPECT_EQ(wrapped_program("/usr/lib/chromium/chromium"), "") << "no script";
  EXPECT_EQ(wrapped_program("/nonexistent"), "");
}

// Whoever the tests run as: what lies in a folder of a person's is theirs.
TEST(WrappedProgram, is_nothing_for_a_persons_script) {
  std::string pattern = (std::filesystem::temp_directory_path() / "handrail-wrapper-XXXXXX").string();
  const std::filesystem::path folder = std::filesystem::canonical(::mkdtemp(pattern.data()));
  const std::string script = (folder / "chromium").string();
  std::ofstream(script) << "#!/bin/sh\nexec /usr/lib/chromium/chromium \"$@\"\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  EXPECT_EQ(wrapped_program(script), "");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace handrail::linux_
