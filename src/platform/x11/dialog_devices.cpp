#include "platform/x11/dialog_devices.h"

#include <string_view>

#include "platform/x11/connection.h"

namespace handrail::x11 {
namespace {

constexpr std::uint32_t kKeyRepeat = 1u << 16;
constexpr std::uint32_t kShift = 1;

// xcb puts four bytes of its own after the first 32 that came over the wire; T has room for them.
template <class T>
const T* whole(const xcb_ge_generic_event_t& event) {
  const std::size_t bytes = 32 + std::size_t{event.length} * 4 + sizeof(std::uint32_t);
  return bytes >= sizeof(T) ? reinterpret_cast<const T*>(&event) : nullptr;
}

int whole_pixels(xcb_input_fp1616_t value) { return value >> 16; }

}  // namespace

std::optional<DialogInput> read_dialog_input(const xcb_generic_event_t& event, std::uint8_t xinput_opcode) {
  // The top bit is set on what a client sent; it is never equal then.
  if (event.response_type != XCB_GE_GENERIC) return std::nullopt;
  const auto& generic = reinterpret_cast<const xcb_ge_generic_event_t&>(event);
  if (generic.extension != xinput_opcode) return std::nullopt;
  DialogInput input;
  switch (generic.event_type) {
    case XCB_INPUT_KEY_PRESS: input.act = DialogAct::key; break;
    case XCB_INPUT_BUTTON_PRESS: input.act = DialogAct::press; break;
    case XCB_INPUT_BUTTON_RELEASE: input.act = DialogAct::release; break;
    case XCB_INPUT_MOTION: input.act = DialogAct::motion; break;
    default: return std::nullopt;
  }
  // Keys and buttons share one layout on the wire.
  const auto* device = whole<xcb_input_button_press_event_t>(generic);
  if (device == nullptr) return std::nullopt;
  input.detail = device->detail;
  input.source = device->sourceid;
  input.time = device->time;
  input.repeated = input.act == DialogAct::key && (device->flags & kKeyRepeat) != 0;
  input.shift = (device->mods.effective & kShift) != 0;
  input.x = whole_pixels(device->event_x);
  input.y = whole_pixels(device->event_y);
  return input;
}

DialogDevices::DialogDevices(xcb_connection_t* xcb) : xcb_(xcb) {
  const xcb_query_extension_reply_t* extension = xcb_get_extension_data(xcb, &xcb_input_id);
  if (extension == nullptr || extension->present == 0) return;
  const Owned<xcb_input_xi_query_version_reply_t> version(
      xcb_input_xi_query_version_reply(xcb, xcb_input_xi_query_version(xcb, 2, 2), nullptr));
  if (!version || version->major_version < 2) return;
  constexpr std::string_view kMark = "XTEST Device";
  const Owned<xcb_intern_atom_reply_t> mark(
      xcb_intern_atom_reply(xcb, xcb_intern_atom(xcb, 0, kMark.size(), kMark.data()), nullptr));
  if (!mark) return;
  xtest_mark_ = mark->atom;
  opcode_ = extension->major_opcode;
}

bool DialogDevices::listen(xcb_window_t window) {
  struct {
    xcb_input_event_mask_t head;
    std::uint32_t mask;
  } wanted{{XCB_INPUT_DEVICE_ALL_MASTER, 1},
           XCB_INPUT_XI_EVENT_MASK_KEY_PRESS | XCB_INPUT_XI_EVENT_MASK_BUTTON_PRESS |
               XCB_INPUT_XI_EVENT_MASK_BUTTON_RELEASE | XCB_INPUT_XI_EVENT_MASK_MOTION};
  const Owned<xcb_generic_error_t> error(
      xcb_request_check(xcb_, xcb_input_xi_select_events_checked(xcb_, window, 1, &wanted.head)));
  return !error;
}

bool DialogDevices::physical(std::uint16_t device) const {
  // 0 and 1 stand for all devices and all masters.
  if (!opcode_ || device < 2) return false;
  const auto asked_kind = xcb_input_xi_query_device(xcb_, device);
  const auto asked_mark = xcb_input_xi_get_property(xcb_, device, 0, xtest_mark_, XCB_ATOM_ANY, 0, 1);
  const Owned<xcb_input_xi_query_device_reply_t> kind(xcb_input_xi_query_device_reply(xcb_, asked_kind, nullptr));
  const Owned<xcb_input_xi_get_property_reply_t> mark(xcb_input_xi_get_property_reply(xcb_, asked_mark, nullptr));
  if (!kind || !mark || kind->num_infos != 1) return false;
  const xcb_input_xi_device_info_t* info = xcb_input_xi_query_device_infos_iterator(kind.get()).data;
  const bool slave = info->deviceid == device && (info->type == XCB_INPUT_DEVICE_TYPE_SLAVE_POINTER ||
                                                  info->type == XCB_INPUT_DEVICE_TYPE_SLAVE_KEYBOARD);
  // Marked whatever the value: the server puts it on its XTEST devices only.
  return slave && mark->type == XCB_ATOM_NONE;
}

}  // namespace handrail::x11
