// Layouts that another program changes while text is typed.
#include <gtest/gtest.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include "gate_fixture.h"

namespace handrail::x11 {
namespace {

using testing::GatedHand;
using testing::KeyboardOracle;
using testing::XClient;
using testing::XServer;

void focus(XClient& client, xcb_window_t window) {
  xcb_set_input_focus(client.xcb(), XCB_INPUT_FOCUS_POINTER_ROOT, window, XCB_CURRENT_TIME);
  client.sync();
}

xcb_window_t open_for_keys(XClient& client, const PixelRect& at) {
  const xcb_window_t window = client.open({at, 0xff0000, "window", true});
  const std::uint32_t events = XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_KEY_RELEASE | XCB_EVENT_MASK_STRUCTURE_NOTIFY;
  xcb_change_window_attributes(client.xcb(), window, XCB_CW_EVENT_MASK, &events);
  client.sync();
  return window;
}

TEST(Layouts, ANewRowOnALentKeyStays) {
  XServer x;
  testing::run({"setxkbmap", "-layout", "us"}, x.name());
  KeyboardOracle app(x.name());
  const xcb_window_t window = open_for_keys(app, {100, 100, 300, 200});
  focus(app, window);
  xcb_keycode_t lent = 0;
  const auto row = [&] {
    auto* map = xcb_get_keyboard_mapping_reply(app.xcb(), xcb_get_keyboard_mapping(app.xcb(), lent, 1), nullptr);
    const xcb_keysym_t first = xcb_get_keyboard_mapping_keysyms(map)[0];
    std::free(map);
    return first;
  };
  std::thread change([&] {
    app.wait([&] { return app.count(XCB_KEY_PRESS) == 1; }, std::chrono::seconds(20));
    for (const xcb_generic_event_t& event : app.log()) {
      if ((event.response_type & 0x7f) == XCB_KEY_PRESS) lent = event.pad0;
    }
    // Before the keys are taken back, as the app is given time to read them first.
    const xcb_keysym_t other[] = {XKB_KEY_F13, XKB_KEY_F13};
    if (lent != 0) xcb_change_keyboard_mapping(app.xcb(), 1, lent, 2, other);
    app.sync();
  });
  GatedHand hand(x.name());
  const auto report = hand.perform({TypeText{"日"}});
  change.join();
  EXPECT_TRUE(report.ok()) << to_text(report.error());
  ASSERT_GE(lent, 200);
  EXPECT_EQ(row(), xcb_keysym_t{XKB_KEY_F13}) << "the row of another program was overwritten";
}

// While others change the layout as fast as they can, texts arrive or are refused, and no row of a layout that is gone
// is left in the next.
TEST(Layouts, ChangingAllTheTimeWhileTextIsTyped) {
  XServer x;
  testing::run({"setxkbmap", "-layout", "us"}, x.name());
  KeyboardOracle app(x.name());
  const xcb_window_t window = open_for_keys(app, {100, 100, 300, 200});
  focus(app, window);
  std::atomic<bool> stop = false;
  std::string last = "us";
  std::thread changes([&] {
    while (!stop) {
      for (const char* layout : {"de", "ru", "fr", "us"}) {
        if (stop) break;
        testing::run({"setxkbmap", "-layout", layout}, x.name());
        last = layout;
      }
    }
  });
  const Deadline deadline = Deadline::in(testing::full_run() ? Millis(60000) : Millis(4000));
  int ended = 0;
  while (!deadline.passed()) {
    GatedHand hand(x.name());
    for (int i = 0; i < 4; ++i) {
      const auto report = hand.perform({TypeText{"quick äöü 日本 żółć"}, KeyDown{{XKB_KEY_Greek_alpha}}});
      if (!report.ok()) {
        const Code code = report.error().code;
        EXPECT_TRUE(code == Code::target_stale || code == Code::capability_unsupported) << to_text(report.error());
      }
      EXPECT_TRUE(hand.input.release_all(Deadline::in(Millis(20000))).ok());
      ++ended;
    }
  }
  stop = true;
  changes.join();
  RecordProperty("plans", ended);
  EXPECT_GT(ended, 0);
  const auto left = app.facts();
  EXPECT_TRUE(left.down.empty());
  testing::run({"setxkbmap", "-layout", last}, x.name());
  EXPECT_EQ(app.facts().core_map, left.core_map) << "rows of another layout were left behind";
}

}  // namespace
}  // namespace handrail::x11
