// Windows put out of the way for a turn, and back. The oracle reads the server's tree and focus by itself.
#include "platform/x11/hidden_windows.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "manager_fixture.h"
#include "support/x_server.h"

namespace handrail::x11 {
namespace {

using testing::managed_by_somebody;
using testing::Manager;
using testing::XClient;
using testing::XServer;

constexpr std::chrono::seconds kPatience{20};
Deadline soon() { return Deadline::in(Millis(20000)); }

// Keeps what it is given, and how the desktop was then.
class Notes : public Custody {
 public:
  Status ready() override { return {}; }
  Status held(const HeldNow&) override { return {}; }
  Status keep(Kept what, std::string bytes) override {
    if (refuse) return make_error(Code::io_error, "There is no guardian.");
    kept[what] = std::move(bytes);
    if (on_keep) on_keep();
    return {};
  }
  Status give_back(Kept, Deadline) override { return {}; }
  void grabbing(bool) noexcept override {}

  std::map<Kept, std::string> kept;
  std::function<void()> on_keep;
  bool refuse = false;
};

xcb_window_t parent_of(XClient& client, xcb_window_t window) {
  auto* reply = xcb_query_tree_reply(client.xcb(), xcb_query_tree(client.xcb(), window), nullptr);
  const xcb_window_t parent = reply != nullptr ? reply->parent : xcb_window_t{XCB_NONE};
  std::free(reply);
  return parent;
}

struct Desk {
  explicit Desk(const std::string& program)
      : x({{1280, 800}, program == "openbox", {}}),
        manager(program == "openbox" ? "" : program, x.name()),
        connection(std::make_shared<Connection>([this]() -> Result<std::string> { return x.name(); })),
        custody(std::make_shared<Notes>()),
        isolation(connection, custody, [](std::int64_t pid) {
          AppIdentity app;
          app.pid = pid;
          app.file.inode = 1;
          return app;
        }) {
    granted = std::make_unique<XClient>(x.name());
    hidden = std::make_unique<XClient>(x.name());
    managed = !program.empty();
    if (managed && !eventually([&] { return managed_by_somebody(*granted); })) {
      throw std::runtime_error(program + " did not start");
    }
  }
  std::function<bool(const Receiver&)> shows() const {
    const std::uint32_t mask = ~xcb_get_setup(granted->xcb())->resource_id_mask;
    const std::uint32_t base = xcb_generate_id(granted->xcb()) & mask;
    return [=](const Receiver& owner) { return (owner.window & mask) == base; };
  }
  xcb_window_t open(XClient& client, const PixelRect& at, const std::string& title) {
    const xcb_window_t window = client.open({at, 0x336699, title});
    eventually([&] { return !managed || parent_of(client, window) != client.root(); });
    return window;
  }
  bool eventually(const std::function<bool()>& done) {
    const auto end = Clock::now() + kPatience;
    while (!done()) {
      if (Clock::now() > end) return false;
      ::usleep(5000);
    }
    return true;
  }
  std::vector<xcb_window_t> order(std::vector<xcb_window_t> windows) {
    auto* tree = xcb_query_tree_reply(granted->xcb(), xcb_query_tree(granted->xcb(), granted->root()), nullptr);
    const xcb_window_t* children = xcb_query_tree_children(tree);
    const int n = xcb_query_tree_children_length(tree);
    const auto rank = [&](xcb_window_t window) {
      for (xcb_window_t up = parent_of(*granted, window); up != granted->root() && up != XCB_NONE;) {
        window = up;
        up = parent_of(*granted, up);
      }
      return std::find(children, children + n, window) - children;
    };
    std::map<long, xcb_window_t> ranked;
    for (const xcb_window_t window : windows) ranked[rank(window)] = window;
    std::free(tree);
    windows.clear();
    for (const auto& [place, window] : ranked) windows.push_back(window);
    return windows;
  }
  void tell_manager(xcb_window_t window, const std::string& type, std::uint32_t first) {
    xcb_client_message_event_t message{};
    message.response_type = XCB_CLIENT_MESSAGE;
    message.format = 32;
    message.window = window;
    message.type = granted->atom(type);
    message.data.data32[0] = first;
    xcb_send_event(granted->xcb(), 0, granted->root(),
                   XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY,
                   reinterpret_cast<const char*>(&message));
    granted->sync();
  }
  void minimise(xcb_window_t window) {
    if (managed) {
      tell_manager(window, "WM_CHANGE_STATE", 3);
    } else {
      xcb_unmap_window(hidden->xcb(), window);
      hidden->sync();
    }
  }
  void focus(xcb_window_t window) {
    if (managed) {
      tell_manager(window, "_NET_ACTIVE_WINDOW", 2);
    } else {
      xcb_set_input_focus(granted->xcb(), XCB_INPUT_FOCUS_POINTER_ROOT, window, XCB_CURRENT_TIME);
      granted->sync();
    }
  }

  XServer x;
  Manager manager;
  std::shared_ptr<Connection> connection;
  std::shared_ptr<Notes> custody;
  X11Isolation isolation;
  std::unique_ptr<XClient> granted, hidden;
  bool managed = false;
};

class Isolated : public ::testing::TestWithParam<std::string> {};

TEST_P(Isolated, ComesBackWithStackingAndFocus) {
  Desk desk(GetParam());
  const xcb_window_t below = desk.open(*desk.hidden, {60, 60, 300, 200}, "below");
  const xcb_window_t before = desk.open(*desk.hidden, {500, 500, 100, 100}, "minimised before");
  const xcb_window_t mine = desk.open(*desk.granted, {120, 120, 300, 200}, "mine");
  const xcb_window_t above = desk.open(*desk.hidden, {180, 180, 300, 200}, "above");
  desk.minimise(before);
  ASSERT_TRUE(desk.eventually([&] { return !desk.hidden->viewable(before); }));
  ASSERT_TRUE(desk.eventually([&] {
    desk.focus(above);
    return desk.granted->focus() == above;
  }));
  const std::vector<xcb_window_t> three{below, mine, above};
  ASSERT_EQ(desk.order(three), three);

  bool shown_when_kept = false;
  XClient oracle(desk.x.name());
  desk.custody->on_keep = [&] {
    shown_when_kept = oracle.viewable(below) && oracle.viewable(above);
    desk.custody->on_keep = {};
  };
  const Status hidden = desk.isolation.hide(desk.shows(), soon());
  ASSERT_TRUE(hidden.ok()) << to_text(hidden.error());
  EXPECT_TRUE(shown_when_kept);
  EXPECT_FALSE(desk.hidden->viewable(below));
  EXPECT_FALSE(desk.hidden->viewable(above));
  EXPECT_TRUE(desk.granted->viewable(mine));
  const std::string record = desk.custody->kept[Kept::windows];
  ASSERT_FALSE(record.empty());
  EXPECT_EQ(recorded_windows(oracle.xcb(), oracle.root()), record);
  ASSERT_TRUE(desk.isolation.hide(desk.shows(), soon()).ok());
  EXPECT_EQ(desk.custody->kept[Kept::windows], record);

  const Status back = desk.isolation.restore(soon());
  ASSERT_TRUE(back.ok()) << to_text(back.error());
  EXPECT_TRUE(desk.hidden->viewable(below));
  EXPECT_TRUE(desk.hidden->viewable(above));
  EXPECT_FALSE(desk.hidden->viewable(before));
  EXPECT_TRUE(desk.eventually([&] { return desk.order(three) == three; }));
  EXPECT_TRUE(desk.eventually([&] { return desk.granted->focus() == above; }));
  EXPECT_TRUE(desk.custody->kept[Kept::windows].empty());
  EXPECT_TRUE(recorded_windows(oracle.xcb(), oracle.root()).empty());
}

TEST_P(Isolated, AnotherProcessPutsThemBackTwice) {
  Desk desk(GetParam());
  const xcb_window_t one = desk.open(*desk.hidden, {60, 60, 300, 200}, "one");
  const xcb_window_t mine = desk.open(*desk.granted, {120, 120, 300, 200}, "mine");
  const xcb_window_t two = desk.open(*desk.hidden, {180, 180, 300, 200}, "two");
  // The property that a window manager keeps is anybody's to write; the tree is not.
  if (desk.managed) desk.hidden->set_cardinal(desk.hidden->root(), "_NET_CLIENT_LIST", mine);
  ASSERT_TRUE(desk.isolation.hide(desk.shows(), soon()).ok());
  ASSERT_FALSE(desk.hidden->viewable(one));
  ASSERT_FALSE(desk.hidden->viewable(two));
  const std::vector<xcb_window_t> three{one, mine, two};
  for (int run = 0; run < 2; ++run) {
    XClient guardian(desk.x.name());
    const Status back = restore_windows(guardian.xcb(), guardian.root(), desk.custody->kept[Kept::windows]);
    ASSERT_TRUE(back.ok()) << to_text(back.error());
    EXPECT_TRUE(desk.eventually([&] { return desk.hidden->viewable(one) && desk.hidden->viewable(two); }));
    EXPECT_TRUE(desk.eventually([&] { return desk.order(three) == three; }));
  }
}

INSTANTIATE_TEST_SUITE_P(WindowManagers, Isolated, ::testing::Values("openbox", "xfwm4", ""),
                         [](const auto& each) { return each.param.empty() ? std::string("none") : each.param; });

TEST(Isolation, NothingIsHiddenThatNobodyCouldPutBack) {
  Desk desk("");
  const xcb_window_t other = desk.open(*desk.hidden, {60, 60, 300, 200}, "other");
  desk.custody->refuse = true;
  ASSERT_FALSE(desk.isolation.hide(desk.shows(), soon()).ok());
  EXPECT_TRUE(desk.hidden->viewable(other));
  EXPECT_TRUE(desk.isolation.restore(soon()).ok());
}

TEST(Isolation, ADamagedRecordIsRefused) {
  const HiddenWindows record{7, {{1, true}, {2, false}}};
  const std::string bytes = encode(record);
  EXPECT_EQ(decode_hidden_windows(bytes), record);
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(decode_hidden_windows(bytes.substr(0, n)));
  EXPECT_FALSE(decode_hidden_windows("x" + bytes.substr(1)));
  XServer x;
  XClient client(x.name());
  EXPECT_FALSE(restore_windows(client.xcb(), client.root(), "nonsense").ok());
  EXPECT_TRUE(restore_windows(client.xcb(), client.root(), "").ok());
}

}  // namespace
}  // namespace handrail::x11
