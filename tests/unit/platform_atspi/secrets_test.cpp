// Password fields of real apps. The oracle is what the apps log of their own layout, and the colour that only a
// password field has.
#include "platform/atspi/secrets.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <nlohmann/json.hpp>

#include "platform/x11/screen.h"
#include "support/bus_session.h"

namespace handrail::atspi {
namespace {

using testing::bus_at;
using testing::eventually;
using testing::Folder;
using testing::Places;
using testing::Program;
using testing::Session;
using testing::soon;
using Json = nlohmann::json;

constexpr std::uint32_t kCanary = 0xfe01ba;
struct SecretApp {
  SecretApp(Session& session, const std::string& name, const std::string& geometry = "400x200+200+150")
      : log(session.folder / (name + ".log")),
        program({session.app(name), "--log", log, "--geometry", geometry}, session.environment) {
    if (!eventually([&] { return !events("ready").empty() && !events("field").empty(); })) {
      throw std::runtime_error(name + " did not start");
    }
  }
  std::vector<Json> events(const std::string& name) const {
    std::vector<Json> found;
    std::ifstream in(log);
    for (std::string line; std::getline(in, line);) {
      const Json event = Json::parse(line, nullptr, false);
      if (event.is_object() && event.value("event", "") == name) found.push_back(event);
    }
    return found;
  }
  Rect field() const {
    const Json at = events("field").back();
    return {at["x"], at["y"], at["width"], at["height"]};
  }
  std::string log;
  Program program;
};

int area_of(const Frame& frame, std::uint32_t colour) {
  int n = 0;
  for (int y = 0; y < frame.height; ++y) {
    const std::uint8_t* p = frame.row(y);
    for (int x = 0; x < frame.width; ++x, p += 4) {
      n += static_cast<std::uint32_t>(p[2] << 16 | p[1] << 8 | p[0]) == colour ? 1 : 0;
    }
  }
  return n;
}

// The field itself; GTK 4 tells less than it paints, and so more is covered.
bool covers(const Rect& place, const Rect& field) {
  return place.x <= field.x && place.y <= field.y && place.x + place.width >= field.x + field.width &&
         place.y + place.height >= field.y + field.height && place.width <= field.width + 40 &&
         place.height <= field.height + 40;
}

class Toolkits : public ::testing::TestWithParam<const char*> {};
class AllToolkits : public Toolkits {};

TEST_P(AllToolkits, FieldsAreWhereTheAppDrawsThem) {
  Session session;
  SecretApp app(session, GetParam());
  Places windows(session);
  AtspiSecrets secrets(bus_at(session.address), windows.known);
  const std::int64_t pid = app.program.pid();
  const auto places = [&] {
    const auto found = secrets.fields({pid}, soon());
    return found.ok() ? *found : std::vector<Rect>{};
  };
  ASSERT_TRUE(eventually([&] {
    const auto found = places();
    return found.size() == 1 && covers(found[0], app.field());
  })) << (places().empty() ? "no field" : "at another place");

  // Painted over in a picture; the colour is there without.
  x11::X11Screen screen(std::make_shared<x11::Connection>([&]() -> Result<std::string> { return session.x.name(); }));
  CaptureRequest plain, covered;
  covered.covers = places();
  EXPECT_GT(area_of(screen.capture(plain, soon())->frame, kCanary), 500);
  EXPECT_EQ(area_of(screen.capture(covered, soon())->frame, kCanary), 0);

  // Other processes are not asked for.
  EXPECT_TRUE(secrets.fields({::getpid()}, soon())->empty());

  // Away and back: the next question knows.
  app.program.signal(SIGUSR1);
  ASSERT_TRUE(eventually([&] { return !app.events("gone").empty(); }));
  EXPECT_TRUE(eventually([&] { return places().empty(); }));
  app.program.signal(SIGUSR1);
  ASSERT_TRUE(eventually([&] { return !app.events("shown").empty(); }));
  EXPECT_TRUE(eventually([&] { return places().size() == 1; }));
}

TEST_P(Toolkits, TheFocusedFieldIsKnown) {
  Session session;
  SecretApp app(session, GetParam());
  AtspiSecrets secrets(bus_at(session.address));
  const std::int64_t pid = app.program.pid();
  const auto focused = [&] {
    const auto found = secrets.focused(pid, soon());
    return found.ok() ? *found : std::nullopt;
  };
  EXPECT_TRUE(eventually([&] { return focused() == std::optional(true); }));
  app.program.signal(SIGUSR2);
  ASSERT_TRUE(eventually([&] { return !app.events("focus_on").empty(); }));
  EXPECT_TRUE(eventually([&] { return focused() == std::optional(false); }));
  EXPECT_EQ(secrets.focused(::getpid(), soon()).value(), std::nullopt);
}

TEST_P(Toolkits, AStoppedAppIsAnErrorInTime) {
  Session session;
  SecretApp app(session, GetParam());
  AtspiSecrets secrets(bus_at(session.address));
  const std::int64_t pid = app.program.pid();
  ASSERT_TRUE(eventually([&] {
    const auto found = secrets.fields({pid}, soon());
    return found.ok() && found->size() == 1;
  }));
  app.program.signal(SIGSTOP);
  const TimePoint start = Clock::now();
  const auto found = secrets.fields({pid}, soon());
  const auto focus = secrets.focused(pid, soon());
  const double took = millis_since(start);
  app.program.signal(SIGCONT);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, Code::timeout);
  EXPECT_FALSE(focus.ok());
  EXPECT_LT(took, 15000);
  EXPECT_TRUE(eventually([&] {
    const auto again = secrets.fields({pid}, soon());
    return again.ok() && again->size() == 1;
  }));
}

INSTANTIATE_TEST_SUITE_P(Apps, Toolkits, ::testing::Values("secret_gtk3", "secret_qt5", "secret_qt6"),
                         [](const auto& each) { return std::string(each.param); });
INSTANTIATE_TEST_SUITE_P(Apps, AllToolkits, ::testing::Values("secret_gtk3", "secret_gtk4", "secret_qt5", "secret_qt6"),
                         [](const auto& each) { return std::string(each.param); });

TEST(Secrets, AStoppedAppIsCoveredWhole) {
  Session session;
  SecretApp app(session, "secret_gtk3"), other(session, "secret_qt5", "300x200+700+400");
  Places windows(session);
  AtspiSecrets secrets(bus_at(session.address), windows.known);
  const std::vector<std::int64_t> pids{app.program.pid(), other.program.pid()};
  const auto places = [&] {
    const auto found = secrets.fields(pids, soon());
    return found.ok() ? *found : std::vector<Rect>{};
  };
  ASSERT_TRUE(eventually([&] { return places().size() == 2; }));
  app.program.signal(SIGSTOP);
  const std::vector<Rect> now = places();
  std::vector<AppWindow> own = windows.known.all().value();
  std::erase_if(own, [&](const AppWindow& window) { return window.pid != pids[0]; });
  app.program.signal(SIGCONT);
  ASSERT_FALSE(own.empty());
  EXPECT_NE(std::find(now.begin(), now.end(), own.front().frame), now.end());
  EXPECT_NE(std::find(now.begin(), now.end(), other.field()), now.end());
  for (const Rect& place : now) EXPECT_LT(place.width, 1000) << "more than the windows of the app";
}

TEST(Secrets, NobodyIsAskedWhileNoPixelChanges) {
  Session session;
  SecretApp app(session, "secret_gtk3");
  Places windows(session);
  std::atomic<std::uint64_t> count = 1;
  windows.known.changes = [&count]() -> Result<std::uint64_t> { return count.load(); };
  AtspiSecrets secrets(bus_at(session.address), windows.known);
  const std::int64_t pid = app.program.pid();
  const std::vector<Rect> field{app.field()};
  const auto finds = [&] {
    const auto found = secrets.fields({pid}, soon());
    return found.ok() && *found == field;
  };
  // An app that cannot answer shows whether it was asked. News of its start may still be on the way the first time.
  EXPECT_TRUE(eventually([&] {
    ++count;
    if (!finds()) return false;
    app.program.signal(SIGSTOP);
    const bool same = finds();
    if (!same) app.program.signal(SIGCONT);
    return same;
  }));
  ++count;
  EXPECT_FALSE(finds());
  app.program.signal(SIGCONT);
}

TEST(Secrets, WithoutABusNothingIsKnown) {
  AtspiSecrets none(bus_at(""));
  EXPECT_TRUE(none.fields({::getpid()}, soon())->empty());
  EXPECT_EQ(none.focused(::getpid(), soon()).value(), std::nullopt);
  AtspiSecrets gone(bus_at("unix:path=/nonexistent/bus"));
  EXPECT_FALSE(gone.fields({::getpid()}, soon()).ok());
}

TEST(Secrets, ABusThatNeverAnswersIsATimeout) {
  Folder folder;
  const std::string path = folder / "mute";
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  path.copy(at.sun_path, sizeof at.sun_path - 1);
  ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  ASSERT_EQ(::listen(listener, 4), 0);
  AtspiSecrets secrets(bus_at("unix:path=" + path));
  const TimePoint start = Clock::now();
  const auto found = secrets.fields({::getpid()}, soon());
  ::close(listener);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, Code::timeout);
  EXPECT_LT(millis_since(start), 15000);
}

}  // namespace
}  // namespace handrail::atspi
