#include "policy/command_words.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace handrail::policy {
namespace {

struct Row {
  std::string_view name;
  Word word;
};

constexpr std::array kWords{
    Row{"rm", Word::remove},
    Row{"srm", Word::remove},
    Row{"grm", Word::remove},
    Row{"wipe", Word::remove},
    Row{"remove-item", Word::remove},
    Row{"ri", Word::remove},
    Row{"find", Word::find},
    Row{"gfind", Word::find},
    Row{"fd", Word::find},
    Row{"fdfind", Word::find},
    Row{"dd", Word::dd},
    Row{"dcfldd", Word::dd},
    Row{"dc3dd", Word::dd},
    Row{"mkfs", Word::make_fs},
    Row{"mke2fs", Word::make_fs},
    Row{"mkdosfs", Word::make_fs},
    Row{"mkntfs", Word::make_fs},
    Row{"mkswap", Word::make_fs},
    Row{"wipefs", Word::make_fs},
    Row{"blkdiscard", Word::make_fs},
    Row{"newfs", Word::make_fs},
    Row{"luksformat", Word::make_fs},
    Row{"mklabel", Word::make_fs},
    Row{"sgdisk", Word::make_fs},
    Row{"shred", Word::shred},
    Row{"gshred", Word::shred},
    Row{"git", Word::git},
    Row{"clean", Word::clean},
    Row{"chmod", Word::chmod},
    Row{"chown", Word::chown},
    Row{"chgrp", Word::chown},
    Row{"mv", Word::move},
    Row{"cp", Word::copy},
    Row{"install", Word::copy},
    Row{"tee", Word::tee},
    Row{"cat", Word::cat},
    Row{"truncate", Word::truncate},
    Row{"curl", Word::download},
    Row{"wget", Word::download},
    Row{"wget2", Word::download},
    Row{"fetch", Word::download},
    Row{"aria2c", Word::download},
    Row{"lynx", Word::download},
    Row{"w3m", Word::download},
    Row{"http", Word::download},
    Row{"https", Word::download},
    Row{"xh", Word::download},
    Row{"curlie", Word::download},
    Row{"lwp-request", Word::download},
    Row{"lwp-download", Word::download},
    Row{"lwp-mirror", Word::download},
    Row{"get", Word::request},
    Row{"post", Word::request},
    Row{"head", Word::request},
    Row{"invoke-webrequest", Word::download},
    Row{"invoke-restmethod", Word::download},
    Row{"iwr", Word::download},
    Row{"irm", Word::download},
    Row{"scp", Word::download},
    Row{"sftp", Word::download},
    Row{"tftp", Word::download},
    Row{"socat", Word::download},
    Row{"nc", Word::netcat},
    Row{"ncat", Word::netcat},
    Row{"netcat", Word::netcat},
    Row{"base64", Word::decode},
    Row{"base32", Word::decode},
    Row{"basenc", Word::decode},
    Row{"xxd", Word::decode},
    Row{"openssl", Word::decode},
    Row{"gpg", Word::decode},
    Row{"gzip", Word::decode},
    Row{"bzip2", Word::decode},
    Row{"xz", Word::decode},
    Row{"zstd", Word::decode},
    Row{"uudecode", Word::transform},
    Row{"gunzip", Word::transform},
    Row{"zcat", Word::transform},
    Row{"bzcat", Word::transform},
    Row{"xzcat", Word::transform},
    Row{"unxz", Word::transform},
    Row{"rev", Word::transform},
    Row{"tr", Word::transform},
    Row{"sed", Word::transform},
    Row{"tac", Word::transform},
    Row{"echo", Word::print},
    Row{"printf", Word::print},
    Row{"print", Word::print},
    Row{"sh", Word::shell},
    Row{"bash", Word::shell},
    Row{"rbash", Word::shell},
    Row{"zsh", Word::shell},
    Row{"dash", Word::shell},
    Row{"ash", Word::shell},
    Row{"ksh", Word::shell},
    Row{"ksh93", Word::shell},
    Row{"mksh", Word::shell},
    Row{"csh", Word::shell},
    Row{"tcsh", Word::shell},
    Row{"fish", Word::shell},
    Row{"yash", Word::shell},
    Row{"su", Word::shell},
    Row{"pwsh", Word::shell},
    Row{"powershell", Word::shell},
    Row{"cmd", Word::shell},
    Row{"iex", Word::shell},
    Row{"invoke-expression", Word::shell},
    Row{"at", Word::shell},
    Row{"batch", Word::shell},
    Row{"python", Word::script},
    Row{"python2", Word::script},
    Row{"python3", Word::script},
    Row{"pypy", Word::script},
    Row{"pypy3", Word::script},
    Row{"perl", Word::script},
    Row{"ruby", Word::script},
    Row{"node", Word::script},
    Row{"nodejs", Word::script},
    Row{"deno", Word::script},
    Row{"bun", Word::script},
    Row{"php", Word::script},
    Row{"lua", Word::script},
    Row{"tclsh", Word::script},
    Row{"osascript", Word::script},
    Row{"rscript", Word::script},
    Row{"eval", Word::run},
    Row{"source", Word::run},
    Row{".", Word::run},
    Row{"sudo", Word::prefix},
    Row{"doas", Word::prefix},
    Row{"env", Word::prefix},
    Row{"nice", Word::prefix},
    Row{"ionice", Word::prefix},
    Row{"nohup", Word::prefix},
    Row{"time", Word::prefix},
    Row{"timeout", Word::prefix},
    Row{"stdbuf", Word::prefix},
    Row{"setsid", Word::prefix},
    Row{"exec", Word::prefix},
    Row{"command", Word::prefix},
    Row{"builtin", Word::prefix},
    Row{"busybox", Word::prefix},
    Row{"toybox", Word::prefix},
    Row{"chroot", Word::prefix},
    Row{"unshare", Word::prefix},
    Row{"runuser", Word::prefix},
    Row{"pkexec", Word::prefix},
    Row{"strace", Word::prefix},
    Row{"watch", Word::prefix},
    Row{"then", Word::prefix},
    Row{"do", Word::prefix},
    Row{"else", Word::prefix},
    Row{"if", Word::prefix},
    Row{"while", Word::prefix},
    Row{"!", Word::prefix},
    Row{"ssh", Word::prefix},
    Row{"xargs", Word::xargs},
    Row{"parallel", Word::xargs},
    Row{"alias", Word::alias},
    Row{"function", Word::function},
    Row{"del", Word::windows_delete},
    Row{"erase", Word::windows_delete},
    Row{"rd", Word::windows_delete},
    Row{"rmdir", Word::windows_delete},
    Row{"format", Word::format},
    Row{"}", Word::closes},
    Row{"done", Word::closes},
    Row{"fi", Word::closes},
    Row{"esac", Word::closes},
};

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The words by length, first and last character, so that most words of any text are turned away at once.
struct Index {
  std::array<std::uint8_t, WordSlots::kCount> first{};  // row from 1; 0: none
  std::array<std::uint8_t, kWords.size() + 1> next{};   // in the same slot
};
constexpr Index make_index() {
  static_assert(kWords.size() < 255);
  Index index;
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    std::uint8_t& slot = index.first[WordSlots::of(kWords[i].name)];
    index.next[i + 1] = slot;
    slot = static_cast<std::uint8_t>(i + 1);
  }
  return index;
}
constexpr Index kIndex = make_index();

bool same(std::string_view word, std::string_view folded) {
  for (std::size_t i = 0; i < folded.size(); ++i) {
    if (lower(word[i]) != folded[i]) return false;
  }
  return true;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*') {
    for (std::size_t i = 0; i <= name.size(); ++i) {
      if (matches(pattern.substr(1), name.substr(i))) return true;
    }
    return false;
  }
  return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) && matches(pattern.substr(1), name.substr(1));
}

// "//dev/./sda" as "/dev/sda".
class PlainPath {
 public:
  static constexpr std::size_t kMax = 256;
  explicit PlainPath(std::string_view path) {
    path = path.substr(0, kMax);
    for (std::size_t i = 0; i < path.size();) {
      out_[size_++] = path[i];
      if (path[i++] != '/') continue;
      while (i < path.size() && (path[i] == '/' || (path[i] == '.' && (i + 1 == path.size() || path[i + 1] == '/'))))
        ++i;
    }
  }
  std::string_view view() const { return {out_.data(), size_}; }

 private:
  std::array<char, kMax> out_;
  std::size_t size_ = 0;
};

}  // namespace

constinit const std::array<std::uint8_t, WordSlots::kCount> WordSlots::kRows = kIndex.first;

Word word_of(std::string_view word) {
  if (word.size() > 1 && std::memchr(word.data(), '/', word.size()) != nullptr) word = file_name(word);
  if (word.size() > 4 && word[word.size() - 4] == '.' && same(word.substr(word.size() - 4), ".exe"))
    word.remove_suffix(4);
  return bare_word_of(word);
}

Word bare_word_of(std::string_view word) {
  if (word.empty() || word.size() > WordSlots::kLongest) return Word::other;
  for (std::size_t row = kIndex.first[WordSlots::of(word)]; row != 0; row = kIndex.next[row]) {
    const auto& [name, kind] = kWords[row - 1];
    if (name.size() != word.size() || !same(word, name)) continue;
    // "head" shows the first lines of a file, "HEAD" asks a server.
    return kind == Word::request && word.back() == name.back() ? Word::other : kind;
  }
  if (word.size() < 5) return Word::other;
  const char first = lower(word.front());
  if (first == 'm' && word.size() > 5 && same(word, "mkfs.")) return Word::make_fs;
  if (first == 'n' && word.size() > 6 && same(word, "newfs_")) return Word::make_fs;
  // python3.11, lua5.4
  if ((first == 'p' || first == 'r' || first == 'l') && word.back() >= '0' && word.back() <= '9') {
    const std::string_view stem = word.substr(0, word.find_first_of("0123456789."));
    static constexpr std::string_view kVersioned[] = {"python", "perl", "ruby", "lua", "php"};
    for (const std::string_view known : kVersioned) {
      if (stem.size() == known.size() && same(stem, known)) return Word::script;
    }
  }
  return Word::other;
}

bool pattern_for_remove(std::string_view word) {
  if (word.size() > 24 || word.find_first_of("?*") == std::string_view::npos) return false;
  const std::string_view name = file_name(word);
  if (name.size() > 6 || name.find_first_of("rm") == std::string_view::npos) {
    // "/b?n/rm" has its pattern in the folder.
    return false;
  }
  return matches(name, "rm");
}

bool is_raw_device(std::string_view path) {
  if (path.size() < 5 || path.size() > PlainPath::kMax || path[0] != '/') return false;
  const PlainPath plain(path);
  std::string_view name = plain.view();
  if (!name.starts_with("/dev/")) return name == "/proc/sysrq-trigger" || name == "/proc/kcore";
  name.remove_prefix(5);
  static constexpr std::string_view kHarmless[] = {
      "null", "stdin",   "stdout", "stderr", "tty",   "fd",  "zero",  "full", "random", "urandom", "pts",    "ptmx",
      "shm",  "console", "lp",     "usb",    "input", "snd", "video", "dsp",  "tcp",    "udp",     "serial", "kmsg"};
  return std::ranges::none_of(kHarmless, [&](std::string_view harmless) { return name.starts_with(harmless); });
}

bool is_everything(std::string_view path) {
  if (path.size() > 40 || path.empty()) return false;
  const char first = lower(path[0]);
  if (first != '/' && first != '~' && first != '.' && first != '*' && first != 'c') return false;
  if (first == 'c' && (path.size() < 2 || path[1] != ':')) return false;
  if (path == "./*") return true;
  static constexpr std::string_view kEnds[] = {"/*", "/.*", "/.", "/"};
  const PlainPath plain(path);
  std::string_view name = plain.view();
  for (bool again = true; again && name.size() > 1;) {
    again = false;
    for (const std::string_view end : kEnds) {
      if (!name.ends_with(end)) continue;
      name.remove_suffix(end.size());
      again = true;
      break;
    }
  }
  static constexpr std::string_view kAll[] = {
      "",         "/",        "~",     "..",     "*",      "/etc",    "/usr",     "/bin",  "/sbin", "/lib",
      "/boot",    "/var",     "/home", "/root",  "/opt",   "/dev",    "/sys",     "/proc", "/srv",  "/lib64",
      "/usr/bin", "/usr/lib", "/mnt",  "/media", "/users", "/system", "/library", "c:",    ".*"};
  return std::ranges::any_of(kAll, [&](std::string_view all) { return name.size() == all.size() && same(name, all); });
}

}  // namespace handrail::policy
