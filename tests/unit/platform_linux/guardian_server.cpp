#include "guardian_server.h"

#include <fmt/format.h>
#include <unistd.h>
#include <xcb/xcb.h>
#include <xcb/xtest.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "platform/linux/guardian_link.h"
#include "platform/x11/clipboard_guard.h"
#include "platform/x11/restore.h"

namespace handrail::linux_ {
namespace {

constexpr std::uint8_t kShift = 50, kA = 38, kB = 56;

xcb_atom_t atom(xcb_connection_t* x, const char* name) {
  auto* reply =
      xcb_intern_atom_reply(x, xcb_intern_atom(x, 0, static_cast<std::uint16_t>(std::strlen(name)), name), nullptr);
  const xcb_atom_t value = reply ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
  std::free(reply);
  return value;
}

void sync(xcb_connection_t* x) { std::free(xcb_get_input_focus_reply(x, xcb_get_input_focus(x), nullptr)); }

void stall_if_told(xcb_connection_t* x) {
  const xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(x)).data->root;
  auto* told =
      xcb_get_property_reply(x, xcb_get_property(x, 1, root, atom(x, "_TEST_STALL"), XCB_ATOM_ANY, 0, 1), nullptr);
  const bool stall = told && told->type != XCB_ATOM_NONE;
  std::free(told);
  sync(x);
  while (stall) ::pause();
}

void set_keysym(xcb_connection_t* x, std::uint8_t keycode, xcb_keysym_t keysym) {
  xcb_change_keyboard_mapping(x, 1, keycode, 1, &keysym);
  sync(x);
}

class Server {
 public:
  Server(const std::string& display, xcb_window_t window)
      : x_(xcb_connect(display.c_str(), nullptr)),
        window_(window),
        connection_(std::make_shared<x11::Connection>([display]() -> Result<std::string> { return display; })) {
    auto link = GuardianLink::start({.display = {display, ""}});
    if (!link.ok()) fail(link.error());
    link_ = std::move(*link);
    guard_ = std::make_unique<x11::X11ClipboardGuard>(connection_, link_);
  }

  void begin() {
    hide();
    lend();
    must(guard_->guard(Deadline::in(Millis(20000))));
    hold({{kShift, kA}, {1}});
    say();
  }

  [[noreturn]] void work() {
    begin();
    for (;;) {
      hold({{kShift}, {1}});
      hold({{kShift, kB}, {1, 3}});
      hold({});
      show();
      must(guard_->restore(Deadline::in(Millis(20000))));
      hold({{kA}, {}});
      hide();
      must(guard_->guard(Deadline::in(Millis(20000))));
      hold({{kA, kB}, {2}});
    }
  }

  [[noreturn]] void stop(bool grab) {
    if (grab) {
      link_->grabbing(true);
      xcb_grab_server(x_);
      sync(x_);
    }
    say();
    for (;;) ::raise(SIGSTOP);
  }

 private:
  [[noreturn]] static void fail(const Error& error) {
    std::puts(to_text(error).c_str());
    std::fflush(stdout);
    ::_exit(1);
  }
  static void must(const Status& status) {
    if (!status.ok()) fail(status.error());
  }
  void say() {
    std::puts(fmt::format("ready {}", link_->pid()).c_str());
    std::fflush(stdout);
  }
  void fake(std::uint8_t type, std::uint8_t detail) {
    xcb_test_fake_input(x_, type, detail, XCB_CURRENT_TIME, XCB_NONE, 0, 0, 0);
  }
  // Told before presses and after releases.
  void hold(const HeldNow& next) {
    HeldNow both = next;
    both.keycodes.insert(both.keycodes.end(), now_.keycodes.begin(), now_.keycodes.end());
    both.buttons.insert(both.buttons.end(), now_.buttons.begin(), now_.buttons.end());
    must(link_->held(both));
    const auto change = [this](const auto& from, const auto& to, std::uint8_t type) {
      for (const std::uint8_t one : from) {
        if (std::ranges::find(to, one) == to.end()) fake(type, one);
      }
    };
    change(now_.buttons, next.buttons, XCB_BUTTON_RELEASE);
    change(now_.keycodes, next.keycodes, XCB_KEY_RELEASE);
    change(next.keycodes, now_.keycodes, XCB_KEY_PRESS);
    change(next.buttons, now_.buttons, XCB_BUTTON_PRESS);
    sync(x_);
    now_ = next;
    must(link_->held(now_));
  }
  void lend() {
    must(link_->keep(Kept::keymap, fmt::format("{} 0", kLentKeycode)));
    set_keysym(x_, kLentKeycode, kLentKeysym);
  }
  void hide() {
    must(link_->keep(Kept::windows, std::to_string(window_)));
    xcb_unmap_window(x_, window_);
    sync(x_);
  }
  void show() { must(link_->give_back(Kept::windows, Deadline::in(Millis(20000)))); }

  xcb_connection_t* x_;
  xcb_window_t window_;
  std::shared_ptr<x11::Connection> connection_;
  std::shared_ptr<GuardianLink> link_;
  std::unique_ptr<x11::X11ClipboardGuard> guard_;
  HeldNow now_;
};

}  // namespace

std::unique_ptr<Restorer> make_test_restorer() {
  x11::RestoreParts parts;
  parts.keymap = [](xcb_connection_t* x, std::string_view record) -> Status {
    stall_if_told(x);
    const std::string text(record);
    char* end = nullptr;
    const auto keycode = static_cast<std::uint8_t>(std::strtoul(text.c_str(), &end, 10));
    set_keysym(x, keycode, static_cast<xcb_keysym_t>(std::strtoul(end, nullptr, 10)));
    return {};
  };
  parts.windows = [](xcb_connection_t* x, xcb_window_t, std::string_view record) -> Status {
    xcb_map_window(x, static_cast<xcb_window_t>(std::stoul(std::string(record))));
    return {};
  };
  return x11::make_restorer(std::move(parts));
}

int run_guarded_server(const std::vector<std::string>& arguments) {
  if (arguments.size() != 3) return 2;
  Server server(arguments[0], static_cast<xcb_window_t>(std::stoul(arguments[1])));
  if (arguments[2] == "work") server.work();
  server.stop(arguments[2] == "grab");
}

}  // namespace handrail::linux_
