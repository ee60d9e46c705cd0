// One desktop, local or remote, as the engine sees it.
#pragma once

#include <memory>

#include "computer/accessibility.h"
#include "computer/files.h"
#include "computer/ports.h"
#include "computer/programs.h"
#include "computer/system.h"
#include "model/capability.h"

namespace handrail {

class Computer {
 public:
  virtual ~Computer() = default;

  virtual Screen* screen() = 0;
  virtual Input* input() = 0;
  virtual Windows* windows() = 0;
  virtual Apps* apps() = 0;
  virtual Clipboard* clipboard() = 0;
  virtual Targets* targets() = 0;
  virtual Secrets* secrets() = 0;
  virtual Isolation* isolation() = 0;
  virtual ClipboardGuard* clipboard_guard() = 0;
  virtual Accessibility* accessibility() = 0;
  virtual Files* files() { return nullptr; }
  virtual Programs* programs() { return nullptr; }
  virtual System* system() { return nullptr; }
  virtual Services* services() { return nullptr; }

  // What the work rests on, part by part, with the fix for what is missing.
  virtual std::vector<Facility> facilities(Deadline) { return {}; }
  // What works now, read cheaply: from what is known about the connection, not by trying things.
  virtual Capabilities capabilities() = 0;
  // One of them, without looking at the others.
  virtual CapabilityState capability(Capability wanted) { return capabilities()[wanted]; }
};

}  // namespace handrail
