// Times the accessibility port on one running app: bench_trees PID ROUNDS. Prints one JSON line a round.
#include <fmt/format.h>

#include <cstdlib>

#include "platform/atspi/accessibility.h"
#include "platform/x11/app_windows.h"
#include "platform/x11/screen.h"

using namespace handrail;

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::int64_t pid = std::atoll(argv[1]);
  const auto connection =
      std::make_shared<x11::Connection>([]() -> Result<std::string> { return std::string(std::getenv("DISPLAY")); });
  x11::DisplayLayout layout(connection);
  x11::X11Screen screen(connection);
  const auto soon = [] { return Deadline::in(Millis(5000)); };
  atspi::WindowPlaces places;
  places.all = [&]() -> Result<std::vector<atspi::AppWindow>> {
    std::vector<atspi::AppWindow> windows;
    for (const x11::AppWindow& window : TRY(x11::app_windows(*connection, layout, soon()))) {
      windows.push_back({window.pid, window.frame, window.whole, window.content, window.id, window.title});
    }
    return windows;
  };
  places.changes = [&] { return screen.change_count(soon()); };
  const auto address = []() -> Result<std::string> { return std::string(std::getenv("DBUS_SESSION_BUS_ADDRESS")); };
  // Connecting is not what is measured.
  if (!places.all().ok() || !places.changes().ok()) return 1;
  TreeRequest all, shown;
  all.pids = shown.pids = {pid};
  all.showing = false;
  all.most = 50'000;
  {
    // A server has read trees before: what is cold is what it knows of the app, not its own pages.
    atspi::AtspiAccessibility before(address, places);
    (void)before.trees(shown, soon());
  }
  for (int round = 0; round < std::atoi(argv[2]); ++round) {
    std::size_t nodes = 0;
    bool complete = true;
    const auto timed = [&](atspi::AtspiAccessibility& port, const TreeRequest& request) {
      const TimePoint start = Clock::now();
      const auto trees = port.trees(request, soon());
      const double took = millis_since(start);
      nodes = trees.ok() && !trees->empty() ? trees->front().elements.size() : 0;
      complete = complete && nodes > 0 && trees->front().complete;
      return took;
    };
    atspi::AtspiAccessibility whole(address, places), visible(address, places);
    // Connecting is not what is measured.
    (void)whole.change_count({pid}, soon());
    (void)visible.change_count({pid}, soon());
    // Nor is what an app does when it hears that somebody new listens.
    (void)visible.wait_for_change({pid}, ~0ULL, Deadline::in(Millis(200)), {});
    const auto asked = [&](atspi::AtspiAccessibility& port) { return port.work(pid).questions; };
    // The others have just read the tree once when they are timed, so the app is awake.
    atspi::AtspiAccessibility first(address, places);
    (void)first.trees(all, soon());
    const std::uint64_t none = asked(whole);
    const double cold = timed(whole, all);
    const std::uint64_t of_whole = asked(whole) - none;
    const std::size_t of_all = nodes;
    const std::uint64_t before = asked(visible);
    const double cold_shown = timed(visible, shown);
    const std::uint64_t questions = asked(visible) - before;
    // An app that was just met is read again for a while.
    const TimePoint young = Clock::now() + Millis(3200);
    while (Clock::now() < young) (void)visible.wait_for_change({pid}, ~0ULL, Deadline(young), {});
    (void)timed(visible, shown);
    const double warm = timed(visible, shown);
    fmt::print(
        "{{\"nodes\":{},\"shown\":{},\"complete\":{},\"whole\":{:.3f},\"visible\":{:.3f},\"warm\":{:.3f},"
        "\"whole questions\":{},\"visible questions\":{}}}\n",
        of_all, nodes, complete, cold, cold_shown, warm, of_whole, questions);
    std::fflush(stdout);
  }
  return 0;
}
