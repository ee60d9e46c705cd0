#include "platform/linux/identity.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "platform/linux/app_program.h"
#include "platform/linux/process_table.h"
#include "platform/linux/running_script.h"
#include "platform/linux/sandboxed_app.h"

namespace handrail::linux_ {
namespace {

namespace fs = std::filesystem;

// A folder of its own, with a data folder of the person and one of the system.
class Identity : public ::testing::Test {
 protected:
  Identity() {
    std::string pattern = (fs::temp_directory_path() / "handrail-identity-XXXXXX").string();
    root_ = fs::canonical(::mkdtemp(pattern.data()));
    for (const char* folder : {"bin", "home/applications", "system/applications"})
      fs::create_directories(root_ / folder);
    environment_ = {{"PATH", (root_ / "bin").string() + ":/usr/bin:/bin"},
                    {"HOME", root_.string()},
                    {"XDG_DATA_HOME", (root_ / "home").string()},
                    {"XDG_DATA_DIRS", (root_ / "system").string()}};
  }
  ~Identity() override { fs::remove_all(root_); }

  std::string put_program(const std::string& name) {
    const fs::path to = root_ / "bin" / name;
    fs::copy_file(fs::canonical("/bin/sleep"), to);
    fs::permissions(to, fs::perms::owner_all);
    return to.string();
  }
  std::string put_script(const std::string& name, const std::string& text) {
    const fs::path to = root_ / "bin" / name;
    std::ofstream(to) << text;
    fs::permissions(to, fs::perms::owner_all);
    return to.string();
  }
  void put_entry(const std::string& folder, const std::string& id, const std::string& exec,
                 const std::string& name = "") {
    std::ofstream(root_ / folder / "applications" / (id + ".desktop"))
        << "[Desktop Entry]\nType=Application\nName=" << (name.empty() ? id : name) << "\nExec=" << exec << "\n";
  }
  Process start(const std::vector<std::string>& argv) {
    SpawnOptions options;
    options.argv = argv;
    options.environment = environment_;
    options.cwd = root_.string();
    Result<Process> process = Process::spawn(options);
    return std::move(*process);
  }

  fs::path root_;
  Environment environment_;
};

TEST_F(Identity, is_the_file_that_runs_whatever_its_name) {
  const std::string program = put_program("notes");
  put_entry("system", "org.example.notes", program);
  const Process process = start({program, "60"});
  Identities identities(environment_);
  const AppIdentity identity = identities.identify(process.pid());
  EXPECT_TRUE(identity.known());
  EXPECT_EQ(identity.pid, process.pid());
  EXPECT_EQ(identity.started, process_facts(process.pid())->id.start_time);
  EXPECT_EQ(identity.file, file_id(program));
  EXPECT_EQ(identity.executable, program);
  EXPECT_EQ(identity.desktop_id, "org.example.notes");
  EXPECT_EQ(identity.script, "");
  EXPECT_FALSE(identity.replaced);
  EXPECT_FALSE(identity.own);
  EXPECT_EQ(identities.identify(process.pid()), identity) << "from the cache";
}

TEST_F(Identity, notices_a_replaced_executable) {
  const std::string program = put_program("notes");
  const Process process = start({program, "60"});
  const FileId before = file_id(program);
  fs::remove(program);
  Identities identities(environment_);
  AppIdentity identity = identities.identify(process.pid());
  EXPECT_TRUE(identity.replaced);
  EXPECT_EQ(identity.file.inode, before.inode) << "the file that runs, not the one at the path";
  put_program("notes");
  identity = identities.identify(process.pid());
  EXPECT_TRUE(identity.replaced);
  EXPECT_EQ(identity.executable, program);
}

TEST_F(Identity, belongs_to_a_process_not_to_its_number) {
  const std::string program = put_program("notes");
  Identities identities(environment_);
  AppIdentity first;
  {
    Process process = start({program, "60"});
    first = identities.identify(process.pid());
    EXPECT_TRUE(first.known());
    ASSERT_TRUE(process.terminate(Millis(5000)).ok());
  }
  EXPECT_FALSE(identities.identify(first.pid).known()) << "gone";
  EXPECT_FALSE(identities.identify(0).known());
  EXPECT_FALSE(identities.identify(-1).known());
  EXPECT_FALSE(identities.identify(std::int64_t{1} << 40).known());
}

TEST_F(Identity, follows_a_process_that_becomes_another_program) {
  const std::string program = put_program("notes");
  const std::string go = (root_ / "go").string();
  ASSERT_EQ(::mkfifo(go.c_str(), 0600), 0);
  const std::string script = put_script("wrapper", "#!/bin/sh\nread line < '" + go + "'\nexec " + program + " 60\n");
  const Process process = start({script});
  Identities identities(environment_);
  const AppIdentity before = identities.identify(process.pid());
  EXPECT_TRUE(before.known());
  EXPECT_EQ(before.script, script);
  std::ofstream(go) << "go\n";
  const Deadline deadline = Deadline::in(Millis(20000));
  while (executable_of(process.pid()) != program && !deadline.passed()) ::usleep(1000);
  const AppIdentity after = identities.identify(process.pid());
  EXPECT_EQ(after.executable, program);
  EXPECT_EQ(after.started, before.started);
  EXPECT_NE(after.file, before.file);
}

TEST_F(Identity, tells_scripts_of_one_interpreter_apart) {
  const Process process = start({"/bin/sh", "-c", "sleep 60; true"});
  const Process other = start({"/bin/sh", "-c", "sleep 61; true"});
  Identities identities(environment_);
  const AppIdentity a = identities.identify(process.pid());
  const AppIdentity b = identities.identify(other.pid());
  EXPECT_EQ(a.file, b.file);
  EXPECT_TRUE(a.script.starts_with("-c "));
  EXPECT_NE(a.script, b.script);
}

TEST_F(Identity, knows_our_own_program) {
  Identities identities(environment_);
  EXPECT_TRUE(identities.identify(::getpid()).own);
}

TEST_F(Identity, is_quick_when_it_is_known) {
  Identities identities(environment_);
  ASSERT_TRUE(identities.identify(::getpid()).known());
  constexpr int kTimes = 2000;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kTimes; ++i) ASSERT_TRUE(identities.identify(::getpid()).known());
  const auto took = std::chrono::steady_clock::now() - start;
  printf("identity: %.1f us from the cache\n", std::chrono::duration<double, std::micro>(took).count() / kTimes);
  EXPECT_LT(took, std::chrono::seconds(10));
}

TEST_F(Identity, of_a_system_entry_is_not_shadowed_by_the_persons) {
  const std::string real = put_program("gedit");
  const std::string evil = put_program("evil");
  put_entry("system", "gedit", real);
  put_entry("home", "gedit", evil);
  const Result<AppProgram> program = resolve_program("gedit", environment_);
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program->identity.executable, real);
  EXPECT_EQ(program->identity.file, file_id(real));
  put_entry("home", "looks-like-gedit", real);
  const Process process = start({real, "60"});
  Identities identities(environment_);
  EXPECT_EQ(identities.identify(process.pid()).desktop_id, "gedit");
}

TEST_F(Identity, of_a_program_is_the_same_for_every_spelling) {
  const std::string real = put_program("notes");
  put_entry("system", "org.example.notes", "notes --new %U", "Notes");
  const std::string spelled = (root_ / "bin" / ".." / "bin" / "notes").string();
  for (const std::string& name : {std::string("org.example.notes"), std::string("org.example.notes.desktop"),
                                  std::string(" Notes "), std::string("notes"), real, spelled, real + " "}) {
    const Result<AppProgram> program = resolve_program(name, environment_);
    ASSERT_TRUE(program.ok()) << name << ": " << program.error().message;
    EXPECT_EQ(program->identity.executable, real) << name;
    EXPECT_EQ(program->identity.desktop_id, "org.example.notes") << name;
    EXPECT_EQ(program->identity.pid, 0) << name;
  }
  for (const std::string name :
       {"./notes", "../../bin/sh", "; touch x", "$(touch x)", "--flag", "", "/nonexistent", "/etc/passwd"}) {
    EXPECT_FALSE(resolve_program(name, environment_).ok()) << name;
  }
}

TEST_F(Identity, of_a_script_program_is_its_interpreter_and_the_script) {
  const std::string script = put_script("tool", "#!/usr/bin/env sh\nread line\n");
  put_entry("system", "tool", script);
  const Result<AppProgram> program = resolve_program("tool", environment_);
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program->identity.script, script);
  EXPECT_EQ(program->identity.executable, fs::canonical("/bin/sh").string());
}

TEST(RunningScript, comes_from_the_arguments_of_runtimes) {
  const auto script = [](const std::string& executable, std::vector<std::string> words) {
    words.insert(words.begin(), executable);
    return script_of(executable, words, "/nonexistent/work");
  };
  EXPECT_EQ(script("/usr/bin/python3.11", {"-u", "-W", "ignore", "app.py", "x"}), "/nonexistent/work/app.py");
  EXPECT_EQ(script("/usr/bin/python3", {"-m", "http.server"}), "-m http.server");
  EXPECT_NE(script("/usr/bin/python3", {"-c", "a"}), script("/usr/bin/python3", {"-c", "b"}));
  EXPECT_EQ(script("/usr/bin/java", {"-cp", "x.jar", "-Xmx1g", "org.example.Main"}), "org.example.Main");
  EXPECT_EQ(script("/usr/bin/java", {"-jar", "/opt/nonexistent/a.jar"}), "/opt/nonexistent/a.jar");
  EXPECT_EQ(script("/usr/lib/electron28/electron", {"--no-sandbox", "/opt/nonexistent/app"}), "/opt/nonexistent/app");
  EXPECT_EQ(script("/usr/bin/node", {"../x.js"}), "/nonexistent/x.js");
  EXPECT_EQ(script("/bin/bash", {}), "");
  EXPECT_EQ(script("/usr/bin/gedit", {"file.txt"}), "");
}

TEST(SandboxedApp, comes_from_the_sandbox) {
  EXPECT_EQ(flatpak_id("[Application]\nname=org.example.App\nruntime=x\n"), "org.example.App");
  EXPECT_EQ(flatpak_id("[Context]\nname=wrong\n"), "");
  EXPECT_EQ(flatpak_id("[Application]\nname=../../etc\n"), "");
  EXPECT_EQ(snap_id("/user.slice/app.slice/snap.firefox.firefox-0c1b2d3e-aaaa-bbbb-cccc-0123456789ab.scope", ""),
            "firefox");
  EXPECT_EQ(snap_id("/x/snap.firefox.firefox.0c1b2d3e.scope", ""), "firefox");
  EXPECT_EQ(snap_id("/x/snap.code.url-handler.0c1b2d3e.scope", ""), "code_url-handler");
  EXPECT_EQ(snap_id("", "/snap/firefox/1234/usr/lib/firefox/firefox"), "firefox");
  EXPECT_EQ(snap_id("/user.slice", "/usr/bin/firefox"), "");
  EXPECT_EQ(cgroup_path("12:x:/y\n0::/user.slice/a.scope\n"), "/user.slice/a.scope");
}

}  // namespace
}  // namespace handrail::linux_
