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

namespace handrail::x11 {

class PlanRun {
 public:
  struct Context {
    Connection& connection;
    Hands& hands;
    AppFence& fence;
    DisplayLayout& layout;
    std::uint64_t id;  // of this plan
    Deadline deadline;
    std::stop_token stop;
  };

  // `texts` are the characters of the plan's TypeText steps, in order.
  PlanRun(Context context, const InputPlan& plan, std::vector<std::u32string> texts);

  Result<InputReport> execute();

 private:
  Status run_steps();
  Status begin(Server& server);
  Status begin_keys(Server& server);
  // The steps from `first` that need no waiting, in one task.
  Status run_group(std::size_t first);
  Status run_step(Server& server, const Step& step);
  Status move(Server& server, Point at);
  // Sends the pointer to where it is awaited, or only looks whether it has come.
  Status look_for_pointer(Server& server, bool send);
  Status await_pointer();
  Status wheel(Server& server, const Wheel& wheel);
  Status key_down(Server& server, Key key);
  Status key_up(Server& server, Key key);
  Status type(const std::u32string& text);
  Status pause(Millis span);
  Status go_on() const;  // an error when cancelled or late
  Status call_server(Deadline deadline, const std::function<Status(Server&)>& task);
  Status finish(bool failed);

  Context context_;
  const InputPlan& plan_;
  std::vector<std::u32string> texts_;
  std::size_t next_text_ = 0;
  std::optional<std::uint64_t> epoch_;
  bool uses_keyboard_ = false;
  bool key_lent_ = false;
  bool touched_ = false;               // any event was sent
  std::optional<PixelPoint> awaited_;  // where the pointer was sent and has not been seen yet
  InputReport report_;
};

}  // namespace handrail::x11
