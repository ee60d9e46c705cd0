#include "platform/linux/runtime_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace handrail::linux_ {
namespace {

namespace fs = std::filesystem;

class RuntimeFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "handrail-logins-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    logins_ = pattern;
    if (const char* before = std::getenv("XDG_RUNTIME_DIR")) before_ = before;
    ::unsetenv("XDG_RUNTIME_DIR");
  }
  void TearDown() override {
    if (before_)
      ::setenv("XDG_RUNTIME_DIR", before_->c_str(), 1);
    else
      ::unsetenv("XDG_RUNTIME_DIR");
    std::error_code ignored;
    fs::remove_all(logins_, ignored);
  }
  std::string mine() const { return fmt::format("{}/{}", logins_, ::geteuid()); }
  std::string found() const { return runtime_folder(logins_).value(); }
  static std::string otherwise() { return fmt::format("/tmp/handrail-{}", ::geteuid()); }

  std::string logins_;
  std::optional<std::string> before_;
};

TEST_F(RuntimeFolderTest, is_that_of_the_login_when_the_variable_is_not_passed_on) {
  EXPECT_EQ(found(), otherwise()) << "nobody has logged in";
  fs::create_directory(mine());
  fs::permissions(mine(), fs::perms::owner_all);
  EXPECT_EQ(found(), mine() + "/handrail");
  EXPECT_EQ(fs::status(mine() + "/handrail").permissions(), fs::perms::owner_all);
  const std::string named = logins_ + "/named";
  fs::create_directory(named);
  fs::permissions(named, fs::perms::owner_all);
  ::setenv("XDG_RUNTIME_DIR", named.c_str(), 1);
  EXPECT_EQ(found(), named + "/handrail") << "what is passed on counts first";
}

TEST_F(RuntimeFolderTest, is_none_that_others_can_reach) {
  fs::create_directory(mine());
  for (const auto more : {fs::perms::group_read, fs::perms::others_exec, fs::perms::group_write}) {
    fs::permissions(mine(), fs::perms::owner_all | more);
    EXPECT_EQ(found(), otherwise());
  }
  fs::remove(mine());
  fs::create_directory(logins_ + "/elsewhere");
  fs::permissions(logins_ + "/elsewhere", fs::perms::owner_all);
  fs::create_directory_symlink(logins_ + "/elsewhere", mine());
  EXPECT_EQ(found(), otherwise()) << "a link is no folder";
}

}  // namespace
}  // namespace handrail::linux_
