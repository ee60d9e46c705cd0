#include "platform/linux/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/test_permit.h"

namespace handrail::linux_ {
namespace {

namespace fs = std::filesystem;

Deadline soon() { return Deadline::in(kBackendPatience); }

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "handrail-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = fs::canonical(pattern).string();
    for (const char* name : {"/work", "/work-evil", "/look", "/work/handrail", "/work/deep"}) {
      fs::create_directory(folder_ + name);
    }
    put(folder_ + "/secret", "canary");
    put(folder_ + "/work/note", "hello");
    put(folder_ + "/look/note", "look");
    put(folder_ + "/work-evil/note", "evil");
    put(folder_ + "/work/handrail/audit", "log");
    reach_.roots = {{folder_ + "/work", true}, {folder_ + "/look", false}};
    reach_.hidden = {folder_ + "/work/handrail"};
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  static void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  static std::string content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string read(const std::string& path) {
    const auto part = files_.read(path, 0, 1000, soon());
    return part.ok() ? part->bytes : std::string(row(part.error().code).name);
  }
  std::string change(const ChangeFile& change) {
    const auto done = files_.change(change, engine::PermitMint::mint(), soon(), {});
    return done.ok() ? "" : std::string(row(done.error().code).name);
  }
  std::string write(const std::string& path, const std::string& text, WriteMode mode = WriteMode::create) {
    ChangeFile plan;
    plan.path = path;
    plan.bytes = text;
    plan.mode = mode;
    return change(plan);
  }
  std::string remove(const std::string& path, bool recursive = false) {
    ChangeFile plan;
    plan.verb = FileVerb::remove;
    plan.path = path;
    plan.recursive = recursive;
    return change(plan);
  }
  std::string move(const std::string& path, const std::string& to, bool replace = false) {
    ChangeFile plan;
    plan.verb = FileVerb::move;
    plan.path = path;
    plan.to = to;
    plan.replace = replace;
    return change(plan);
  }

  std::string folder_;
  FileReach reach_;
  LinuxFiles files_{[this] { return reach_; }};
};

TEST_F(FilesTest, reads_what_is_granted_and_nothing_else) {
  EXPECT_EQ(read("note"), "hello");
  EXPECT_EQ(read(folder_ + "/work/note"), "hello");
  EXPECT_EQ(read(folder_ + "/look/note"), "look");
  for (const char* path : {"../secret", "deep/../../secret", "./note", "deep/./../note", "", "a//b", "~/x", "~",
                           "$HOME/x", "${HOME}", "a\nb", "..\\secret", "\x01"}) {
    EXPECT_EQ(read(path), "argument_invalid") << path;
  }
  EXPECT_EQ(read(std::string("no\0te", 5)), "argument_invalid");
  EXPECT_EQ(read("n\xff"), "argument_invalid");
  EXPECT_EQ(read(std::string(256, 'x')), "argument_invalid");
  EXPECT_EQ(read(std::string(255, 'x')), "not_found");
  EXPECT_EQ(read(folder_ + "/secret"), "access_denied");
  EXPECT_EQ(read(folder_ + "/work-evil/note"), "access_denied") << "a name that starts like a root is none";
  EXPECT_EQ(read("/etc/passwd"), "access_denied");
  EXPECT_EQ(read("handrail/audit"), "access_denied") << "our own";
  EXPECT_EQ(read("deep"), "access_denied") << "a folder is no file";
}

TEST_F(FilesTest, reads_in_parts) {
  put(folder_ + "/work/long", std::string(40000, 'x') + "end");
  const auto first = files_.read("long", 0, 1000000, soon()).value();
  EXPECT_EQ(first.bytes.size(), kMostFileRead);
  EXPECT_EQ(first.size, 40003);
  EXPECT_EQ(files_.read("long", 40000, 10, soon()).value().bytes, "end");
  EXPECT_EQ(files_.read("long", 50000, 10, soon()).value().bytes, "");
  // A hole costs nothing.
  ASSERT_EQ(::truncate((folder_ + "/work/long").c_str(), 1'000'000'000'000), 0);
  EXPECT_EQ(files_.read("long", 999'999'999'990, 100, soon()).value().bytes, std::string(10, '\0'));
}

TEST_F(FilesTest, follows_no_link_and_reads_files_only) {
  fs::create_symlink(folder_ + "/secret", folder_ + "/work/link");
  fs::create_directory_symlink(folder_, folder_ + "/work/up");
  fs::create_symlink("note", folder_ + "/work/inside");
  fs::create_hard_link(folder_ + "/secret", folder_ + "/work/hard");
  ASSERT_EQ(::mkfifo((folder_ + "/work/pipe").c_str(), 0600), 0);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  fmt::format_to_n(address.sun_path, sizeof address.sun_path - 1, "{}/work/socket", folder_);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  for (const char* path : {"link", "up/secret", "inside", "hard", "pipe", "socket"}) {
    EXPECT_EQ(read(path), "access_denied") << path;
    EXPECT_NE(write(path, "x", WriteMode::replace), "") << path;
    EXPECT_NE(write(path, "x", WriteMode::append), "") << path;
    EXPECT_NE(write(path, "x"), "") << path;
  }
  ::close(socket);
  reach_.roots.push_back({"/proc", true});
  reach_.roots.push_back({"/dev", true});
  for (const char* path : {"/proc/self/environ", "/proc/self/mem", "/proc/1/cmdline", "/proc/version", "/dev/zero",
                           "/dev/null", "/dev/stdin", "/proc/self/fd/0"}) {
    EXPECT_EQ(read(path), "access_denied") << path;
    EXPECT_NE(write(path, "x", WriteMode::append), "") << path;
  }
  EXPECT_EQ(content(folder_ + "/secret"), "canary");
}

TEST_F(FilesTest, writes_whole_files) {
  EXPECT_EQ(write("new", "one"), "");
  EXPECT_EQ(write("new", "two"), "argument_invalid") << "it is there";
  EXPECT_EQ(content(folder_ + "/work/new"), "one");
  ASSERT_EQ(::chmod((folder_ + "/work/new").c_str(), 0640), 0);
  EXPECT_EQ(write("new", "two", WriteMode::replace), "");
  EXPECT_EQ(write("new", " three", WriteMode::append), "");
  EXPECT_EQ(content(folder_ + "/work/new"), "two three");
  EXPECT_EQ(static_cast<int>(fs::status(folder_ + "/work/new").permissions()), 0640) << "its mode stays";
  EXPECT_EQ(write("none", "x", WriteMode::append), "not_found");
  EXPECT_EQ(write("none/deeper", "x"), "not_found");
  EXPECT_EQ(write(folder_ + "/look/new", "x"), "access_denied") << "granted for reading";
  EXPECT_EQ(write("handrail/new", "x"), "access_denied");
  // Nothing is left of what failed.
  for (const auto& entry : fs::directory_iterator(folder_ + "/work")) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".handrail-")) << entry.path();
  }
  reach_.quota = 10;
  EXPECT_EQ(write("more", "x"), "too_large") << "the session has written enough";
}

// A write that fails in the middle, as on a full disk; a real one is in the security tests.
TEST_F(FilesTest, keeps_what_was_there_when_a_write_fails) {
  EXPECT_EQ(write("file", "first"), "");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{20000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_EQ(write("file", std::string(200000, 'x'), WriteMode::replace), "io_error");
  EXPECT_EQ(write("file", std::string(200000, 'x'), WriteMode::append), "io_error");
  EXPECT_EQ(write("new", std::string(200000, 'x')), "io_error");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, handler);
  EXPECT_EQ(content(folder_ + "/work/file"), "first");
  EXPECT_FALSE(fs::exists(folder_ + "/work/new"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ + "/work"), fs::directory_iterator()), 4)
      << "something is left";
}

TEST_F(FilesTest, deletes_what_was_named_only) {
  fs::create_directories(folder_ + "/work/tree/a/b");
  put(folder_ + "/work/tree/a/b/file", "x");
  fs::create_symlink(folder_ + "/secret", folder_ + "/work/tree/link");
  fs::create_directory_symlink(folder_ + "/look", folder_ + "/work/tree/a/look");
  EXPECT_EQ(remove("tree"), "argument_invalid") << "not empty";
  for (const std::string& path :
       std::vector<std::string>{"", ".", "/", "..", folder_, folder_ + "/work", "/work", folder_ + "/look/note",
                                "tree/link", "tree/a/look/note", "handrail", "handrail/audit", "*", "tree/*"}) {
    EXPECT_NE(remove(path, true), "") << path;
    EXPECT_NE(remove(path), "") << path;
  }
  EXPECT_TRUE(fs::exists(folder_ + "/work/tree/a/b/file"));
  EXPECT_EQ(remove("tree", true), "");
  EXPECT_FALSE(fs::exists(folder_ + "/work/tree"));
  EXPECT_EQ(content(folder_ + "/secret"), "canary") << "the link went, not what it named";
  EXPECT_EQ(content(folder_ + "/look/note"), "look");
  EXPECT_EQ(remove("deep"), "") << "an empty folder";
  EXPECT_EQ(remove("note"), "");
  EXPECT_EQ(remove("note"), "not_found");
}

TEST_F(FilesTest, moves_inside_the_granted_folders) {
  EXPECT_EQ(move("note", "deep/note"), "");
  EXPECT_EQ(content(folder_ + "/work/deep/note"), "hello");
  put(folder_ + "/work/other", "other");
  EXPECT_EQ(move("other", "deep/note"), "argument_invalid") << "it is taken";
  EXPECT_EQ(move("other", "deep/note", true), "");
  EXPECT_EQ(content(folder_ + "/work/deep/note"), "other");
  for (const std::string& to : std::vector<std::string>{"../out", folder_ + "/out", folder_ + "/look/out", "handrail/x",
                                                        folder_ + "/work-evil/x"}) {
    EXPECT_NE(move("deep/note", to), "") << to;
  }
  EXPECT_NE(move(folder_ + "/look/note", "taken"), "") << "granted for reading";
  EXPECT_NE(move("handrail", "mine"), "") << "our own";
  EXPECT_NE(move(folder_ + "/work", "deep/work"), "");
  EXPECT_EQ(move("deep", "deeper"), "") << "a folder";
  EXPECT_EQ(content(folder_ + "/work/deeper/note"), "other");
}

TEST_F(FilesTest, knows_our_own_folder_by_another_name) {
  // Somebody else moved it: the path that is shut is another one then, and the folder the same.
  fs::rename(folder_ + "/work/handrail", folder_ + "/work/moved");
  reach_.hidden = {folder_ + "/alias"};
  fs::create_directory_symlink(folder_ + "/work/moved", folder_ + "/alias");
  EXPECT_EQ(read("moved/audit"), "access_denied");
  EXPECT_EQ(write("moved/new", "x"), "access_denied");
  EXPECT_NE(remove("moved", true), "");
  EXPECT_FALSE(files_.list("moved", 10, soon()).ok());
  EXPECT_EQ(content(folder_ + "/work/moved/audit"), "log");
}

TEST_F(FilesTest, lists_by_name_without_our_own) {
  const auto list = files_.list(folder_ + "/work", 10, soon()).value();
  ASSERT_EQ(list.entries.size(), 2u);
  EXPECT_EQ(list.entries[0].path, "deep");
  EXPECT_EQ(list.entries[1].path, "note");
  EXPECT_EQ(list.entries[1].size, 5);
  EXPECT_EQ(files_.list(folder_ + "/work", 1, soon()).value().left_out, 1);
  EXPECT_FALSE(files_.list(folder_, 10, soon()).ok());
  EXPECT_EQ(files_.info("note", soon()).value().path, folder_ + "/work/note");
}

// A folder and a link to a secret change places all the time, at the end of the path and in the middle of it.
TEST_F(FilesTest, is_not_raced_by_links) {
  const std::string work = folder_ + "/work";
  fs::create_directory(work + "/real");
  put(work + "/real/secret", "harmless");
  fs::create_directory_symlink(folder_, work + "/bait");
  put(work + "/plain", "harmless");
  fs::create_symlink(folder_ + "/secret", work + "/hook");
  std::atomic<bool> done = false;
  std::atomic<long> swaps = 0;
  std::thread swapper([&] {
    while (!done) {
      ::renameat2(AT_FDCWD, (work + "/real").c_str(), AT_FDCWD, (work + "/bait").c_str(), RENAME_EXCHANGE);
      ::renameat2(AT_FDCWD, (work + "/plain").c_str(), AT_FDCWD, (work + "/hook").c_str(), RENAME_EXCHANGE);
      swaps += 2;
    }
  });
  int read_well = 0, refused = 0, leaked = 0;
  const char* full = std::getenv("HANDRAIL_FULL");
  const int rounds = full != nullptr && std::string_view(full) == "1" ? 25'000 : 1000;
  for (int i = 0; i < rounds; ++i) {
    for (const char* path : {"real/secret", "plain", "hook", "bait/secret"}) {
      const std::string got = read(path);
      read_well += got == "harmless";
      refused += got == "access_denied";
      leaked += got == "canary";
    }
    // Writing waits for the disk.
    if (i % 20 != 0) continue;
    static_cast<void>(write("plain", "", WriteMode::append));
    static_cast<void>(write("hook", "", WriteMode::append));
    static_cast<void>(write("bait/secret", "harmless", WriteMode::replace));
    static_cast<void>(remove("bait/new"));
  }
  done = true;
  swapper.join();
  EXPECT_EQ(leaked, 0);
  EXPECT_GT(refused, 0) << "the links were never met";
  EXPECT_GT(swaps, 100);
  EXPECT_EQ(content(folder_ + "/secret"), "canary");
  std::cout << swaps << " swaps, " << read_well << " reads, " << refused << " refused\n";
}

}  // namespace
}  // namespace handrail::linux_
