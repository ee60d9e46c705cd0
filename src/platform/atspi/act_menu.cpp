// Menu items are in the tree of GTK 3 and Qt whether the menu is open or not, and act without being seen. GTK 4 has
// them only while a menu is open; opening takes the person's keyboard, so that is left alone, but its windows have
// what menus do as actions with names.
#include <fmt/format.h>

#include <algorithm>

#include "model/labels.h"
#include "platform/atspi/act.h"
#include "platform/atspi/roles.h"
#include "platform/atspi/mirror.h"
#include "platform/atspi/tree_search.h"

namespace handrail::atspi {
namespace {

constexpr int kDeepestBar = 8;
constexpr std::size_t kMostLooked = 1000;
constexpr int kHighest = 300;

// The window that it is in: the last one below the root.
Result<std::string> window_of(AppCalls& app, const Thing& thing) {
  Thing at = thing;
  for (int height = 0; height < kHighest && !at.parent.empty() && at.parent != kRoot; ++height) {
    at = TRY(app.look(std::string(at.parent)));
  }
  return at.path;
}

// The first menu bar from the top, level by level.
Result<std::optional<Thing>> menu_bar(AppCalls& app, const std::string& window) {
  std::optional<Thing> bar;
  std::vector<std::string> level{window};
  std::size_t looked = 0;
  for (int depth = 0; depth < kDeepestBar && !level.empty() && looked < kMostLooked; ++depth) {
    const std::vector<std::vector<Thing>> below = TRY(app.children(level));
    level.clear();
    for (const std::vector<Thing>& list : below) {
      for (const Thing& thing : list) {
        ++looked;
        if (thing.is("menu bar")) {
          bar = thing;
          return bar;
        }
        if (thing.known && !has(thing.states, StateBit::manages_descendants)) level.push_back(thing.path);
      }
    }
    if (level.size() > kMostLooked) level.resize(kMostLooked);
  }
  return bar;
}

// Qt has a menu between an item and those in it.
Result<std::vector<Thing>> items_of(AppCalls& app, const Thing& menu) {
  std::vector<Thing> items = TRY(app.children(menu.path));
  if (items.size() == 1 &&
      (items.front().is("popup menu") || (items.front().is("menu") && items.front().name.empty()))) {
    const std::string inner = items.front().path;
    items = TRY(app.children(inner));
  }
  std::erase_if(items, [](const Thing& item) { return item.name.empty() || item.is("label"); });
  return items;
}

const Thing* find(const std::vector<Thing>& items, const std::string& label) {
  auto at = std::find_if(items.begin(), items.end(), [&](const Thing& item) { return item.name == label; });
  if (at == items.end()) {
    at = std::find_if(items.begin(), items.end(),
                      [&](const Thing& item) { return plain_label(item.name) == plain_label(label); });
  }
  return at == items.end() ? nullptr : &*at;
}

std::string names(const std::vector<Thing>& items) {
  std::vector<std::string> words;
  for (const Thing& item : items) words.push_back(item.name);
  return listed(words);
}

// A menu, or the item of a bar that opens one.
Result<bool> is_menu(AppCalls& app, const Thing& thing) {
  if (thing.is("menu") || thing.is("menu bar")) return true;
  if (thing.is("push button") || thing.is("toggle button")) return has_menu(app, thing);
  if (!thing.is("menu item") || thing.parent.empty()) return false;
  const Thing holder = TRY(app.look(thing.parent));
  if (holder.is("menu bar")) return true;
  const std::vector<Thing> items = TRY(items_of(app, thing));
  return !items.empty();
}

// Its path is the name of an action of the window.
Result<Deed> by_name(AppCalls& app, const Thing& menu, const std::vector<std::string>& path) {
  const std::string path_of_window = TRY(window_of(app, menu));
  const Thing window = TRY(app.look(path_of_window));
  std::vector<std::string> actions;
  if (window.can(kAction)) actions = TRY(app.actions(window.path));
  std::erase_if(actions,
                [](const std::string& name) { return !name.starts_with("win.") && !name.starts_with("app."); });
  const auto named = std::find(actions.begin(), actions.end(), path.back());
  if (path.size() == 1 && named != actions.end()) return press(app, window, *named);
  Error closed = unsupported(menu, "tells what is in it only while it is open, which takes the person's keyboard");
  if (actions.empty()) return std::move(closed).with_hint("Repeat it with `delivery` foreground, which opens it.");
  return std::move(closed).with_hint(
      fmt::format("What its window can do by name is {}: give that name instead of the path. Or repeat it with "
                  "`delivery` foreground, which opens it.",
                  listed(actions)));
}

}  // namespace

Result<bool> has_menu(AppCalls& app, const Thing& thing) {
  const std::vector<std::uint32_t> roles = TRY(app.child_roles(thing.path));
  return std::any_of(roles.begin(), roles.end(),
                     [](std::uint32_t role) { return role_name(role) == "menu item" || role_name(role) == "menu"; });
}

Result<Deed> choose_in_menu(AppCalls& app, const Thing& thing, const std::vector<std::string>& path) {
  if (path.empty()) return make_error(Code::argument_invalid, "A menu path needs at least one label.");
  std::optional<Thing> start;
  std::size_t first = 0;
  if (TRY(is_menu(app, thing))) {
    start = thing;
    // From the menu on, or with its own name before.
    if (!thing.is("menu bar") && path.size() > 1 && plain_label(path.front()) == plain_label(thing.name)) first = 1;
  } else {
    const std::string window = TRY(window_of(app, thing));
    start = TRY(menu_bar(app, window));
  }
  if (!start) return make_error(Code::not_found, "The window of this element has no menu bar.");
  Thing at = *start;
  std::vector<Thing> items = TRY(items_of(app, at));
  for (std::size_t i = first; i < path.size(); ++i) {
    const std::string& label = path[i];
    if (items.empty()) return by_name(app, at, path);
    const Thing* next = find(items, label);
    if (next == nullptr) {
      return make_error(Code::not_found,
                        fmt::format("There is no `{}` in the menu; there is {}.", label, names(items)));
    }
    at = Thing(*next);
    if (!at.enabled()) return unsupported(at, "is disabled");
    items = TRY(items_of(app, at));
  }
  if (!items.empty()) {
    return make_error(Code::argument_invalid,
                      fmt::format("`{}` is a menu, not an item; in it are {}.", at.name, names(items)));
  }
  Deed deed = TRY(press(app, at, ""));
  deed.how = "menu";
  return deed;
}

}  // namespace handrail::atspi
