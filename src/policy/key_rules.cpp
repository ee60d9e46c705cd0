#include "policy/key_rules.h"

#include <xkbcommon/xkbcommon-keysyms.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace handrail::policy {
namespace {

enum ModifierBit : unsigned { kCtrl = 1, kAlt = 2, kShift = 4, kSuper = 8 };

// A range of keysyms, both ends included.
struct Keysyms {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};
constexpr Keysyms one(std::uint32_t keysym) { return {keysym, keysym}; }

// A key by what it can make. `letter` is also found by its place on a keyboard without Latin letters.
struct Target {
  std::array<Keysyms, 4> keysyms{};
  std::uint8_t place = 0;  // keycode of the letter on a QWERTY keyboard; 0: of no letter
};

constexpr Target kTabs{{one(XKB_KEY_Tab), one(XKB_KEY_ISO_Left_Tab), one(XKB_KEY_KP_Tab)}};
constexpr Target kSpace{{one(XKB_KEY_space), one(XKB_KEY_KP_Space)}};
constexpr Target kF2{{one(XKB_KEY_F2), one(XKB_KEY_KP_F2)}};
constexpr Target kF4{{one(XKB_KEY_F4), one(XKB_KEY_KP_F4)}};
constexpr Target kConsoles{{Keysyms{XKB_KEY_F1, XKB_KEY_F12}, Keysyms{XKB_KEY_KP_F1, XKB_KEY_KP_F4},
                            Keysyms{XKB_KEY_XF86Switch_VT_1, XKB_KEY_XF86Switch_VT_12}}};
// What the keypad's operators make with Ctrl+Alt: they break grabs and change the video mode.
constexpr Target kServerKeys{{Keysyms{XKB_KEY_XF86Ungrab, XKB_KEY_XF86Prev_VMode}}};
constexpr Target kDelete{{one(XKB_KEY_Delete), one(XKB_KEY_KP_Delete)}};
constexpr Target kBackSpace{{one(XKB_KEY_BackSpace), one(XKB_KEY_Terminate_Server)}};
constexpr Target kEscape{{one(XKB_KEY_Escape)}};
constexpr Target kSysRq{{one(XKB_KEY_Sys_Req), one(XKB_KEY_Print), one(XKB_KEY_3270_PrintScreen)}};
constexpr Target kQ{{one(XKB_KEY_q), one(XKB_KEY_Q)}, 24};
constexpr Target kT{{one(XKB_KEY_t), one(XKB_KEY_T)}, 28};
constexpr Target kL{{one(XKB_KEY_l), one(XKB_KEY_L)}, 46};

struct Row {
  KeyRule rule;
  unsigned modifiers;
  Target target;
};

// Those that nothing unlocks come first, so that no other row answers for them. More modifiers than a row names
// do not get round it.
constexpr std::array kRows{
    Row{{"Super+L", KeyRuleKind::lock_or_log_out}, kSuper, kL},
    Row{{"Ctrl+Alt+L", KeyRuleKind::lock_or_log_out}, kCtrl | kAlt, kL},
    Row{{"Ctrl+Alt+Delete", KeyRuleKind::lock_or_log_out}, kCtrl | kAlt, kDelete},
    Row{{"Ctrl+Alt+BackSpace", KeyRuleKind::lock_or_log_out}, kCtrl | kAlt, kBackSpace},
    Row{{"Shift+Super+Q", KeyRuleKind::lock_or_log_out}, kShift | kSuper, kQ},
    Row{{"Ctrl+Super+Q", KeyRuleKind::lock_or_log_out}, kCtrl | kSuper, kQ},
    Row{{"Shift+Super+BackSpace", KeyRuleKind::lock_or_log_out}, kShift | kSuper, kBackSpace},
    Row{{"Alt+Super+BackSpace", KeyRuleKind::lock_or_log_out}, kAlt | kSuper, kBackSpace},
    Row{{"Ctrl+Alt+F1..F12", KeyRuleKind::console}, kCtrl | kAlt, kConsoles},
    Row{{"Ctrl+Alt+keypad operator", KeyRuleKind::console}, kCtrl | kAlt, kServerKeys},
    Row{{"Alt+SysRq", KeyRuleKind::system_request}, kAlt, kSysRq},
    Row{{"Alt+F4", KeyRuleKind::switch_or_quit}, kAlt, kF4},
    Row{{"Alt+Tab", KeyRuleKind::switch_or_quit}, kAlt, kTabs},
    Row{{"Alt+F2", KeyRuleKind::switch_or_quit}, kAlt, kF2},
    Row{{"Alt+Space", KeyRuleKind::switch_or_quit}, kAlt, kSpace},
    Row{{"Ctrl+Alt+T", KeyRuleKind::switch_or_quit}, kCtrl | kAlt, kT},
    Row{{"Ctrl+Escape", KeyRuleKind::switch_or_quit}, kCtrl, kEscape},
    Row{{"Ctrl+Q", KeyRuleKind::switch_or_quit}, kCtrl, kQ},
    Row{{"Shift+Delete", KeyRuleKind::switch_or_quit}, kShift, kDelete},
};

// Keys that do it alone.
struct Alone {
  KeyRule rule;
  Keysyms keysyms;
};
constexpr KeyRule kPower{"power key", KeyRuleKind::power};
constexpr KeyRule kLock{"lock key", KeyRuleKind::lock_or_log_out};
constexpr KeyRule kLaunch{"launch key", KeyRuleKind::switch_or_quit};
constexpr std::array kAlone{
    Alone{kPower, one(XKB_KEY_XF86PowerOff)},
    Alone{kPower, one(XKB_KEY_XF86PowerDown)},
    Alone{kPower, one(XKB_KEY_XF86Sleep)},
    Alone{kPower, one(XKB_KEY_XF86Standby)},
    Alone{kPower, one(XKB_KEY_XF86Suspend)},
    Alone{kPower, one(XKB_KEY_XF86Hibernate)},
    Alone{kPower, one(XKB_KEY_XF86WakeUp)},
    Alone{kPower, one(XKB_KEY_XF86Away)},
    Alone{kLock, one(XKB_KEY_XF86LogOff)},
    Alone{kLock, one(XKB_KEY_XF86ScreenSaver)},
    Alone{kLaunch, {XKB_KEY_XF86Launch0, XKB_KEY_XF86LaunchF}},
    Alone{kLaunch, one(XKB_KEY_XF86HomePage)},
    Alone{kLaunch, one(XKB_KEY_XF86Mail)},
    Alone{kLaunch, one(XKB_KEY_XF86WWW)},
    Alone{kLaunch, one(XKB_KEY_XF86Calculator)},
    Alone{kLaunch, one(XKB_KEY_XF86Calendar)},
    Alone{kLaunch, one(XKB_KEY_XF86Explorer)},
    Alone{kLaunch, one(XKB_KEY_XF86MyComputer)},
    Alone{kLaunch, one(XKB_KEY_XF86DOS)},
    Alone{kLaunch, one(XKB_KEY_XF86Terminal)},
    Alone{kLaunch, one(XKB_KEY_XF86Tools)},
    Alone{kLaunch, one(XKB_KEY_XF86Search)},
    Alone{kLaunch, one(XKB_KEY_XF86AudioMedia)},
    Alone{kLaunch, one(XKB_KEY_XF86TaskPane)},
    Alone{kLaunch, one(XKB_KEY_XF86Start)},
    Alone{kLaunch, one(XKB_KEY_XF86ApplicationLeft)},
    Alone{kLaunch, one(XKB_KEY_XF86ApplicationRight)},
};

bool makes(const PhysicalKey& key, Keysyms range) {
  return range.first != 0 && std::ranges::any_of(key.keysyms, [&](std::uint32_t keysym) {
           return keysym >= range.first && keysym <= range.last;
         });
}

bool makes_latin(const PhysicalKey& key) {
  return makes(key, {XKB_KEY_a, XKB_KEY_z}) || makes(key, {XKB_KEY_A, XKB_KEY_Z});
}

bool is_target(const PhysicalKey& key, const Target& target) {
  for (const Keysyms& range : target.keysyms) {
    if (makes(key, range)) return true;
  }
  // Toolkits read a shortcut off the place of a key when no layout has Latin letters.
  return target.place != 0 && key.keycode == target.place && !makes_latin(key);
}

unsigned modifiers_of(const PhysicalKey& key) {
  unsigned bits = 0;
  if (makes(key, {XKB_KEY_Control_L, XKB_KEY_Control_R})) bits |= kCtrl;
  if (makes(key, {XKB_KEY_Shift_L, XKB_KEY_Shift_R})) bits |= kShift;
  if (makes(key, {XKB_KEY_Alt_L, XKB_KEY_Alt_R})) bits |= kAlt;
  if (makes(key, {XKB_KEY_Super_L, XKB_KEY_Hyper_R})) bits |= kSuper;
  // The Alt key of a PC makes Meta with Shift and stays an Alt; a key that is only Meta may count as either.
  if (makes(key, {XKB_KEY_Meta_L, XKB_KEY_Meta_R}) && (bits & kAlt) == 0) bits |= kAlt | kSuper;
  return bits;
}

// Function keys carry the console switches on their last level, and BackSpace the end of the server; only keys
// that make nothing else do it alone.
bool makes_only(const PhysicalKey& key, std::initializer_list<Keysyms> ranges) {
  bool any = false;
  for (const std::uint32_t keysym : key.keysyms) {
    if (keysym == XKB_KEY_NoSymbol) continue;
    any = true;
    if (std::ranges::none_of(ranges, [&](Keysyms r) { return keysym >= r.first && keysym <= r.last; })) return false;
  }
  return any;
}

std::optional<KeyRule> alone(const PhysicalKey& key) {
  for (const Alone& row : kAlone) {
    if (makes(key, row.keysyms)) return row.rule;
  }
  if (makes_only(
          key, {{XKB_KEY_XF86Switch_VT_1, XKB_KEY_XF86Switch_VT_12}, {XKB_KEY_XF86Ungrab, XKB_KEY_XF86LogGrabInfo}})) {
    return KeyRule{"console key", KeyRuleKind::console};
  }
  if (makes_only(key, {one(XKB_KEY_Terminate_Server)}))
    return KeyRule{"Terminate_Server", KeyRuleKind::lock_or_log_out};
  if (makes_only(key, {one(XKB_KEY_Sys_Req)})) return KeyRule{"SysRq", KeyRuleKind::system_request};
  return {};
}

bool unlocked(const KeyRule& rule, const GrantFlags& flags) {
  return flags.system_keys && rule.kind == KeyRuleKind::switch_or_quit;
}

}  // namespace

std::optional<KeyRule> forbidden(const KeyChord& chord, const GrantFlags& flags) {
  std::vector<const PhysicalKey*> down{&chord.key};
  for (const PhysicalKey& key : chord.held) down.push_back(&key);

  unsigned modifiers = 0;
  for (const PhysicalKey* key : down) modifiers |= modifiers_of(*key);

  for (const Row& row : kRows) {
    if ((modifiers & row.modifiers) != row.modifiers || unlocked(row.rule, flags)) continue;
    if (std::ranges::any_of(down, [&](const PhysicalKey* key) { return is_target(*key, row.target); })) return row.rule;
  }
  for (const PhysicalKey* key : down) {
    const std::optional<KeyRule> rule = alone(*key);
    if (rule && !unlocked(*rule, flags)) return rule;
  }
  // Alone it opens menus and overviews; with any key it is the window manager's.
  constexpr KeyRule kSuperKey{"Super", KeyRuleKind::switch_or_quit};
  if ((modifiers & kSuper) != 0 && !unlocked(kSuperKey, flags)) return kSuperKey;
  return {};
}

}  // namespace handrail::policy
