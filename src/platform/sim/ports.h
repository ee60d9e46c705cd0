// The ports of a simulated computer: each a thin translation from a contract of computer/ports.h to
// the shared desktop.
#pragma once

#include <atomic>
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
  std::vector<Key> held_keys() override;

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
  Result<std::vector<Workspace>> workspaces(Deadline deadline) override;
  Status switch_workspace(int workspace, Permit permit, Deadline deadline, std::stop_token stop) override;

 private:
  Hub& hub_;
};

class SimApps : public Apps {
 public:
  explicit SimApps(Hub& hub) : hub_(hub) {}
  Result<std::vector<App>> list(Deadline deadline) override;
  Result<AppProgram> resolve(const std::string& app, Deadline deadline) override;
  Result<OpenedApp> open(const OpenApp& open, Permit permit, Deadline deadline, std::stop_token stop) override;
  Result<App> app_for(const std::string& file, Deadline deadline) override;
  Status end(std::int64_t pid, Permit permit, Deadline deadline) override;

 private:
  Hub& hub_;
};

// Who a simulated program is: the same for every process of an app.
AppIdentity identity_of(const std::string& app, std::int64_t pid);
// The root when there is no window.
Receiver receiver_of(const SimWindow* window);
Receiver focus_of(const Desktop& desktop);

class SimTargets : public Targets {
 public:
  explicit SimTargets(Hub& hub) : hub_(hub) {}
  Result<Receiver> at(Point point, Deadline deadline) override;
  Result<Receiver> focus(Deadline deadline) override;
  Result<Receiver> of(WindowId window, Deadline deadline) override;
  Result<Receiver> of_process(std::int64_t pid, Deadline deadline) override;
  Result<std::optional<Millis>> person_idle(Deadline deadline) override;
  std::optional<Millis> person_seen() override { return hub_.person_idle(); }

 private:
  Hub& hub_;
};

class SimSecrets : public Secrets {
 public:
  explicit SimSecrets(Hub& hub) : hub_(hub) {}
  Result<std::vector<Rect>> fields(const std::vector<std::int64_t>& pids, Deadline deadline) override;
  Result<std::optional<bool>> focused(std::int64_t pid, Deadline deadline) override;

 private:
  Hub& hub_;
};

class SimIsolation : public Isolation {
 public:
  explicit SimIsolation(Hub& hub) : hub_(hub) {}
  Status hide(const std::function<bool(const Receiver& owner)>& shows, Deadline deadline) override;
  Status restore(Deadline deadline) override;

 private:
  Hub& hub_;
  std::vector<WindowId> hidden_;
  std::optional<WindowId> focused_;
};

class SimClipboardGuard : public ClipboardGuard {
 public:
  explicit SimClipboardGuard(Hub& hub) : hub_(hub) {}
  Status guard(Deadline deadline) override;
  Status restore(Deadline deadline) override;
  bool guarding() const override { return guarding_; }

 private:
  Hub& hub_;
  Clipboards kept_;
  std::atomic<bool> guarding_ = false;
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
