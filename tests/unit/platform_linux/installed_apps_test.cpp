#include "platform/linux/installed_apps.h"

#include <fstream>

#include "unit/platform_linux/desktop_fixture.h"

namespace handrail::linux_ {
namespace {

class InstalledApps : public ::testing::Test {
 protected:
  void TearDown() override { remove_folder(folder_); }

  void install(const std::string& below, const std::string& rest, const std::string& name = "App") {
    const std::filesystem::path path = folder_ + "/" + below;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "[Desktop Entry]\nType=Application\nName=" << name << "\n" << rest << "\n";
  }
  std::vector<std::string> ids() {
    std::vector<std::string> found;
    for (const DesktopEntry& entry : installed_entries(environment_)) found.push_back(entry.id);
    return found;
  }

  std::string folder_ = make_folder();
  Environment environment_{{"PATH", "/usr/bin:/bin"},
                           {"XDG_DATA_HOME", folder_ + "/own"},
                           {"XDG_DATA_DIRS", folder_ + "/first:relative::" + folder_ + "/second"}};
};

TEST_F(InstalledApps, EarlierFoldersHideLaterOnes) {
  install("second/applications/a.desktop", "Exec=true", "Second");
  install("first/applications/a.desktop", "Exec=true", "First");
  install("second/applications/gone.desktop", "Exec=true");
  install("own/applications/gone.desktop", "Hidden=true");
  install("second/applications/kde/tool.desktop", "Exec=true");
  EXPECT_EQ(ids(), (std::vector<std::string>{"a", "kde-tool"}));
  EXPECT_EQ(installed_entries(environment_)[0].name, "First");
}

TEST_F(InstalledApps, WhatCannotRunIsLeftOut) {
  install("own/applications/good.desktop", "Exec=true\nTryExec=sh");
  install("own/applications/no_program.desktop", "Exec=no-such-program-anywhere");
  install("own/applications/no_try.desktop", "Exec=true\nTryExec=no-such-program-anywhere");
  install("own/applications/in_terminal.desktop", "Exec=true\nTerminal=true");
  install("own/applications/broken.desktop", "Exec=true\nthis is no line");
  std::filesystem::create_directories(folder_ + "/own/applications/folder.desktop");
  EXPECT_EQ(ids(), (std::vector<std::string>{"good"}));
}

DesktopEntry entry(const std::string& id, const std::string& name, bool no_display = false) {
  DesktopEntry made;
  made.id = id;
  made.name = name;
  made.no_display = no_display;
  return made;
}

TEST(MatchEntry, ByIdThenNameThenUniquePart) {
  const std::vector<DesktopEntry> entries{
      entry("org.xfce.mousepad", "Mousepad"),
      entry("org.xfce.mousepad-settings", "Text Editor Settings"),
      entry("calc", "LibreOffice Calc"),
      entry("galculator", "Galculator"),
      entry("gnome-calculator", "Calculator"),
      entry("secret", "Secret Helper", true),
      entry("Calc2", "calc"),
  };
  const struct {
    const char* wanted;
    const char* id;
  } kFound[] = {
      {"org.xfce.mousepad", "org.xfce.mousepad"},
      {"org.xfce.mousepad.desktop", "org.xfce.mousepad"},
      {"calc", "calc"},  // an id goes before a name
      {"MOUSEPAD", "org.xfce.mousepad"},
      {"calculator", "gnome-calculator"},  // the whole name goes before a part of another
      {"galc", "galculator"},
      {"editor", "org.xfce.mousepad-settings"},
      {"secret", "secret"},
  };
  for (const auto& c : kFound) {
    const auto found = match_entry(entries, c.wanted);
    ASSERT_TRUE(found.ok()) << c.wanted << ": " << to_text(found.error());
    EXPECT_EQ(found->id, c.id) << c.wanted;
  }
  const auto several = match_entry(entries, "culator");
  ASSERT_FALSE(several.ok());
  EXPECT_EQ(several.error().code, Code::ambiguous);
  EXPECT_NE(several.error().message.find("Galculator (galculator), Calculator (gnome-calculator)"), std::string::npos)
      << several.error().message;
  for (const char* missing : {"firefox", "", "helper"}) {
    EXPECT_EQ(match_entry(entries, missing).error().code, Code::not_found) << missing;
  }
  EXPECT_EQ(match_entry(entries, "mousepat").error().hint, "Did you mean Mousepad?");
}

TEST(ProcessTable, KnowsAProcessFromANewOneWithItsNumber) {
  Process sleeper =
      std::move(Process::spawn({.argv = {"/bin/sleep", "600"}, .environment = {{"MARK", "a b"}}})).value();
  const auto facts = process_facts(sleeper.pid());
  ASSERT_TRUE(facts.has_value());
  EXPECT_EQ(facts->parent, ::getpid());
  EXPECT_TRUE(is_alive(facts->id));
  EXPECT_FALSE(is_alive({sleeper.pid(), facts->id.start_time + 1}));
  EXPECT_TRUE(started_with(sleeper.pid(), "MARK=a b"));
  EXPECT_FALSE(started_with(sleeper.pid(), "MARK=a"));
  EXPECT_EQ(arguments_of(sleeper.pid()), (std::vector<std::string>{"/bin/sleep", "600"}));
  EXPECT_EQ(descendants(::getpid()), (std::vector<ProcessId>{facts->id}));

  end_processes({{sleeper.pid(), facts->id.start_time + 1}}, Millis(0));
  EXPECT_TRUE(is_alive(facts->id));
  // A stopped process is ended too.
  ASSERT_TRUE(sleeper.send_signal(SIGSTOP).ok());
  end_processes({facts->id}, kPatience);
  EXPECT_FALSE(is_alive(facts->id));
  EXPECT_EQ(sleeper.wait(Deadline::in(kPatience)).value(), (ExitStatus{0, SIGTERM}));
}

TEST(DesktopFolder, IsPrivateOrRefused) {
  const std::string folder = make_folder();
  EXPECT_TRUE(make_private_folder(folder + "/a").ok());
  EXPECT_TRUE(make_private_folder(folder + "/a").ok());
  ASSERT_EQ(::chmod((folder + "/a").c_str(), 0755), 0);
  EXPECT_EQ(make_private_folder(folder + "/a").error().code, Code::permission_missing);
  ASSERT_EQ(::symlink("/tmp", (folder + "/link").c_str()), 0);
  EXPECT_EQ(make_private_folder(folder + "/link").error().code, Code::io_error);
  {
    const Variables open(Environment{{"XDG_RUNTIME_DIR", "/tmp"}});
    EXPECT_EQ(desktops_folder().error().code, Code::permission_missing);
  }
  for (const char* bad : {"", ".", "..", "a/b", "-x", "a b", "ümlaut", "0123456789012345678901234567890123"}) {
    EXPECT_EQ(check_desktop_name(bad).error().code, Code::argument_invalid) << bad;
  }
  for (const char* good : {"a", "default", "A.b-c_9"}) EXPECT_TRUE(check_desktop_name(good).ok()) << good;
  remove_folder(folder);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(DesktopFolder, ANameHasOneHolder) {
  const std::string folder = make_folder();
  auto first = NameLock::take(folder, "x");
  ASSERT_TRUE(first.ok()) << why(first);
  EXPECT_EQ(NameLock::take(folder, "x").error().code, Code::busy);
  EXPECT_TRUE(NameLock::take(folder, "y").ok());
  first->discard();
  EXPECT_FALSE(std::filesystem::exists(folder + "/x.lock"));
  EXPECT_TRUE(NameLock::take(folder, "x").ok());
  remove_folder(folder);
}

}  // namespace
}  // namespace handrail::linux_
