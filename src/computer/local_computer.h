// A computer put together from the ports of a platform.
#pragma once

#include <functional>
#include <memory>

#include "computer/computer.h"
#include "computer/system.h"

namespace handrail {

struct LocalPorts {
  // Keeps what the ports share (a connection) alive; destroyed after them.
  std::shared_ptr<void> backend;
  std::unique_ptr<Screen> screen;
  std::unique_ptr<Input> input;
  std::unique_ptr<Windows> windows;
  std::unique_ptr<Apps> apps;
  std::unique_ptr<Clipboard> clipboard;
  std::unique_ptr<Targets> targets;
  std::unique_ptr<Secrets> secrets;
  std::unique_ptr<Isolation> isolation;
  std::unique_ptr<ClipboardGuard> clipboard_guard;
  std::unique_ptr<Accessibility> accessibility;
  std::unique_ptr<Files> files;
  std::unique_ptr<Programs> programs;
  std::unique_ptr<System> system;
  std::unique_ptr<Services> services;
  std::function<Capabilities()> capabilities;
  std::function<std::vector<Facility>(Deadline deadline)> facilities;
};

class LocalComputer : public Computer {
 public:
  explicit LocalComputer(LocalPorts ports);

  Screen* screen() override { return ports_.screen.get(); }
  Input* input() override { return ports_.input.get(); }
  Windows* windows() override { return ports_.windows.get(); }
  Apps* apps() override { return ports_.apps.get(); }
  Clipboard* clipboard() override { return ports_.clipboard.get(); }
  Targets* targets() override { return ports_.targets.get(); }
  Secrets* secrets() override { return ports_.secrets.get(); }
  Isolation* isolation() override { return ports_.isolation.get(); }
  ClipboardGuard* clipboard_guard() override { return ports_.clipboard_guard.get(); }
  Accessibility* accessibility() override { return ports_.accessibility.get(); }
  Files* files() override { return ports_.files.get(); }
  Programs* programs() override { return ports_.programs.get(); }
  System* system() override { return ports_.system.get(); }
  Services* services() override { return ports_.services.get(); }
  std::vector<Facility> facilities(Deadline deadline) override;
  Capabilities capabilities() override;
  CapabilityState capability(Capability wanted) override;

 private:
  // What is known without asking any service.
  Capabilities at_hand();
  void look_for_elements(Capabilities& found);

  LocalPorts ports_;
};

}  // namespace handrail
