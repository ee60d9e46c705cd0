// One plan being executed: groups its steps into tasks of the connection, waits between them on the
// caller's thread, and leaves nothing down that the contract of Input::perform does not allow.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "computer/ports.h"
#include "platform/x11/input.h"
#include "platform/x11/input_keys.h"

namespace handrail::x11 {

class PlanRun {
 public:
  struct Context {
    Connection& connection;
    Hands& hands;
    AppFence& fence;
    DisplayLayout& layout;
    InputDelivery& delivery;
    const Permit& permit;
    std::uint64_t id;  // of this plan
    Deadline deadline;
    std::stop_token stop;
  };

  // `texts` are the characters of the plan's TypeText steps, in order.
  PlanRun(Context context, const InputPlan& plan, std::vector<std::u32string> texts);

  Result<InputReport> execute();

 private:
  // A press that was sent, until it is known who got it.
  struct Pressed {
    Button button = Button::left;
    PixelPoint at;
    InputEvent event;  // as judged before
    Deadline told_by;  // who got it; from then on nobody waits any more
  };

  Status run_steps();
  bool map_stayed();
  Status begin(Server& server);
  Status begin_keys(Server& server);
  Status begin_seat(Server& server);
  // Somebody else has ended it, with all that it held down: nothing of this plan is for the person's pointer.
  bool seat_lost() const { return plan_.seat && !context_.hands.seat.taken(); }
  // The steps from `first` that need no waiting, in one task.
  Status run_group(std::size_t first);
  Status run_step(Server& server, const Step& step);
  Status go_on() const;  // an error when cancelled or late
  Status call_server(Deadline deadline, const std::function<Status(Server&)>& task);
  Status finish(bool failed);

  // input_pause.cpp
  Status pause(Millis span);
  // Judges what this plan holds by who gets keys now and watches for the next change; lets go when it is refused.
  Status judge_held(Server& server);
  Error let_go(Error refusal);
  Status judge_and_watch(Server& server, const std::vector<HeldInput::HeldKey>& keys);

  // input_pointer.cpp
  Status move(Server& server, Point at);
  // With the agent's own pointer.
  Status must_reach(Server& server, const Receiver& receiver, Point at) const;
  Status end_in_reach(Server& server);
  // Sends the pointer to where it is awaited, or only looks whether it has come.
  Status look_for_pointer(Server& server, bool send);
  Status await_pointer();
  Status press(Server& server, Button button);
  Status release(Server& server, Button button);
  Status wheel(Server& server, const Wheel& wheel);
  Status turn(Server& server, std::uint8_t button, int ticks);
  // Where the pointer is, with who is there.
  struct Place {
    PixelPoint pixel;
    Point point;
    Receiver receiver;
  };
  Result<Place> look_under_pointer(Server& server);
  // `target_stale` when it is not where this plan has put it.
  Result<Place> place(Server& server);

  // input_press.cpp
  // Whether the receipts say already who got the press; if so it is judged, and `pressed_` is empty afterwards.
  Status look_for_receipt(Server& server, bool last_look);
  Status await_receipt();
  // Of anybody but the window manager that was seen to have it.
  void await_other_receipt(Deadline deadline);
  Status judge_receiver(Server& server, const Receiver& receiver);
  // Lets go of the button where that does nothing.
  Error cancel_press(Server& server, const Receiver& receiver, Error refusal);
  Result<PixelPoint> place_away(Server& server, const Receiver& receiver);

  Status key_down(Server& server, Key key);
  Status key_up(Server& server, Key key);
  Status type(const std::u32string& text);

  Context context_;
  const InputPlan& plan_;
  std::vector<std::u32string> texts_;
  std::size_t next_text_ = 0;
  std::optional<std::uint64_t> epoch_;
  bool uses_keyboard_ = false;
  bool key_lent_ = false;
  bool key_pressed_ = false;           // by this plan
  bool touched_ = false;               // any event was sent
  std::optional<PixelPoint> awaited_;  // where the pointer was sent and has not been seen yet
  std::optional<PixelPoint> pointer_;  // where this plan has put it
  std::optional<Pressed> pressed_;     // and nobody has told yet who got it
  ClientBase manager_ = 0;             // that looked at the press first
  bool press_cancelled_ = false;
  bool closing_ = false;
  std::size_t presses_sent_ = 0;
  std::size_t presses_arrived_ = 0;
  KeyGate keys_;
  InputReport report_;
};

}  // namespace handrail::x11
