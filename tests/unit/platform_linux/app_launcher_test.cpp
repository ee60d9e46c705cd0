#include "platform/linux/app_launcher.h"

#include <fstream>
#include <future>

#include "platform/x11/connection.h"
#include "platform/x11/windows.h"
#include "support/test_permit.h"
#include "unit/platform_linux/desktop_fixture.h"

namespace handrail::linux_ {
namespace {

constexpr Millis kAppPatience{10000};

// The launcher on a real desktop with the real Windows port.
class Launcher : public DesktopTest {
 protected:
  Result<OpenedApp> open(const std::string& app, Millis patience = kAppPatience, std::stop_token stop = {}) {
    return launcher_.open({app}, engine::PermitMint::mint(), Deadline::in(patience), stop);
  }
  void install(const std::string& id, const std::string& exec) {
    const std::string folder = info_.environment.at("XDG_DATA_HOME") + "/applications";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/" + id + ".desktop")
        << "[Desktop Entry]\nType=Application\nName=" << id << "\nExec=" << exec << "\n";
  }
  std::size_t window_count() { return desk_state(info_)["windows"].size(); }

  DesktopInfo info_ = start();
  Variables cookie_{{{"XAUTHORITY", info_.xauthority}}};
  std::shared_ptr<x11::Connection> connection_ =
      std::make_shared<x11::Connection>([display = info_.display]() -> Result<std::string> { return display; });
  x11::X11Windows windows_{connection_};
  AppLauncher launcher_{embedded_apps(info_), windows_,
                        [this](Deadline deadline, std::stop_token stop, const std::function<Result<bool>()>& done) {
                          return x11::EventWatch(*connection_).until(deadline, stop, done);
                        }};
};

TEST_F(Launcher, OpensAppsAndBringsRunningOnesToTheFront) {
  const auto mousepad = open("Mousepad");
  ASSERT_TRUE(mousepad.ok()) << why(mousepad);
  EXPECT_EQ(mousepad->app.id, "org.xfce.mousepad");
  EXPECT_FALSE(mousepad->was_running);
  ASSERT_TRUE(mousepad->window.has_value());
  EXPECT_EQ(mousepad->app.pids, (std::vector<std::int64_t>{mousepad->window->pid}));

  const auto calculator = open("galc");
  ASSERT_TRUE(calculator.ok()) << why(calculator);
  EXPECT_EQ(calculator->app.executable, "/usr/bin/galculator");
  ASSERT_TRUE(calculator->window.has_value());

  const auto again = open("org.xfce.mousepad");
  ASSERT_TRUE(again.ok()) << why(again);
  EXPECT_TRUE(again->was_running);
  EXPECT_EQ(again->window->id, mousepad->window->id);
  const Json state = desk_state(info_);
  EXPECT_EQ(state["active"], mousepad->window->id);
  EXPECT_EQ(state["windows"].size(), 2U);

  const auto apps = launcher_.list(Deadline::in(kPatience));
  ASSERT_TRUE(apps.ok());
  const auto listed = std::ranges::find_if(*apps, [](const App& app) { return app.id == "galculator"; });
  ASSERT_NE(listed, apps->end());
  EXPECT_EQ(listed->pids, (std::vector<std::int64_t>{calculator->window->pid}));
}

TEST_F(Launcher, SaysWhyAnAppShowedNoWindow) {
  install("fails", "sh -c \"exit 3\"");
  const auto failed = open("fails");
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code, Code::backend_error);
  EXPECT_EQ(failed.error().message, "fails ended with status 3 before it showed a window.");
  EXPECT_EQ(failed.error().side_effects, SideEffects::possible);

  install("silent", "sleep 600");
  const auto silent = open("silent", Millis(1500));
  ASSERT_TRUE(silent.ok()) << why(silent);
  EXPECT_FALSE(silent->window.has_value());

  EXPECT_EQ(open("no such app").error().code, Code::not_found);
  EXPECT_EQ(window_count(), 0U);
}

// The process that was started ends well; the window comes from one that it left behind.
TEST_F(Launcher, KnowsAHandedOverWindowByItsClass) {
  install("org.example.Handover", "sh -c \"setsid -f " + beside_us("probe_x11") + " --class handover\"");
  const auto opened = open("org.example.Handover");
  ASSERT_TRUE(opened.ok()) << why(opened);
  ASSERT_TRUE(opened->window.has_value());
  EXPECT_EQ(opened->window->app, "handover");
}

TEST_F(Launcher, StopsWaitingWhenToldTo) {
  install("silent", "sleep 600");
  std::stop_source source;
  auto waiting = std::async(std::launch::async, [&] { return open("silent", kAppPatience, source.get_token()); });
  const Deadline deadline = Deadline::in(kPatience);
  const auto runs = [&] {
    return std::ranges::any_of(descendants(info_.supervisor.pid),
                               [](const ProcessId& id) { return executable_of(id.pid) == "/usr/bin/sleep"; });
  };
  while (!runs() && !deadline.passed()) std::this_thread::yield();
  const TimePoint asked = Clock::now();
  source.request_stop();
  EXPECT_EQ(waiting.get().error().code, Code::cancelled);
  EXPECT_LT(millis_since(asked), 2000);
}

}  // namespace
}  // namespace handrail::linux_
