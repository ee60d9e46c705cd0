// The contract suite's desk on a real X server with a real window manager and real apps.
#include <gtest/gtest.h>
#include <xkbcommon/xkbcommon.h>

#include <fstream>
#include <mutex>
#include <thread>

#include "computer/local_computer.h"
#include "contract/desk.h"
#include "contract/fixture_apps.h"
#include "platform/linux/app_launcher.h"
#include "platform/x11/backend.h"
#include "platform/x11/monitors.h"
#include "support/x_server.h"

namespace handrail::contract {
namespace {

// Where no server is, also when other tests start theirs.
constexpr const char* kNoServer = ":59999";

testing::XServerOptions server_options(Layout layout) {
  testing::XServerOptions options;
  options.window_manager = true;
  if (layout == Layout::two) options.screen = {2304, 800};
  return options;
}

Rect rect_of(const Json& place) {
  return {place["x"].get<double>(), place["y"].get<double>(), place["width"].get<double>(),
          place["height"].get<double>()};
}

std::vector<Modifier> modifiers_of(unsigned state) {
  std::vector<Modifier> held;
  if ((state & XCB_MOD_MASK_CONTROL) != 0) held.push_back(Modifier::ctrl);
  if ((state & XCB_MOD_MASK_SHIFT) != 0) held.push_back(Modifier::shift);
  if ((state & XCB_MOD_MASK_1) != 0) held.push_back(Modifier::alt);
  if ((state & XCB_MOD_MASK_4) != 0) held.push_back(Modifier::super);
  return held;
}

// X numbers the wheel's directions as buttons.
std::optional<Wheel> wheel_of(int button) {
  switch (button) {
    case 4: return Wheel{0, -1};
    case 5: return Wheel{0, 1};
    case 6: return Wheel{-1, 0};
    case 7: return Wheel{1, 0};
    default: return std::nullopt;
  }
}

Button button_of(int button) {
  switch (button) {
    case 2: return Button::middle;
    case 3: return Button::right;
    case 8: return Button::x1;
    case 9: return Button::x2;
    default: return Button::left;
  }
}

std::optional<Received> received_from(const Json& line) {
  const std::string event = line["event"].get<std::string>();
  Received got;
  if (line.contains("state")) got.modifiers = modifiers_of(line["state"].get<unsigned>());
  if (event == "press" || event == "release" || event == "motion") {
    got.at = {line["root_x"].get<double>(), line["root_y"].get<double>()};
    got.kind = event == "motion" ? Received::Kind::motion : Received::Kind::press;
    if (event == "motion") return got;
    const int button = line["button"].get<int>();
    if (const auto wheel = wheel_of(button)) {
      if (event == "release") return std::nullopt;
      got.kind = Received::Kind::wheel;
      got.wheel = *wheel;
      return got;
    }
    if (event == "release") got.kind = Received::Kind::release;
    got.button = button_of(button);
    return got;
  }
  if (event != "key" && event != "key_release") return std::nullopt;
  got.kind = event == "key" ? Received::Kind::key_down : Received::Kind::key_up;
  if (line.contains("keyval")) got.key = {xkb_keysym_to_lower(line["keyval"].get<std::uint32_t>())};
  return got;
}

class X11Desk : public Desk {
 public:
  explicit X11Desk(Layout layout) : layout_(layout) {
    start_server();
    x11::Backend backend = x11::make_backend([this]() -> Result<std::string> { return display(); });
    backend.ports.apps = std::make_unique<linux_::AppLauncher>(linux_::session_desktop(install_apps()),
                                                               *backend.ports.windows, backend.watch_windows);
    computer_ = std::make_unique<LocalComputer>(std::move(backend.ports));
  }
  ~X11Desk() override { helpers_.clear(); }

  Computer& computer() override { return *computer_; }

  OpenApp open_probe(const std::string& title, const Rect& frame, Colour colour) override {
    char hex[8];
    std::snprintf(hex, sizeof hex, "%02x%02x%02x", colour.red & 0xff, colour.green & 0xff, colour.blue & 0xff);
    return open("probe_x11", {"--title", title, "--color", hex, "--motion", "--geometry", geometry(frame)});
  }

  OpenApp open_editor(const std::string& title, const Rect& frame) override {
    return open("editor_gtk3", {"--title", title, "--motion", "--geometry", geometry(frame)});
  }

  void kill(WindowId window) override {
    {
      const std::lock_guard lock(mutex_);
      apps_.at(window)->kill();
    }
    const Deadline deadline = Deadline::in(Millis(5000));
    while (state().find(window) != nullptr) ASSERT_FALSE(deadline.passed()) << "the window stayed";
  }

  std::vector<Received> received(WindowId window) override {
    std::vector<Received> all;
    for (const Json& line : log_of(window)) {
      if (auto got = received_from(line)) all.push_back(std::move(*got));
    }
    return all;
  }

  std::string text(WindowId window) override {
    std::string last;
    for (const Json& line : log_of(window)) {
      if (line["event"] == "text") last = line["text"].get<std::string>();
    }
    return last;
  }

  DeskState state() override {
    const auto parsed = parse_json(output_of("desk_state", {}, display()));
    DeskState state;
    EXPECT_TRUE(parsed.ok());
    if (!parsed.ok()) return state;
    for (const Json& window : (*parsed)["windows"]) {
      state.windows.push_back({window["id"].get<WindowId>(), window["title"].get<std::string>(),
                               rect_of(window["frame"]), rect_of(window["content"]), window["viewable"].get<bool>()});
    }
    if (const auto active = (*parsed)["active"].get<WindowId>(); active != 0) state.active = active;
    const unsigned buttons = (*parsed)["pointer"]["buttons"].get<unsigned>();
    for (int button = 1; button <= 3; ++button) {
      if ((buttons >> (button - 1) & 1U) != 0) state.buttons_down.push_back(button_of(button));
    }
    state.keys_down = !(*parsed)["keyboard"]["pressed"].empty();
    state.pointer = {(*parsed)["pointer"]["x"].get<double>(), (*parsed)["pointer"]["y"].get<double>()};
    return state;
  }

  void app_copies(Selection selection, const std::string& mime, const std::string& bytes) override {
    const std::filesystem::path file = logs_.path() / ("clip" + std::to_string(++last_log_));
    std::ofstream(file, std::ios::binary) << bytes;
    owner_ = std::make_unique<FixtureApp>(
        "clip_x11",
        std::vector<std::string>{"own", "--selection", name_of(selection), target_of(mime) + "=@" + file.string()},
        display(), logs_.path() / ("log" + std::to_string(++last_log_)));
    const bool owns = until([&] { return !owner_->log().empty(); });
    EXPECT_TRUE(owns) << "clip_x11 does not own the selection";
  }

  std::string app_pastes(Selection selection, const std::string& mime) override {
    return output_of("clip_x11", {"read", "--selection", name_of(selection), target_of(mime)}, display());
  }

  void lose_server() override {
    const std::lock_guard lock(server_mutex_);
    server_.reset();
    display_ = kNoServer;
  }

  void restore_server() override {
    owner_.reset();
    {
      const std::lock_guard lock(mutex_);
      apps_.clear();
    }
    start_server();
  }

  bool wait_for_news(Deadline deadline) override { return logs_.wait_for_growth(deadline); }

  void when_received(WindowId window, Received::Kind kind, std::function<void()> act) override {
    helpers_.emplace_back([this, window, kind, act = std::move(act), watch = logs_.watch()](std::stop_token stop) {
      const Deadline deadline = Deadline::in(Millis(10'000));
      while (!stop.stop_requested() && !deadline.passed()) {
        for (const Received& event : received(window)) {
          if (event.kind == kind) return act();
        }
        // Short turns, so that a desk that goes away is not held up.
        wait_for_report(watch.get(), deadline.within(Millis(200)));
      }
    });
  }

  void meanwhile(std::function<void()> act, const std::function<void()>& wait) override {
    std::thread other(std::move(act));
    wait();
    other.join();
  }

 private:
  static std::string name_of(Selection selection) {
    return selection == Selection::clipboard ? "CLIPBOARD" : "PRIMARY";
  }
  // Text has a name of its own on X.
  static std::string target_of(const std::string& mime) { return mime == kPlainText ? "UTF8_STRING" : mime; }

  static std::string geometry(const Rect& frame) {
    // Apps ask for the size of their content; the window manager adds the frame around it.
    return std::to_string(static_cast<int>(frame.width)) + "x" + std::to_string(static_cast<int>(frame.height)) + "+" +
           std::to_string(static_cast<int>(frame.x)) + "+" + std::to_string(static_cast<int>(frame.y));
  }

  // A session in which two apps are installed and no others.
  Environment install_apps() {
    const std::filesystem::path data = logs_.path() / "share";
    std::filesystem::create_directories(data / "applications");
    const auto install = [&](const std::string& id, const std::string& name) {
      // A program file of its own: that is what tells one app from another, and from the probes.
      std::filesystem::copy_file(HANDRAIL_FIXTURES "/probe_x11", logs_.path() / id);
      std::ofstream(data / "applications" / (id + ".desktop"))
          << "[Desktop Entry]\nType=Application\nName=" << name << "\nExec=" << (logs_.path() / id).string()
          << " --title \"" << name << "\"\n";
    };
    install("contract-notes", "Contract Notes");
    install("contract-painter", "Contract Painter");
    return {{"DISPLAY", display()}, {"HOME", logs_.path().string()},  {"PATH", "/usr/bin:/bin"},
            {"LC_ALL", "C.UTF-8"},  {"XDG_DATA_HOME", data.string()}, {"XDG_DATA_DIRS", data.string()}};
  }

  // On any free display: the number of a lost server may be another's by now.
  void start_server() {
    const std::lock_guard lock(server_mutex_);
    server_ = std::make_unique<testing::XServer>(server_options(layout_));
    display_ = server_->name();
    if (layout_ != Layout::two) return;
    // Xvfb has one output; monitors are laid over it.
    const Status set = x11::define_monitors(display_, {{0, 0, 1280, 800}, {1280, 0, 1024, 600}});
    ASSERT_TRUE(set.ok()) << to_text(set.error());
  }

  std::string display() {
    const std::lock_guard lock(server_mutex_);
    return display_;
  }

  bool until(const std::function<bool()>& holds) {
    const Deadline deadline = Deadline::in(Millis(10'000));
    while (!holds()) {
      if (!logs_.wait_for_growth(deadline)) return holds();
    }
    return true;
  }

  std::vector<Json> log_of(WindowId window) {
    const std::lock_guard lock(mutex_);
    const auto found = apps_.find(window);
    return found == apps_.end() ? std::vector<Json>{} : found->second->log();
  }

  OpenApp open(const std::string& program, std::vector<std::string> arguments) {
    auto app = std::make_unique<FixtureApp>(program, std::move(arguments), display(),
                                            logs_.path() / ("log" + std::to_string(++last_log_)));
    OpenApp opened;
    const bool ready = until([&] {
      for (const Json& line : app->log()) {
        if (line["event"] == "ready") opened.window = line["window"].get<WindowId>();
      }
      return opened.window != 0;
    });
    EXPECT_TRUE(ready) << program << " does not come up";
    opened.pid = app->pid();
    {
      const std::lock_guard lock(mutex_);
      apps_[opened.window] = std::move(app);
    }
    // An app is told that it is shown before the window manager has made it the active one.
    DeskState now = state();
    for (const Deadline deadline = Deadline::in(Millis(5000)); now.active != opened.window; now = state()) {
      if (deadline.passed()) {
        ADD_FAILURE() << program << " does not become active";
        return opened;
      }
    }
    opened.content = now.find(opened.window)->content;
    return opened;
  }

  LogFolder logs_;
  Layout layout_;
  std::mutex server_mutex_;  // a server may be taken away while a plan runs
  std::unique_ptr<testing::XServer> server_;
  std::string display_;
  std::unique_ptr<LocalComputer> computer_;
  std::mutex mutex_;  // when_received() reads logs from its own thread
  std::map<WindowId, std::unique_ptr<FixtureApp>> apps_;
  std::unique_ptr<FixtureApp> owner_;
  int last_log_ = 0;
  std::vector<std::jthread> helpers_;
};

}  // namespace

std::unique_ptr<Desk> make_desk(Layout layout) { return std::make_unique<X11Desk>(layout); }

}  // namespace handrail::contract
