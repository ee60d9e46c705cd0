#include "platform/x11/xauthority.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "platform/x11/connection.h"
#include "support/x_server.h"

namespace handrail::x11 {
namespace {

std::string counted(std::string_view text) {
  return std::string{static_cast<char>(text.size() >> 8), static_cast<char>(text.size() & 0xff)} + std::string(text);
}

std::string record(int family, std::string_view address, std::string_view display, std::string_view protocol,
                   std::string_view cookie) {
  return std::string{static_cast<char>(family >> 8), static_cast<char>(family & 0xff)} + counted(address) +
         counted(display) + counted(protocol) + counted(cookie);
}

const AuthTarget kTarget{AuthFamily::local, "box", "7"};

TEST(Xauthority, FindsTheFirstThatFits) {
  const std::string file =
      record(256, "box", "6", "MIT-MAGIC-COOKIE-1", "six") + record(256, "other", "7", "MIT-MAGIC-COOKIE-1", "other") +
      record(256, "box", "7", "XDM-AUTHORIZATION-1", "xdm") + record(256, "box", "7", "MIT-MAGIC-COOKIE-1", "seven") +
      record(65535, "", "", "MIT-MAGIC-COOKIE-1", "any");
  EXPECT_EQ(find_cookie(file, kTarget), "seven");
  EXPECT_EQ(find_cookie(file, {AuthFamily::local, "elsewhere", "1"}), "any");
  EXPECT_EQ(find_cookie("", kTarget), std::nullopt);
}

TEST(Xauthority, ACutFileGivesNothing) {
  const std::string file = record(256, "box", "7", "MIT-MAGIC-COOKIE-1", "seven");
  for (std::size_t length = 0; length < file.size(); ++length) {
    EXPECT_EQ(find_cookie(std::string_view(file).substr(0, length), kTarget), std::nullopt);
  }
}

TEST(Xauthority, AServerWithACookieLetsInWhoHasIt) {
  const auto path = std::filesystem::temp_directory_path() / ("handrail-auth-" + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary) << record(65535, "", "", "MIT-MAGIC-COOKIE-1", "0123456789abcdef");
  testing::XServer x({{640, 480}, false, {"-auth", path.string()}});
  const auto knock = [&] {
    Connection connection([&]() -> Result<std::string> { return x.name(); });
    return connection.call<Unit>(Deadline::in(Millis(2000)), [](Server&) -> Result<Unit> { return Unit{}; });
  };
  ::setenv("XAUTHORITY", "/nonexistent", 1);
  const auto refused = knock();
  ::setenv("XAUTHORITY", path.c_str(), 1);
  const auto welcome = knock();
  ::unsetenv("XAUTHORITY");
  std::filesystem::remove(path);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::backend_lost);
  EXPECT_NE(refused.error().hint.find("XAUTHORITY"), std::string::npos);
  EXPECT_TRUE(welcome.ok()) << to_text(welcome.error());
}

}  // namespace
}  // namespace handrail::x11
