// An app that pastes: at every press of a button or of Insert, and on the command `paste`, it asks for CLIPBOARD,
// PRIMARY and SECONDARY and reads the first cut buffer, and logs each as `pasted` with `from` and `text`. --format
// TARGET asks for something else than text; the rest is as for the actor.
#include <array>
#include <string>

#include "x_fixture.h"

namespace {

constexpr std::array kSelections{"CLIPBOARD", "PRIMARY", "SECONDARY"};
constexpr std::uint8_t kInsert = 118;  // its place on the keyboard
constexpr std::uint32_t kMost = 64 * 1024;

class Paster {
 public:
  Paster(fixture::XWindow& window, const char* format) : window_(window), target_(window.atom(format)) {
    window_.command("paste", [this](auto&) { paste(); });
    window_.on_event([this](const xcb_generic_event_t& event) { note(event); });
  }

 private:
  void paste() {
    for (const char* name : kSelections) {
      const xcb_atom_t selection = window_.atom(name);
      // Each answer has a property of its own.
      xcb_convert_selection(window_.x(), window_.window(), selection, target_, selection, XCB_CURRENT_TIME);
    }
    tell("CUT_BUFFER0", take(window_.root(), XCB_ATOM_CUT_BUFFER0, false));
    xcb_flush(window_.x());
  }

  void note(const xcb_generic_event_t& event) {
    const void* raw = &event;
    const auto type = event.response_type & 0x7fU;
    if (type == XCB_BUTTON_PRESS ||
        (type == XCB_KEY_PRESS && static_cast<const xcb_key_press_event_t*>(raw)->detail == kInsert)) {
      paste();
    }
    if (type != XCB_SELECTION_NOTIFY) return;
    const auto& answer = *static_cast<const xcb_selection_notify_event_t*>(raw);
    for (const char* name : kSelections) {
      if (window_.atom(name) != answer.selection) continue;
      tell(name, answer.property == XCB_ATOM_NONE ? "" : take(window_.window(), answer.property, true));
    }
  }

  void tell(const char* from, const std::string& text) {
    window_.log().write("pasted", {{"from", std::string(from)}, {"text", text}});
  }

  std::string take(xcb_window_t from, xcb_atom_t property, bool away) const {
    const fixture::Owned<xcb_get_property_reply_t> reply(
        xcb_get_property_reply(
            window_.x(), xcb_get_property(window_.x(), away ? 1 : 0, from, property, XCB_ATOM_ANY, 0, kMost), nullptr),
        std::free);
    if (!reply) return "";
    return {static_cast<const char*>(xcb_get_property_value(reply.get())),
            static_cast<std::size_t>(xcb_get_property_value_length(reply.get()))};
  }

  fixture::XWindow& window_;
  xcb_atom_t target_;
};

}  // namespace

int main(int argc, char** argv) {
  const char* format = "UTF8_STRING";
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--format" && i + 1 < argc) {
      format = argv[++i];
    } else {
      rest.push_back(argv[i]);
    }
  }
  fixture::XWindow window(fixture::parse_window_options(static_cast<int>(rest.size()), rest.data()));
  const Paster paster(window, format);
  window.run();
  return 0;
}
