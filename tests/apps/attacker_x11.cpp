// The app that security tests set against Handrail: any kind of window, and on standard input the tricks that a client
// of the same display can play. What it receives is in its log.
//   flap MEAN_US SEED     maps and unmaps itself at random until `still`
//   steal                 maps, raises and takes the focus
//   grab_keyboard, grab_pointer, ungrab
//   steal_after N         does that when N more keys went down, whoever gets them
//   on_press              maps itself as soon as a button goes down
//   forge_active WINDOW   writes _NET_ACTIVE_WINDOW of the root; forge_clients leaves itself out of the client lists
//   reparent WINDOW X Y   moves its window into another one
//   crowd N               N more windows without pixels, outside the screen
//   hand_over             a child goes on with the connection, and the process that made it ends
//   title TEXT, remap N   unmaps and maps N times
#include <xcb/xinput.h>

#include <algorithm>
#include <random>

#include "x_fixture.h"

namespace {

class Attacker {
 public:
  explicit Attacker(fixture::WindowOptions options) : w_(std::move(options)) {
    w_.command("flap", [this](auto& words) { start_flapping(words); });
    w_.command("still", [this](auto&) { w_.idle(-1, nullptr); });
    w_.command("steal", [this](auto&) { steal(); });
    w_.command("grab_keyboard", [this](auto&) { grab_keyboard(); });
    w_.command("grab_pointer", [this](auto&) { grab_pointer(); });
    w_.command("ungrab", [this](auto&) {
      xcb_ungrab_keyboard(w_.x(), XCB_CURRENT_TIME);
      xcb_ungrab_pointer(w_.x(), XCB_CURRENT_TIME);
    });
    w_.command("on_press", [this](auto&) {
      select_raw();
      springs_ = true;
    });
    w_.command("steal_after", [this](auto& words) {
      select_raw();
      words >> keys_left_;
    });
    w_.on_generic([this](std::uint16_t type) { seen_raw(type); });
    w_.command("forge_active", [this](auto& words) { forge_active(words); });
    w_.command("forge_clients", [this](auto&) {
      forge_list("_NET_CLIENT_LIST");
      forge_list("_NET_CLIENT_LIST_STACKING");
    });
    w_.command("reparent", [this](auto& words) {
      unsigned long parent = 0;
      int x = 0, y = 0;
      words >> parent >> x >> y;
      xcb_reparent_window(w_.x(), w_.window(), static_cast<xcb_window_t>(parent), static_cast<std::int16_t>(x),
                          static_cast<std::int16_t>(y));
      xcb_map_window(w_.x(), w_.window());
    });
    w_.command("hand_over", [this](auto&) {
      xcb_flush(w_.x());
      if (::fork() != 0) ::_exit(0);
      w_.log().write("heir", {{"pid", std::int64_t{::getpid()}}});
    });
    w_.command("remap", [this](auto& words) {
      int times = 0;
      words >> times;
      for (int i = 0; i < times; ++i) {
        xcb_unmap_window(w_.x(), w_.window());
        w_.map();
      }
    });
    w_.command("crowd", [this](auto& words) {
      int count = 0;
      words >> count;
      const std::uint32_t on = 1;
      for (int i = 0; i < count; ++i) {
        const xcb_window_t one = xcb_generate_id(w_.x());
        xcb_create_window(w_.x(), 0, one, w_.root(), -20, -20, 4, 4, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                          XCB_COPY_FROM_PARENT, XCB_CW_OVERRIDE_REDIRECT, &on);
        xcb_map_window(w_.x(), one);
      }
    });
    w_.command("title", [this](auto& words) {
      std::string text;
      std::getline(words >> std::ws, text);
      xcb_change_property(w_.x(), XCB_PROP_MODE_REPLACE, w_.window(), w_.atom("_NET_WM_NAME"), w_.atom("UTF8_STRING"),
                          8, static_cast<std::uint32_t>(text.size()), text.data());
    });
  }
  void run() { w_.run(); }

 private:
  // Half of the time it is there, half of the time not, for exponential times.
  void start_flapping(std::istringstream& words) {
    double mean_us = 500;
    unsigned seed = 1;
    words >> mean_us >> seed;
    pick_.seed(seed);
    pause_ = std::exponential_distribution<double>(1 / mean_us);
    w_.idle(0, [this] { flap(); });
  }
  void flap() {
    const double until = fixture::now_ms() + std::min(pause_(pick_), 20'000.0) / 1000;
    if (shown_) {
      xcb_unmap_window(w_.x(), w_.window());
    } else {
      w_.map();
    }
    shown_ = !shown_;
    xcb_flush(w_.x());
    // A race needs times far below the scheduler's: this is the one place that may spin.
    while (fixture::now_ms() < until) {
    }
  }

  void steal() {
    w_.map();
    w_.focus();
    xcb_flush(w_.x());
  }

  void grab_keyboard() {
    const fixture::Owned<xcb_grab_keyboard_reply_t> reply(
        xcb_grab_keyboard_reply(
            w_.x(),
            xcb_grab_keyboard(w_.x(), 0, w_.window(), XCB_CURRENT_TIME, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC),
            nullptr),
        std::free);
    w_.log().write("grab", {{"status", std::int64_t{reply ? reply->status : 255}}});
  }
  void grab_pointer() {
    const fixture::Owned<xcb_grab_pointer_reply_t> reply(
        xcb_grab_pointer_reply(
            w_.x(),
            xcb_grab_pointer(w_.x(), 0, w_.window(), XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE,
                             XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC, XCB_NONE, XCB_NONE, XCB_CURRENT_TIME),
            nullptr),
        std::free);
    w_.log().write("grab", {{"status", std::int64_t{reply ? reply->status : 255}}});
  }

  // Raw events go to everyone who asks, whoever has the focus.
  void select_raw() {
    const fixture::Owned<xcb_input_xi_query_version_reply_t> version(
        xcb_input_xi_query_version_reply(w_.x(), xcb_input_xi_query_version(w_.x(), 2, 2), nullptr), std::free);
    struct {
      xcb_input_event_mask_t head;
      std::uint32_t mask;
    } wanted{{XCB_INPUT_DEVICE_ALL_MASTER, 1},
             XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS | XCB_INPUT_XI_EVENT_MASK_RAW_BUTTON_PRESS};
    xcb_input_xi_select_events(w_.x(), w_.root(), 1, &wanted.head);
  }
  void seen_raw(std::uint16_t type) {
    if (type == XCB_INPUT_RAW_KEY_PRESS && keys_left_ > 0 && --keys_left_ == 0) {
      steal();
      w_.log().write("stolen");
    }
    if (type == XCB_INPUT_RAW_BUTTON_PRESS && springs_) {
      springs_ = false;
      w_.map();
      xcb_flush(w_.x());
      w_.log().write("sprung");
    }
  }

  void forge_active(std::istringstream& words) {
    unsigned long victim = 0;
    words >> victim;
    const auto window = static_cast<xcb_window_t>(victim);
    xcb_change_property(w_.x(), XCB_PROP_MODE_REPLACE, w_.root(), w_.atom("_NET_ACTIVE_WINDOW"), XCB_ATOM_WINDOW, 32, 1,
                        &window);
  }

  void forge_list(const char* name) {
    const xcb_atom_t property = w_.atom(name);
    const fixture::Owned<xcb_get_property_reply_t> reply(
        xcb_get_property_reply(w_.x(), xcb_get_property(w_.x(), 0, w_.root(), property, XCB_ATOM_WINDOW, 0, 4096),
                               nullptr),
        std::free);
    if (!reply) return;
    std::vector<xcb_window_t> windows(static_cast<std::size_t>(xcb_get_property_value_length(reply.get())) / 4);
    if (!windows.empty()) std::memcpy(windows.data(), xcb_get_property_value(reply.get()), windows.size() * 4);
    std::erase(windows, w_.window());
    xcb_change_property(w_.x(), XCB_PROP_MODE_REPLACE, w_.root(), property, XCB_ATOM_WINDOW, 32,
                        static_cast<std::uint32_t>(windows.size()), windows.data());
  }

  fixture::XWindow w_;
  std::mt19937 pick_;
  std::exponential_distribution<double> pause_;
  bool shown_ = false, springs_ = false;
  int keys_left_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Attacker(fixture::parse_window_options(argc, argv)).run();
  return 0;
}
