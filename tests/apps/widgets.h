// What the widgets fixtures share: what is in the window, and the orders that they take on standard input.
//   remove N | name N TEXT | last N (moves it behind the others) | replace N (another button of the same name) | tell
//   where (GTK 3: logs `button` with the place on the screen of the buttons, the check box and the entry, then `told`)
// Each change of a widget is logged as `did` with `what` and `to`, each key that arrives as `key`.
#pragma once

#include <functional>
#include <string>

#include "panel.h"

namespace fixture {

inline constexpr int kWidgetButtons = 6;
inline constexpr const char* kOptions[] = {"Red", "Green", "Blue"};
inline constexpr const char* kRows[] = {"Ant", "Bee", "Cat", "Dog"};
inline constexpr const char* kDays[] = {"Monday", "Tuesday"};  // of which several can be selected
inline constexpr const char* kBranches[] = {"Oak", "Elm"};     // each has one leaf

// Writes it where a person sees it.
inline std::function<void(const std::string&)> show_did;

inline void did(EventLog& log, const std::string& what, Value to = std::string()) {
  if (show_did) show_did(what + " " + to_json(to));
  log.write("did", {{"what", what}, {"to", std::move(to)}});
}

}  // namespace fixture
