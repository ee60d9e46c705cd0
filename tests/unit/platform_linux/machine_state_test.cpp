#include "platform/linux/machine_state.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "platform/linux/default_app.h"

namespace handrail::linux_ {
namespace {

namespace fs = std::filesystem;

class MachineState : public ::testing::Test {
 protected:
  MachineState() {
    std::string made = (fs::temp_directory_path() / "handrail-sys-XXXXXX").string();
    folder_ = ::mkdtemp(made.data());
  }
  ~MachineState() override { fs::remove_all(folder_); }

  void put(const std::string& path, const std::string& text) {
    fs::create_directories((folder_ / path).parent_path());
    std::ofstream(folder_ / path) << text;
  }

  fs::path folder_;
};

TEST_F(MachineState, finds_the_battery_of_the_machine) {
  EXPECT_EQ(read_battery(folder_.string()), std::nullopt);
  put("class/power_supply/AC/type", "Mains\n");
  put("class/power_supply/hid-mouse/type", "Battery\n");
  put("class/power_supply/hid-mouse/scope", "Device\n");
  put("class/power_supply/hid-mouse/capacity", "5\n");
  EXPECT_EQ(read_battery(folder_.string()), std::nullopt);
  put("class/power_supply/zBAT0/type", "Battery\n");
  put("class/power_supply/zBAT0/capacity", "83\n");
  put("class/power_supply/zBAT0/status", "Not charging\n");
  EXPECT_EQ(read_battery(folder_.string()), (Battery{83, "not charging"}));
}

TEST_F(MachineState, reads_a_backlight) {
  EXPECT_FALSE(read_backlight(folder_.string()).has_value());
  put("class/backlight/panel/max_brightness", "400\n");
  put("class/backlight/panel/brightness", "100\n");
  const auto light = read_backlight(folder_.string());
  ASSERT_TRUE(light.has_value());
  EXPECT_EQ(light->name, "panel");
  EXPECT_EQ(light->percent(), 25);
  EXPECT_EQ(read_machine(folder_.string()).brightness, 25);
}

TEST_F(MachineState, knows_files_by_their_names) {
  put("data/mime/globs2",
      "# comment\n50:text/plain:*.txt\n50:application/gzip:*.gz\n50:application/x-tar-gz:*.tar.gz\n"
      "60:text/x-special:*.special.txt\n50:text/x-makefile:makefile\n");
  const Environment environment{{"XDG_DATA_HOME", (folder_ / "data").string()}, {"XDG_DATA_DIRS", "/nonexistent"}};
  put("plain", "some words");
  put("bytes", std::string("\0\1\2", 3));
  const auto type = [&](const std::string& name) { return mime_type_of((folder_ / name).string(), environment); };
  EXPECT_EQ(type("a.TXT"), "text/plain");
  EXPECT_EQ(type("a.special.txt"), "text/x-special");
  EXPECT_EQ(type("a.tar.gz"), "application/x-tar-gz");
  EXPECT_EQ(type("Makefile"), "text/x-makefile");
  EXPECT_EQ(type("plain"), "text/plain");
  EXPECT_EQ(type("bytes"), "application/octet-stream");
}

TEST_F(MachineState, opens_only_regular_files) {
  put("a.txt", "x");
  fs::create_symlink(folder_ / "a.txt", folder_ / "link.txt");
  EXPECT_TRUE(check_file((folder_ / "a.txt").string()).ok());
  for (const std::string& bad : {std::string("a.txt"), folder_.string(), (folder_ / "link.txt").string(),
                                 (folder_ / "none").string(), std::string("--help"), std::string()}) {
    const Status checked = check_file(bad);
    ASSERT_FALSE(checked.ok()) << bad;
    EXPECT_EQ(checked.error().field, "file");
  }
}

}  // namespace
}  // namespace handrail::linux_
