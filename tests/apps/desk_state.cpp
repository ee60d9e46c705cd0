// Prints the state of an X desktop as JSON: what tests compare before and after an action. Reads
// only, with Xlib, so that it shares neither code nor library with what it judges.
#include <X11/extensions/XInput2.h>
#include <X11/extensions/Xrandr.h>
#include <X11/extensions/shape.h>
#include <X11/Xatom.h>
#include <X11/XKBlib.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "event_log.h"

namespace {

// Windows vanish between two requests; the answer is then simply empty.
int ignore_error(Display*, XErrorEvent*) { return 0; }

class Desk {
 public:
  explicit Desk(Display* x) : x_(x), root_(DefaultRootWindow(x)) {}

  std::string describe() {
    std::string out = "{";
    out += "\"root\":" + size_of(root_);
    out += ",\"monitors\":" + monitors();
    out += ",\"window_manager\":" + fixture::quoted(manager_name());
    out += ",\"active\":" + number(first(cardinals(root_, "_NET_ACTIVE_WINDOW", XA_WINDOW)));
    Window focus = 0;
    int revert = 0;
    XGetInputFocus(x_, &focus, &revert);
    out += ",\"focus\":" + number(focus);
    out += ",\"workspace\":" + number(first(cardinals(root_, "_NET_CURRENT_DESKTOP", XA_CARDINAL)));
    out += ",\"windows\":" + windows();
    out += ",\"masters\":" + masters() + ",\"cut\":" + cut_windows();
    out += "," + keyboard() + "," + pointer() + "}";
    return out;
  }

 private:
  static std::string number(unsigned long value) { return std::to_string(value); }
  static unsigned long first(const std::vector<unsigned long>& values) { return values.empty() ? 0 : values[0]; }

  // Every pointer and keyboard that moves or types by itself.
  std::string masters() {
    int major = 2, minor = 0, count = 0;
    XIQueryVersion(x_, &major, &minor);
    XIDeviceInfo* devices = XIQueryDevice(x_, XIAllMasterDevices, &count);
    std::string out = "[";
    for (int i = 0; i < count; ++i) out += (i > 0 ? "," : "") + fixture::quoted(devices[i].name);
    if (devices != nullptr) XIFreeDeviceInfo(devices);
    return out + "]";
  }

  // Top-level windows that clicks go through in places.
  std::string cut_windows() {
    Window root = 0, parent = 0;
    Window* children = nullptr;
    unsigned count = 0;
    std::string out;
    if (XQueryTree(x_, root_, &root, &parent, &children, &count) == 0) return "[]";
    for (unsigned i = 0; i < count; ++i) {
      int parts = 0, order = 0;
      XRectangle* shape = XShapeGetRectangles(x_, children[i], ShapeInput, &parts, &order);
      if (parts > 1) out += (out.empty() ? "" : ",") + number(children[i]);
      if (shape != nullptr) XFree(shape);
    }
    if (children != nullptr) XFree(children);
    return "[" + out + "]";
  }

  Atom atom(const char* name) { return XInternAtom(x_, name, False); }

  std::vector<unsigned long> cardinals(Window window, const char* property, Atom type) {
    Atom actual = 0;
    int format = 0;
    unsigned long count = 0, rest = 0;
    unsigned char* data = nullptr;
    std::vector<unsigned long> values;
    if (XGetWindowProperty(x_, window, atom(property), 0, 4096, False, type, &actual, &format, &count, &rest, &data) ==
            Success &&
        format == 32) {
      // Xlib hands out 32-bit items as an array of long.
      const void* raw = data;
      const auto* items = static_cast<const unsigned long*>(raw);
      values.assign(items, items + count);
    }
    if (data) XFree(data);
    return values;
  }

  std::string text(Window window, const char* property) {
    Atom actual = 0;
    int format = 0;
    unsigned long count = 0, rest = 0;
    unsigned char* data = nullptr;
    std::string value;
    if (XGetWindowProperty(x_, window, atom(property), 0, 4096, False, AnyPropertyType, &actual, &format, &count, &rest,
                           &data) == Success &&
        format == 8) {
      const void* raw = data;
      value.assign(static_cast<const char*>(raw), count);
    }
    if (data) XFree(data);
    return value;
  }

  std::string manager_name() {
    const unsigned long check = first(cardinals(root_, "_NET_SUPPORTING_WM_CHECK", XA_WINDOW));
    return check == 0 ? "" : text(check, "_NET_WM_NAME");
  }

  std::string size_of(Window window) {
    XWindowAttributes a{};
    if (XGetWindowAttributes(x_, window, &a) == 0) return "null";
    Window child = 0;
    int x = 0, y = 0;
    XTranslateCoordinates(x_, window, root_, 0, 0, &x, &y, &child);
    return "{\"x\":" + std::to_string(x) + ",\"y\":" + std::to_string(y) + ",\"width\":" + std::to_string(a.width) +
           ",\"height\":" + std::to_string(a.height) + "}";
  }

  std::string monitors() {
    int count = 0;
    XRRMonitorInfo* all = XRRGetMonitors(x_, root_, True, &count);
    std::string out;
    for (int i = 0; i < count; ++i) {
      const XRRMonitorInfo& m = all[i];
      out += std::string(out.empty() ? "" : ",") + "{\"x\":" + std::to_string(m.x) + ",\"y\":" + std::to_string(m.y) +
             ",\"width\":" + std::to_string(m.width) + ",\"height\":" + std::to_string(m.height) +
             ",\"primary\":" + (m.primary ? "true" : "false") + "}";
    }
    if (all) XRRFreeMonitors(all);
    return "[" + out + "]";
  }

  // The child of the root that holds the window: its frame.
  Window frame_of(Window window) {
    for (int depth = 0; depth < 16; ++depth) {
      Window root = 0, parent = 0, *children = nullptr;
      unsigned count = 0;
      if (XQueryTree(x_, window, &root, &parent, &children, &count) == 0) return 0;
      if (children) XFree(children);
      if (parent == root || parent == 0) return window;
      window = parent;
    }
    return window;
  }

  // Managed windows, lowest first.
  std::string windows() {
    std::string out = "[";
    for (const unsigned long window : cardinals(root_, "_NET_CLIENT_LIST_STACKING", XA_WINDOW)) {
      if (out.size() > 1) out += ",";
      std::string title = text(window, "_NET_WM_NAME");
      if (title.empty()) title = text(window, "WM_NAME");
      std::string wm_class = text(window, "WM_CLASS");
      wm_class = wm_class.substr(0, wm_class.find('\0'));
      XWindowAttributes a{};
      const bool viewable = XGetWindowAttributes(x_, window, &a) != 0 && a.map_state == IsViewable;
      out += "{\"id\":" + number(window) + ",\"title\":" + fixture::quoted(title) +
             ",\"class\":" + fixture::quoted(wm_class) +
             ",\"pid\":" + number(first(cardinals(window, "_NET_WM_PID", XA_CARDINAL))) +
             ",\"content\":" + size_of(window) + ",\"frame\":" + size_of(frame_of(window)) +
             ",\"viewable\":" + (viewable ? "true" : "false") +
             ",\"workspace\":" + number(first(cardinals(window, "_NET_WM_DESKTOP", XA_CARDINAL))) + ",\"states\":[";
      std::string states;
      for (const unsigned long state : cardinals(window, "_NET_WM_STATE", XA_ATOM)) {
        char* name = XGetAtomName(x_, state);
        if (!name) continue;
        states += (states.empty() ? "" : ",") + fixture::quoted(name);
        XFree(name);
      }
      out += states + "]}";
    }
    return out + "]";
  }

  std::string keyboard() {
    int lowest = 0, highest = 0, per_code = 0;
    XDisplayKeycodes(x_, &lowest, &highest);
    KeySym* map = XGetKeyboardMapping(x_, static_cast<KeyCode>(lowest), highest - lowest + 1, &per_code);
    std::uint64_t hash = 1469598103934665603ULL;  // FNV-1a
    for (int i = 0; map && i < (highest - lowest + 1) * per_code; ++i) {
      for (unsigned shift = 0; shift < 32; shift += 8) hash = (hash ^ ((map[i] >> shift) & 0xffU)) * 1099511628211ULL;
    }
    if (map) XFree(map);
    char hex[24];
    std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(hash));

    XkbStateRec state{};
    XkbGetState(x_, XkbUseCoreKbd, &state);
    char keys[32];
    XQueryKeymap(x_, keys);
    std::string pressed;
    for (unsigned code = 0; code < 256; ++code) {
      if ((static_cast<unsigned char>(keys[code / 8]) >> (code % 8) & 1U) == 0) continue;
      pressed += (pressed.empty() ? "" : ",") + std::to_string(code);
    }
    return std::string("\"keyboard\":{\"map\":\"") + hex + "\",\"locked_modifiers\":" + number(state.locked_mods) +
           ",\"latched_modifiers\":" + number(state.latched_mods) + ",\"modifiers\":" + number(state.mods) +
           ",\"group\":" + number(state.group) + ",\"pressed\":[" + pressed + "]}";
  }

  std::string pointer() {
    Window root = 0, child = 0;
    int x = 0, y = 0, inner_x = 0, inner_y = 0;
    unsigned mask = 0;
    XQueryPointer(x_, root_, &root, &child, &x, &y, &inner_x, &inner_y, &mask);
    return "\"pointer\":{\"x\":" + std::to_string(x) + ",\"y\":" + std::to_string(y) +
           ",\"buttons\":" + number(mask >> 8U & 31U) + ",\"over\":" + number(child) + "}";
  }

  Display* x_;
  Window root_;
};

}  // namespace

int main() {
  Display* x = XOpenDisplay(nullptr);
  if (!x) {
    std::fprintf(stderr, "desk_state: no X server\n");
    return 1;
  }
  XSetErrorHandler(ignore_error);
  std::puts(Desk(x).describe().c_str());
  XCloseDisplay(x);
  return 0;
}
