// The other end of a click: a window that covers the screen and prints, for each event it gets, the
// moment on the monotonic clock at which it had it.
#include <xcb/xcb.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>

namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

double now_ms() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

void say(const char* what, int detail, double at) {
  std::printf("{\"event\":\"%s\",\"detail\":%d,\"at_ms\":%.4f}\n", what, detail, at);
  std::fflush(stdout);
}

}  // namespace

int main() {
  xcb_connection_t* connection = xcb_connect(nullptr, nullptr);
  if (xcb_connection_has_error(connection) != 0) {
    std::fprintf(stderr, "bench_receiver: no display\n");
    return 1;
  }
  const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
  const xcb_window_t window = xcb_generate_id(connection);
  const std::uint32_t values[] = {screen->white_pixel, XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE |
                                                           XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_STRUCTURE_NOTIFY};
  xcb_create_window(connection, XCB_COPY_FROM_PARENT, window, screen->root, 100, 100, 600, 400, 0,
                    XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, XCB_CW_BACK_PIXEL | XCB_CW_EVENT_MASK, values);
  static const char kTitle[] = "bench receiver";
  xcb_change_property(connection, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8,
                      sizeof kTitle - 1, kTitle);
  static const char kClass[] = "bench_receiver\0bench_receiver";
  xcb_change_property(connection, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_CLASS, XCB_ATOM_STRING, 8, sizeof kClass,
                      kClass);
  xcb_map_window(connection, window);
  xcb_flush(connection);
  while (const std::unique_ptr<xcb_generic_event_t, Free> event{xcb_wait_for_event(connection)}) {
    const double at = now_ms();
    switch (event->response_type & 0x7F) {
      case XCB_MAP_NOTIFY: say("map", 0, at); break;
      case XCB_BUTTON_PRESS:
        say("press", reinterpret_cast<const xcb_button_press_event_t*>(event.get())->detail, at);
        break;
      case XCB_BUTTON_RELEASE:
        say("release", reinterpret_cast<const xcb_button_release_event_t*>(event.get())->detail, at);
        break;
      case XCB_KEY_PRESS: say("key", reinterpret_cast<const xcb_key_press_event_t*>(event.get())->detail, at); break;
      default: break;
    }
  }
  xcb_disconnect(connection);
}
