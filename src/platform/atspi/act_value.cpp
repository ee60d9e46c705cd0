#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/utf8.h"
#include "model/labels.h"
#include "platform/atspi/act.h"
#include "platform/atspi/mirror.h"
#include "platform/atspi/roles.h"
#include "platform/atspi/shown_option.h"
#include "platform/atspi/tree_search.h"

namespace handrail::atspi {
namespace {

// Bits of AtspiStateType.
constexpr unsigned kCheckedBit = 4, kExpandableBit = 9, kExpandedBit = 10, kPressedBit = 20, kCheckableBit = 41;

bool bit(const Thing& thing, unsigned number) { return (thing.states >> number & 1) != 0; }

constexpr std::array<std::string_view, 5> kOpening{"expand", "listitem.expand", "expand or contract", "activate",
                                                   "click"};
constexpr std::array<std::string_view, 5> kClosing{"collapse", "listitem.collapse", "expand or contract", "activate",
                                                   "click"};

bool has_options(const Thing& thing) {
  return thing.is("combo box") || thing.is("list") || thing.is("list box") || thing.is("page tab list");
}

bool two_ways(const Thing& thing) {
  if (expandable(thing)) return false;
  return thing.is("check box") || thing.is("check menu item") || thing.is("radio button") ||
         thing.is("radio menu item") || thing.is("toggle button") || bit(thing, kCheckableBit);
}

bool is_option(const Thing& thing) {
  for (const char* role : {"list item", "menu item", "check menu item", "radio menu item", "table cell", "page tab"}) {
    if (thing.is(role)) return true;
  }
  return false;
}

std::string told(double number) { return fmt::format("{:.10g}", number); }

Result<Deed> choose_option(AppCalls& app, const Thing& thing, const std::string& text) {
  Thing holder = thing;
  std::vector<Thing> options = TRY(app.children(thing.path));
  for (const Thing& child : options) {
    if (!child.is("menu") && !child.is("list") && !child.is("list box") && !child.is("popup menu")) continue;
    if (!thing.can(kSelection)) holder = child;
    options = TRY(app.children(std::string(child.path)));
    break;
  }
  std::erase_if(options, [](const Thing& option) { return !is_option(option); });
  std::vector<std::string> labels;
  for (const Thing& option : options) labels.push_back(TRY(label_of(app, option)));
  auto at = std::find(labels.begin(), labels.end(), text);
  if (at == labels.end()) {
    at = std::find_if(labels.begin(), labels.end(), [&](const std::string& label) { return same_word(label, text); });
  }
  std::vector<std::string> named;
  std::copy_if(labels.begin(), labels.end(), std::back_inserter(named), [](const auto& word) { return !word.empty(); });
  if (named.empty() || std::all_of(options.begin(), options.end(),
                                   [](const Thing& option) { return !option.selectable() && !option.can(kAction); })) {
    return unsupported(thing, "does not tell its options while it is closed");
  }
  if (at == labels.end()) {
    return make_error(Code::argument_invalid, fmt::format("The {} `{}` has no option `{}`; it has {}.",
                                                          role_name(thing.role), thing.name, text, listed(named)));
  }
  const Thing& option = options[static_cast<std::size_t>(at - labels.begin())];
  Deed deed{"selection"};
  deed.wanted = *at;
  if (holder.can(kSelection)) {
    deed.told = app.select_child(holder.path, option.place);
    // The closed lists of pages in Chromium say no, and their options act themselves.
    if (deed.told != Told::no || !option.can(kAction)) return deed;
  }
  if (!thing.is("combo box")) return press(app, option, "");
  // The rows of Qt can be marked, which chooses nothing.
  const std::vector<std::string> actions = TRY(app.actions(option.path));
  if (std::any_of(actions.begin(), actions.end(), [](const auto& action) { return same_word(action, "toggle"); })) {
    return unsupported(thing, fmt::format("has {}, but lets them be chosen only while it is open", listed(named)))
        .with_hint("Click at it and then at the option, or focus it and type the option's first letters.");
  }
  Deed pressed = TRY(press(app, option, ""));
  pressed.wanted = *at;
  pressed.object.clear();
  return pressed;
}

Result<Deed> set_number(AppCalls& app, const Thing& thing, const std::string& text) {
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    return make_error(Code::argument_invalid,
                      fmt::format("The {} `{}` takes a number.", role_name(thing.role), thing.name));
  }
  const std::optional<double> least = TRY(app.number(thing.path, "MinimumValue"));
  const std::optional<double> most = TRY(app.number(thing.path, "MaximumValue"));
  if (least && most && *least < *most && (number < *least || number > *most)) {
    return make_error(Code::argument_invalid,
                      fmt::format("The {} `{}` takes a number from {} to {}.", role_name(thing.role), thing.name,
                                  told(*least), told(*most)));
  }
  Deed deed{"value"};
  deed.wanted = told(number);
  deed.told = app.set_number(thing.path, number);
  return deed;
}

// Places in a text are told in characters; by Qt in the units of UTF-16.
int units(const std::string& toolkit, std::u32string_view text) {
  const auto large = std::count_if(text.begin(), text.end(), [](char32_t c) { return c > 0xffff; });
  return static_cast<int>(text.size()) + (toolkit == "Qt" ? static_cast<int>(large) : 0);
}

// How long it is, as InsertText wants it: others count bytes.
Result<int> length_for(const std::string& toolkit, const std::string& text) {
  if (toolkit != "Qt") return static_cast<int>(text.size());
  const std::u32string characters = TRY(decode_utf8(text));
  return units(toolkit, characters);
}

Result<Deed> set_text(AppCalls& app, const Thing& thing, const std::string& toolkit, const std::string& text) {
  Deed deed{"editable text"};
  deed.wanted = text;
  deed.told = app.set_text(thing.path, text);
  if (deed.told == Told::late) return deed;
  const std::string now = TRY(app.text(thing.path));
  if (now == text) return deed;
  const std::u32string old = TRY(decode_utf8(now));
  const int length = TRY(length_for(toolkit, text));
  app.delete_text(thing.path, units(toolkit, old));
  deed.told = app.insert_text(thing.path, 0, text, length);
  return deed;
}

Result<Deed> set_switch(AppCalls& app, const Thing& thing, const std::string& text) {
  const bool on = same_word(text, "on") || same_word(text, "true");
  if (!on && !same_word(text, "off") && !same_word(text, "false")) {
    return make_error(Code::argument_invalid,
                      fmt::format("The {} `{}` takes `on` or `off`.", role_name(thing.role), thing.name));
  }
  const std::string wanted = on ? "on" : "off";
  const std::optional<std::string> now = TRY(state_of(app, thing));
  if (now == wanted) return Deed{"looking: it was so already", Told::yes, wanted};
  Deed deed = TRY(press(app, thing, ""));
  deed.wanted = wanted;
  return deed;
}

Result<Deed> set_expanded(AppCalls& app, const Thing& thing, const std::string& text) {
  const bool open = same_word(text, "expanded") || same_word(text, "on") || same_word(text, "true");
  if (!open && !same_word(text, "collapsed") && !same_word(text, "off") && !same_word(text, "false")) {
    return make_error(Code::argument_invalid,
                      fmt::format("The {} `{}` takes `expanded` or `collapsed`.", role_name(thing.role), thing.name));
  }
  Deed deed{"looking: it was so already", Told::yes, open ? "expanded" : "collapsed", thing.path};
  const std::optional<std::string> now = TRY(state_of(app, thing));
  if (now == deed.wanted) return deed;
  const std::optional<int> action = TRY(find_action(app, thing, open ? kOpening : kClosing));
  if (!action && is_browser(app.toolkit())) {
    // A page has one action for both.
    const std::string wanted = *deed.wanted;
    deed = TRY(press(app, thing, ""));
    deed.wanted = wanted;
    return deed;
  }
  // In a tree of Qt a row can be selected, and nothing else.
  if (!action) return unsupported(thing, fmt::format("cannot be {} in the background", *deed.wanted));
  deed.how = "action";
  deed.told = app.do_action(thing.path, *action);
  return deed;
}

// A row of GTK 4 holds what can be expanded.
Result<std::optional<Thing>> branch_of(AppCalls& app, const Thing& thing) {
  std::optional<Thing> branch;
  if (expandable(thing)) branch = thing;
  if (branch || !thing.is("list item")) return branch;
  for (const Thing& child : TRY(app.children(thing.path))) {
    if (expandable(child)) branch = child;
  }
  return branch;
}

}  // namespace

Result<std::string> label_of(AppCalls& app, const Thing& thing) {
  if (!thing.name.empty() && !thing.is("page tab")) return thing.name;
  for (const Thing& part : TRY(app.children(thing.path))) {
    if (part.is("label") && !part.name.empty()) return part.name;
  }
  return thing.name;
}

bool expandable(const Thing& thing) { return bit(thing, kExpandableBit) && !thing.is("combo box"); }

std::string selection_of(const Thing& thing) { return thing.selected() ? "selected" : "not selected"; }

Result<std::optional<std::string>> state_of(AppCalls& app, const Thing& thing) {
  std::optional<std::string> state;
  if (two_ways(thing)) {
    state = bit(thing, kCheckedBit) || (thing.is("toggle button") && bit(thing, kPressedBit)) ? "on" : "off";
  } else if (expandable(thing)) {
    state = bit(thing, kExpandedBit) ? "expanded" : "collapsed";
  } else if (has_options(thing) && thing.can(kSelection)) {
    const std::optional<Thing> chosen = TRY(app.chosen(thing.path));
    if (chosen) state = TRY(label_of(app, *chosen));
  } else if (thing.is("combo box")) {
    state = TRY(shown_option(app, thing));
    if (state->empty()) state = thing.name;
  } else if (thing.can(kValue)) {
    const std::optional<double> number = TRY(app.number(thing.path, "CurrentValue"));
    if (number) state = told(*number);
  } else if (thing.field() && thing.role != kPasswordText) {
    state = TRY(app.text(thing.path));
  } else if (thing.selectable()) {
    state = selection_of(thing);
  }
  return state;
}

Result<Deed> set_value(AppCalls& app, const Thing& thing, const std::string& toolkit, const std::string& text) {
  if (has_options(thing)) return choose_option(app, thing, text);
  const bool button = thing.is("push button") || thing.is("toggle button");
  if (button && TRY(has_menu(app, thing))) return choose_in_menu(app, thing, menu_path(text));
  if (thing.can(kValue)) return set_number(app, thing, text);
  if (thing.role == kPasswordText) return unsupported(thing, "is a password field: its value cannot be read back");
  if (thing.field()) return set_text(app, thing, toolkit, text);
  if (two_ways(thing)) return set_switch(app, thing, text);
  const std::optional<Thing> branch = TRY(branch_of(app, thing));
  if (branch) return set_expanded(app, *branch, text);
  return unsupported(thing, "has no value that can be set");
}

Result<Deed> insert(AppCalls& app, const Thing& thing, const std::string& toolkit, const std::string& text) {
  if (!thing.field() || thing.role == kPasswordText) return unsupported(thing, "takes no text this way");
  const std::string old = TRY(app.text(thing.path));
  const std::u32string before = TRY(decode_utf8(old)), added = TRY(decode_utf8(text));
  const int caret = TRY(app.caret(thing.path)), length = TRY(length_for(toolkit, text));
  std::size_t at = 0;
  int place = 0;
  for (; at < before.size() && place < caret; ++at) place += units(toolkit, {&before[at], 1});
  Deed deed{"editable text"};
  deed.told = app.insert_text(thing.path, place, text, length);
  std::u32string wanted = before;
  wanted.insert(at, added);
  std::string bytes;
  for (const char32_t c : wanted) bytes += encode_utf8(c);
  deed.wanted = bytes;
  return deed;
}

}  // namespace handrail::atspi
