#include "policy/key_rules.h"

#include <gtest/gtest.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include <string>
#include <vector>

namespace handrail::policy {
namespace {

// Keys as a PC keyboard with an American layout has them, all levels.
PhysicalKey key(std::vector<std::uint32_t> keysyms, std::uint8_t keycode = 0) { return {keycode, std::move(keysyms)}; }
PhysicalKey f_key(std::uint32_t n) {
  return key({XKB_KEY_F1 + n - 1, XKB_KEY_F1 + n - 1, XKB_KEY_XF86Switch_VT_1 + n - 1});
}
const PhysicalKey kCtrlL = key({XKB_KEY_Control_L});
const PhysicalKey kCtrlR = key({XKB_KEY_Control_R});
const PhysicalKey kAltL = key({XKB_KEY_Alt_L, XKB_KEY_Meta_L});
const PhysicalKey kAltR = key({XKB_KEY_Alt_R, XKB_KEY_Meta_R});
const PhysicalKey kShiftL = key({XKB_KEY_Shift_L});
const PhysicalKey kShiftR = key({XKB_KEY_Shift_R});
const PhysicalKey kPrintKey = key({XKB_KEY_Print, XKB_KEY_Sys_Req});
const PhysicalKey kBackSpaceKey = key({XKB_KEY_BackSpace, XKB_KEY_Terminate_Server});
PhysicalKey letter(char c, std::uint8_t keycode = 0) {
  return key({static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(c - 32)}, keycode);
}

std::vector<PhysicalKey> supers() {
  return {key({XKB_KEY_Super_L}),
          key({XKB_KEY_Super_R}),
          key({XKB_KEY_Hyper_L}),
          key({XKB_KEY_Hyper_R}),
          key({XKB_KEY_Meta_L}),
          key({XKB_KEY_Meta_R}),
          key({XKB_KEY_NoSymbol, XKB_KEY_Super_L})};
}
std::vector<PhysicalKey> variants(char modifier) {
  switch (modifier) {
    case 'C': return {kCtrlL, kCtrlR};
    case 'A': return {kAltL, kAltR, key({XKB_KEY_Alt_L})};
    case 'S': return {kShiftL, kShiftR};
    default: return supers();
  }
}

struct Row {
  std::string modifiers;  // of C A S W
  PhysicalKey key;
  KeyRuleKind kind;
  std::string what;
};

std::vector<Row> blocked() {
  const auto quit = KeyRuleKind::switch_or_quit;
  const auto lock = KeyRuleKind::lock_or_log_out;
  std::vector<Row> rows{
      {"A", f_key(4), quit, "Alt+F4"},
      {"A", key({XKB_KEY_KP_F4}), quit, "Alt+KP_F4"},
      {"A", key({XKB_KEY_Tab, XKB_KEY_ISO_Left_Tab}), quit, "Alt+Tab"},
      {"AS", key({XKB_KEY_Tab, XKB_KEY_ISO_Left_Tab}), quit, "Alt+Shift+Tab"},
      {"A", key({XKB_KEY_KP_Tab}), quit, "Alt+KP_Tab"},
      {"W", key({XKB_KEY_Tab, XKB_KEY_ISO_Left_Tab}), quit, "Super+Tab"},
      {"W", letter('d', 40), quit, "Super+D"},
      {"W", letter('q', 24), quit, "Super+Q"},
      {"W", key({XKB_KEY_space}), quit, "Super+Space"},
      {"AW", key({XKB_KEY_Escape}), quit, "Alt+Super+Escape"},
      {"A", f_key(2), quit, "Alt+F2"},
      {"A", key({XKB_KEY_space}), quit, "Alt+Space"},
      {"CA", letter('t', 28), quit, "Ctrl+Alt+T"},
      {"CAS", letter('t', 28), quit, "Ctrl+Alt+Shift+T"},
      {"C", key({XKB_KEY_Escape}), quit, "Ctrl+Escape"},
      {"C", letter('q', 24), quit, "Ctrl+Q"},
      {"CS", letter('q', 24), quit, "Ctrl+Shift+Q"},
      {"S", key({XKB_KEY_Delete}), quit, "Shift+Delete"},
      {"S", key({XKB_KEY_KP_Delete, XKB_KEY_KP_Decimal}), quit, "Shift+KP_Delete"},
      {"W", letter('l', 46), lock, "Super+L"},
      {"CA", letter('l', 46), lock, "Ctrl+Alt+L"},
      {"CA", key({XKB_KEY_Delete}), lock, "Ctrl+Alt+Delete"},
      {"CA", key({XKB_KEY_KP_Delete, XKB_KEY_KP_Decimal}), lock, "Ctrl+Alt+KP_Delete"},
      {"CA", kBackSpaceKey, lock, "Ctrl+Alt+BackSpace"},
      {"SW", letter('q', 24), lock, "Shift+Super+Q"},
      {"CW", letter('q', 24), lock, "Ctrl+Super+Q"},
      {"SW", kBackSpaceKey, lock, "Shift+Super+BackSpace"},
      {"AW", kBackSpaceKey, lock, "Alt+Super+BackSpace"},
      {"A", kPrintKey, KeyRuleKind::system_request, "Alt+SysRq"},
      {"CA", key({XKB_KEY_KP_Divide, XKB_KEY_XF86Ungrab}), KeyRuleKind::console, "Ctrl+Alt+KP_Divide"},
      {"CA", key({XKB_KEY_KP_Multiply, XKB_KEY_XF86ClearGrab}), KeyRuleKind::console, "Ctrl+Alt+KP_Multiply"},
  };
  for (std::uint32_t n = 1; n <= 12; ++n) rows.push_back({"CA", f_key(n), KeyRuleKind::console, "Ctrl+Alt+F"});
  return rows;
}

// Every way to make the modifiers, in every order of the keys.
int check_row(const Row& row, const GrantFlags& flags, bool refused) {
  std::vector<std::vector<PhysicalKey>> ways{{}};
  for (const char modifier : row.modifiers) {
    std::vector<std::vector<PhysicalKey>> more;
    for (const auto& way : ways) {
      for (const PhysicalKey& variant : variants(modifier)) {
        more.push_back(way);
        more.back().push_back(variant);
      }
    }
    ways = std::move(more);
  }
  int checked = 0;
  for (std::vector<PhysicalKey> all : ways) {
    all.push_back(row.key);
    for (std::size_t pressed = 0; pressed < all.size(); ++pressed, ++checked) {
      KeyChord chord{all[pressed], {}};
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (i != pressed) chord.held.push_back(all[i]);
      }
      const auto rule = forbidden(chord, flags);
      EXPECT_EQ(rule.has_value(), refused) << row.what;
      // A lone Meta key counts as Alt and as Super, so that a stricter row may answer for it.
      if (rule && refused && row.modifiers.find('W') == std::string::npos) {
        EXPECT_EQ(rule->kind, row.kind) << row.what;
      }
    }
  }
  return checked;
}

TEST(KeyRules, refuse_every_spelling_order_and_alias_of_the_list) {
  int checked = 0;
  for (const Row& row : blocked()) checked += check_row(row, {}, true);
  RecordProperty("chords", checked);
  printf("key rules: %d blocked chords, all refused\n", checked);
}

TEST(KeyRules, system_keys_unlock_switching_and_quitting_only) {
  GrantFlags flags;
  flags.system_keys = true;
  for (const Row& row : blocked()) {
    if (row.what.find("Super") != std::string::npos) continue;  // below, with the keys that are only Super
    check_row(row, flags, row.kind != KeyRuleKind::switch_or_quit);
  }
  const PhysicalKey super = key({XKB_KEY_Super_L});
  EXPECT_FALSE(forbidden({letter('d', 40), {super}}, flags));
  EXPECT_FALSE(forbidden({super, {}}, flags));
  EXPECT_EQ(forbidden({letter('l', 46), {super}}, flags)->kind, KeyRuleKind::lock_or_log_out);
  EXPECT_EQ(forbidden({letter('q', 24), {super, kShiftL}}, flags)->kind, KeyRuleKind::lock_or_log_out);
  GrantFlags others;
  others.clipboard_read = others.clipboard_write = others.files = others.shell = true;
  EXPECT_TRUE(forbidden({f_key(4), {kAltL}}, others)) << "no other flag unlocks a key";
}

TEST(KeyRules, refuse_a_lone_super_and_whatever_it_is_held_with) {
  for (const PhysicalKey& super : supers()) {
    EXPECT_TRUE(forbidden({super, {}}, {}));
    EXPECT_TRUE(forbidden({letter('a', 38), {super}}, {})) << "K05, K11";
  }
}

TEST(KeyRules, look_at_all_layout_groups) {
  // K12: "us,ru": the q key makes the Cyrillic letter in the other group.
  const PhysicalKey both = key({XKB_KEY_q, XKB_KEY_Q, XKB_KEY_Cyrillic_shorti, XKB_KEY_Cyrillic_SHORTI}, 24);
  EXPECT_TRUE(forbidden({both, {kCtrlL}}, {}));
  // "ru" alone: toolkits fall back to the place of the key.
  const PhysicalKey only = key({XKB_KEY_Cyrillic_shorti, XKB_KEY_Cyrillic_SHORTI}, 24);
  EXPECT_TRUE(forbidden({only, {kCtrlL}}, {}));
  // "fr": that place is an a, and the q is elsewhere.
  EXPECT_FALSE(forbidden({letter('a', 24), {kCtrlL}}, {}));
  EXPECT_TRUE(forbidden({letter('q', 38), {kCtrlL}}, {}));
}

TEST(KeyRules, refuse_keys_that_do_it_alone) {
  const struct {
    std::uint32_t keysym;
    KeyRuleKind kind;
  } kRows[] = {
      {XKB_KEY_XF86PowerOff, KeyRuleKind::power},          {XKB_KEY_XF86Sleep, KeyRuleKind::power},
      {XKB_KEY_XF86Suspend, KeyRuleKind::power},           {XKB_KEY_XF86Hibernate, KeyRuleKind::power},
      {XKB_KEY_XF86LogOff, KeyRuleKind::lock_or_log_out},  {XKB_KEY_XF86ScreenSaver, KeyRuleKind::lock_or_log_out},
      {XKB_KEY_XF86Launch0, KeyRuleKind::switch_or_quit},  {XKB_KEY_XF86LaunchF, KeyRuleKind::switch_or_quit},
      {XKB_KEY_XF86Terminal, KeyRuleKind::switch_or_quit}, {XKB_KEY_XF86Calculator, KeyRuleKind::switch_or_quit},
      {XKB_KEY_XF86Switch_VT_1, KeyRuleKind::console},     {XKB_KEY_XF86Switch_VT_12, KeyRuleKind::console},
      {XKB_KEY_Sys_Req, KeyRuleKind::system_request},      {XKB_KEY_Terminate_Server, KeyRuleKind::lock_or_log_out},
  };
  GrantFlags unlocked;
  unlocked.system_keys = true;
  for (const auto& row : kRows) {
    const auto rule = forbidden({key({row.keysym}), {}}, {});
    ASSERT_TRUE(rule) << std::hex << row.keysym;
    EXPECT_EQ(rule->kind, row.kind) << std::hex << row.keysym;
    EXPECT_EQ(forbidden({key({row.keysym}), {}}, unlocked).has_value(), row.kind != KeyRuleKind::switch_or_quit);
  }
}

TEST(KeyRules, let_ordinary_editing_pass) {
  int checked = 0;
  const auto passes = [&](const KeyChord& chord, const std::string& what) {
    EXPECT_FALSE(forbidden(chord, {})) << what;
    ++checked;
  };
  for (char c = 'a'; c <= 'z'; ++c) {
    const PhysicalKey k = letter(c);
    passes({k, {}}, std::string(1, c));
    passes({k, {kShiftL}}, std::string("shift+") + c);
    passes({k, {kAltL}}, std::string("alt+") + c);
    if (c != 'q') passes({k, {kCtrlL}}, std::string("ctrl+") + c);
    if (c != 'q') passes({k, {kCtrlR, kShiftR}}, std::string("ctrl+shift+") + c);
    if (c != 'q' && c != 't' && c != 'l') passes({k, {kCtrlL, kAltL}}, std::string("ctrl+alt+") + c);
  }
  for (std::uint32_t n = 1; n <= 12; ++n) {
    passes({f_key(n), {}}, "F");
    passes({f_key(n), {kShiftL}}, "shift+F");
    passes({f_key(n), {kCtrlL}}, "ctrl+F");
    if (n != 2 && n != 4) passes({f_key(n), {kAltL}}, "alt+F");
  }
  const PhysicalKey tab = key({XKB_KEY_Tab, XKB_KEY_ISO_Left_Tab});
  for (const PhysicalKey& k :
       {tab, key({XKB_KEY_Return}), key({XKB_KEY_KP_Enter}), key({XKB_KEY_Escape}), kBackSpaceKey,
        key({XKB_KEY_Delete}), key({XKB_KEY_Home}), key({XKB_KEY_Left}), key({XKB_KEY_space}), kPrintKey,
        key({XKB_KEY_XF86AudioMute}), kShiftL, kCtrlL, kAltL, kAltR}) {
    passes({k, {}}, "alone");
  }
  passes({tab, {kShiftL}}, "shift+Tab");
  passes({tab, {kCtrlL}}, "ctrl+Tab");
  passes({kBackSpaceKey, {kCtrlL}}, "ctrl+BackSpace");
  passes({key({XKB_KEY_Delete}), {kCtrlL}}, "ctrl+Delete");
  passes({key({XKB_KEY_Left}), {kAltL}}, "alt+Left");
  passes({key({XKB_KEY_Right}), {kCtrlL, kShiftL}}, "ctrl+shift+Right");
  printf("key rules: %d ordinary chords, none refused\n", checked);
}

}  // namespace
}  // namespace handrail::policy
