#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "platform/atspi/act.h"
#include "platform/atspi/mirror.h"
#include "platform/atspi/roles.h"

namespace handrail::atspi {
namespace {

// What a click does, by the names that toolkits use. The first that there is.
// Those of web pages come last.
constexpr std::array<std::string_view, 12> kDefaults{"click",   "press",         "activate",  "toggle",
                                                     "jump",    "open",          "select",    "check",
                                                     "uncheck", "clickAncestor", "doDefault", "listitem.toggle-expand"};
constexpr std::array<std::string_view, 1> kToggle{"toggle"};
// A label in one of these is a part of it.
constexpr std::array<std::string_view, 8> kHolders{"list item", "page tab",    "table cell",    "table row",
                                                   "tree item", "push button", "toggle button", "menu item"};
constexpr int kHighest = 3;

// What comes up takes the keyboard. Of GTK 4 the button inside of what opens is the one that can be pressed; a button
// of GTK 3 has its menu in it.
Result<bool> opens(AppCalls& app, const Thing& thing) {
  if (thing.is("menu") || thing.is("combo box")) return true;
  if (!thing.is("push button") && !thing.is("toggle button")) return false;
  Thing above = thing;
  for (int height = 0; height < 2 && !above.parent.empty(); ++height) {
    above = TRY(app.look(std::string(above.parent)));
    if (above.is("combo box") || (height == 0 && above.is("push button"))) return true;
  }
  return has_menu(app, thing);
}

std::optional<int> first_of(const std::vector<std::string>& actions, std::span<const std::string_view> names) {
  for (const std::string_view wanted : names) {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (same_word(actions[i], wanted)) return static_cast<int>(i);
    }
  }
  return std::nullopt;
}

Result<Deed> named_action(AppCalls& app, const Thing& thing, const std::vector<std::string>& actions,
                          const std::string& name) {
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (!same_word(actions[i], name)) continue;
    Deed deed{fmt::format("action {}", actions[i])};
    deed.told = app.do_action(thing.path, static_cast<int>(i));
    return deed;
  }
  return unsupported(thing, actions.empty() ? "offers no action"
                                            : fmt::format("has no action `{}`; it has {}", name, listed(actions)));
}

// What the state becomes when it is pressed.
std::optional<std::string> after_press(const std::optional<std::string>& before) {
  if (before == "on") return "off";
  if (before == "off") return "on";
  if (before == "expanded") return "collapsed";
  if (before == "collapsed") return "expanded";
  return std::nullopt;
}

bool is_row(const Thing& thing) { return thing.is("list item") || thing.is("table cell") || thing.is("tree item"); }

// A click on a row chooses it. Rows of GTK 4 say that they can be selected only when they are. Rows of Qt can be
// toggled, but in a tree that takes another one when a branch is open: there the table is asked for the row.
Result<std::optional<Deed>> select_row(AppCalls& app, const Thing& thing) {
  std::optional<Deed> deed;
  if ((!thing.selectable() && !is_row(thing)) || thing.parent.empty()) return deed;
  const Thing holder = TRY(app.look(thing.parent));
  if (holder.can(kSelection)) {
    deed = Deed{"selection", Told::yes, "selected", thing.path, true};
    deed->told = app.select_child(holder.path, thing.place);
    // A click takes it alone, where several can be selected.
    const std::int32_t selected = TRY(app.selected_children(holder.path));
    if (is_row(thing) && selected > 1) {
      app.clear_selection(holder.path);
      deed->told = app.select_child(holder.path, thing.place);
    }
    return deed;
  }
  std::optional<int> toggle, row;
  if (is_row(thing)) toggle = TRY(find_action(app, thing, kToggle));
  const bool tree = holder.is("tree") || holder.is("tree table");
  if (tree && holder.can(kTable)) row = TRY(app.row_of(holder.path, thing.place));
  if (!row && (tree || !toggle)) return deed;
  deed = Deed{"selection", Told::yes, "selected", thing.path, true};
  // Once more would undo it.
  if (!thing.selected()) {
    deed->told = row ? app.select_row(holder.path, *row) : app.do_action(thing.path, *toggle);
  }
  if (!row && holder.can(kTable)) row = TRY(app.row_of(holder.path, thing.place));
  if (row) {
    for (const std::int32_t other : TRY(app.selected_rows(holder.path))) {
      if (other != *row) app.leave_row(holder.path, other);
    }
  }
  return deed;
}

// By the thing itself or by who holds it; nothing when they offer none.
Result<std::optional<Deed>> press_one(AppCalls& app, const Thing& thing) {
  std::optional<Deed> deed;
  std::vector<std::string> actions;
  if (thing.can(kAction)) actions = TRY(app.actions(thing.path));
  // What a row of a page is good for, the page alone knows.
  const bool of_page = is_browser(app.toolkit());
  if (is_row(thing) && !of_page) {
    deed = TRY(select_row(app, thing));
    if (deed) return deed;
  }
  // In a field it is what the Enter key does.
  const std::optional<int> action = thing.field() ? std::nullopt : first_of(actions, kDefaults);
  if (action) {
    const std::optional<std::string> before = TRY(state_of(app, thing));
    deed = Deed{fmt::format("action {}", actions[static_cast<std::size_t>(*action)])};
    deed->wanted = after_press(before);
    // One of several stays on.
    if (thing.is("radio button") || thing.is("radio menu item")) deed->wanted = "on";
    if (of_page && is_row(thing) && thing.selectable() &&
        same_word(actions[static_cast<std::size_t>(*action)], "select")) {
      deed->wanted = "selected";
    }
    deed->object = thing.path;
    deed->told = app.do_action(thing.path, *action);
    return deed;
  }
  return select_row(app, thing);
}

}  // namespace

Result<std::optional<int>> find_action(AppCalls& app, const Thing& thing, std::span<const std::string_view> names) {
  std::vector<std::string> actions;
  if (thing.can(kAction)) actions = TRY(app.actions(thing.path));
  return first_of(actions, names);
}

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

std::string listed(const std::vector<std::string>& words) {
  constexpr std::size_t kMost = 30;
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), kMost));
  return fmt::format("`{}`{}", fmt::join(words.begin(), end, "`, `"), words.size() > kMost ? " and more" : "");
}

Error unsupported(const Thing& thing, std::string_view what) {
  return make_error(Code::capability_unsupported,
                    fmt::format("The {} `{}` {}.", role_name(thing.role), thing.name, what))
      .with_hint("Click at its place instead.");
}

Result<Deed> press(AppCalls& app, const Thing& thing, const std::string& action) {
  if (!action.empty()) {
    std::vector<std::string> actions;
    if (thing.can(kAction)) actions = TRY(app.actions(thing.path));
    return named_action(app, thing, actions, action);
  }
  Thing at = thing;
  for (int height = 0; height < kHighest; ++height) {
    if (TRY(opens(app, at))) {
      return unsupported(at, "opens when it is pressed, which takes the person's keyboard")
          .with_hint(
              "Set its value to the option, or to the path in the menu (`Recent > First`): that opens nothing. "
              "Else bring the app to the front and click with `delivery` foreground.");
    }
    std::optional<Deed> deed = TRY(press_one(app, at));
    if (deed) return std::move(*deed);
    if (at.parent.empty()) break;
    at = TRY(app.look(at.parent));
    const bool part = expandable(at) ||
                      std::any_of(kHolders.begin(), kHolders.end(), [&](std::string_view role) { return at.is(role); });
    if (!part) break;
  }
  std::vector<std::string> actions;
  if (thing.can(kAction)) actions = TRY(app.actions(thing.path));
  // Firefox says that there are none, and does it.
  if (thing.can(kAction) && actions.empty() && !thing.field()) {
    Deed deed{"first action"};
    deed.told = app.do_action(thing.path, 0);
    if (deed.told == Told::yes || deed.told == Told::late) return deed;
  }
  if (actions.empty()) return unsupported(thing, "offers no action");
  return unsupported(thing, fmt::format("offers nothing that a click does; its actions are {}", listed(actions)));
}

}  // namespace handrail::atspi
