// A plain X window of a fixture that logs every event it gets and obeys lines on standard input, each answered by a
// `done` event after the X server has taken it. Shared by the apps that security tests put on a desktop.
#pragma once

#include <poll.h>
#include <sys/stat.h>
#include <xcb/shape.h>
#include <xcb/xcb.h>

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include "event_log.h"

namespace fixture {

template <class T>
using Owned = std::unique_ptr<T, decltype(&std::free)>;

struct WindowOptions : Options {
  std::uint32_t color = 0x3366cc;
  std::string wm_class;
  std::uint32_t claimed_pid = 0;  // _NET_WM_PID as it claims
  std::uint32_t parent = 0;       // the root when 0
  std::uint32_t transient_for = 0;
  bool override_redirect = false;
  bool input_only = false;
  bool bare = false;      // no background: shows what was there before
  bool shaped = false;    // only a corner is visible, all of it takes input
  bool argb = false;      // a 32-bit visual, all transparent
  bool unmapped = false;  // until it is told to map
  bool dock = false;      // says that it is a panel
};

inline WindowOptions parse_window_options(int argc, char** argv) {
  WindowOptions o;
  o.wm_class = argv[0] + (std::strrchr(argv[0], '/') ? std::strrchr(argv[0], '/') - argv[0] + 1 : 0);
  const std::map<std::string_view, bool*> switches{{"--override-redirect", &o.override_redirect},
                                                   {"--input-only", &o.input_only},
                                                   {"--bare", &o.bare},
                                                   {"--shaped", &o.shaped},
                                                   {"--argb", &o.argb},
                                                   {"--unmapped", &o.unmapped},
                                                   {"--motion", &o.motion},
                                                   {"--dock", &o.dock}};
  const std::map<std::string_view, std::string*> texts{
      {"--title", &o.title}, {"--class", &o.wm_class}, {"--log", &o.log}};
  const std::map<std::string_view, std::uint32_t*> numbers{
      {"--pid", &o.claimed_pid}, {"--parent", &o.parent}, {"--transient-for", &o.transient_for}};
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (switches.contains(flag)) {
      *switches.at(flag) = true;
    } else if (texts.contains(flag) && value) {
      *texts.at(flag) = argv[++i];
    } else if (numbers.contains(flag) && value) {
      *numbers.at(flag) = static_cast<std::uint32_t>(std::strtoul(argv[++i], nullptr, 0));
    } else if (flag == "--color" && value) {
      o.color = static_cast<std::uint32_t>(std::strtoul(argv[++i], nullptr, 16));
    } else if (flag == "--geometry" && value) {
      set_geometry(o, argv[++i]);
    } else {
      std::fprintf(stderr, "%s: unknown flag %s\n", argv[0], argv[i]);
      std::exit(2);
    }
  }
  return o;
}

class XWindow {
 public:
  // Gets the words after the command's name; what it sent has arrived before `done` is logged.
  using Command = std::function<void(std::istringstream& words)>;

  explicit XWindow(WindowOptions options) : options_(std::move(options)) {
    x_ = xcb_connect(nullptr, nullptr);
    if (xcb_connection_has_error(x_) != 0) {
      std::fprintf(stderr, "no X server\n");
      std::exit(1);
    }
    log_.open(options_.log);
    screen_ = xcb_setup_roots_iterator(xcb_get_setup(x_)).data;
    wm_protocols_ = atom("WM_PROTOCOLS");
    wm_delete_ = atom("WM_DELETE_WINDOW");
    create();
    command("fence", [](auto&) {});
    command("map", [this](auto&) { map(); });
    command("unmap", [this](auto&) { xcb_unmap_window(x_, window_); });
    command("raise", [this](auto&) { raise(); });
    command("focus", [this](auto&) { focus(); });
    command("color", [this](auto& words) {
      std::uint32_t value = 0;
      words >> std::hex >> value;
      fill(0, 0, options_.width, options_.height, value);
    });
    command("fill", [this](auto& words) {
      int x = 0, y = 0, width = 0, height = 0;
      std::uint32_t value = 0;
      words >> x >> y >> width >> height >> std::hex >> value;
      fill(x, y, width, height, value);
    });
    command("move", [this](auto& words) {
      std::uint32_t place[2] = {};
      words >> place[0] >> place[1];
      xcb_configure_window(x_, window_, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y, place);
    });
  }

  xcb_connection_t* x() const { return x_; }
  xcb_window_t window() const { return window_; }
  xcb_window_t root() const { return screen_->root; }
  EventLog& log() { return log_; }
  const WindowOptions& options() const { return options_; }

  void command(const std::string& name, Command does) { commands_[name] = std::move(does); }
  // Called while nothing else is to do, at most every `ms`; negative: never.
  void idle(int ms, std::function<void()> does) {
    idle_ms_ = ms;
    idle_ = std::move(does);
  }

  // Called for every event, before anything else is made of it.
  void on_event(std::function<void(const xcb_generic_event_t&)> does) { each_ = std::move(does); }
  // Called for every event of an extension, with its type there.
  void on_generic(std::function<void(std::uint16_t)> does) { generic_ = std::move(does); }

  xcb_atom_t atom(const char* name) const {
    const Owned<xcb_intern_atom_reply_t> reply(
        xcb_intern_atom_reply(x_, xcb_intern_atom(x_, 0, static_cast<std::uint16_t>(std::strlen(name)), name), nullptr),
        std::free);
    return reply ? reply->atom : 0U;
  }
  void map() {
    raise();
    xcb_map_window(x_, window_);
  }
  void raise() {
    const std::uint32_t above = XCB_STACK_MODE_ABOVE;
    xcb_configure_window(x_, window_, XCB_CONFIG_WINDOW_STACK_MODE, &above);
  }
  void focus() { xcb_set_input_focus(x_, XCB_INPUT_FOCUS_POINTER_ROOT, window_, XCB_CURRENT_TIME); }
  void fill(int x, int y, int width, int height, std::uint32_t color) {
    const xcb_gcontext_t gc = xcb_generate_id(x_);
    xcb_create_gc(x_, gc, window_, XCB_GC_FOREGROUND, &color);
    const xcb_rectangle_t box{static_cast<std::int16_t>(x), static_cast<std::int16_t>(y),
                              static_cast<std::uint16_t>(width), static_cast<std::uint16_t>(height)};
    xcb_poly_fill_rectangle(x_, window_, gc, 1, &box);
    xcb_free_gc(x_, gc);
  }
  // Everything sent so far was taken by the server.
  bool sync() {
    const Owned<xcb_get_input_focus_reply_t> reply(xcb_get_input_focus_reply(x_, xcb_get_input_focus(x_), nullptr),
                                                   std::free);
    return reply != nullptr;
  }

  // Until the window is closed, whoever gives commands is gone, or the server is.
  void run() {
    if (!options_.unmapped) map();
    sync();
    if (options_.unmapped) ready();
    // Only somebody who holds the other end of a pipe can give commands, and ends the app by letting go.
    struct stat input {};
    const bool commanded = ::fstat(STDIN_FILENO, &input) == 0 && S_ISFIFO(input.st_mode);
    std::string typed;
    while (!closed_) {
      // Sending may read more events, of which poll() knows nothing.
      do xcb_flush(x_);
      while (handle_waiting());
      if (xcb_connection_has_error(x_) != 0) break;
      pollfd ready_to_read[] = {{xcb_get_file_descriptor(x_), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
      const int found = ::poll(ready_to_read, commanded ? 2 : 1, idle_ ? idle_ms_ : -1);
      if (found == 0 && idle_) idle_();
      if (ready_to_read[1].revents != 0 && !read_commands(typed)) break;
    }
    log_.write("closed");
    xcb_disconnect(x_);
  }

 private:
  void create() {
    window_ = xcb_generate_id(x_);
    std::uint32_t events = XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE | XCB_EVENT_MASK_KEY_PRESS |
                           XCB_EVENT_MASK_KEY_RELEASE | XCB_EVENT_MASK_ENTER_WINDOW | XCB_EVENT_MASK_LEAVE_WINDOW |
                           XCB_EVENT_MASK_FOCUS_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY;
    if (options_.motion) events |= XCB_EVENT_MASK_POINTER_MOTION;
    if (!options_.input_only) events |= XCB_EVENT_MASK_EXPOSURE;
    std::uint8_t depth = options_.input_only ? 0 : screen_->root_depth;
    xcb_visualid_t visual = screen_->root_visual;
    xcb_colormap_t colours = screen_->default_colormap;
    if (options_.argb) deep_visual(depth, visual, colours);
    std::vector<std::uint32_t> values;
    std::uint32_t mask = XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK;
    if (!options_.input_only) {
      mask |= (options_.bare ? XCB_CW_BACK_PIXMAP : XCB_CW_BACK_PIXEL) | XCB_CW_BORDER_PIXEL | XCB_CW_COLORMAP;
      values = {options_.bare || options_.argb ? 0U : options_.color, 0U};
    }
    values.push_back(static_cast<std::uint32_t>(options_.override_redirect));
    values.push_back(events);
    if (!options_.input_only) values.push_back(colours);
    xcb_create_window(x_, depth, window_, options_.parent != 0 ? options_.parent : screen_->root,
                      static_cast<std::int16_t>(options_.x), static_cast<std::int16_t>(options_.y),
                      static_cast<std::uint16_t>(options_.width), static_cast<std::uint16_t>(options_.height), 0,
                      options_.input_only ? XCB_WINDOW_CLASS_INPUT_ONLY : XCB_WINDOW_CLASS_INPUT_OUTPUT,
                      options_.input_only ? screen_->root_visual : visual, mask, values.data());
    if (options_.shaped) {
      const xcb_rectangle_t corner{0, 0, 2, 2};
      const xcb_rectangle_t all{0, 0, static_cast<std::uint16_t>(options_.width),
                                static_cast<std::uint16_t>(options_.height)};
      xcb_shape_rectangles(x_, XCB_SHAPE_SO_SET, XCB_SHAPE_SK_CLIP, 0, window_, 0, 0, 1, &corner);
      xcb_shape_rectangles(x_, XCB_SHAPE_SO_SET, XCB_SHAPE_SK_INPUT, 0, window_, 0, 0, 1, &all);
    }
    describe();
  }

  void deep_visual(std::uint8_t& depth, xcb_visualid_t& visual, xcb_colormap_t& colours) {
    for (auto d = xcb_screen_allowed_depths_iterator(screen_); d.rem > 0; xcb_depth_next(&d)) {
      if (d.data->depth != 32 || xcb_depth_visuals_length(d.data) == 0) continue;
      depth = 32;
      visual = xcb_depth_visuals(d.data)->visual_id;
      colours = xcb_generate_id(x_);
      xcb_create_colormap(x_, XCB_COLORMAP_ALLOC_NONE, colours, screen_->root, visual);
      return;
    }
  }

  void set(const char* property, xcb_atom_t type, std::uint8_t format, std::size_t count, const void* data) {
    xcb_change_property(x_, XCB_PROP_MODE_REPLACE, window_, atom(property), type, format,
                        static_cast<std::uint32_t>(count), data);
  }

  void describe() {
    set("_NET_WM_NAME", atom("UTF8_STRING"), 8, options_.title.size(), options_.title.data());
    set("WM_NAME", XCB_ATOM_STRING, 8, options_.title.size(), options_.title.data());
    const std::string both = options_.wm_class + '\0' + options_.wm_class + '\0';
    set("WM_CLASS", XCB_ATOM_STRING, 8, both.size(), both.data());
    set("WM_PROTOCOLS", XCB_ATOM_ATOM, 32, 1, &wm_delete_);
    if (options_.claimed_pid != 0) set("_NET_WM_PID", XCB_ATOM_CARDINAL, 32, 1, &options_.claimed_pid);
    if (options_.transient_for != 0) set("WM_TRANSIENT_FOR", XCB_ATOM_WINDOW, 32, 1, &options_.transient_for);
    if (options_.dock) {
      const xcb_atom_t dock = atom("_NET_WM_WINDOW_TYPE_DOCK");
      set("_NET_WM_WINDOW_TYPE", XCB_ATOM_ATOM, 32, 1, &dock);
    }
    if (!options_.placed) return;
    std::uint32_t hints[18] = {};
    hints[0] = 1U | 2U;  // USPosition, USSize: window managers obey
    set("WM_NORMAL_HINTS", XCB_ATOM_WM_SIZE_HINTS, 32, 18, hints);
  }

  bool read_commands(std::string& typed) {
    char bytes[4096];
    const ssize_t n = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (n <= 0) return false;
    typed.append(bytes, static_cast<std::size_t>(n));
    for (std::size_t end = 0; (end = typed.find('\n')) != std::string::npos; typed.erase(0, end + 1)) {
      std::istringstream words(typed.substr(0, end));
      std::string name;
      words >> name;
      const auto known = commands_.find(name);
      if (known != commands_.end()) known->second(words);
      sync();
      handle_waiting();  // what was sent before the answer is in the log before it
      log_.write("done", {{"command", name}, {"known", known != commands_.end()}});
    }
    return true;
  }

  // Whether there were any.
  bool handle_waiting() {
    bool any = false;
    while (const Owned<xcb_generic_event_t> event{xcb_poll_for_event(x_), std::free}) {
      handle(*event);
      any = true;
    }
    return any;
  }

  template <class Event>
  void log_input(const char* name, const char* detail, const Event& e) {
    log_.write(name, {{detail, std::int64_t{e.detail}},
                      {"x", std::int64_t{e.event_x}},
                      {"y", std::int64_t{e.event_y}},
                      {"root_x", std::int64_t{e.root_x}},
                      {"root_y", std::int64_t{e.root_y}},
                      {"state", std::int64_t{e.state}},
                      {"sent", sent_}});
  }

  void handle(xcb_generic_event_t& event) {
    sent_ = (event.response_type & 0x80U) != 0;
    if (each_) each_(event);
    void* raw = &event;
    switch (event.response_type & 0x7fU) {
      case XCB_BUTTON_PRESS: pressed(*static_cast<xcb_button_press_event_t*>(raw)); break;
      case XCB_BUTTON_RELEASE: released(*static_cast<xcb_button_release_event_t*>(raw)); break;
      case XCB_MOTION_NOTIFY: log_input("motion", "hint", *static_cast<xcb_motion_notify_event_t*>(raw)); break;
      case XCB_KEY_PRESS: log_input("key", "keycode", *static_cast<xcb_key_press_event_t*>(raw)); break;
      case XCB_KEY_RELEASE: log_input("key_release", "keycode", *static_cast<xcb_key_release_event_t*>(raw)); break;
      case XCB_ENTER_NOTIFY: log_input("enter", "detail", *static_cast<xcb_enter_notify_event_t*>(raw)); break;
      case XCB_LEAVE_NOTIFY: log_input("leave", "detail", *static_cast<xcb_leave_notify_event_t*>(raw)); break;
      case XCB_FOCUS_IN:
      case XCB_FOCUS_OUT:
        log_.write("focus", {{"in", (event.response_type & 0x7fU) == XCB_FOCUS_IN},
                             {"mode", std::int64_t{static_cast<xcb_focus_in_event_t*>(raw)->mode}}});
        break;
      case XCB_MAP_NOTIFY:
        log_.write("map");
        if (options_.input_only) ready();
        break;
      case XCB_UNMAP_NOTIFY: log_.write("unmap"); break;
      case XCB_CONFIGURE_NOTIFY: {
        const auto& c = *static_cast<xcb_configure_notify_event_t*>(raw);
        width_ = c.width;
        height_ = c.height;
        break;
      }
      case XCB_EXPOSE: ready(); break;
      case XCB_CLIENT_MESSAGE: {
        const auto& message = *static_cast<xcb_client_message_event_t*>(raw);
        if (message.type == wm_protocols_ && message.data.data32[0] == wm_delete_) closed_ = true;
        break;
      }
      case XCB_DESTROY_NOTIFY: closed_ = true; break;
      case XCB_GE_GENERIC:
        if (generic_) generic_(static_cast<xcb_ge_generic_event_t*>(raw)->event_type);
        break;
      default: break;
    }
  }

  void pressed(const xcb_button_press_event_t& e) {
    log_input("press", "button", e);
    down_ = e.detail;
  }

  // A control acts when the button comes up where it went down: inside.
  void released(const xcb_button_release_event_t& e) {
    log_input("release", "button", e);
    const int width = width_ > 0 ? width_ : options_.width, height = height_ > 0 ? height_ : options_.height;
    const bool inside = e.event_x >= 0 && e.event_y >= 0 && e.event_x < width && e.event_y < height;
    if (down_ == e.detail && inside) log_.write("activated", {{"button", std::int64_t{e.detail}}});
    down_ = 0;
  }

  void ready() {
    if (ready_) return;
    ready_ = true;
    log_.write("ready", {{"window", std::int64_t{window_}}, {"pid", std::int64_t{getpid()}}});
  }

  WindowOptions options_;
  xcb_connection_t* x_ = nullptr;
  xcb_screen_t* screen_ = nullptr;
  xcb_window_t window_ = 0;
  xcb_atom_t wm_protocols_ = 0, wm_delete_ = 0;
  EventLog log_;
  std::map<std::string, Command> commands_;
  std::function<void()> idle_;
  std::function<void(std::uint16_t)> generic_;
  std::function<void(const xcb_generic_event_t&)> each_;
  int idle_ms_ = -1;
  int width_ = 0, height_ = 0;
  std::uint8_t down_ = 0;
  bool sent_ = false, ready_ = false, closed_ = false;
};

}  // namespace fixture
