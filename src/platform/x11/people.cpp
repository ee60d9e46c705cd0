#include "platform/x11/people.h"

#include <xcb/xinput.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include <algorithm>
#include <array>
#include <span>

#include "platform/x11/atoms.h"
#include "platform/x11/extensions.h"

namespace handrail::x11 {

struct People::State {
  std::mutex mutex;
  std::optional<TimePoint> last_seen;
  std::vector<std::uint32_t> chord;
  std::function<void()> panic;
  std::function<void()> touch;
  std::function<void()> person;

  // Of the connection's thread.
  std::set<std::uint16_t> synthetic;  // device ids
  std::set<std::uint8_t> down;        // keycodes that a person holds

  Status open(Server& server);
  Status find_synthetic(Server& server);
  void take(Server& server, const xcb_generic_event_t& event);
  void look_for_chord(Server& server);
};

namespace {

struct EventMask {
  xcb_input_event_mask_t head;
  std::uint32_t mask;
};

std::uint32_t same_side(std::uint32_t keysym) {
  switch (keysym) {
    case XKB_KEY_Shift_R: return XKB_KEY_Shift_L;
    case XKB_KEY_Control_R: return XKB_KEY_Control_L;
    case XKB_KEY_Alt_R:
    case XKB_KEY_Meta_L:
    case XKB_KEY_Meta_R: return XKB_KEY_Alt_L;
    case XKB_KEY_Super_R: return XKB_KEY_Super_L;
    default: return keysym;
  }
}

}  // namespace

Status People::State::find_synthetic(Server& server) {
  const auto devices = TRY(server.reply(xcb_input_xi_query_device(server.xcb(), XCB_INPUT_DEVICE_ALL),
                                        xcb_input_xi_query_device_reply, "XIQueryDevice"));
  std::set<std::uint16_t> found;
  for (auto info = xcb_input_xi_query_device_infos_iterator(devices.get()); info.rem > 0;
       xcb_input_xi_device_info_next(&info)) {
    const auto property = server.reply(xcb_input_xi_get_property(server.xcb(), info.data->deviceid, 0,
                                                                 server.atoms().xtest_device, XCB_ATOM_ANY, 0, 1),
                                       xcb_input_xi_get_property_reply, "XIGetProperty");
    if (!property.ok()) continue;  // it was taken off
    const bool set = (*property)->format == 8 && (*property)->num_items > 0 &&
                     *reinterpret_cast<const std::uint8_t*>(property->get() + 1) != 0;
    if (set) found.insert(info.data->deviceid);
  }
  synthetic = std::move(found);
  return {};
}

Status People::State::open(Server& server) {
  down.clear();
  if (!server.extensions().xinput.at_least(2, 1)) {
    return make_error(Code::capability_unsupported, "The X server lacks the XInput 2.1 extension.")
        .with_hint("Start the X server with it: without it nobody can tell whether a person uses the desktop.");
  }
  const EventMask raw{{XCB_INPUT_DEVICE_ALL_MASTER, 1},
                      XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS | XCB_INPUT_XI_EVENT_MASK_RAW_KEY_RELEASE |
                          XCB_INPUT_XI_EVENT_MASK_RAW_BUTTON_PRESS | XCB_INPUT_XI_EVENT_MASK_RAW_MOTION};
  const EventMask devices{{XCB_INPUT_DEVICE_ALL, 1}, XCB_INPUT_XI_EVENT_MASK_HIERARCHY};
  xcb_input_xi_select_events(server.xcb(), server.root(), 1, &raw.head);
  xcb_input_xi_select_events(server.xcb(), server.root(), 1, &devices.head);
  return find_synthetic(server);
}

void People::State::take(Server& server, const xcb_generic_event_t& event) {
  if ((event.response_type & 0x7f) != XCB_GE_GENERIC) return;
  const auto& generic = reinterpret_cast<const xcb_ge_generic_event_t&>(event);
  if (generic.extension != server.extensions().xinput.major_opcode) return;
  if (generic.event_type == XCB_INPUT_HIERARCHY) {
    (void)find_synthetic(server);
    return;
  }
  const bool key_press = generic.event_type == XCB_INPUT_RAW_KEY_PRESS;
  const bool key_release = generic.event_type == XCB_INPUT_RAW_KEY_RELEASE;
  if (!key_press && !key_release && generic.event_type != XCB_INPUT_RAW_BUTTON_PRESS &&
      generic.event_type != XCB_INPUT_RAW_MOTION) {
    return;
  }
  // The raw events share their first fields.
  const auto& raw = reinterpret_cast<const xcb_input_raw_button_press_event_t&>(event);
  if (synthetic.contains(raw.sourceid)) return;
  {
    const std::lock_guard lock(mutex);
    last_seen = Clock::now();
    if (touch) touch();
    if (person) person();
  }
  const auto keycode = static_cast<std::uint8_t>(raw.detail);
  if (key_release) down.erase(keycode);
  if (key_press) {
    down.insert(keycode);
    look_for_chord(server);
  }
}

void People::State::look_for_chord(Server& server) {
  std::vector<std::uint32_t> wanted;
  std::function<void()> callback;
  {
    const std::lock_guard lock(mutex);
    wanted = chord;
    callback = panic;
  }
  if (wanted.empty() || !callback || down.size() < wanted.size()) return;
  // Read now, as the layout may be another one since: so many keys at once are rare.
  const xcb_setup_t* setup = xcb_get_setup(server.xcb());
  const auto count = static_cast<std::uint8_t>(setup->max_keycode - setup->min_keycode + 1);
  const auto map = server.reply(xcb_get_keyboard_mapping(server.xcb(), setup->min_keycode, count),
                                xcb_get_keyboard_mapping_reply, "GetKeyboardMapping");
  if (!map.ok()) return;
  const std::size_t width = (*map)->keysyms_per_keycode;
  const std::span keysyms(xcb_get_keyboard_mapping_keysyms(map->get()),
                          static_cast<std::size_t>(xcb_get_keyboard_mapping_keysyms_length(map->get())));
  const auto held = [&](std::uint32_t keysym) {
    return std::ranges::any_of(down, [&](std::uint8_t keycode) {
      if (keycode < setup->min_keycode) return false;
      const std::size_t first = std::size_t{keycode} - setup->min_keycode;
      if ((first + 1) * width > keysyms.size()) return false;
      return std::ranges::any_of(keysyms.subspan(first * width, width),
                                 [&](std::uint32_t made) { return same_side(made) == same_side(keysym); });
    });
  };
  if (std::ranges::all_of(wanted, held)) callback();
}

People::People(std::shared_ptr<Connection> connection)
    : connection_(std::move(connection)), state_(std::make_shared<State>()) {
  connection_->on_open([state = state_](Server& server) { return state->open(server); });
  connection_->on_event(
      [state = state_](Server& server, const xcb_generic_event_t& event) { state->take(server, event); });
}

Status People::listen(Deadline deadline) {
  const auto done = connection_->call<Unit>(deadline, [](Server& server) -> Result<Unit> {
    // Behind it everything that a person did before this call has been counted.
    TRY(server.fence());
    return Unit{};
  });
  return done.ok() ? Status() : Status(done.error());
}

Result<std::optional<Millis>> People::idle(Deadline deadline) {
  TRY(listen(deadline));
  return seen();
}

std::optional<Millis> People::seen() const {
  const std::lock_guard lock(state_->mutex);
  if (!state_->last_seen) return std::nullopt;
  return std::chrono::duration_cast<Millis>(Clock::now() - *state_->last_seen);
}

void People::on_touch(std::function<void()> callback) {
  const std::lock_guard lock(state_->mutex);
  state_->touch = std::move(callback);
}

void People::on_person(std::function<void()> callback) {
  const std::lock_guard lock(state_->mutex);
  state_->person = std::move(callback);
}

void People::on_panic(std::vector<std::uint32_t> chord, std::function<void()> callback) {
  const std::lock_guard lock(state_->mutex);
  state_->chord = std::move(chord);
  state_->panic = std::move(callback);
}

}  // namespace handrail::x11
