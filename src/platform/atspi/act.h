// What can be done with the objects of an app, by what they offer. Nothing here opens a menu or a list: what opens
// takes the person's keyboard.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/atspi/act_calls.h"

namespace handrail::atspi {

struct Deed {
  std::string how;
  Told told = Told::late;
  // The state that it is to be in now, in the words of state_of(); nothing when there is no telling.
  std::optional<std::string> wanted{};
  // Whose state; empty for the element itself.
  std::string object{};
};

// "on", "off", a number, a text, the option that is chosen, "selected", "expanded"… Nothing when it has no state.
Result<std::optional<std::string>> state_of(AppCalls& app, const Thing& thing);

// Its default action, or the one that is named; choosing it, where that is what a click does.
Result<Deed> press(AppCalls& app, const Thing& thing, const std::string& action);
Result<Deed> set_value(AppCalls& app, const Thing& thing, const std::string& toolkit, const std::string& text);
Result<Deed> insert(AppCalls& app, const Thing& thing, const std::string& toolkit, const std::string& text);
// From the menu bar of the window that the thing is in.
Result<Deed> choose_in_menu(AppCalls& app, const Thing& thing, const std::vector<std::string>& path);

// Without case (of plain letters).
bool same_word(std::string_view a, std::string_view b);
// As menus are spoken of: without the marks of mnemonics and the dots of those that ask for more.
std::string menu_label(std::string_view label);
std::string listed(const std::vector<std::string>& words);
Error unsupported(const Thing& thing, std::string_view what);

}  // namespace handrail::atspi
