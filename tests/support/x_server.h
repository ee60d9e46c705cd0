// A real X server for one test, and a plain X client that serves as the oracle: it speaks to the
// server by itself and shares no code with what is tested.
#pragma once

#include <sys/types.h>
#include <xcb/xcb.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "model/geometry.h"

namespace handrail::testing {

struct XServerOptions {
  Size screen{1280, 800};
  bool window_manager = false;  // openbox
  std::vector<std::string> arguments;
};

// Xvfb on a free display. Ready when the constructor returns, gone when the destructor does. Throws
// std::runtime_error when it does not come up.
class XServer {
 public:
  explicit XServer(XServerOptions options = {});
  ~XServer();
  XServer(const XServer&) = delete;
  XServer& operator=(const XServer&) = delete;

  std::string name() const { return ":" + std::to_string(number_); }
  int number() const { return number_; }

  void kill();
  void start();  // again, on the same number
  void freeze();
  void thaw();

 private:
  bool start_server();
  void start_window_manager();

  XServerOptions options_;
  int number_ = -1;
  pid_t server_ = -1;
  pid_t window_manager_ = -1;
  Fd window_manager_output_;
};

struct TestWindow {
  PixelRect place{100, 100, 200, 150};
  std::uint32_t colour = 0xff0000;
  std::string title = "test";
  bool override_redirect = false;
};

class XClient {
 public:
  explicit XClient(const std::string& display);
  ~XClient();
  XClient(const XClient&) = delete;
  XClient& operator=(const XClient&) = delete;

  xcb_connection_t* xcb() const { return xcb_; }
  xcb_window_t root() const { return screen_->root; }

  // Mapped and exposed when it returns; closes on WM_DELETE_WINDOW unless told otherwise.
  xcb_window_t open(const TestWindow& window);
  void ignore_close() { obey_close_ = false; }
  void fill(xcb_window_t window, std::uint32_t colour);
  void sync();
  xcb_atom_t atom(const std::string& name);
  void set_cardinal(xcb_window_t window, const std::string& property, std::uint32_t value);
  void grab_server();
  void ungrab_server();

  // Reads events, obeying close requests, until the predicate holds; false after the patience.
  bool wait(const std::function<bool()>& done, std::chrono::milliseconds patience = std::chrono::seconds(5));
  // Makes a wait() on another thread look at its predicate again.
  void nudge();
  const std::vector<xcb_generic_event_t>& log() const { return log_; }
  int count(int type) const;

  PixelRect place(xcb_window_t window);  // content, in root coordinates
  xcb_window_t focus();
  bool viewable(xcb_window_t window);
  bool exists(xcb_window_t window);

 private:
  void take(const xcb_generic_event_t& event);

  xcb_connection_t* xcb_ = nullptr;
  xcb_screen_t* screen_ = nullptr;
  bool obey_close_ = true;
  std::vector<xcb_generic_event_t> log_;
};

}  // namespace handrail::testing
