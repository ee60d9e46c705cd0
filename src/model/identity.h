// Which program stands behind a window, a focus or a call: what the kernel and the display server say,
// never what the program says of itself. What it claims is kept apart and may only make a ruling stricter.
#pragma once

#include <cstdint>
#include <string>

#include "model/desktop.h"

namespace handrail {

// A file itself, whatever its name. The change time tells a new file from an old one that had the same inode.
struct FileId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t changed = 0;  // ctime in nanoseconds
  bool known() const { return inode != 0; }
  friend bool operator==(const FileId&, const FileId&) = default;
};

struct AppIdentity {
  std::int64_t pid = 0;       // 0: nobody knows; such an app is never granted
  std::uint64_t started = 0;  // start time of the process in clock ticks, which a reused pid does not share
  FileId file;                // of the executable that runs
  std::string executable;     // its path; for people and for the app catalogue
  bool replaced = false;      // the file at that path is another one by now
  std::string script;         // what an interpreter or a shared runtime runs; empty for other programs
  std::string desktop_id;     // of the installed entry that starts this executable, without the suffix
  std::string flatpak;        // application id; from the sandbox, not from the app
  std::string snap;           // "snap" or "snap_app"
  std::string cgroup;
  std::string claimed_class;  // WM_CLASS: only ever a reason to be stricter
  bool own = false;           // one of Handrail's own processes
  bool known() const { return pid > 0 && file.known(); }
  friend bool operator==(const AppIdentity&, const AppIdentity&) = default;
};

// Who would receive, or received, an event.
enum class ReceiverKind {
  unknown,         // could not be learned: treated like the worst of all
  nobody,          // no window and no focus
  root,            // the desktop's background
  window_manager,  // its frames and menus
  panel,           // docks and desktop windows
  app,
};

struct Receiver {
  ReceiverKind kind = ReceiverKind::unknown;
  WindowId window = 0;    // the deepest one at the point, or the focused one
  WindowId toplevel = 0;  // the window that the person would name; 0 when it has none
  AppIdentity app;
  bool grabbed = false;  // another client holds the pointer or the keyboard, so that it gets the event instead
  friend bool operator==(const Receiver&, const Receiver&) = default;
};

}  // namespace handrail
