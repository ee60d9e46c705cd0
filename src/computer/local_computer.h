// A computer put together from the ports of a platform.
#pragma once

#include <functional>
#include <memory>

#include "computer/computer.h"

namespace handrail {

struct LocalPorts {
  // Keeps what the ports share (a connection) alive; destroyed after them.
  std::shared_ptr<void> backend;
  std::unique_ptr<Screen> screen;
  std::unique_ptr<Input> input;
  std::unique_ptr<Windows> windows;
  std::unique_ptr<Apps> apps;
  std::unique_ptr<Clipboard> clipboard;
  std::function<Capabilities()> capabilities;
};

class LocalComputer : public Computer {
 public:
  explicit LocalComputer(LocalPorts ports);

  Screen* screen() override { return ports_.screen.get(); }
  Input* input() override { return ports_.input.get(); }
  Windows* windows() override { return ports_.windows.get(); }
  Apps* apps() override { return ports_.apps.get(); }
  Clipboard* clipboard() override { return ports_.clipboard.get(); }
  Capabilities capabilities() override;

 private:
  LocalPorts ports_;
};

}  // namespace handrail
