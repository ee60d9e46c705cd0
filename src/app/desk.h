// Finds or makes the desktop that a command works on, and puts the computer together.
#pragma once

#include <memory>
#include <string>

#include "app/desk_guardian.h"
#include "computer/computer.h"
#include "platform/linux/files.h"
#include "platform/x11/backend.h"
#include "platform/x11/display_claim.h"
#include "platform/x11/people.h"

namespace handrail::app {

struct DeskRequest {
  // "embedded": a new one of our own; ":0": an X display; else the name of a running embedded desktop.
  // Empty: $DISPLAY, else what `otherwise` says.
  std::string wanted;
  enum class Otherwise { embedded, running } otherwise = Otherwise::embedded;
  std::string size = "1280x800";  // of a new embedded desktop
  linux_::FileReach reach{};      // folders that the owner granted; an embedded desktop adds its private home
  bool network = false;           // of programs in the sandbox
};

struct Desk {
  std::shared_ptr<DeskGuardian> guardian;  // outlives the computer, whose ports tell it what to undo
  x11::Backend backend;
  std::unique_ptr<Computer> computer;
  std::shared_ptr<x11::DisplayClaim> claim;
  std::shared_ptr<x11::People> people;
  // Where it is now: X display and authority file; session bus, empty when there is none.
  std::function<Result<linux_::WatchedDisplay>()> where;
  std::function<Result<std::string>()> session_bus;
  std::string told;              // for people: which desktop it is
  bool nobodys_desktop = false;  // embedded, with a private home: nothing on it is a person's
  bool on_no_screen = false;     // embedded: nobody sits in front of it
};

// Connecting happens on first use, so that a display that is down now can come up later. An embedded
// desktop of our own ends with this process, and is started anew when it was lost.
Result<Desk> open_desk(const DeskRequest& request);

}  // namespace handrail::app
