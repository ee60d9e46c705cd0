// Windows in one colour that no picture for an agent may contain: an ordinary one, a toast, a tooltip, a menu, or one
// that maps itself again all the time. --kind toplevel | toast | tooltip | menu | remap; the rest is as for the actor.
#include "x_fixture.h"

namespace {

constexpr std::uint32_t kCanary = 0xfe01fd;

const char* window_type(std::string_view kind) {
  if (kind == "toast") return "_NET_WM_WINDOW_TYPE_NOTIFICATION";
  if (kind == "tooltip") return "_NET_WM_WINDOW_TYPE_TOOLTIP";
  if (kind == "menu") return "_NET_WM_WINDOW_TYPE_POPUP_MENU";
  return "_NET_WM_WINDOW_TYPE_NORMAL";
}

}  // namespace

int main(int argc, char** argv) {
  std::string_view kind = "toplevel";
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--kind" && i + 1 < argc) {
      kind = argv[++i];
    } else {
      rest.push_back(argv[i]);
    }
  }
  fixture::WindowOptions options = fixture::parse_window_options(static_cast<int>(rest.size()), rest.data());
  options.color = kCanary;
  options.override_redirect = kind == "toast" || kind == "tooltip" || kind == "menu";
  fixture::XWindow window(options);
  const xcb_atom_t type = window.atom(window_type(kind));
  xcb_change_property(window.x(), XCB_PROP_MODE_REPLACE, window.window(), window.atom("_NET_WM_WINDOW_TYPE"),
                      XCB_ATOM_ATOM, 32, 1, &type);
  if (kind == "remap") {
    window.idle(1, [&window] {
      xcb_unmap_window(window.x(), window.window());
      window.map();
    });
  }
  window.run();
  return 0;
}
