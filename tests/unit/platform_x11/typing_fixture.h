// Real apps to type into, and the keyboard as the server itself tells it.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "platform/x11/keyboard_xkb.h"
#include "support/exec_block.h"
#include "support/x_server.h"

namespace handrail::testing {

inline std::string beside_test(const std::string& program) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / program).string();
}

inline pid_t spawn(const std::vector<std::string>& command, const std::string& display) {
  const ExecBlock program(command,
                          {{"DISPLAY", display},
                           {"LC_ALL", "C.UTF-8"},
                           {"GDK_BACKEND", "x11"},
                           {"QT_QPA_PLATFORM", "xcb"},
                           {"NO_AT_BRIDGE", "1"},
                           {"GTK_A11Y", "none"},
                           {"GSK_RENDERER", "cairo"}},
                          {"DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY", "XMODIFIERS", "GTK_IM_MODULE"});
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  const int null = ::open("/dev/null", O_RDWR);
  for (const int fd : {0, 1, 2}) ::dup2(null, fd);
  program.run();
}

inline void run(const std::vector<std::string>& command, const std::string& display) {
  int status = 0;
  ::waitpid(spawn(command, display), &status, 0);
  if (status != 0) throw std::runtime_error(command[0] + " failed");
}

// A pipe by name that a program writes to. Emptied all the time: a program that fills its pipe stops.
class NamedPipe {
 public:
  NamedPipe() {
    std::string pattern = (std::filesystem::temp_directory_path() / "handrail-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    folder_ = pattern;
    path_ = pattern + "/pipe";
    if (::mkfifo(path_.c_str(), 0600) != 0) throw std::runtime_error("mkfifo");
    fd_ = Fd(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
    reader_ = std::thread([this] { collect(); });
  }
  ~NamedPipe() {
    stopping_ = true;
    [[maybe_unused]] const auto woken = ::write(fd_.get(), "\n", 1);
    reader_.join();
    std::filesystem::remove_all(folder_);
  }
  const std::string& path() const { return path_; }

  // Appends what has come, or what comes first until the deadline; false when nothing did.
  bool read(std::string& into, Deadline deadline) {
    std::unique_lock lock(mutex_);
    if (!came_.wait_until(lock, deadline.at(), [this] { return !bytes_.empty(); })) return false;
    into += std::exchange(bytes_, {});
    return true;
  }

 private:
  void collect() {
    std::vector<char> buffer(65536);
    while (!stopping_) {
      const ssize_t count = ::read(fd_.get(), buffer.data(), buffer.size());
      if (count <= 0) break;
      const std::lock_guard lock(mutex_);
      bytes_.append(buffer.data(), static_cast<std::size_t>(count));
      came_.notify_all();
    }
  }

  std::string folder_;
  std::string path_;
  Fd fd_;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::condition_variable came_;
  std::string bytes_;
  std::thread reader_;
};

// A program with a text, focused when the constructor returns.
class TextApp {
 public:
  virtual ~TextApp() { stop(); }
  // The text once it is `expected`, or what it is when the patience ends.
  virtual std::string text(const std::string& expected, Millis patience) = 0;
  void stop() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  pid_t pid() const { return pid_; }

 protected:
  pid_t pid_ = -1;
};

class EditorApp : public TextApp {
 public:
  EditorApp(const std::string& program, const std::string& display) {
    pid_ = spawn({beside_test(program), "--log", pipe_.path(), "--geometry", "600x400+20+40"}, display);
    const Deadline deadline = Deadline::in(Millis(20000));
    bool ready = false, focused = false;
    while (!(ready && focused)) {
      for (const auto& line : lines(deadline)) {
        if (line["event"] == "ready") ready = true;
        if (line["event"] == "focus") focused = line["in"].get<bool>();
      }
      if (deadline.passed()) throw std::runtime_error(program + " did not get the focus");
    }
  }
  std::string text(const std::string& expected, Millis patience) override {
    const Deadline deadline = Deadline::in(patience);
    while (text_ != expected && !deadline.passed()) {
      for (const auto& line : lines(deadline)) {
        if (line["event"] == "text") text_ = line["text"].get<std::string>();
      }
    }
    return text_;
  }

 private:
  std::vector<nlohmann::json> lines(Deadline deadline) {
    std::vector<nlohmann::json> out;
    if (!pipe_.read(pending_, deadline)) return out;
    std::size_t start = 0;
    for (std::size_t end; (end = pending_.find('\n', start)) != std::string::npos; start = end + 1) {
      out.push_back(nlohmann::json::parse(pending_.substr(start, end - start)));
    }
    pending_.erase(0, start);
    return out;
  }
  NamedPipe pipe_;
  std::string pending_;
  std::string text_;
};

// Its text is what it hands to a program that reads the terminal, byte by byte.
class XtermApp : public TextApp {
 public:
  explicit XtermApp(const std::string& display) {
    XClient watcher(display);
    pid_ = spawn({"xterm", "-u8", "-title", pipe_.path(), "-e",
                  "stty raw -echo; printf ready > " + pipe_.path() + "; exec cat > " + pipe_.path()},
                 display);
    const Deadline deadline = Deadline::in(Millis(20000));
    while (bytes_ != "ready" || title_of_focus(watcher) != pipe_.path()) {
      pipe_.read(bytes_, Deadline::in(Millis(20)));
      if (deadline.passed()) throw std::runtime_error("xterm did not get the focus");
    }
    bytes_.clear();
  }
  std::string text(const std::string& expected, Millis patience) override {
    const Deadline deadline = Deadline::in(patience);
    while (shown() != expected && !deadline.passed()) pipe_.read(bytes_, deadline);
    return shown();
  }

 private:
  // The focus is on a child of the window with the title.
  static std::string title_of_focus(XClient& watcher) {
    xcb_window_t window = watcher.focus();
    for (int depth = 0; depth < 3 && window > 1; ++depth) {
      auto* title = xcb_get_property_reply(
          watcher.xcb(), xcb_get_property(watcher.xcb(), 0, window, XCB_ATOM_WM_NAME, XCB_ATOM_ANY, 0, 64), nullptr);
      std::string text;
      if (title != nullptr) {
        text.assign(static_cast<const char*>(xcb_get_property_value(title)),
                    static_cast<std::size_t>(xcb_get_property_value_length(title)));
      }
      std::free(title);
      if (!text.empty()) return text;
      auto* tree = xcb_query_tree_reply(watcher.xcb(), xcb_query_tree(watcher.xcb(), window), nullptr);
      window = tree != nullptr ? tree->parent : 0;
      std::free(tree);
    }
    return {};
  }
  std::string shown() const {
    std::string out = bytes_;
    for (char& c : out) {
      if (c == '\r') c = '\n';
    }
    return out;
  }
  NamedPipe pipe_;
  std::string bytes_;
};

inline std::unique_ptr<TextApp> open_text_app(const std::string& program, const std::string& display) {
  if (program == "xterm") return std::make_unique<XtermApp>(display);
  return std::make_unique<EditorApp>(program, display);
}

// The keyboard as the server has it.
struct KeyboardFacts {
  std::vector<std::uint32_t> core_map;
  int locked_modifiers = 0;
  int locked_group = 0;
  std::vector<int> down;  // keycodes
  friend bool operator==(const KeyboardFacts&, const KeyboardFacts&) = default;
};

class KeyboardOracle : public XClient {
 public:
  explicit KeyboardOracle(const std::string& display) : XClient(display) {
    std::free(xcb_xkb_use_extension_reply(xcb(), xcb_xkb_use_extension(xcb(), 1, 0), nullptr));
  }
  KeyboardFacts facts() {
    KeyboardFacts out;
    const xcb_setup_t* setup = xcb_get_setup(xcb());
    const auto count = static_cast<std::uint8_t>(setup->max_keycode - setup->min_keycode + 1);
    auto* map =
        xcb_get_keyboard_mapping_reply(xcb(), xcb_get_keyboard_mapping(xcb(), setup->min_keycode, count), nullptr);
    const xcb_keysym_t* first = xcb_get_keyboard_mapping_keysyms(map);
    out.core_map.push_back(map->keysyms_per_keycode);
    out.core_map.insert(out.core_map.end(), first, first + xcb_get_keyboard_mapping_keysyms_length(map));
    std::free(map);
    auto* state = xcb_xkb_get_state_reply(xcb(), xcb_xkb_get_state(xcb(), XCB_XKB_ID_USE_CORE_KBD), nullptr);
    out.locked_modifiers = state->lockedMods;
    out.locked_group = state->lockedGroup;
    std::free(state);
    auto* keys = xcb_query_keymap_reply(xcb(), xcb_query_keymap(xcb()), nullptr);
    for (int i = 0; i < 256; ++i) {
      if ((keys->keys[i / 8] >> (i % 8) & 1) != 0) out.down.push_back(i);
    }
    std::free(keys);
    return out;
  }
  void lock(bool caps, int group) {
    xcb_xkb_latch_lock_state(xcb(), XCB_XKB_ID_USE_CORE_KBD, XCB_MOD_MASK_LOCK,
                             caps ? std::uint8_t{XCB_MOD_MASK_LOCK} : std::uint8_t{0}, 1,
                             static_cast<std::uint8_t>(group), 0, 0, 0);
    sync();
  }
};

}  // namespace handrail::testing
