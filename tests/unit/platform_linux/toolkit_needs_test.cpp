#include "platform/linux/toolkit_needs.h"

#include <fstream>

#include "platform/linux/desktop_environment.h"
#include "unit/platform_linux/desktop_fixture.h"

namespace handrail::linux_ {
namespace {

using Words = std::vector<std::string>;
const std::string kFlag = "--force-renderer-accessibility";

TEST(ToolkitNeeds, BrowsersAreStartedWithTheirFlagAndOthersAsTheyAre) {
  struct Case {
    Words given, wanted;
  };
  const std::vector<Case> cases{
      {{"/usr/bin/chromium", "--new-window", "page"}, {"/usr/bin/chromium", kFlag, "--new-window", "page"}},
      {{"/snap/bin/chromium"}, {"/snap/bin/chromium", kFlag}},
      {{"code", "."}, {"code", kFlag, "."}},
      {{"/usr/bin/chromium", kFlag}, {"/usr/bin/chromium", kFlag}},
      {{"/usr/bin/chromium", kFlag + "=complete"}, {"/usr/bin/chromium", kFlag + "=complete"}},
      {{"/usr/bin/env", "-u", "A=b", "slack"}, {"/usr/bin/env", "-u", "A=b", "slack", kFlag}},
      {{"/usr/bin/flatpak", "run", "--branch=stable", "org.signal.Signal", "@@u", "@@"},
       {"/usr/bin/flatpak", "run", "--branch=stable", "org.signal.Signal", kFlag, "@@u", "@@"}},
      {{"/usr/bin/flatpak", "run", "org.gnome.TextEditor"}, {"/usr/bin/flatpak", "run", "org.gnome.TextEditor"}},
      {{"/usr/bin/flatpak", "list"}, {"/usr/bin/flatpak", "list"}},
      {{"/usr/bin/mousepad", "chromium"}, {"/usr/bin/mousepad", "chromium"}},
      {{"env"}, {"env"}},
      {{}, {}},
  };
  for (const Case& row : cases) EXPECT_EQ(with_accessibility(row.given), row.wanted);
}

TEST(ToolkitNeeds, AppsMadeOfChromiumAreKnownByTheirFiles) {
  const std::string folder = make_folder();
  std::filesystem::create_directories(folder + "/app");
  std::ofstream(folder + "/app/notes") << "program";
  std::filesystem::create_symlink(folder + "/app/notes", folder + "/link");
  EXPECT_EQ(accessibility_flag(folder + "/link"), "");
  std::ofstream(folder + "/app/icudtl.dat") << "data";
  EXPECT_EQ(accessibility_flag(folder + "/link"), "");
  std::ofstream(folder + "/app/resources.pak") << "data";
  EXPECT_EQ(accessibility_flag(folder + "/link"), kFlag);
  EXPECT_EQ(accessibility_flag("notes"), "");
  EXPECT_EQ(accessibility_flag(folder + "/gone"), "");
  remove_folder(folder);
}

TEST(ToolkitNeeds, EveryProgramGetsTheVariablesAndNoneThatSwitchItOff) {
  const Environment given{{"NO_AT_BRIDGE", "1"}, {"GTK_A11Y", "none"}, {"QT_ACCESSIBILITY", "0"}, {"HOME", "/home/a"}};
  const Environment session = scrubbed_environment(given);
  SuperviseRequest request;
  const Environment embedded = embedded_environment(request);
  for (const Environment& environment : {session, embedded}) {
    EXPECT_EQ(environment.at("QT_ACCESSIBILITY"), "1");
    EXPECT_EQ(environment.at("QT_LINUX_ACCESSIBILITY_ALWAYS_ON"), "1");
    EXPECT_FALSE(environment.contains("NO_AT_BRIDGE"));
    EXPECT_FALSE(environment.contains("GTK_A11Y"));
  }
}

}  // namespace
}  // namespace handrail::linux_
