#include "policy/app_catalog.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "policy/app_data.h"
#include "policy/app_name.h"
#include "policy/app_rows.h"

namespace handrail::policy {
namespace {

constexpr const char* kWords[] = {"read", "click", "full"};

AppIdentity program(std::string executable) {
  AppIdentity identity;
  identity.pid = 100;
  identity.file = {1, 2, 3};
  identity.executable = std::move(executable);
  return identity;
}

AppClass classify(const AppIdentity& identity, const std::vector<OwnerRule>& rules = {}) {
  return AppCatalog::builtin().classify(identity, rules);
}

// "deny", "read", "click" or "full"
std::string most(const AppClass& app) { return app.denied ? "deny" : kWords[static_cast<int>(app.most)]; }
std::string most(const AppIdentity& identity, const std::vector<OwnerRule>& rules = {}) {
  return most(classify(identity, rules));
}

struct Row {
  const char* executable;
  const char* most;
  const char* category;
  Sentinel sentinel = Sentinel::none;
};

TEST(AppName, has_one_form_for_all_spellings) {
  for (const char* name :
       {"gedit", "Gedit ", " GEDIT", "./gedit", "gedit.desktop", "\tgedit.Desktop\n", "gedit.desktop.desktop"}) {
    EXPECT_EQ(folded_app_name(name), "gedit") << name;
  }
  for (const char* name :
       {"/usr/bin/gedit", "/usr/bin/../bin/gedit", "/usr//bin/./gedit", "//usr/bin/gedit", "/usr/bin/gedit/"}) {
    EXPECT_EQ(folded_app_name(name), "/usr/bin/gedit") << name;
  }
  EXPECT_EQ(clean_app_name(" /opt/Foo/Bar "), "/opt/Foo/Bar") << "files have a case";
  EXPECT_EQ(folded_app_name(""), "");
  EXPECT_EQ(folded_app_name("   "), "");
  EXPECT_EQ(folded_app_name(".desktop"), ".desktop");
}

TEST(AppName, takes_versions_and_wrappers_off_programs) {
  const auto holds = [](const char* path, const char* name) {
    const auto names = program_names(path);
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  EXPECT_TRUE(holds("/usr/bin/python3.11", "python"));
  EXPECT_TRUE(holds("/usr/bin/wish8.6", "wish"));
  EXPECT_TRUE(holds("/usr/bin/emacs-28.2", "emacs"));
  EXPECT_TRUE(holds("/nix/store/abc-firefox/bin/.firefox-wrapped", "firefox"));
  EXPECT_TRUE(holds("/home/u/Bitwarden-2024.1.0-x86_64.AppImage", "bitwarden"));
  EXPECT_TRUE(holds("/usr/bin/xterm (deleted)", "xterm"));
  EXPECT_TRUE(program_names("").empty());
  EXPECT_EQ(program_names("/").size(), 0u);
  EXPECT_FALSE(program_names("/usr/bin/123").empty());
}

TEST(AppRows, refuse_what_is_not_the_list) {
  for (const char* text : {"", "{}", "[1]", "[{}]", R"([{"name":"x","category":"y","tier":"most","linux":{}}])",
                           R"([{"name":"x","category":"y","tier":"full","sentinel":"doom","linux":{}}])",
                           R"([{"name":"x","category":"y","tier":"full","linux":{"exec":"x"}}])",
                           R"([{"name":"x","category":"y","tier":"full","linux":{"exec":[1]}}])",
                           R"([{"name":"x","category":"y","tier":"full"}])"}) {
    EXPECT_FALSE(AppRows::parse(text).ok()) << text;
  }
  EXPECT_TRUE(AppRows::parse("[]").ok());
}

TEST(AppCatalog, holds_the_whole_list) {
  const auto json = parse_json(app_data());
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(AppCatalog::builtin().size(), json->size());
  EXPECT_EQ(json->size(), 663u);
}

// Every id of the list leads to its row's tier or a stricter one, by every way that an id can come.
TEST(AppCatalog, finds_every_id_of_the_list) {
  const auto json = parse_json(app_data());
  ASSERT_TRUE(json.ok());
  const auto rank = [](const std::string& tier) {
    return tier == "deny" ? 0 : tier == "read" ? 1 : tier == "click" ? 2 : 3;
  };
  int looked_up = 0;
  int exact = 0;
  const auto check = [&](const AppIdentity& identity, const std::string& tier, const std::string& id) {
    const std::string found = most(identity);
    EXPECT_LE(rank(found), rank(tier)) << id;
    ++looked_up;
    exact += found == tier;
  };
  for (const Json& row : *json) {
    const std::string tier = row["tier"].get<std::string>();
    for (const Json& id : row["linux"]["exec"]) check(program("/usr/bin/" + id.get<std::string>()), tier, id);
    for (const Json& id : row["linux"]["desktop"]) {
      AppIdentity identity = program("/usr/bin/something");
      identity.desktop_id = clean_app_name(id.get<std::string>());
      check(identity, tier, id);
    }
    for (const Json& id : row["linux"]["flatpak"]) {
      AppIdentity identity = program("/app/bin/something");
      identity.flatpak = id.get<std::string>();
      check(identity, tier, id);
    }
    for (const Json& id : row["linux"]["snap"]) {
      AppIdentity identity = program("/usr/bin/something");
      identity.snap = id.get<std::string>() + "_any";
      check(identity, tier, id);
      identity.snap.clear();
      identity.desktop_id = id.get<std::string>() + "_any";
      check(identity, tier, id);
      check(program("/snap/" + id.get<std::string>() + "/12/usr/bin/x"), tier, id);
    }
    for (const Json& id : row["linux"]["wm_class"]) {
      AppIdentity identity = program("/usr/bin/something");
      identity.claimed_class = id.get<std::string>();
      check(identity, tier, id);
    }
    for (const Json& id : row["windows"]) {
      AppIdentity identity = program("/usr/lib/wine/wine64");
      identity.claimed_class = id.get<std::string>();
      EXPECT_LE(rank(most(identity)), std::min(rank(tier), 2)) << id;
    }
  }
  RecordProperty("ids", looked_up);
  EXPECT_GT(looked_up, 2000);
  EXPECT_GT(exact, looked_up * 98 / 100) << "of " << looked_up;
}

TEST(AppCatalog, knows_kinds_by_executable) {
  constexpr Sentinel kShell = Sentinel::shell;
  const Row rows[] = {
      {"/usr/lib/firefox-esr/firefox-esr", "read", "browser"},
      {"/usr/lib/chromium/chromium", "read", "browser"},
      {"/opt/google/chrome/chrome", "read", "browser"},
      {"/opt/google/chrome/chrome_crashpad_handler", "read", "browser"},
      {"/opt/microsoft/msedge/msedge", "read", "browser"},
      {"/usr/bin/epiphany", "read", "browser"},
      {"/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "read", "browser"},
      {"/usr/bin/xterm", "click", "terminal", kShell},
      {"/usr/libexec/gnome-terminal-server", "click", "terminal", kShell},
      {"/usr/bin/konsole", "click", "terminal", kShell},
      {"/usr/bin/alacritty", "click", "terminal", kShell},
      {"/usr/bin/kitty", "click", "terminal", kShell},
      {"/usr/bin/urxvt", "click", "terminal", kShell},
      {"/usr/bin/st", "click", "terminal", kShell},
      {"/tmp/xterm", "click", "terminal", kShell},
      {"/usr/share/code/code", "click", "ide", kShell},
      {"/usr/bin/emacs-gtk", "click", "ide", kShell},
      {"/usr/bin/vim.gtk3", "click", "ide", kShell},
      {"/usr/bin/kate", "click", "ide", kShell},
      {"/usr/bin/rofi", "click", "launcher", kShell},
      {"/usr/bin/electrum", "read", "trading"},
      {"/usr/share/spotify/spotify", "deny", "media"},
      {"/usr/bin/keepassxc", "deny", "password_manager", Sentinel::secrets},
      {"/opt/1Password/1password", "deny", "password_manager", Sentinel::secrets},
      {"/opt/1Password/1Password-BrowserSupport", "deny", "password_manager", Sentinel::secrets},
      {"/usr/bin/thunar", "full", "file_manager", Sentinel::filesystem},
      {"/usr/bin/nautilus", "full", "file_manager", Sentinel::filesystem},
      {"/usr/bin/xfce4-settings-manager", "full", "system_settings", Sentinel::system_settings},
      {"/usr/bin/gparted", "full", "system_settings", Sentinel::system_settings},
      {"/usr/lib/thunderbird/thunderbird", "full", "mail"},
      {"/usr/bin/gedit", "full", ""},
      {"/usr/bin/mousepad", "full", ""},
      {"/usr/bin/gnome-text-editor", "full", ""},
      {"/usr/bin/kwrite", "full", ""},
      {"/usr/bin/vlc", "full", ""},
      {"/usr/bin/gimp-2.10", "full", ""},
      {"/usr/bin/libreoffice", "full", ""},
      {"/usr/lib/libreoffice/program/soffice.bin", "full", ""},
      {"/usr/bin/gnome-calculator", "full", ""},
      {"/usr/bin/galculator", "full", ""},
      {"/usr/bin/evince", "full", ""},
      {"/usr/bin/inkscape", "full", ""},
      {"/home/u/projects/app", "full", ""},
      // Viewers of other desktops.
      {"/usr/bin/remmina", "full", "remote_desktop", Sentinel::other_desktop},
      {"/usr/bin/xfreerdp3", "full", "remote_desktop", Sentinel::other_desktop},
      {"/usr/bin/xtigervncviewer", "full", "remote_desktop", Sentinel::other_desktop},
      {"/usr/bin/Xephyr", "full", "remote_desktop", Sentinel::other_desktop},
      {"/usr/bin/qemu-system-x86_64", "full", "virtual_machine", Sentinel::other_desktop},
      {"/usr/lib/virtualbox/VirtualBoxVM", "full", "virtual_machine", Sentinel::other_desktop},
      {"/usr/lib/vmware/bin/vmware-vmx", "full", "virtual_machine", Sentinel::other_desktop},
      {"/usr/bin/gnome-boxes", "full", "virtual_machine", Sentinel::other_desktop},
  };
  for (const Row& row : rows) {
    const AppClass app = classify(program(row.executable));
    EXPECT_EQ(most(app), row.most) << row.executable;
    EXPECT_EQ(app.category, row.category) << row.executable;
    EXPECT_EQ(app.sentinel, row.sentinel) << row.executable;
    EXPECT_FALSE(app.runs_others) << row.executable;
    EXPECT_EQ(app.why.empty(), app.category.empty()) << row.executable;
  }
}

TEST(AppCatalog, takes_interpreters_and_shells_for_terminals) {
  for (const char* name : {"python3",
                           "python3.11",
                           "python2.7",
                           "pypy3",
                           "perl",
                           "perl5.36.0",
                           "ruby3.1",
                           "node",
                           "nodejs",
                           "deno",
                           "bun",
                           "java",
                           "javaw",
                           "electron",
                           "electron28",
                           "lua5.4",
                           "luajit",
                           "php8.2",
                           "tclsh8.6",
                           "wish8.6",
                           "guile-3.0",
                           "gjs",
                           "gjs-console",
                           "qml",
                           "qmlscene",
                           "mono-sgen",
                           "dotnet",
                           "bash",
                           "sh",
                           "dash",
                           "zsh",
                           "fish",
                           "ksh",
                           "mksh",
                           "tcsh",
                           "busybox",
                           "pwsh",
                           "wine",
                           "wine64",
                           "wine64-preloader",
                           "wineserver",
                           "ld-linux-x86-64.so.2",
                           "env",
                           "sudo",
                           "gdb",
                           "tmux",
                           "ssh",
                           "expect",
                           "gawk",
                           "octave",
                           "julia",
                           "Rscript",
                           "R"}) {
    const AppClass app = classify(program(std::string("/usr/bin/") + name));
    EXPECT_EQ(most(app), "click") << name;
    EXPECT_EQ(app.sentinel, Sentinel::shell) << name;
    EXPECT_EQ(app.category, "terminal") << name;
    EXPECT_TRUE(app.runs_others) << name;
  }
}

TEST(AppCatalog, lets_scripts_only_make_an_interpreter_stricter) {
  struct Case {
    const char* executable;
    const char* script;
    const char* most;
  };
  for (const Case& row : {
           Case{"/usr/bin/python3.11", "/home/u/notes.py", "click"},
           Case{"/usr/bin/python3.11", "/usr/bin/gedit", "click"},
           Case{"/usr/bin/python3.11", "/usr/bin/thunar", "click"},
           Case{"/usr/bin/python3", "/usr/bin/terminator", "click"},
           Case{"/usr/bin/python3", "/usr/bin/qutebrowser", "read"},
           Case{"/usr/bin/python3", "/usr/bin/electrum", "read"},
           Case{"/usr/lib/electron/electron", "/usr/share/spotify/resources/app.asar", "deny"},
           Case{"/usr/lib/electron/electron", "/usr/lib/bitwarden/app.asar", "deny"},
           Case{"/usr/lib/electron/electron", "/usr/lib/something/app.asar", "click"},
           Case{"/usr/bin/java", "/opt/tool/tool.jar", "click"},
           Case{"/usr/bin/wine64-preloader", "C:\\Program Files\\Tool\\tool.exe", "click"},
           Case{"/usr/bin/wine64-preloader", "C:\\Program Files\\KeePass\\KeePass.exe", "deny"},
           Case{"/usr/bin/wine64-preloader", "C:\\Google\\Chrome\\Application\\chrome.exe", "read"},
       }) {
    AppIdentity identity = program(row.executable);
    identity.script = row.script;
    EXPECT_EQ(most(identity), row.most) << row.script;
    EXPECT_TRUE(classify(identity).runs_others) << row.script;
  }
}

TEST(AppCatalog, never_gives_a_password_prompt_or_a_locker) {
  for (const char* name : {"polkit-gnome-authentication-agent-1",
                           "polkit-mate-authentication-agent-1",
                           "polkit-kde-authentication-agent-1",
                           "lxpolkit",
                           "lxqt-policykit-agent",
                           "xfce-polkit",
                           "pinentry",
                           "pinentry-gtk-2",
                           "pinentry-qt",
                           "pinentry-gnome3",
                           "pinentry-x11",
                           "gcr-prompter",
                           "gcr4-ssh-askpass",
                           "ssh-askpass",
                           "x11-ssh-askpass",
                           "ksshaskpass",
                           "gnome-ssh-askpass",
                           "lxqt-openssh-askpass",
                           "gnome-keyring-daemon",
                           "kwalletd5",
                           "kwalletd6",
                           "xsecurelock",
                           "auth_x11",
                           "i3lock",
                           "i3lock-color",
                           "light-locker",
                           "xscreensaver",
                           "xscreensaver-auth",
                           "xfce4-screensaver",
                           "xfce4-screensaver-dialog",
                           "mate-screensaver-dialog",
                           "cinnamon-screensaver",
                           "kscreenlocker_greet",
                           "slock",
                           "swaylock",
                           "xlock",
                           "xtrlock",
                           "lightdm-gtk-greeter",
                           "sddm-greeter",
                           "gksu",
                           "kdesudo",
                           "lxqt-sudo",
                           "pkexec",
                           "xdg-desktop-portal-gtk",
                           "xdg-desktop-portal"}) {
    const AppIdentity identity = program(std::string("/usr/libexec/") + name);
    EXPECT_EQ(most(identity), "deny") << name;
    EXPECT_TRUE(classify(identity).for_good) << name;
    const std::vector<OwnerRule> raised{{identity.executable, false, GrantTier::full}, {name, false, GrantTier::full}};
    EXPECT_EQ(most(identity, raised), "deny") << name << ": no rule lifts it";
    AppIdentity claims = program("/usr/bin/mousepad");
    claims.claimed_class = name;
    EXPECT_EQ(most(claims), "deny") << name << ": nor for what claims to be one";
  }
}

TEST(AppCatalog, never_gives_the_desktop_itself) {
  for (const char* name : {"xfce4-panel", "openbox", "xfwm4", "gnome-shell", "plasmashell", "mutter", "kwin_x11",
                           "tint2", "xfdesktop", "lxpanel", "i3", "handrail"}) {
    EXPECT_EQ(most(program(std::string("/usr/bin/") + name)), "deny") << name;
  }
  AppIdentity own = program("/opt/x/some-other-name");
  own.own = true;
  EXPECT_EQ(most(own), "deny");
  EXPECT_EQ(most(own, {{"/opt/x/some-other-name", false, GrantTier::full}}), "deny");
}

TEST(AppCatalog, sees_through_disguises) {
  AppIdentity browser = program("/usr/lib/chromium/chromium");
  browser.claimed_class = "notes";
  EXPECT_EQ(most(browser), "read");
  browser.claimed_class = "Gedit";
  browser.desktop_id = "my-notes";
  EXPECT_EQ(most(browser), "read");
  EXPECT_EQ(classify(browser).name, "Chromium");

  AppIdentity terminal = program("/usr/bin/xterm");
  for (const char* claim : {"Gedit", "Mousepad", "Thunar", "org.gnome.TextEditor", "", "XTerm"}) {
    terminal.claimed_class = claim;
    EXPECT_EQ(most(terminal), "click") << claim;
    EXPECT_EQ(classify(terminal).name, "XTerm") << claim;
  }
  terminal.claimed_class = "Navigator\nfirefox";
  EXPECT_EQ(most(terminal), "read") << "a claim that is stricter counts";
  EXPECT_EQ(classify(terminal).name, "XTerm") << "but names nothing";
}

TEST(AppCatalog, lets_a_class_only_make_it_stricter) {
  const std::string id = "abcdefghijklmnopabcdefghijklmnop";
  struct Case {
    std::string window_class;
    const char* most;
  };
  for (const Case& row : {
           Case{"crx_" + id, "read"},
           Case{"chrome-" + id + "-Default", "read"},
           Case{"Chrome-" + id + "-Profile_1", "read"},
           Case{"msedge-" + id + "-Default", "read"},
           Case{"chrome-www.example.org__app-Default", "read"},
           Case{"crx_short", "full"},
           Case{"jetbrains-idea", "click"},
           Case{"jetbrains-studio", "click"},
           Case{"jetbrains-anything-new", "click"},
           Case{"XTerm", "click"},
           Case{"keepass.exe", "deny"},
           Case{"KeePass.exe", "deny"},
           Case{"notepad.exe", "click"},
           Case{"unknown-thing.exe", "click"},
           Case{"Spotify", "deny"},
           Case{"Firefox", "read"},
           Case{"Thunar", "full"},
           Case{"Some-unknown-app", "full"},
       }) {
    AppIdentity identity = program("/usr/bin/mousepad");
    identity.claimed_class = row.window_class;
    EXPECT_EQ(most(identity), row.most) << row.window_class;
  }
  AppIdentity ide = program("/opt/idea/jbr/bin/java");
  ide.claimed_class = "jetbrains-idea";
  ide.desktop_id = "jetbrains-idea";
  EXPECT_EQ(most(ide), "click");
}

TEST(AppCatalog, counts_clashing_names_unless_something_sure_says_otherwise) {
  AppIdentity rio = program("/usr/bin/rio");
  EXPECT_EQ(most(rio), "click") << "nothing contradicts";
  rio.desktop_id = "rio";
  EXPECT_EQ(most(rio), "click");
  rio.desktop_id = "org.example.music";
  EXPECT_EQ(most(rio), "full") << "another program of that name";
  rio.claimed_class = "rio";
  EXPECT_EQ(most(rio), "click") << "which claims to be the terminal";
  AppIdentity zed = program("/usr/bin/zed");
  zed.claimed_class = "Harmless";
  EXPECT_EQ(most(zed), "click") << "a claim does not contradict";
  zed.flatpak = "dev.zed.Zed";
  EXPECT_EQ(most(zed), "click");
}

TEST(AppCatalog, follows_the_owner) {
  const AppIdentity xterm = program("/usr/bin/xterm");
  const auto rule = [](std::string app, GrantTier tier) { return OwnerRule{std::move(app), false, tier}; };
  for (const char* name : {"xterm", "XTerm", " XTERM ", "xterm.desktop", "/usr/bin/xterm", "/usr/bin/../bin/xterm",
                           "uxterm", "debian-xterm"}) {
    EXPECT_EQ(most(xterm, {rule(name, GrantTier::full)}), "full") << name;
    EXPECT_EQ(most(xterm, {rule(name, GrantTier::read)}), "read") << name;
    EXPECT_EQ(most(xterm, {{name, true}}), "deny") << name;
  }
  EXPECT_EQ(most(xterm, {rule("konsole", GrantTier::full)}), "click") << "another app's rule";
  EXPECT_EQ(most(xterm, {rule("", GrantTier::full)}), "click");
  EXPECT_EQ(most(xterm, {rule("xterm", GrantTier::full), rule("/usr/bin/xterm", GrantTier::read)}), "read")
      << "strictest";
  EXPECT_EQ(most(xterm, {rule("xterm", GrantTier::full), {"uxterm", true}}), "deny");
  EXPECT_EQ(most(program("/usr/share/spotify/spotify"), {rule("spotify", GrantTier::click)}), "click")
      << "lifts a denial";
  EXPECT_EQ(most(program("/usr/bin/newthing"), {{"newthing", true}}), "deny") << "adds an app";
  AppIdentity snap = program("/snap/mytool/3/bin/x");
  snap.snap = "mytool_x";
  EXPECT_EQ(most(snap, {rule("mytool", GrantTier::read)}), "read");
  EXPECT_EQ(most(snap, {rule("mytool_x", GrantTier::read)}), "read");
}

TEST(AppCatalog, raises_no_file_that_only_bears_the_name) {
  const std::vector<OwnerRule> raise{{"xterm", false, GrantTier::full}};
  EXPECT_EQ(most(program("/tmp/xterm"), raise), "click");
  EXPECT_EQ(most(program("/home/u/bin/xterm"), raise), "click");
  EXPECT_EQ(most(program("/usr/bin/../../tmp/xterm"), raise), "click");
  EXPECT_EQ(most(program("/usr/bin/xterm"), raise), "full");
  EXPECT_EQ(most(program("/tmp/xterm"), {{"/tmp/xterm", false, GrantTier::full}}), "full") << "its path was named";
  EXPECT_EQ(most(program("/tmp/XTERM"), {{"/tmp/xterm", false, GrantTier::full}}), "click") << "that is another file";
  EXPECT_EQ(most(program("/tmp/gedit"), {{"gedit", true}}), "deny") << "a denial covers all that bears the name";
  AppIdentity claims = program("/usr/bin/konsole");
  claims.claimed_class = "XTerm";
  EXPECT_EQ(most(claims, raise), "click");
  claims = program("/usr/bin/mousepad");
  claims.claimed_class = "Notes";
  EXPECT_EQ(most(claims, {{"notes", true}}), "deny") << "a claim may be denied";
}

TEST(AppCatalog, lets_a_grant_at_launch_only_raise) {
  const auto launch = [](std::string app, GrantTier tier) { return OwnerRule{std::move(app), false, tier, true}; };
  const AppIdentity xterm = program("/usr/bin/xterm");
  EXPECT_EQ(most(xterm, {launch("xterm", GrantTier::full)}), "full");
  EXPECT_EQ(most(xterm, {launch("xterm", GrantTier::read)}), "click");
  EXPECT_EQ(most(xterm, {launch("xterm", GrantTier::full), {"xterm", false, GrantTier::read}}), "read");
  EXPECT_EQ(most(xterm, {launch("xterm", GrantTier::full), {"xterm", true}}), "deny");
  EXPECT_EQ(most(program("/usr/bin/pinentry-qt"), {launch("pinentry-qt", GrantTier::full)}), "deny");
  AppIdentity script = program("/usr/bin/python3.11");
  script.script = "/usr/share/tool/tool.py";
  EXPECT_EQ(most(script, {launch("python3.11", GrantTier::full)}), "click") << "an interpreter is not what it runs";
  EXPECT_EQ(most(script, {launch("/usr/bin/python3.11", GrantTier::full)}), "click");
  EXPECT_EQ(most(script, {launch("/usr/share/tool/tool.py", GrantTier::full)}), "full");
  script.desktop_id = "org.example.Tool";
  EXPECT_EQ(most(script, {launch("org.example.tool.desktop", GrantTier::full)}), "full");
  EXPECT_EQ(most(script, {{"python3.11", false, GrantTier::full}}), "full") << "a rule may be for all of it";
}

TEST(AppCatalog, names_an_app_for_people_and_requests) {
  AppIdentity identity = program("/usr/bin/tool");
  EXPECT_EQ(classify(identity).name, "tool");
  EXPECT_EQ(app_id(identity), "/usr/bin/tool");
  identity.script = "/usr/share/x.py";
  EXPECT_EQ(app_id(identity), "/usr/share/x.py");
  identity.flatpak = "org.example.Flat";
  EXPECT_EQ(app_id(identity), "org.example.Flat");
  identity.desktop_id = "org.example.Tool";
  EXPECT_EQ(classify(identity).name, "org.example.Tool");
  EXPECT_EQ(app_id(identity), "org.example.Tool");
  EXPECT_FALSE(classify(AppIdentity{}).name.empty());
}

}  // namespace
}  // namespace handrail::policy
