#include "platform/x11/keyboard.h"

#include <gtest/gtest.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include <array>
#include <cstdio>

#include "platform/x11/input.h"
#include "support/test_permit.h"
#include "typing_fixture.h"

namespace handrail::x11 {
namespace {

using testing::KeyboardOracle;
using testing::XServer;

Deadline soon() { return Deadline::in(Millis(5000)); }

std::shared_ptr<Connection> connect(const XServer& x) {
  return std::make_shared<Connection>([name = x.name()]() -> Result<std::string> { return name; });
}

void set_layout(const XServer& x, const std::string& layout) {
  testing::run({"setxkbmap", "-layout", layout}, x.name());
}

KeyboardMap read_map(Connection& connection) {
  return connection.call<KeyboardMap>(soon(), [](Server& server) { return KeyboardMap::read(server); }).value();
}

// Everything that XKB knows: types, groups, actions and all.
std::string full_map(const XServer& x) {
  std::string out;
  FILE* pipe = ::popen(("xkbcomp -w0 " + x.name() + " - 2>/dev/null").c_str(), "r");
  std::array<char, 4096> buffer{};
  for (std::size_t count; (count = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    out.append(buffer.data(), count);
  }
  ::pclose(pipe);
  return out;
}

TEST(KeyboardMap, FindsKeysOfTheUsLayout) {
  XServer x;
  set_layout(x, "us");
  auto connection = connect(x);
  const KeyboardMap map = read_map(*connection);
  EXPECT_EQ(map.find(XKB_KEY_a, 0), (Stroke{38, 0}));
  EXPECT_EQ(map.find(XKB_KEY_A, 0), (Stroke{38, XCB_MOD_MASK_SHIFT}));
  EXPECT_EQ(map.find(XKB_KEY_Return, 0), (Stroke{36, 0}));
  EXPECT_EQ(map.find(XKB_KEY_plus, XCB_MOD_MASK_CONTROL), (Stroke{21, XCB_MOD_MASK_SHIFT}));
  EXPECT_EQ(map.find(XKB_KEY_F5, 0), (Stroke{71, 0}));
  EXPECT_EQ(map.find(XKB_KEY_Super_L, 0), (Stroke{133, 0}));
  EXPECT_EQ(map.find(XKB_KEY_KP_7, XCB_MOD_MASK_2), (Stroke{79, 0})) << "Num Lock on";
  EXPECT_EQ(map.find(XKB_KEY_KP_7, 0), std::nullopt) << "Num Lock off: a spare key has to make it";
  EXPECT_EQ(map.find(XKB_KEY_Cyrillic_ya, 0), std::nullopt);
  EXPECT_EQ(map.find_char(U'(', 0), (Stroke{18, XCB_MOD_MASK_SHIFT})) << "not the keypad's own parenthesis key";
  EXPECT_EQ(map.find_char(U'é', 0), std::nullopt);
  for (char32_t c = 0x20; c < 0x7f; ++c) EXPECT_TRUE(map.find_char(c, 0)) << static_cast<char>(c);
}

TEST(KeyboardMap, FindsThirdLevelAndNoDeadKeys) {
  XServer x;
  set_layout(x, "de");
  auto connection = connect(x);
  const KeyboardMap map = read_map(*connection);
  EXPECT_EQ(map.find_char(U'z', 0), (Stroke{29, 0}));
  EXPECT_EQ(map.find_char(U'@', 0), (Stroke{24, XCB_MOD_MASK_5}));
  EXPECT_EQ(map.find_char(U'ß', 0), (Stroke{20, 0}));
  EXPECT_EQ(map.find_char(U'^', 0), std::nullopt) << "only as a dead key";
  EXPECT_EQ(map.holders(XCB_MOD_MASK_SHIFT | XCB_MOD_MASK_5).size(), 2u);
}

TEST(SpareKeys, AreThereAndCarryNoActions) {
  XServer x;
  for (const char* layout : {"us", "de", "us,ru"}) {
    set_layout(x, layout);
    auto connection = connect(x);
    const KeyboardMap map = read_map(*connection);
    const auto spares = find_spare_keys(map);
    ASSERT_TRUE(spares.ok()) << to_text(spares.error());
    EXPECT_GE(spares->keycodes.size(), 16u);
    EXPECT_EQ(spares->levels(), 4u);
    EXPECT_GE(spares->keycodes.front(), 236);
    for (const xcb_keycode_t switches_screens : {249, 250}) {
      EXPECT_EQ(std::ranges::count(spares->keycodes, switches_screens), 0);
    }
  }
}

TEST(SpareKeys, LendingAndTakingBackLeavesNoTrace) {
  XServer x;
  KeyboardOracle oracle(x.name());
  for (const char* layout : {"us", "de", "us,ru"}) {
    set_layout(x, layout);
    auto connection = connect(x);
    const auto before = oracle.facts();
    const std::string everything = full_map(x);
    ASSERT_FALSE(everything.empty());
    const auto done = connection->call<Unit>(soon(), [&](Server& server) -> Result<Unit> {
      Keyboard keyboard;
      TRY(keyboard.open(server, Keyboard::Locks::plain));
      TRY(keyboard.lend_keys(server, {XKB_KEY_hebrew_shin, 0x01001234}));
      std::vector<char32_t> characters;
      for (std::size_t i = 0; i < TRY(keyboard.text_capacity()); ++i) {
        characters.push_back(static_cast<char32_t>(0x4e00 + i));
      }
      TRY(keyboard.lend_text(server, characters));
      TRY(server.fence());
      EXPECT_NE(oracle.facts(), before);
      EXPECT_TRUE(keyboard.find({XKB_KEY_hebrew_shin}, {})->lent);
      keyboard.end_text(server);
      TRY(server.fence());
      EXPECT_NE(oracle.facts(), before) << "keys stay lent when a text ends";
      keyboard.restore(server);
      keyboard.close(server);
      TRY(server.fence());
      return Unit{};
    });
    ASSERT_TRUE(done.ok()) << to_text(done.error());
    EXPECT_EQ(oracle.facts(), before) << layout;
    EXPECT_EQ(full_map(x), everything) << layout;
  }
}

TEST(KeyboardState, LocksGoAndComeBack) {
  XServer x;
  set_layout(x, "us,ru");
  KeyboardOracle oracle(x.name());
  oracle.lock(true, 1);
  const auto before = oracle.facts();
  ASSERT_EQ(before.locked_group, 1);
  ASSERT_NE(before.locked_modifiers & XCB_MOD_MASK_LOCK, 0);
  auto connection = connect(x);
  const auto done = connection->call<Unit>(soon(), [&](Server& server) -> Result<Unit> {
    const KeyboardState state = TRY(read_keyboard_state(server));
    EXPECT_FALSE(state.plain());
    make_plain(server, state);
    TRY(server.fence());
    EXPECT_EQ(oracle.facts().locked_group, 0);
    EXPECT_EQ(oracle.facts().locked_modifiers & XCB_MOD_MASK_LOCK, 0);
    restore_locks(server.xcb(), state);
    TRY(server.fence());
    return Unit{};
  });
  ASSERT_TRUE(done.ok()) << to_text(done.error());
  EXPECT_EQ(oracle.facts(), before);
}

// Single keys through the whole path, into a real app.
TEST(Keys, OnAndOffTheLayoutReachTheApp) {
  XServer x({{1280, 800}, true, {}});
  set_layout(x, "de");
  KeyboardOracle oracle(x.name());
  auto connection = connect(x);
  X11Input input(connection);
  testing::EditorApp editor("editor_gtk3", x.name());
  oracle.lock(true, 0);
  const auto before = oracle.facts();
  std::string expected;
  for (const char32_t c : std::u32string(U"aÄ@€^日🎉я")) {
    const Key key = key_for_char(c);
    const auto done = input.perform({{KeyDown{key}, KeyUp{key}}}, engine::PermitMint::mint(), soon(), {});
    ASSERT_TRUE(done.ok()) << to_text(done.error());
  }
  expected = "aÄ@€^日🎉я";
  EXPECT_EQ(editor.text(expected, Millis(5000)), expected);
  EXPECT_EQ(oracle.facts(), before);
}

TEST(Keys, ChordsReachTheApp) {
  XServer x({{1280, 800}, true, {}});
  set_layout(x, "us,ru");
  KeyboardOracle oracle(x.name());
  oracle.lock(false, 1);
  auto connection = connect(x);
  X11Input input(connection);
  testing::EditorApp editor("editor_gtk3", x.name());
  const auto perform = [&](std::vector<Step> steps) {
    const auto done = input.perform({std::move(steps)}, engine::PermitMint::mint(), soon(), {});
    ASSERT_TRUE(done.ok()) << to_text(done.error());
  };
  const Key ctrl{XKB_KEY_Control_L}, a{XKB_KEY_a}, shift{XKB_KEY_Shift_L}, one{XKB_KEY_1};
  perform({TypeText{"gone"}, KeyDown{ctrl}, KeyDown{a}, KeyUp{a}, KeyUp{ctrl}, TypeText{"new"}});
  EXPECT_EQ(editor.text("new", Millis(5000)), "new");
  perform({KeyDown{shift}, KeyDown{one}, KeyUp{one}, KeyUp{shift}});
  EXPECT_EQ(editor.text("new!", Millis(5000)), "new!");
  EXPECT_EQ(oracle.facts().locked_group, 1);
  EXPECT_TRUE(oracle.facts().down.empty());
}

TEST(Keys, ALentKeyThatStaysDownKeepsItsPlace) {
  XServer x;
  KeyboardOracle oracle(x.name());
  const auto before = oracle.facts();
  auto connection = connect(x);
  X11Input input(connection);
  const Key shin{XKB_KEY_hebrew_shin};
  ASSERT_TRUE(input.perform({{KeyDown{shin}}}, engine::PermitMint::mint(), soon(), {}).ok());
  EXPECT_EQ(oracle.facts().down.size(), 1u);
  EXPECT_NE(oracle.facts().core_map, before.core_map);
  ASSERT_TRUE(input.perform({{KeyUp{shin}}}, engine::PermitMint::mint(), soon(), {}).ok());
  EXPECT_EQ(oracle.facts(), before);
  ASSERT_TRUE(input.perform({{KeyDown{shin}}}, engine::PermitMint::mint(), soon(), {}).ok());
  ASSERT_TRUE(input.release_all(soon()).ok());
  EXPECT_EQ(oracle.facts(), before);
}

}  // namespace
}  // namespace handrail::x11
