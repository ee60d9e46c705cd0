// Tells a person's devices from made-up ones, at the moment an event arrives. The server's own marks decide: a client
// can neither set nor remove them.
#pragma once

#include <xcb/xcb.h>
#include <xcb/xinput.h>

#include <cstdint>
#include <optional>

namespace handrail::x11 {

enum class DialogAct { press, release, motion, key };

// One XInput2 event of a window, read with its size checked.
struct DialogInput {
  DialogAct act = DialogAct::motion;
  std::uint32_t detail = 0;  // button or keycode
  std::uint16_t source = 0;  // the device it really came from
  std::uint32_t time = 0;    // the server's, in milliseconds
  bool repeated = false;
  bool shift = false;
  int x = 0, y = 0;  // in the window
};

// Nothing for every other event, for those that a client sent, and for those that are shorter than they say.
std::optional<DialogInput> read_dialog_input(const xcb_generic_event_t& event, std::uint8_t xinput_opcode);

class DialogDevices {
 public:
  explicit DialogDevices(xcb_connection_t* xcb);

  // Whether the extension can do what the dialog needs; its opcode.
  std::optional<std::uint8_t> opcode() const { return opcode_; }
  // Makes the window hear devices, and core events of devices not at all.
  bool listen(xcb_window_t window);
  // A slave device without the XTEST mark. Unknown is no.
  bool physical(std::uint16_t device) const;

 private:
  xcb_connection_t* xcb_;
  std::optional<std::uint8_t> opcode_;
  xcb_atom_t xtest_mark_ = XCB_ATOM_NONE;
};

}  // namespace handrail::x11
