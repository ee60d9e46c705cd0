// What menus and buttons call the things that keys do only with a grant of their own: ending a program, opening a
// terminal, logging out. By the words that apps of desktops use for it, in English; other languages are not known here.
#pragma once

#include <string_view>

namespace handrail::policy {

enum class DeedKind {
  ordinary,
  ends_program,    // an owner may unlock these with `system_keys`
  opens_terminal,  // these never
  leaves_session,
};

// `name` as an element or an action has it: "_Quit", "Quit  Ctrl+Q", "app.quit", "Log Out…".
DeedKind deed_named(std::string_view name);

}  // namespace handrail::policy
