// The ports of a simulated computer: each a thin translation from a contract of computer/ports.h to
// the shared desktop.
#pragma once

#include <mutex>
#include <set>

#include "computer/ports.h"
#include "platform/sim/hub.h"

namespace handrail::sim {

class SimScreen : public Screen {
 public:
  explicit SimScreen(Hub& hub) : hub_(hub) {}
  Result<std::vector<Display>> displays(Deadline deadline) override;
  Result<Capture> capture(const CaptureRequest& request, Deadline deadline) override;
  Result<Point> cursor(Deadline deadline) override;
  Result<std::uint64_t> change_count(Deadline deadline) override;
  Result<std::uint64_t> wait_for_change(std::uint64_t seen, Deadline deadline, std::stop_token stop) override;

 private:
  Hub& hub_;
};

// What plans left down.
struct Held {
  std::vector<Button> buttons;
  std::vector<Key> keys;
};

class SimInput : public Input {
 public:
  explicit SimInput(Hub& hub) : hub_(hub) {}
  Result<InputReport> perform(const InputPlan& plan, Permit permit, Deadline deadline, std::stop_token stop) override;
  Status release_all(Deadline deadline) override;
  std::vector<Button> held_buttons() override;

  // The server is new: nothing is down any more.
  void forget_held();

 private:
  Status let_go(const Held& held, Deadline deadline);

  Hub& hub_;
  std::mutex one_plan_;  // plans are not mixed
  std::mutex held_mutex_;
  Held held_;
};

class SimWindows : public Windows {
 public:
  explicit SimWindows(Hub& hub) : hub_(hub) {}
  Result<std::vector<Window>> list(Deadline deadline) override;
  Result<Window> change(const ChangeWindow& change, Permit permit, Deadline deadline, std::stop_token stop) override;

 private:
  Hub& hub_;
};

class SimApps : public Apps {
 public:
  explicit SimApps(Hub& hub) : hub_(hub) {}
  Result<std::vector<App>> list(Deadline deadline) override;
  Result<OpenedApp> open(const std::string& app, Permit permit, Deadline deadline, std::stop_token stop) override;

 private:
  Hub& hub_;
};

class SimClipboard : public Clipboard {
 public:
  explicit SimClipboard(Hub& hub) : hub_(hub) {}
  Result<std::vector<std::string>> formats(Selection selection, Deadline deadline) override;
  Result<std::string> read(Selection selection, const std::string& mime, Deadline deadline) override;
  Status write(Selection selection, std::vector<ClipItem> items, Permit permit, Deadline deadline) override;

 private:
  Hub& hub_;
};

}  // namespace handrail::sim
