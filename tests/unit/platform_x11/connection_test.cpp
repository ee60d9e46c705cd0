#include "platform/x11/connection.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <atomic>
#include <thread>

#include "platform/x11/atoms.h"
#include "platform/x11/extensions.h"
#include "support/x_server.h"

namespace handrail::x11 {
namespace {

using testing::XClient;
using testing::XServer;

Connection::DisplaySource at(const std::string& display) {
  return [display]() -> Result<std::string> { return display; };
}

Result<xcb_window_t> read_focus(Connection& connection, Millis budget = Millis(2000)) {
  return connection.call<xcb_window_t>(Deadline::in(budget), [](Server& server) -> Result<xcb_window_t> {
    return TRY(server.reply(xcb_get_input_focus(server.xcb()), xcb_get_input_focus_reply, "GetInputFocus"))->focus;
  });
}

TEST(Connection, OpensWithAtomsAndExtensions) {
  XServer x;
  Connection connection(at(x.name()));
  EXPECT_FALSE(connection.connected());
  const TimePoint start = Clock::now();
  const auto seen = connection.call<Extensions>(Deadline::in(Millis(2000)), [](Server& server) -> Result<Extensions> {
    EXPECT_NE(server.atoms().net_wm_name, XCB_ATOM_NONE);
    EXPECT_NE(server.atoms().handrail_selection, server.atoms().net_wm_name);
    return server.extensions();
  });
  RecordProperty("open_ms", std::to_string(millis_since(start)));
  ASSERT_TRUE(seen.ok()) << to_text(seen.error());
  EXPECT_TRUE(connection.connected());
  EXPECT_TRUE(seen->xtest.at_least(2, 1));
  EXPECT_TRUE(seen->shm.at_least(1, 2));
  EXPECT_TRUE(seen->randr.at_least(1, 5));
  EXPECT_TRUE(seen->composite.at_least(0, 4));
  EXPECT_TRUE(seen->damage.at_least(1, 1));
  EXPECT_TRUE(seen->xfixes.at_least(4, 0));
  EXPECT_TRUE(seen->xkb.at_least(1, 0));
  EXPECT_TRUE(seen->res.at_least(1, 2));
  EXPECT_TRUE(seen->xinput.at_least(2, 2));
  EXPECT_NE(seen->damage.first_event, 0);
}

// Sending what one event asks for reads the next ones along the way, and nothing wakes the thread for those.
TEST(Connection, AnEventThatComesWhileAnAnswerIsSentIsHeardWithoutACall) {
  XServer x;
  XClient other(x.name());
  const auto send = [&other] {
    xcb_change_property(other.xcb(), XCB_PROP_MODE_REPLACE, other.root(), XCB_ATOM_CUT_BUFFER0, XCB_ATOM_STRING, 8, 1,
                        "x");
    xcb_flush(other.xcb());
  };
  Connection connection(at(x.name()));
  std::atomic<int> heard = 0;
  connection.on_event([&](Server& server, const xcb_generic_event_t& event) {
    if ((event.response_type & 0x7f) != XCB_PROPERTY_NOTIFY) return;
    if (heard % 2 == 0) {
      xcb_no_operation(server.xcb());  // an answer, not flushed
      send();
      pollfd next{xcb_get_file_descriptor(server.xcb()), POLLIN, 0};
      EXPECT_EQ(::poll(&next, 1, 5000), 1);
    }
    ++heard;
  });
  const auto watched = connection.call<Unit>(Deadline::in(Millis(2000)), [](Server& server) -> Result<Unit> {
    server.watch(server.root(), XCB_EVENT_MASK_PROPERTY_CHANGE);
    TRY(server.fence());
    return Unit{};
  });
  ASSERT_TRUE(watched.ok());
  for (int round = 1; round <= 20; ++round) {
    send();
    const TimePoint until = Clock::now() + Millis(5000);
    while (heard < 2 * round && Clock::now() < until) std::this_thread::yield();
    ASSERT_EQ(heard, 2 * round);
  }
}

// The server tells every client of a new keyboard map, asked or not, from the first moment on.
TEST(Connection, EventsDuringTheOpeningFindTheServerKnown) {
  XServer x;
  std::atomic<bool> stop = false;
  std::thread changes([&] {
    XClient other(x.name());
    for (xcb_keysym_t keysym = 'a'; !stop; keysym = keysym == 'a' ? 'b' : 'a') {
      xcb_change_keyboard_mapping(other.xcb(), 1, 255, 1, &keysym);
      other.sync();
    }
  });
  std::atomic<int> heard = 0;
  for (int i = 0; i < 50; ++i) {
    Connection connection(at(x.name()));
    connection.on_event([&](Server& server, const xcb_generic_event_t&) {
      EXPECT_TRUE(server.extensions().xkb.present());
      EXPECT_NE(server.atoms().net_wm_name, XCB_ATOM_NONE);
      ++heard;
    });
    EXPECT_TRUE(read_focus(connection, Millis(20000)).ok());
  }
  stop = true;
  changes.join();
  EXPECT_GT(heard, 0) << "nothing was told while connections opened";
}

TEST(Connection, NoServerIsLostWithTheWayBack) {
  std::string name;
  {
    XServer x;
    name = x.name();
  }
  Connection connection(at(name));
  const auto answer = read_focus(connection);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, Code::backend_lost);
  EXPECT_NE(answer.error().hint.find("start the X server on " + name), std::string::npos) << answer.error().hint;
}

TEST(Connection, ReconnectsAfterTheServerDied) {
  XServer x;
  Connection connection(at(x.name()));
  int opened = 0;
  connection.on_open([&](Server&) -> Status {
    ++opened;
    return {};
  });
  ASSERT_TRUE(read_focus(connection).ok());
  x.kill();
  const auto lost = read_focus(connection);
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.error().code, Code::backend_lost);
  EXPECT_NE(lost.error().hint.find(x.name()), std::string::npos);
  EXPECT_FALSE(connection.connected());
  x.start();
  EXPECT_TRUE(read_focus(connection).ok());
  EXPECT_EQ(opened, 2);
}

TEST(Connection, ATaskInFlightMeetsTheDeathOfItsServer) {
  XServer x;
  Connection connection(at(x.name()));
  ASSERT_TRUE(read_focus(connection).ok());
  x.freeze();
  std::thread killer([&] { x.kill(); });
  const auto lost = read_focus(connection, Millis(10000));
  killer.join();
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.error().code, Code::backend_lost) << to_text(lost.error());
}

TEST(Connection, AStoppedServerIsATimeoutAndRecovers) {
  XServer x;
  Connection connection(at(x.name()));
  ASSERT_TRUE(read_focus(connection).ok());
  x.freeze();
  const TimePoint start = Clock::now();
  const auto answer = read_focus(connection, Millis(150));
  const double took = millis_since(start);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, Code::timeout);
  EXPECT_GE(took, 140);
  EXPECT_LT(took, 2500);
  x.thaw();
  EXPECT_TRUE(read_focus(connection).ok());
}

TEST(Connection, ConnectingToAStoppedServerIsATimeoutAndRecovers) {
  XServer x;
  Connection connection(at(x.name()));
  x.freeze();
  for (int i = 0; i < 3; ++i) {
    const TimePoint start = Clock::now();
    const auto answer = read_focus(connection, Millis(100));
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, Code::timeout) << to_text(answer.error());
    EXPECT_LT(millis_since(start), 2500);
  }
  x.thaw();
  EXPECT_TRUE(read_focus(connection).ok());
}

// A stopped server reads nothing: after some hundred kilobytes xcb itself hangs in its write.
TEST(Connection, AFullSocketIsATimeoutAndRecovers) {
  XServer x;
  Connection connection(at(x.name()));
  ASSERT_TRUE(read_focus(connection).ok());
  x.freeze();
  const TimePoint start = Clock::now();
  const auto answer = connection.call<Unit>(Deadline::in(Millis(200)), [](Server& server) -> Result<Unit> {
    const std::string bytes(60000, 'x');
    for (int i = 0; i < 100; ++i) {
      xcb_change_property(server.xcb(), XCB_PROP_MODE_REPLACE, server.root(), XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8,
                          static_cast<std::uint32_t>(bytes.size()), bytes.data());
    }
    TRY(server.fence());
    return Unit{};
  });
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, Code::timeout) << to_text(answer.error());
  EXPECT_LT(millis_since(start), 2500);
  x.thaw();
  EXPECT_TRUE(read_focus(connection).ok());
}

TEST(Connection, AServerGrabIsATimeoutAndRecovers) {
  XServer x;
  XClient other(x.name());
  Connection connection(at(x.name()));
  ASSERT_TRUE(read_focus(connection).ok());
  other.grab_server();
  const auto answer = read_focus(connection, Millis(100));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, Code::timeout);
  other.ungrab_server();
  EXPECT_TRUE(read_focus(connection).ok());
}

TEST(Connection, ErrorsOfXAreErrorsOfTheCall) {
  XServer x;
  Connection connection(at(x.name()));
  const auto gone = connection.call<Unit>(Deadline::in(Millis(2000)), [](Server& server) -> Result<Unit> {
    TRY(server.reply(xcb_get_geometry(server.xcb(), 0x7fffff), xcb_get_geometry_reply, "GetGeometry"));
    return Unit{};
  });
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().code, Code::not_found);
  const auto refused = connection.call<Unit>(Deadline::in(Millis(2000)), [](Server& server) -> Result<Unit> {
    TRY(server.check(xcb_change_property_checked(server.xcb(), XCB_PROP_MODE_REPLACE, server.root(), 0x7ffffff,
                                                 XCB_ATOM_STRING, 8, 1, "x"),
                     "ChangeProperty"));
    return Unit{};
  });
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::backend_error);
  EXPECT_NE(refused.error().message.find("ChangeProperty"), std::string::npos);
}

TEST(Connection, EventWatchWakesOnEventsOnly) {
  XServer x;
  Connection connection(at(x.name()));
  std::atomic<int> seen = 0;
  connection.on_open([](Server& server) -> Status {
    server.watch(server.root(), XCB_EVENT_MASK_PROPERTY_CHANGE);
    return server.fence();
  });
  connection.on_event([&](Server& server, const xcb_generic_event_t& event) {
    if ((event.response_type & 0x7f) != XCB_PROPERTY_NOTIFY) return;
    // Listeners may read replies; events that come meanwhile are not lost.
    EXPECT_TRUE(server.fence().ok());
    ++seen;
  });
  ASSERT_TRUE(read_focus(connection).ok());
  XClient other(x.name());
  std::thread writer([&] {
    for (std::uint32_t i = 0; i < 50; ++i) other.set_cardinal(other.root(), "_TEST", i);
  });
  EventWatch watch(connection);
  int evaluations = 0;
  const auto waited = watch.until(Deadline::in(Millis(5000)), {}, [&]() -> Result<bool> {
    ++evaluations;
    return seen == 50;
  });
  writer.join();
  EXPECT_TRUE(waited.ok()) << to_text(waited.error());
  EXPECT_LE(evaluations, 52);

  const auto timed_out = watch.until(Deadline::in(Millis(50)), {}, []() -> Result<bool> { return false; });
  ASSERT_FALSE(timed_out.ok());
  EXPECT_EQ(timed_out.error().code, Code::timeout);

  std::stop_source stop;
  std::thread stopper([&] { stop.request_stop(); });
  const auto cancelled =
      watch.until(Deadline::in(Millis(5000)), stop.get_token(), []() -> Result<bool> { return false; });
  stopper.join();
  ASSERT_FALSE(cancelled.ok());
  EXPECT_EQ(cancelled.error().code, Code::cancelled);

  std::thread killer([&] { x.kill(); });
  const auto lost = watch.until(Deadline::in(Millis(5000)), {}, []() -> Result<bool> { return false; });
  killer.join();
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.error().code, Code::backend_lost);
}

TEST(Connection, ManyCallersAtOnce) {
  XServer x;
  Connection connection(at(x.name()));
  std::atomic<int> good = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&] {
      for (int k = 0; k < 200; ++k) good += read_focus(connection).ok() ? 1 : 0;
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(good, 1600);
}

}  // namespace
}  // namespace handrail::x11
