#include "platform/x11/dialog.h"

#include <fmt/format.h>
#include <poll.h>
#include <xcb/xcb.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "platform/x11/connection.h"
#include "platform/x11/dial.h"
#include "platform/x11/dialog_devices.h"
#include "platform/x11/dialog_paint.h"
#include "platform/x11/dialog_window.h"

namespace handrail::x11 {
namespace {

// Keys by their place on the keyboard (Linux numbers them alike on all servers): any client can change what a key
// means, and so could turn a person's typing into an answer.
enum class Place : std::uint32_t {
  escape = 9,
  tab = 23,
  enter = 36,
  space = 65,
  keypad_enter = 104,
  left = 113,
  right = 114
};

struct Disconnect {
  void operator()(xcb_connection_t* xcb) const { xcb_disconnect(xcb); }
};

// The server's clock wraps round.
bool before(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) < 0; }

class Dialog {
 public:
  Dialog(xcb_connection_t* xcb, const xcb_screen_t& screen, const DialogSpec& spec, Deadline deadline)
      : xcb_(xcb),
        screen_(screen),
        spec_(spec),
        deadline_(deadline),
        devices_(xcb),
        window_(xcb, screen),
        painter_(spec, screen_scale(xcb, screen)) {}

  Status open();
  Result<std::size_t> run(int ending_fd);

 private:
  void take(const xcb_generic_event_t& event);
  void take_core(const xcb_generic_event_t& event);
  void take_input(const DialogInput& input);
  void take_key(const DialogInput& input);
  void shown_anew();
  void stamped(std::uint32_t time);
  bool heard(const DialogInput& input, const std::optional<std::uint32_t>& awake_from) const;
  void repaint();
  Millis nap() const;

  xcb_connection_t* xcb_;
  const xcb_screen_t& screen_;
  const DialogSpec& spec_;
  Deadline deadline_;
  DialogDevices devices_;
  DialogWindow window_;
  DialogPainter painter_;

  DialogLook look_;
  bool exposed_ = false;
  bool dirty_ = false;
  bool obscured_ = false;
  bool ask_time_ = false;
  std::optional<PixelRect> place_;
  // The server's time from which on events count; nothing until the server has told it.
  std::optional<std::uint32_t> awake_from_, keys_awake_from_;
  std::optional<TimePoint> looks_awake_at_;
  std::uint16_t moved_by_ = 0;    // the device that last moved the pointer over the window
  std::uint16_t pressed_by_ = 0;  // the device that holds a button down
  std::optional<std::size_t> answer_;
};

Status Dialog::open() {
  if (!devices_.opcode()) {
    return make_error(Code::capability_unsupported, "The X server has no XInput 2, so a person cannot be told apart.");
  }
  const PixelRect monitor = main_monitor(xcb_, screen_);
  const Size size = painter_.size();
  if (size.width > monitor.width || size.height > monitor.height) {
    return make_error(Code::too_large, "The question does not fit the screen.")
        .with_hint("Ask for fewer apps at a time.");
  }
  const PixelRect place{monitor.x + (monitor.width - size.width) / 2, monitor.y + (monitor.height - size.height) / 2,
                        size.width, size.height};
  if (!window_.open(spec_.title, place) || !devices_.listen(window_.id())) {
    return make_error(Code::backend_error, "The X server refused the window of the question.");
  }
  window_.show();
  return {};
}

// People must have had time to see it: what is on its way now was meant for something else.
void Dialog::shown_anew() {
  awake_from_.reset();
  keys_awake_from_.reset();
  looks_awake_at_.reset();
  look_.pressed = -1;
  dirty_ = true;
  ask_time_ = true;
}

void Dialog::stamped(std::uint32_t time) {
  const auto from = time + static_cast<std::uint32_t>(spec_.inert.count());
  // What is set already was not disturbed since.
  if (!awake_from_) awake_from_ = from;
  if (!keys_awake_from_) keys_awake_from_ = from;
  if (!looks_awake_at_) looks_awake_at_ = Clock::now() + spec_.inert;
  dirty_ = true;
}

bool Dialog::heard(const DialogInput& input, const std::optional<std::uint32_t>& awake_from) const {
  return awake_from && !before(input.time, *awake_from) && !obscured_ && devices_.physical(input.source);
}

void Dialog::take(const xcb_generic_event_t& event) {
  if (const auto input = read_dialog_input(event, *devices_.opcode())) return take_input(*input);
  take_core(event);
}

void Dialog::take_core(const xcb_generic_event_t& event) {
  const int type = event.response_type & 0x7f;
  // Anyone can send these. A sent one may only lead to a no or to more patience.
  const bool sent = (event.response_type & 0x80) != 0;
  if (type == XCB_EXPOSE) {
    if (!exposed_ && !sent) {
      exposed_ = true;
      shown_anew();
    }
    dirty_ = true;
  } else if (type == XCB_CONFIGURE_NOTIFY) {
    // Window managers send these with the place on the screen, the server with the place in the frame.
    const auto& change = reinterpret_cast<const xcb_configure_notify_event_t&>(event);
    const PixelRect now{change.x, change.y, change.width, change.height};
    if (place_ && *place_ != now) shown_anew();
    place_ = now;
  } else if (type == XCB_VISIBILITY_NOTIFY && !sent) {
    const bool obscured =
        reinterpret_cast<const xcb_visibility_notify_event_t&>(event).state != XCB_VISIBILITY_UNOBSCURED;
    if (obscured != obscured_) shown_anew();
    obscured_ = obscured;
  } else if (type == XCB_MAP_NOTIFY || type == XCB_REPARENT_NOTIFY || type == XCB_UNMAP_NOTIFY) {
    shown_anew();
  } else if (type == XCB_FOCUS_IN) {
    // Whoever typed elsewhere a moment ago may still be typing. A click can bring the focus along and stays good.
    keys_awake_from_.reset();
    ask_time_ = true;
  } else if (type == XCB_PROPERTY_NOTIFY && !sent) {
    const auto& change = reinterpret_cast<const xcb_property_notify_event_t&>(event);
    if (change.window == window_.id() && change.atom == window_.stamp()) stamped(change.time);
  } else if (type == XCB_CLIENT_MESSAGE) {
    const auto& message = reinterpret_cast<const xcb_client_message_event_t&>(event);
    const bool closes = message.type == window_.protocols() && message.format == 32 &&
                        message.data.data32[0] == window_.delete_window();
    if (closes) answer_ = 0;
  } else if (type == XCB_DESTROY_NOTIFY) {
    answer_ = 0;
  }
}

void Dialog::take_input(const DialogInput& input) {
  if (input.act == DialogAct::key) return take_key(input);
  const int at = painter_.button_at(input.x, input.y);
  if (input.act == DialogAct::motion) {
    moved_by_ = input.source;
    if (look_.hovered != at) dirty_ = true;
    look_.hovered = at;
    return;
  }
  if (input.detail != 1) return;
  if (input.act == DialogAct::press) {
    look_.pressed = -1;
    // The pointer was brought here by a person as well, and nothing lies over what they see.
    if (at < 0 || !heard(input, awake_from_) || !devices_.physical(moved_by_) || window_.covered()) return;
    look_.pressed = at;
    pressed_by_ = input.source;
    dirty_ = true;
    return;
  }
  const bool meant = at >= 0 && at == look_.pressed && input.source == pressed_by_ && heard(input, awake_from_) &&
                     devices_.physical(moved_by_) && !window_.covered();
  if (meant) answer_ = static_cast<std::size_t>(at);
  look_.pressed = -1;
  dirty_ = true;
}

void Dialog::take_key(const DialogInput& input) {
  if (input.repeated || !heard(input, keys_awake_from_) || window_.covered()) return;
  const std::size_t count = spec_.buttons.size();
  const auto key = static_cast<Place>(input.detail);
  if (key == Place::escape) {
    answer_ = 0;
  } else if (key == Place::enter || key == Place::keypad_enter || key == Place::space) {
    answer_ = look_.focused;
  } else if (key == Place::left || (key == Place::tab && input.shift)) {
    look_.focused = (look_.focused + count - 1) % count;
  } else if (key == Place::right || key == Place::tab) {
    look_.focused = (look_.focused + 1) % count;
  }
  dirty_ = true;
}

void Dialog::repaint() {
  look_.awake = looks_awake_at_ && Clock::now() >= *looks_awake_at_ && !obscured_;
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(deadline_.left()).count();
  look_.footnote = fmt::format("{} in {} s", spec_.buttons[0], seconds);
  window_.fill(painter_.paint(look_), painter_.size());
  dirty_ = false;
}

// Until something on the picture changes by itself.
Millis Dialog::nap() const {
  Millis wait = std::min(deadline_.left(), deadline_.left() % 1000 + Millis(1));
  if (looks_awake_at_ && !look_.awake) wait = std::min(wait, Deadline(*looks_awake_at_).left());
  return std::max(wait, Millis(1));
}

Result<std::size_t> Dialog::run(int ending_fd) {
  while (true) {
    while (const Owned<xcb_generic_event_t> event{xcb_poll_for_event(xcb_)}) {
      take(*event);
      if (answer_) return *answer_;
    }
    if (xcb_connection_has_error(xcb_) != 0) return make_error(Code::backend_lost, "The X server went away.");
    if (deadline_.passed()) return make_error(Code::timeout, "Nobody answered in time.");
    if (exposed_ && dirty_) repaint();
    // After the picture, so that the time is one at which it can be seen.
    if (exposed_ && std::exchange(ask_time_, false)) window_.ask_time();
    // Replies that were waited for may have brought events along, which no poll would tell of.
    if (const Owned<xcb_generic_event_t> event{xcb_poll_for_queued_event(xcb_)}) {
      take(*event);
      if (answer_) return *answer_;
      continue;
    }
    pollfd fds[2] = {{xcb_get_file_descriptor(xcb_), POLLIN, 0}, {ending_fd, POLLIN, 0}};
    const int ready = ::poll(fds, 2, static_cast<int>(nap().count()));
    if (ready > 0 && fds[1].revents != 0) return make_error(Code::cancelled, "The question was taken back.");
    if (ready == 0) dirty_ = true;
  }
}

}  // namespace

Result<std::size_t> show_dialog(const std::string& display, const DialogSpec& spec, Deadline deadline, int ending_fd) {
  if (spec.buttons.empty()) return make_error(Code::internal, "A question without an answer.");
  const Dialled dialled = TRY(dial(display, deadline, [](int) {}));
  const std::unique_ptr<xcb_connection_t, Disconnect> xcb(dialled.xcb);
  auto screens = xcb_setup_roots_iterator(xcb_get_setup(xcb.get()));
  for (int i = 0; i < dialled.screen_number && screens.rem > 1; ++i) xcb_screen_next(&screens);
  if (screens.rem == 0) return make_error(Code::backend_error, "The X server has no screen.");
  Dialog dialog(xcb.get(), *screens.data, spec, deadline);
  TRY(dialog.open());
  return dialog.run(ending_fd);
}

}  // namespace handrail::x11
