// One plain X window in one colour that logs every event it gets and sends nothing by itself.
#include <xcb/xcb.h>

#include <cstring>
#include <memory>

#include "event_log.h"

namespace {

struct ProbeOptions : fixture::Options {
  std::uint32_t color = 0x3366cc;
  std::string wm_class = "probe_x11";
  bool override_redirect = false;
  bool input_only = false;
};

ProbeOptions parse(int argc, char** argv) {
  ProbeOptions options;
  options.title = "Probe";
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (flag == "--override-redirect") {
      options.override_redirect = true;
    } else if (flag == "--input-only") {
      options.input_only = true;
    } else if (flag == "--motion") {
      options.motion = true;
    } else if (flag == "--title" && value) {
      options.title = argv[++i];
    } else if (flag == "--class" && value) {
      options.wm_class = argv[++i];
    } else if (flag == "--log" && value) {
      options.log = argv[++i];
    } else if (flag == "--color" && value) {
      options.color = static_cast<std::uint32_t>(std::strtoul(argv[++i], nullptr, 16));
    } else if (flag == "--geometry" && value) {
      fixture::set_geometry(options, argv[++i]);
    } else {
      std::fprintf(stderr,
                   "usage: %s [--title T] [--class C] [--log FILE] [--geometry WxH[+X+Y]] [--color RRGGBB]\n"
                   "          [--override-redirect] [--input-only] [--motion]\n",
                   argv[0]);
      std::exit(2);
    }
  }
  return options;
}

class Probe {
 public:
  Probe(const ProbeOptions& options, xcb_connection_t* x) : options_(options), x_(x) {
    log_.open(options.log);
    screen_ = xcb_setup_roots_iterator(xcb_get_setup(x)).data;
    wm_protocols_ = atom("WM_PROTOCOLS");
    wm_delete_ = atom("WM_DELETE_WINDOW");
  }

  void show() {
    window_ = xcb_generate_id(x_);
    std::uint32_t events = XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE | XCB_EVENT_MASK_KEY_PRESS |
                           XCB_EVENT_MASK_KEY_RELEASE | XCB_EVENT_MASK_ENTER_WINDOW | XCB_EVENT_MASK_LEAVE_WINDOW |
                           XCB_EVENT_MASK_FOCUS_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY |
                           XCB_EVENT_MASK_VISIBILITY_CHANGE;
    if (options_.motion) events |= XCB_EVENT_MASK_POINTER_MOTION;
    const auto redirect = static_cast<std::uint32_t>(options_.override_redirect);
    const std::uint32_t visible[] = {options_.color, redirect, events | XCB_EVENT_MASK_EXPOSURE};
    const std::uint32_t invisible[] = {redirect, events};
    const std::uint32_t mask = XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK;
    xcb_create_window(x_, XCB_COPY_FROM_PARENT, window_, screen_->root, static_cast<std::int16_t>(options_.x),
                      static_cast<std::int16_t>(options_.y), static_cast<std::uint16_t>(options_.width),
                      static_cast<std::uint16_t>(options_.height), 0,
                      options_.input_only ? XCB_WINDOW_CLASS_INPUT_ONLY : XCB_WINDOW_CLASS_INPUT_OUTPUT,
                      XCB_COPY_FROM_PARENT, options_.input_only ? mask : mask | XCB_CW_BACK_PIXEL,
                      options_.input_only ? invisible : visible);
    set_text("_NET_WM_NAME", "UTF8_STRING", options_.title);
    set_text("WM_NAME", "STRING", options_.title);
    const std::string name_and_class = options_.wm_class + '\0' + options_.wm_class + '\0';
    set_text("WM_CLASS", "STRING", name_and_class);
    xcb_change_property(x_, XCB_PROP_MODE_REPLACE, window_, wm_protocols_, XCB_ATOM_ATOM, 32, 1, &wm_delete_);
    if (options_.placed) place();
    xcb_map_window(x_, window_);
    xcb_flush(x_);
  }

  // Until the window is closed or the server is gone.
  void run() {
    while (!closed_) {
      const std::unique_ptr<xcb_generic_event_t, decltype(&std::free)> event(xcb_wait_for_event(x_), std::free);
      if (!event) break;
      handle(*event);
    }
    log_.write("closed");
  }

 private:
  xcb_atom_t atom(const char* name) {
    const auto length = static_cast<std::uint16_t>(std::strlen(name));
    const std::unique_ptr<xcb_intern_atom_reply_t, decltype(&std::free)> reply(
        xcb_intern_atom_reply(x_, xcb_intern_atom(x_, 0, length, name), nullptr), std::free);
    return reply ? reply->atom : 0U;
  }

  std::string atom_name(xcb_atom_t value) {
    const std::unique_ptr<xcb_get_atom_name_reply_t, decltype(&std::free)> reply(
        xcb_get_atom_name_reply(x_, xcb_get_atom_name(x_, value), nullptr), std::free);
    if (!reply) return "?";
    return std::string(xcb_get_atom_name_name(reply.get()),
                       static_cast<std::size_t>(xcb_get_atom_name_name_length(reply.get())));
  }

  void set_text(const char* property, const char* type, const std::string& text) {
    xcb_change_property(x_, XCB_PROP_MODE_REPLACE, window_, atom(property), atom(type), 8,
                        static_cast<std::uint32_t>(text.size()), text.data());
  }

  // WM_NORMAL_HINTS with a position of the user's, which window managers obey.
  void place() {
    std::uint32_t hints[18] = {};
    hints[0] = 1U | 2U;  // USPosition, USSize
    xcb_change_property(x_, XCB_PROP_MODE_REPLACE, window_, XCB_ATOM_WM_NORMAL_HINTS, XCB_ATOM_WM_SIZE_HINTS, 32, 18,
                        hints);
  }

  template <class Event>
  void log_input(const char* name, const char* detail, const Event& e) {
    log_.write(name, {{detail, std::int64_t{e.detail}},
                      {"x", std::int64_t{e.event_x}},
                      {"y", std::int64_t{e.event_y}},
                      {"root_x", std::int64_t{e.root_x}},
                      {"root_y", std::int64_t{e.root_y}},
                      {"state", std::int64_t{e.state}},
                      {"sent", is_sent_}});
  }

  void handle(xcb_generic_event_t& event) {
    is_sent_ = (event.response_type & 0x80U) != 0;
    void* raw = &event;
    switch (event.response_type & 0x7fU) {
      case XCB_BUTTON_PRESS: log_input("press", "button", *static_cast<xcb_button_press_event_t*>(raw)); break;
      case XCB_BUTTON_RELEASE: log_input("release", "button", *static_cast<xcb_button_release_event_t*>(raw)); break;
      case XCB_MOTION_NOTIFY: log_input("motion", "hint", *static_cast<xcb_motion_notify_event_t*>(raw)); break;
      case XCB_KEY_PRESS: log_input("key", "keycode", *static_cast<xcb_key_press_event_t*>(raw)); break;
      case XCB_KEY_RELEASE: log_input("key_release", "keycode", *static_cast<xcb_key_release_event_t*>(raw)); break;
      case XCB_ENTER_NOTIFY: log_input("enter", "detail", *static_cast<xcb_enter_notify_event_t*>(raw)); break;
      case XCB_LEAVE_NOTIFY: log_input("leave", "detail", *static_cast<xcb_leave_notify_event_t*>(raw)); break;
      case XCB_FOCUS_IN:
      case XCB_FOCUS_OUT: {
        const auto& focus = *static_cast<xcb_focus_in_event_t*>(raw);
        log_.write("focus", {{"in", (event.response_type & 0x7fU) == XCB_FOCUS_IN},
                             {"mode", std::int64_t{focus.mode}},
                             {"detail", std::int64_t{focus.detail}}});
        break;
      }
      case XCB_CONFIGURE_NOTIFY: {
        const auto& c = *static_cast<xcb_configure_notify_event_t*>(raw);
        log_.write("configure", {{"x", std::int64_t{c.x}},
                                 {"y", std::int64_t{c.y}},
                                 {"width", std::int64_t{c.width}},
                                 {"height", std::int64_t{c.height}},
                                 {"sent", is_sent_}});
        break;
      }
      case XCB_MAP_NOTIFY:
        log_.write("map");
        if (options_.input_only) ready();
        break;
      case XCB_UNMAP_NOTIFY: log_.write("unmap"); break;
      case XCB_EXPOSE: ready(); break;
      case XCB_VISIBILITY_NOTIFY:
        log_.write("visibility", {{"state", std::int64_t{static_cast<xcb_visibility_notify_event_t*>(raw)->state}}});
        break;
      case XCB_CLIENT_MESSAGE: client_message(*static_cast<xcb_client_message_event_t*>(raw)); break;
      case XCB_DESTROY_NOTIFY: closed_ = true; break;
      case 0: log_.write("error", {{"code", std::int64_t{static_cast<xcb_generic_error_t*>(raw)->error_code}}}); break;
      default: log_.write("other", {{"type", std::int64_t{event.response_type}}}); break;
    }
  }

  void client_message(const xcb_client_message_event_t& message) {
    std::string protocol;
    if (message.type == wm_protocols_) protocol = atom_name(message.data.data32[0]);
    log_.write("client_message", {{"type", atom_name(message.type)}, {"protocol", protocol}});
    if (message.type == wm_protocols_ && message.data.data32[0] == wm_delete_) closed_ = true;
  }

  void ready() {
    if (ready_) return;
    ready_ = true;
    log_.write("ready", {{"window", std::int64_t{window_}}, {"pid", std::int64_t{getpid()}}});
  }

  ProbeOptions options_;
  xcb_connection_t* x_;
  fixture::EventLog log_;
  xcb_screen_t* screen_ = nullptr;
  xcb_window_t window_ = 0;
  xcb_atom_t wm_protocols_ = 0;
  xcb_atom_t wm_delete_ = 0;
  bool is_sent_ = false;
  bool ready_ = false;
  bool closed_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  const ProbeOptions options = parse(argc, argv);
  xcb_connection_t* x = xcb_connect(nullptr, nullptr);
  if (xcb_connection_has_error(x) != 0) {
    std::fprintf(stderr, "probe_x11: no X server on %s\n", std::getenv("DISPLAY"));
    return 1;
  }
  Probe probe(options, x);
  probe.show();
  probe.run();
  xcb_disconnect(x);
  return 0;
}
