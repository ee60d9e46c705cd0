// What can be done with the objects of an app, by what they offer. Nothing here opens a menu or a list: what opens
// takes the person's keyboard.
#pragma once

#include <optional>
#include <span>
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
  // Whether it is selected is what counts, though it may have other states as well.
  bool selects = false;
};

// "on", "off", a number, a text, the option that is chosen, "selected", "expanded"… Nothing when it has no state.
Result<std::optional<std::string>> state_of(AppCalls& app, const Thing& thing);

std::string selection_of(const Thing& thing);
// Its name; rows often have their words in labels.
Result<std::string> label_of(AppCalls& app, const Thing& thing);
// It can be opened and closed in its place, as branches of a tree can.
bool expandable(const Thing& thing);
// The first of these that it offers.
Result<std::optional<int>> find_action(AppCalls& app, const Thing& thing, std::span<const std::string_view> names);

// Its default action, or the one that is named; choosing it, where that is what a click does.
Result<Deed> press(AppCalls& app, const Thing& thing, const std::string& action);
Result<Deed> set_value(AppCalls& app, const Thing& thing, const std::string& toolkit, const std::string& text);
Result<Deed> insert(AppCalls& app, const Thing& thing, const std::string& toolkit, const std::string& text);
// A button that a menu hangs on.
Result<bool> has_menu(AppCalls& app, const Thing& thing);
// From the menu bar of the window that the thing is in, or from the menu that it is.
Result<Deed> choose_in_menu(AppCalls& app, const Thing& thing, const std::vector<std::string>& path);

// Without case (of plain letters).
bool same_word(std::string_view a, std::string_view b);
std::string listed(const std::vector<std::string>& words);
Error unsupported(const Thing& thing, std::string_view what);

}  // namespace handrail::atspi
