// What this process holds down: buttons and keys, in the order in which they were pressed. Lives on the
// connection's thread; only buttons() and keys_told() may be asked from elsewhere.
#pragma once

#include <xcb/xcb.h>

#include <cstdint>
#include <mutex>
#include <vector>

#include "computer/custody.h"
#include "model/input_plan.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

std::uint8_t button_number(Button button);

// The button that the agent's own pointer holds down all the while. Apps know five, and some eight or nine.
inline constexpr std::uint8_t kIdleButton = 10;

// One event of XTEST, at the place where the pointer is.
void fake_button(Server& server, std::uint8_t button, bool down);
void fake_key(Server& server, xcb_keycode_t keycode, bool down);
void fake_motion(Server& server, PixelPoint to);

class HeldInput {
 public:
  struct HeldKey {
    Key key;
    std::vector<xcb_keycode_t> keycodes;  // modifiers it needed first, then the key
    bool lent = false;                    // on a spare keycode
    std::uint64_t plan = 0;
  };

  // Who is told of everything that is down; null tells nobody.
  void set_custody(Custody* custody) { custody_ = custody; }

  // A button of the agent's own pointer that is down as long as there is one: who takes over knows by it.
  Status announce_seat(bool taken);
  // Press and remember. Nothing is sent for what is down already, nor when nobody would undo it.
  Status press(Server& server, Button button, std::uint64_t plan);
  Status press(Server& server, HeldKey key);
  // Keys that go down and up again in one go, as those of a text; empty when they are up.
  Status announce_keys(std::vector<xcb_keycode_t> passing);
  // False when it was not held; then nothing is sent.
  bool release(Server& server, Button button);
  bool release(Server& server, Key key);

  // Lets go of what one plan pressed, or of everything: buttons first and where they are, then keys,
  // last pressed first.
  void release_plan(Server& server, std::uint64_t plan);
  void release_everything(Server& server);
  // On a new connection. If the server is the old one, what was held still is: X keeps XTEST keys down
  // when their client goes. If it is a new one, they are not down, and nothing is sent.
  Status recover(Server& server);

  bool empty() const { return buttons_.empty() && keys_.empty(); }
  bool holds(Button button) const;
  bool holds_lent_key() const;
  const std::vector<HeldKey>& keys() const { return keys_; }
  std::vector<Button> buttons() const;
  std::vector<Key> keys_told() const;

 private:
  struct HeldButton {
    Button button;
    std::uint64_t plan = 0;
  };
  template <class Matches>
  void release_matching(Server& server, Matches matches);

  // Whole, as custody wants it.
  Status tell();

  Custody* custody_ = nullptr;
  std::vector<xcb_keycode_t> passing_;
  bool seat_ = false;
  mutable std::mutex mutex_;  // buttons_ and keys_: held to change them, and to read them elsewhere
  std::vector<HeldButton> buttons_;
  std::vector<HeldKey> keys_;
};

}  // namespace handrail::x11
