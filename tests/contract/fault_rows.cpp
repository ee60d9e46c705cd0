#include <thread>

#include "contract/suite.h"

namespace handrail::contract {
namespace {

class FaultContract : public Contract {
 protected:
  static void expect_untouched(const Status& answer, Code code) {
    EXPECT_CODE(answer, code);
    EXPECT_EQ(answer.error().side_effects, SideEffects::none);
  }

  // Every method of every port that can fail, with the error that it gives.
  std::vector<std::pair<const char*, Status>> ask_everything(Deadline deadline) {
    const auto status = [](const auto& result) -> Status {
      if (result.ok()) return {};
      return result.error();
    };
    std::vector<std::pair<const char*, Status>> answers{
        {"displays", status(screen().displays(deadline))},
        {"capture", status(screen().capture({}, deadline))},
        {"cursor", status(screen().cursor(deadline))},
        {"change_count", status(screen().change_count(deadline))},
        {"wait_for_change", status(screen().wait_for_change(~std::uint64_t{0} - 1, deadline, {}))},
        {"perform", status(perform({MoveTo{{10, 10}}}, {}, deadline))},
        {"type", status(perform({TypeText{"a"}}, {}, deadline))},
        {"list", status(windows().list(deadline))},
        {"change", status(windows().change({1, WindowVerb::focus, {}}, permit(), deadline, {}))},
        {"formats", status(clipboard().formats(Selection::clipboard, deadline))},
        {"read", status(clipboard().read(Selection::clipboard, std::string(kPlainText), deadline))},
        {"write",
         status(clipboard().write(Selection::clipboard, {{std::string(kPlainText), "a"}}, permit(), deadline))},
    };
    if (Apps* apps = desk().computer().apps()) {
      answers.emplace_back("open", status(apps->open({"Contract Notes"}, permit(), deadline, {})));
    }
    return answers;
  }
};

TEST_F(FaultContract, APassedDeadlineIsATimeoutEverywhere) {
  ASSERT_OK(screen().displays(soon()));
  const DeskState before = desk().state();
  for (const auto& [method, answer] : ask_everything(passed())) {
    SCOPED_TRACE(method);
    expect_untouched(answer, Code::timeout);
  }
  EXPECT_EQ(desk().state().pointer, before.pointer);
}

TEST_F(FaultContract, ALostServerIsToldEverywhereAndAllWorksAgainAfterwards) {
  ASSERT_OK(screen().displays(soon()));
  desk().lose_server();
  // What is known without asking may be told until the end of the connection is seen.
  ASSERT_TRUE(eventually([&] { return !screen().displays(soon()).ok(); }));
  const TimePoint start = Clock::now();
  for (const auto& [method, answer] : ask_everything(soon())) {
    SCOPED_TRACE(method);
    expect_untouched(answer, Code::backend_lost);
  }
  EXPECT_LT(millis_since(start), 4000) << "a lost server is told at once, not at the deadline";
  EXPECT_TRUE(input().held_buttons().empty());

  desk().restore_server();
  const auto displays = screen().displays(soon());
  ASSERT_OK(displays);
  EXPECT_EQ(displays->size(), 1u);
  const OpenApp app = editor();
  const auto shot = screen().capture(of_window(app.window), soon());
  ASSERT_OK(shot);
  EXPECT_EQ(shot->area, desk().state().find(app.window)->frame);
  ASSERT_OK(perform({TypeText{"again é 日"}}));
  EXPECT_TRUE(eventually([&] { return desk().text(app.window) == "again é 日"; })) << desk().text(app.window);
  ASSERT_OK(clipboard().write(Selection::clipboard, {{std::string(kPlainText), "again"}}, permit(), soon()));
  EXPECT_EQ(desk().app_pastes(Selection::clipboard, std::string(kPlainText)), "again");
  const auto list = windows().list(soon());
  ASSERT_OK(list);
  EXPECT_EQ(list->size(), 1u);
  ASSERT_OK(change(app.window, WindowVerb::close));
  EXPECT_TRUE(screen().change_count(soon()).ok());
}

TEST_F(FaultContract, AServerLostInTheMiddleOfAPlanIsTold) {
  const OpenApp app = probe();
  desk().when_received(app.window, Received::Kind::press, [&] { desk().lose_server(); });
  const TimePoint start = Clock::now();
  const auto report = perform({MoveTo{app.content.centre()}, ButtonDown{}, Pause{Millis(700)},
                               MoveTo{{app.content.x + 5, app.content.y + 5}}, ButtonUp{}});
  EXPECT_CODE(report, Code::backend_lost);
  EXPECT_EQ(report.error().side_effects, SideEffects::partial);
  EXPECT_LT(millis_since(start), 4000);
  desk().restore_server();
  ASSERT_OK(perform({MoveTo{{20, 20}}}));
  EXPECT_TRUE(input().held_buttons().empty());
  EXPECT_TRUE(desk().state().buttons_down.empty());
}

TEST_F(FaultContract, PortsMayBeCalledFromManyThreads) {
  const OpenApp app = probe();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 15; ++round) {
        EXPECT_TRUE(screen().capture(of_window(app.window), soon()).ok());
        EXPECT_TRUE(windows().list(soon()).ok());
        EXPECT_TRUE(perform({MoveTo{{100.0 + 10 * i, 100.0 + round}}}).ok());
        EXPECT_TRUE(clipboard().formats(Selection::clipboard, soon()).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(desk().state().keys_down);
}

}  // namespace
}  // namespace handrail::contract
