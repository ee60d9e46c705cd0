#include "platform/linux/desktop_entry.h"

#include <gtest/gtest.h>

namespace handrail::linux_ {
namespace {

using Words = std::vector<std::string>;

const std::string kHead = "[Desktop Entry]\nType=Application\n";

TEST(DesktopEntry, ReadsAnOrdinaryFile) {
  const auto entry = parse_desktop_entry(
      "# a comment\n\n[Desktop Entry]\nType=Application\r\nName=Text Editor\nName[de]=Texteditor\nExec=edit %U\n"
      "TryExec = edit\nIcon=pen\nPath=/srv\nStartupWMClass=Edit\nNoDisplay=true\nTerminal=false\n"
      "Actions=new;\n\n[Desktop Action new]\nName=New\nExec=edit --new\n");
  ASSERT_TRUE(entry.ok()) << to_text(entry.error());
  DesktopEntry expected;
  expected.name = "Text Editor";
  expected.exec = "edit %U";
  expected.try_exec = "edit";
  expected.icon = "pen";
  expected.working_folder = "/srv";
  expected.wm_class = "Edit";
  expected.actions = "new;";
  expected.no_display = true;
  EXPECT_EQ(*entry, expected);
}

TEST(DesktopEntry, RefusesWhatBreaksTheFormat) {
  const struct {
    std::string text;
    const char* reason;
  } kCases[] = {
      {"", "not of type"},
      {"Name=x\n" + kHead, "Line 1"},
      {"[Other]\n" + kHead + "Name=x\nExec=x\n", "Line 1"},
      {kHead + "Name=x\nExec=x\n[Desktop Entry]\n", "comes twice"},
      {kHead + "Name=x\nName=y\nExec=x\n", "Name comes twice"},
      {kHead + "Name=x\nExec=x\nno equals\n", "Line 5"},
      {kHead + "Name=x\nExec=x\nBad Key=1\n", "forbidden"},
      {kHead + "Name=x\nExec=x\nHidden=perhaps\n", "Hidden"},
      {kHead + "Name=x\nExec=x\\\n", "Exec"},
      {kHead + "Name=x\n[broken\n", "closing bracket"},
      {kHead + "Name=x\nExec=" + std::string("a\0b", 3) + "\n", "null"},
      {kHead + "Exec=x\n", "no Name"},
      {kHead + "Name=x\n", "no Exec"},
      {"[Desktop Entry]\nType=Link\nName=x\nURL=http://x\n", "not of type"},
  };
  for (const auto& c : kCases) {
    const auto entry = parse_desktop_entry(c.text);
    ASSERT_FALSE(entry.ok()) << c.text;
    EXPECT_NE(entry.error().message.find(c.reason), std::string::npos) << c.text << "\n" << entry.error().message;
  }
  EXPECT_TRUE(parse_desktop_entry(kHead + "Name=x\nHidden=true\n").ok());
}

TEST(DesktopEntry, CommandsAreSplitWithoutAShell) {
  const struct {
    const char* text;
    Words words;
  } kCases[] = {
      {"app", {"app"}},
      {"  app  a\tb ", {"app", "a", "b"}},
      {"app \"two words\" 'and  more'", {"app", "two words", "and  more"}},
      {R"(app "a\"b\\c\$d\`e\n")", {"app", "a\"b\\c$d`e\\n"}},
      {R"(app a\ b 'c\d')", {"app", "a b", "c\\d"}},
      {"app \"\" ''", {"app", "", ""}},
      {"app --x=\"1 2\"3", {"app", "--x=1 23"}},
      {"app $HOME `id` $(id) ; rm * | > < &", {"app", "$HOME", "`id`", "$(id)", ";", "rm", "*", "|", ">", "<", "&"}},
  };
  for (const auto& c : kCases) {
    const auto words = split_command(c.text);
    ASSERT_TRUE(words.ok()) << c.text;
    EXPECT_EQ(*words, c.words) << c.text;
  }
  for (const char* bad : {"", "   ", "app \"open", "app 'open", "app \\"}) {
    EXPECT_EQ(split_command(bad).error().code, Code::argument_invalid) << bad;
  }
}

TEST(DesktopEntry, FieldCodesAreFilledInOrVanish) {
  const struct {
    const char* exec;
    Words argv;
  } kCases[] = {
      {"app %U", {"app"}},
      {"app %f --new %F", {"app", "--new"}},
      {"app --file=%u", {"app", "--file="}},
      {"app --name %c --entry %k", {"app", "--name", "My App", "--entry", "/e/my.desktop"}},
      {"app %i", {"app", "--icon", "pen"}},
      {"app 100%%", {"app", "100%"}},
      {"app \"\" %d%D%n%N%v%m", {"app", ""}},
  };
  DesktopEntry entry;
  entry.id = "my";
  entry.name = "My App";
  entry.path = "/e/my.desktop";
  entry.icon = "pen";
  for (const auto& c : kCases) {
    entry.exec = c.exec;
    const auto argv = command_of(entry);
    ASSERT_TRUE(argv.ok()) << c.exec;
    EXPECT_EQ(*argv, c.argv) << c.exec;
  }
  for (const char* bad : {"app %x", "app %", "%f", "%U"}) {
    entry.exec = bad;
    EXPECT_EQ(command_of(entry).error().code, Code::protocol) << bad;
  }
}

TEST(DesktopEntry, puts_a_file_where_the_entry_wants_it) {
  struct Row {
    const char* exec;
    std::vector<std::string> argv;
  };
  for (const Row& row :
       {Row{"/bin/e %f", {"/bin/e", "/tmp/a b"}}, Row{"/bin/e %F x", {"/bin/e", "/tmp/a b", "x"}},
        Row{"/bin/e %u", {"/bin/e", "file:///tmp/a%20b"}}, Row{"/bin/e --open=%f %U", {"/bin/e", "--open=/tmp/a b"}}}) {
    DesktopEntry entry;
    entry.exec = row.exec;
    const auto argv = command_of(entry, "/tmp/a b");
    ASSERT_TRUE(argv.ok()) << row.exec;
    EXPECT_EQ(*argv, row.argv);
  }
  DesktopEntry none;
  none.exec = "/bin/e";
  EXPECT_EQ(command_of(none, "/tmp/a").error().field, "file");
  none.exec = "%f";
  EXPECT_FALSE(command_of(none, "/bin/sh").ok()) << "a file is opened, not started";
  none.exec = "%f /bin/e";
  EXPECT_FALSE(command_of(none, "/bin/sh").ok());
}

}  // namespace
}  // namespace handrail::linux_
