// The ports of a computer. A backend implements the ones it can; an absent port is a null pointer in
// `Computer`, and the caller gets `capability_unsupported`.
//
// Contract of every port:
// - Methods may be called from any thread and block until done or the deadline has passed.
// - A desktop that does not answer is `timeout`; a lost display server is `backend_lost`, and the
//   same port works again once the server is back. Nothing throws.
// - Points and rectangles are logical desktop points; frames are device pixels.
// - What changes the desktop takes a Permit and consumes it.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/desktop.h"
#include "model/frame.h"
#include "model/grant.h"
#include "model/identity.h"
#include "model/input_plan.h"
#include "model/permit.h"

namespace handrail {

enum class CursorInPicture { leave_out, draw };

// What to capture: one window when `window` is set, else `region` when set, else the whole display.
struct CaptureRequest {
  int display = 0;
  std::optional<Rect> region;  // logical points, clipped to the display
  std::optional<WindowId> window;
  CursorInPicture cursor = CursorInPicture::leave_out;
  // Which windows may be seen, asked for the owner of each one, also of those that no window manager knows. What may
  // not, and what stands behind it, is a flat box; the picture is put together from what may, so that nothing that
  // appears in between gets in. Empty: everything may be seen.
  std::function<bool(const Receiver& owner)> shows;
  std::vector<Rect> covers;  // painted over: password fields, in logical points
};

struct Capture {
  Frame frame;
  Rect area;            // what the frame shows, in logical points
  double scale = 1;     // device pixels per point
  bool frozen = false;  // the last picture of a window that is not drawn now (minimised)
  int hidden = 0;       // windows in the area that `shows` left out
};

class Screen {
 public:
  virtual ~Screen() = default;

  // Never empty on success; index 0 is the primary display, ids are 0, 1, 2…
  virtual Result<std::vector<Display>> displays(Deadline deadline) = 0;
  // A window is captured with its frame and own content, also when other windows cover it.
  // Unknown display or window is `not_found`.
  virtual Result<Capture> capture(const CaptureRequest& request, Deadline deadline) = 0;
  virtual Result<Point> cursor(Deadline deadline) = 0;
  // Counts up whenever any pixel of the desktop may have changed.
  virtual Result<std::uint64_t> change_count(Deadline deadline) = 0;
  // Returns when change_count() passes `seen`, with the new count; `timeout` when it did not.
  virtual Result<std::uint64_t> wait_for_change(std::uint64_t seen, Deadline deadline, std::stop_token stop) = 0;
};

struct InputReport {
  std::size_t steps_done = 0;
  // The app answered after the last key, so it has taken all of them in.
  bool text_acknowledged = false;
  // Every press and key was seen to arrive, and at the app that the permit allowed.
  bool delivered = false;
};

class Input {
 public:
  virtual ~Input() = default;

  // Asks the permit before every event, with who would receive it then. A press is let go only when the app that
  // got it is one that the permit allows as `received`; otherwise it is cancelled away from every control.
  // Executes the steps in order, one plan at a time; a second caller waits, and is `busy` at its
  // deadline. Text that cannot be typed is refused before the first event.
  // `stop` is obeyed between any two events: the rest is not sent, and the error is `cancelled` with
  // the side effects so far.
  // After success, what the plan pressed without releasing it stays down and is remembered; a later
  // plan's ButtonUp or KeyUp, or release_all(), lets go of it. After any failure or cancellation,
  // everything that this plan pressed is up again: buttons first, where the pointer is, then keys.
  virtual Result<InputReport> perform(const InputPlan& plan, Permit permit, Deadline deadline,
                                      std::stop_token stop) = 0;
  // Cancels the plan that is running, if any, and lets go of every key and button that perform()
  // pressed. Safe at any time, also from a terminating process; bounded by the deadline.
  virtual Status release_all(Deadline deadline) = 0;
  // What is held down now by earlier plans.
  virtual std::vector<Button> held_buttons() = 0;
  virtual std::vector<Key> held_keys() { return {}; }

  // Whether plans may have a seat of their own. The first one makes it, and it stays, with what it opened, for those
  // that follow, until leave_seat() or release_all().
  virtual bool has_seats() { return false; }
  virtual Status leave_seat(Deadline) { return {}; }
};

class Windows {
 public:
  virtual ~Windows() = default;

  // Managed windows, lowest first.
  virtual Result<std::vector<Window>> list(Deadline deadline) = 0;
  // Returns once the window manager has answered, with the window as it is now. A vanished window
  // is `not_found`; a window manager that does not comply in time is `timeout` with side effects
  // possible. After `close` the returned window is the last one seen.
  virtual Result<Window> change(const ChangeWindow& change, Permit permit, Deadline deadline, std::stop_token stop) = 0;
  // In order of their numbers, from 0; one of them is current. Without a window manager that has any it is
  // `capability_unsupported`.
  virtual Result<std::vector<Workspace>> workspaces(Deadline deadline) = 0;
  // Returns once it is the current one.
  virtual Status switch_workspace(int workspace, Permit permit, Deadline deadline, std::stop_token stop) = 0;
};

// Who is behind points, focus and windows. Truth from the display server and the kernel only.
class Targets {
 public:
  virtual ~Targets() = default;

  // Who would receive a press at the point; the deepest window counts, input shapes and grabs included.
  virtual Result<Receiver> at(Point point, Deadline deadline) = 0;
  // Who would receive a key.
  virtual Result<Receiver> focus(Deadline deadline) = 0;
  // The owner of a window; `not_found` when it is gone.
  virtual Result<Receiver> of(WindowId window, Deadline deadline) = 0;
  // A process, whatever windows it has.
  virtual Result<Receiver> of_process(std::int64_t pid, Deadline deadline) = 0;
  // Since a person last touched a device that is not ours; nothing when they never did.
  virtual Result<std::optional<Millis>> person_idle(Deadline deadline) = 0;
  // The same as far as it is known by now: asks and waits for nobody, for every event.
  virtual std::optional<Millis> person_seen() = 0;
};

// Fields whose content is nobody's business.
class Secrets {
 public:
  virtual ~Secrets() = default;

  // Where password fields of these processes show, in logical points. An app that does not answer in time is an error.
  virtual Result<std::vector<Rect>> fields(const std::vector<std::int64_t>& pids, Deadline deadline) = 0;
  // Whether the focused field of the process is one; nothing when the app tells nobody.
  virtual Result<std::optional<bool>> focused(std::int64_t pid, Deadline deadline) = 0;
};

// Ungranted windows put out of the way for a turn, and back.
class Isolation {
 public:
  virtual ~Isolation() = default;

  // Minimises every managed window that `shows` denies, once its way back is in custody. Again is harmless.
  virtual Status hide(const std::function<bool(const Receiver& owner)>& shows, Deadline deadline) = 0;
  // All of them back, with stacking and focus.
  virtual Status restore(Deadline deadline) = 0;
};

// Keeps every selection empty while an app that may only be clicked could paste.
class ClipboardGuard {
 public:
  virtual ~ClipboardGuard() = default;

  // Puts the person's content into custody (once), then owns CLIPBOARD, PRIMARY and SECONDARY, empty, and deletes the
  // cut buffers. Called before and after each action on such an app; owners that come back are pushed out again.
  virtual Status guard(Deadline deadline) = 0;
  // The person's content back, all formats of it. Nothing guarded is success.
  virtual Status restore(Deadline deadline) = 0;
  virtual bool guarding() const = 0;
};

struct OpenedApp {
  App app;
  std::optional<Window> window;  // the first new window of it; none when none came in time
  bool was_running = false;
};

class Apps {
 public:
  virtual ~Apps() = default;

  // Installed apps that have a user interface.
  virtual Result<std::vector<App>> list(Deadline deadline) = 0;
  // The program that open() would start, found in the same way; also by the absolute path of an executable.
  virtual Result<AppProgram> resolve(const std::string& app, Deadline deadline) = 0;
  // By desktop id, else by exact name (any case), else by unique part of the name or id. Several
  // matches are `ambiguous` with the candidates in the message; none is `not_found`. Waits for its first
  // window until the deadline, by event. A running app with a window is brought to the front, unless it is not to be
  // raised. A file is given to the program as one argument, where its entry says that it takes files.
  virtual Result<OpenedApp> open(const OpenApp& open, Permit permit, Deadline deadline, std::stop_token stop) = 0;
  // The app that opens this kind of file when nobody names one.
  virtual Result<App> app_for(const std::string& file, Deadline deadline) = 0;
  // Ends a process of this desktop for good, by a descriptor of it; returns once it is gone.
  virtual Status end(std::int64_t pid, Permit permit, Deadline deadline) = 0;
};

class Clipboard {
 public:
  virtual ~Clipboard() = default;

  // MIME types on offer; empty when nobody owns the selection.
  virtual Result<std::vector<std::string>> formats(Selection selection, Deadline deadline) = 0;
  // The content in one format; `not_found` when the owner does not offer it or there is no owner.
  virtual Result<std::string> read(Selection selection, const std::string& mime, Deadline deadline) = 0;
  // Owns the selection and serves all items until another app copies something.
  virtual Status write(Selection selection, std::vector<ClipItem> items, Permit permit, Deadline deadline) = 0;
};

// What the kernel knows of a process; an unknown identity when it has gone or cannot be read.
using Identify = std::function<AppIdentity(std::int64_t pid)>;

inline constexpr std::string_view kPlainText = "text/plain;charset=utf-8";

}  // namespace handrail
