#include "platform/x11/restore.h"

#include <gtest/gtest.h>
#include <xcb/xtest.h>

#include <memory>

#include "platform/x11/clipboard_stash.h"
#include "support/x_server.h"

namespace handrail::x11 {
namespace {

using testing::XClient;
using testing::XServer;

constexpr Millis kLong{20000};

class Keys : public XClient {
 public:
  using XClient::XClient;
  void fake(std::uint8_t type, std::uint8_t detail) {
    xcb_test_fake_input(xcb(), type, detail, XCB_CURRENT_TIME, XCB_NONE, 0, 0, 0);
    sync();
  }
  int down() {
    const std::unique_ptr<xcb_query_keymap_reply_t, decltype(&std::free)> keys(
        xcb_query_keymap_reply(xcb(), xcb_query_keymap(xcb()), nullptr), std::free);
    int count = 0;
    for (const std::uint8_t byte : keys->keys) count += __builtin_popcount(byte);
    const std::unique_ptr<xcb_query_pointer_reply_t, decltype(&std::free)> pointer(
        xcb_query_pointer_reply(xcb(), xcb_query_pointer(xcb(), root()), nullptr), std::free);
    return count + __builtin_popcount(pointer->mask & 0x1f00);
  }
};

TEST(Restore, LetsGoOfKeysAndButtonsAlsoTwice) {
  XServer x;
  Keys person(x.name());
  person.fake(XCB_KEY_PRESS, 50);
  person.fake(XCB_KEY_PRESS, 38);
  person.fake(XCB_BUTTON_PRESS, 1);
  ASSERT_EQ(person.down(), 3);
  const auto restorer = make_restorer({});
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(restorer->connect(x.name(), "", 0, Deadline::in(kLong)).ok());
    ASSERT_TRUE(restorer->release({{50, 38}, {1}}, Deadline::in(kLong)).ok());
    EXPECT_EQ(person.down(), 0);
  }
}

TEST(Restore, HandsRecordsToTheirParts) {
  XServer x;
  std::string seen;
  RestoreParts parts;
  parts.keymap = [&](xcb_connection_t*, std::string_view record) -> Status {
    seen += "keymap " + std::string(record) + ";";
    return {};
  };
  parts.windows = [&](xcb_connection_t*, xcb_window_t root, std::string_view record) -> Status {
    seen += (root == XCB_NONE ? "no root " : "windows ") + std::string(record) + ";";
    return {};
  };
  const auto restorer = make_restorer(parts);
  ASSERT_TRUE(restorer->connect(x.name(), "", 0, Deadline::in(kLong)).ok());
  EXPECT_TRUE(restorer->restore(Kept::keymap, "a", Deadline::in(kLong)).ok());
  EXPECT_TRUE(restorer->restore(Kept::windows, "b", Deadline::in(kLong)).ok());
  EXPECT_EQ(seen, "keymap a;windows b;");
  EXPECT_EQ(restorer->restore(Kept::clipboard, "damaged", Deadline::in(kLong)).error().code, Code::argument_invalid);
  const auto without = make_restorer({});
  ASSERT_TRUE(without->connect(x.name(), "", 0, Deadline::in(kLong)).ok());
  EXPECT_EQ(without->restore(Kept::keymap, "a", Deadline::in(kLong)).error().code, Code::capability_unsupported);
}

TEST(Restore, HoldsTheClipboardUntilAnotherAppCopies) {
  XServer x;
  XClient app(x.name());
  const xcb_window_t window = app.open({});
  const std::string record = encode(Stash{{{"CLIPBOARD", {{"UTF8_STRING", "UTF8_STRING", 8, "text"}}}}, {}});
  const auto restorer = make_restorer({});
  EXPECT_FALSE(restorer->holding());
  ASSERT_TRUE(restorer->connect(x.name(), "", 0, Deadline::in(kLong)).ok());
  ASSERT_TRUE(restorer->restore(Kept::clipboard, record, Deadline::in(kLong)).ok());
  EXPECT_TRUE(restorer->holding());
  xcb_set_selection_owner(app.xcb(), window, app.atom("CLIPBOARD"), XCB_CURRENT_TIME);
  app.sync();
  EXPECT_FALSE(restorer->holding());
  // Not taken from whoever has it by now.
  ASSERT_TRUE(restorer->hold_again(record, Deadline::in(kLong)).ok());
  EXPECT_FALSE(restorer->holding());
  xcb_set_selection_owner(app.xcb(), XCB_NONE, app.atom("CLIPBOARD"), XCB_CURRENT_TIME);
  app.sync();
  ASSERT_TRUE(restorer->hold_again(record, Deadline::in(kLong)).ok());
  EXPECT_TRUE(restorer->holding());
  x.kill();
  const Deadline deadline = Deadline::in(kLong);
  while (restorer->holding() && !deadline.passed()) continue;
  EXPECT_FALSE(restorer->holding());
}

TEST(Restore, ADisplayThatIsNotThereIsSaid) {
  EXPECT_EQ(make_restorer({})->connect(":4711", "", 0, Deadline::in(kLong)).error().code, Code::backend_lost);
}

}  // namespace
}  // namespace handrail::x11
