// The sentences of the reference pages that no table has.
#include "front/cli/reference.h"

namespace handrail::cli {

CapabilityWords words_of(Capability capability) {
  switch (capability) {
    case Capability::none: return {"Nothing of the desktop.", "nothing", "-"};
    case Capability::screen:
      return {"Pictures of displays and windows, and what is read from them.",
              "an X server with Composite, Damage, XFixes and RandR",
              "Start the X server with the named extension; an embedded desktop has all of them."};
    case Capability::pointer:
      return {"Moving, pressing and scrolling.", "an X server with XTEST, RECORD, X-Resource and XInput 2",
              "Start the X server with the named extension; an embedded desktop has all of them."};
    case Capability::keyboard:
      return {"Keys and text.", "what the pointer needs, and XKEYBOARD",
              "Start the X server with the named extension; an embedded desktop has all of them."};
    case Capability::windows:
      return {"Listing, focusing, moving and closing windows.", "an X server; a window manager for most of it",
              "Start a window manager; an embedded desktop has one."};
    case Capability::apps:
      return {"Listing and opening installed apps.", "desktop entries in the data folders",
              "Install the app, or name its desktop id as `handrail do list_apps` shows it."};
    case Capability::clipboard:
      return {"Reading and writing the clipboard and the primary selection.", "an X server with XFixes",
              "Use a desktop that has it; an embedded desktop does."};
    case Capability::accessibility:
      return {"Elements: what apps say about their buttons, fields, lists and menus.",
              "an accessibility bus, and apps that speak on it",
              "Run `handrail setup`, then start the app again. Until then pictures, coordinates and keys still work."};
    case Capability::files:
      return {"Files and folders below the roots that the owner granted.", "a file system of this machine",
              "Grant a folder in the settings."};
    case Capability::programs:
      return {"Running commands and scripts in a sandbox.", "what the sandbox is made of",
              "Run `handrail doctor`; it names what is missing."};
    case Capability::services:
      return {"Calling programs over the session's message bus.", "a session bus",
              "Start the server inside a desktop session, or use an embedded desktop."};
    case Capability::notifications:
      return {"Showing a notification to the person.", "a notification service on the session bus",
              "Start the desktop's notification service."};
    case Capability::brightness:
      return {"Setting the brightness of the screen.", "a backlight that this user may set",
              "Nothing to mend on a machine without a backlight."};
    case Capability::screen_lock:
      return {"Locking the screen.", "a session that can be locked", "Start a screen locker in the session."};
  }
  return {};
}

std::string_view meaning_of(Code code) {
  switch (code) {
    case Code::argument_invalid: return "A field is missing, unknown, of another type or out of its limits.";
    case Code::action_unknown: return "There is no action or tool of that name.";
    case Code::capability_unsupported: return "This desktop cannot do it; the message names what is missing.";
    case Code::permission_missing: return "The system does not let Handrail do it; the message names the fix.";
    case Code::access_denied: return "The app or the clipboard is not granted, or not so far.";
    case Code::gate_refused: return "A gate refused; its name is in the error.";
    case Code::target_stale: return "What was seen is not so any more: the place, the element or the display changed.";
    case Code::not_found: return "No app, window, element or file fits what was named.";
    case Code::ambiguous: return "Several fit; the message has the candidates.";
    case Code::timeout: return "It did not come true, or nobody answered, in the time for it.";
    case Code::cancelled: return "The client or a person stopped the call.";
    case Code::busy: return "Another session or call has the desktop.";
    case Code::backend_lost: return "The X server or the bus is gone.";
    case Code::backend_error: return "The desktop refused a request.";
    case Code::too_large: return "More text, bytes or elements than fit.";
    case Code::io_error: return "A file or a stream could not be read or written.";
    case Code::protocol: return "The message is not of the protocol.";
    case Code::internal: return "A defect in Handrail.";
  }
  return {};
}

std::string_view meaning_of(Retry retry) {
  switch (retry) {
    case Retry::never: return "The same call fails again.";
    case Retry::fix_arguments: return "Change the arguments, then call again.";
    case Retry::look_again: return "Look at the desktop first, then call with what is there now.";
    case Retry::later: return "The same call may work in a moment.";
    case Retry::after_fix: return "Something outside has to be mended first.";
    case Retry::ask_person: return "Only a person can allow it.";
  }
  return {};
}

std::string_view title_of(catalog::Category category) {
  using catalog::Category;
  switch (category) {
    case Category::permission: return "Access";
    case Category::observe: return "Looking";
    case Category::mouse: return "Mouse";
    case Category::keyboard: return "Keyboard";
    case Category::ax: return "Elements";
    case Category::windows: return "Windows";
    case Category::apps: return "Apps";
    case Category::clipboard: return "Clipboard";
    case Category::files: return "Files";
    case Category::scripting: return "Commands and scripts";
    case Category::system: return "System";
    case Category::flow: return "Flow";
  }
  return {};
}

}  // namespace handrail::cli
