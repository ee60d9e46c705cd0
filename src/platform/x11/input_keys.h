// Keys before they are sent and after: who gets them, what would be down together, whether the permit allows it, and
// who got them. Lives on the connection's thread, for one plan.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "model/permit.h"
#include "platform/x11/input_delivery.h"
#include "platform/x11/input_held.h"
#include "platform/x11/keyboard.h"

namespace handrail::x11 {

class KeyGate {
 public:
  KeyGate(InputDelivery& delivery, const Permit& permit, HeldInput& held, Keyboard& keyboard)
      : delivery_(delivery), permit_(permit), held_(held), keyboard_(keyboard) {}

  Result<ServerHold> hold(Server& server) { return delivery_.hold(server); }

  // The keys are those of the agent's own keyboard: what is a modifier there, and that every key arrives, is looked at.
  Status use_own_keyboard(Server& server);

  // Inside the hold: may these keys go down, the last one as itself and the others as its modifiers?
  Status judge_key(Server& server, const std::vector<xcb_keycode_t>& keycodes);
  // Inside the hold: may these keys, which are down, stay so with who gets keys now? Tells who that is.
  Result<Receiver> judge_held(Server& server, const std::vector<HeldInput::HeldKey>& keys);
  // The same key with the same receiver, by what is known of people by now; asks the server nothing.
  Status judge_again() const { return last_ ? permit_.judge(*last_) : Status(); }
  // The server presses it again and again by itself while it is down. Modifiers send nothing while they are held.
  bool repeats(const HeldInput::HeldKey& key) const;
  // Inside the hold: may a text with these strokes be typed, and would it come out right?
  Status judge_text(Server& server, const std::vector<Stroke>& strokes);
  // Behind the keys, still inside the hold. `presses` are the keys that went down.
  void sent(Server& server, std::size_t presses);
  // Outside the hold: reads who got them. An error when the permit does not allow one of those.
  Status account(Server& server);

  // On any thread. A window manager that looks at keys first may pass them on a little later.
  void wait_for_late_ones(Deadline deadline);
  bool all_arrived() const { return arrived_ >= sent_; }
  bool any_sent() const { return sent_ > 0; }

  // Custody of the keys of a text that are about to go down and up; empty when they are up.
  Status announce(std::vector<xcb_keycode_t> passing) { return held_.announce_keys(std::move(passing)); }

 private:
  Result<std::vector<PhysicalKey>> down_now(Server& server, const KeyboardState& state);
  void begin(Server& server);
  PhysicalKey physical(xcb_keycode_t keycode) const { return {keycode, keyboard_.keysyms(keycode)}; }
  std::uint8_t own_modifiers() const;
  std::uint8_t harmless_locks() const;
  Status must_mean_the_same(const std::vector<xcb_keycode_t>& keycodes) const;

  InputDelivery& delivery_;
  const Permit& permit_;
  HeldInput& held_;
  Keyboard& keyboard_;
  std::optional<InputEvent> last_;  // a key that was to go down
  Receiver receiver_;               // as judged last
  ClientBase client_ = 0;           // of it
  bool began_ = false;
  std::uint64_t mark_ = 0;    // behind the last keys
  std::size_t sent_ = 0;      // keys that went down
  std::size_t arrived_ = 0;   // of them, at a client that the permit allows
  std::size_t diverted_ = 0;  // of them, at the window manager
  std::map<ClientBase, Status> rulings_;
  bool own_keyboard_ = false;
  std::array<bool, 256> means_otherwise_{};  // on the agent's own keyboard than on the person's
};

}  // namespace handrail::x11
