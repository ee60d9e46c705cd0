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
constexpr std::array<std::string_view, 11> kDefaults{"click",  "press", "activate", "toggle",        "jump",     "open",
                                                     "select", "check", "uncheck",  "clickAncestor", "doDefault"};
// A label in one of these is a part of it.
constexpr std::array<std::string_view, 8> kHolders{"list item", "page tab",    "table cell",    "table row",
                                                   "tree item", "push button", "toggle button", "menu item"};
constexpr int kHighest = 3;

bool opens(const Thing& thing) { return thing.is("menu") || thing.is("combo box"); }

std::optional<int> default_action(const Thing& thing, const std::vector<std::string>& actions) {
  // In a field it is what the Enter key does.
  if (thing.field()) return std::nullopt;
  for (const std::string_view wanted : kDefaults) {
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

// By the thing itself or by who holds it; nothing when they offer none.
Result<std::optional<Deed>> press_one(AppCalls& app, const Thing& thing) {
  std::optional<Deed> deed;
  std::vector<std::string> actions;
  if (thing.can(kAction)) actions = TRY(app.actions(thing.path));
  const std::optional<int> action = default_action(thing, actions);
  const bool chooses = thing.is("list item") || thing.is("table cell") || thing.is("tree item");
  if (action && chooses && thing.selectable() && same_word(actions[static_cast<std::size_t>(*action)], "toggle")) {
    // Once more would undo it.
    deed = Deed{"selection", Told::yes, "selected", thing.path};
    if (!thing.selected()) deed->told = app.do_action(thing.path, *action);
    return deed;
  }
  if (action) {
    const std::optional<std::string> before = TRY(state_of(app, thing));
    deed = Deed{fmt::format("action {}", actions[static_cast<std::size_t>(*action)])};
    deed->wanted = after_press(before);
    // One of several stays on.
    if (thing.is("radio button") || thing.is("radio menu item")) deed->wanted = "on";
    if (chooses && thing.selectable() && same_word(actions[static_cast<std::size_t>(*action)], "select")) {
      deed->wanted = "selected";
    }
    deed->object = thing.path;
    deed->told = app.do_action(thing.path, *action);
    return deed;
  }
  if (!thing.selectable() || thing.parent.empty()) return deed;
  const Thing holder = TRY(app.look(thing.parent));
  if (!holder.can(kSelection)) return deed;
  deed = Deed{"selection", Told::yes, "selected", thing.path};
  deed->told = app.select_child(holder.path, thing.place);
  return deed;
}

}  // namespace

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
    if (opens(at)) {
      return unsupported(at, "opens when it is pressed, which takes the person's keyboard")
          .with_hint("Choose by its menu path or set its value, which open nothing; or name its action.");
    }
    std::optional<Deed> deed = TRY(press_one(app, at));
    if (deed) return std::move(*deed);
    if (at.parent.empty()) break;
    at = TRY(app.look(at.parent));
    const bool part = std::any_of(kHolders.begin(), kHolders.end(), [&](std::string_view role) { return at.is(role); });
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
