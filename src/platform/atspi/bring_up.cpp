// The part of the port that brings mirrors up to date before a look.
#include <algorithm>
#include <future>

#include "platform/atspi/accessibility.h"
#include "platform/atspi/mirror_news.h"
#include "platform/atspi/tree_reader.h"

namespace handrail::atspi {
namespace {

constexpr int kRounds = 3;
// How long an app is read whole after everything that it says, when it was found to change without a word.
constexpr Millis kDoubt{60'000};

// How the trees of a toolkit are followed.
enum class Habit {
  at_once,  // it tells all of its tree in one message, which is cheaper than to ask for what may have changed
  speaks,   // it tells what comes, goes and changes, but not what is scrolled into sight
  silent,   // much changes without a word
};

Habit habit_of(const Mirror& app) {
  if (app.bulk && (app.toolkit == "gtk" || app.toolkit == "GTK")) return Habit::at_once;
  return is_browser(app.toolkit) ? Habit::speaks : Habit::silent;
}

// One app in one round.
struct Reading {
  Mirror* app;
  Want want;
  Nodes before;  // to be compared with what is read
  std::unique_ptr<TreeReader> reader;
};

}  // namespace

Status AtspiAccessibility::bring_up(const std::vector<Mirror*>& apps, const TreeRequest& request, Deadline deadline) {
  std::vector<Mirror*> left = apps;
  for (int round = 1; !left.empty() && round <= kRounds; ++round) {
    const std::uint64_t changes = screen_changes();
    const TimePoint start = Clock::now();
    std::future<Result<std::vector<AppWindow>>> places;
    if (windows_.all) places = std::async(std::launch::async, windows_.all);
    std::vector<Reading> readings;
    for (Mirror* app : left) {
      watch_->take(app->service);
      const Said said = take_news(*app);
      const Habit habit = habit_of(*app);
      const bool painted = changes == 0 || changes != app->changes;
      const bool young = start - app->first_met < pace_.young;
      const bool due = start - app->whole >= std::max(pace_.audit, app->cost * pace_.share);
      const bool audit = round == 1 && (young || due || !watch_->told());
      const bool doubted = said != Said::nothing && start < app->doubted_until;
      const bool moved = habit == Habit::at_once  ? painted || said == Said::shape
                         : habit == Habit::speaks ? painted && !request.showing
                                                  : painted;
      Reading reading{app, {request.showing, request.values, request.most, true, false, true, true}, {}, nullptr};
      reading.want.keep = app->current && !audit && !doubted && habit != Habit::silent;
      reading.want.anew = !app->current || app->suspicious || audit || doubted || moved;
      reading.want.places = reading.want.anew || painted;
      reading.want.shown = painted || said == Said::shape;
      if (!reading.want.anew && painted) look_anew(*app);
      if (due && !young && app->current && habit != Habit::silent) reading.before = app->nodes;
      app->current = app->current && !reading.want.anew;
      app->changes = changes;
      app->suspicious = false;
      reading.reader = std::make_unique<TreeReader>(*bus_, *app, reading.want);
      reading.reader->start();
      readings.push_back(std::move(reading));
    }
    const Status settled = bus_->settle(deadline);
    if (!settled.ok() && settled.error().code != Code::timeout) return settled;
    take_places(std::move(places), changes);
    left.clear();
    for (Reading& reading : readings) {
      Mirror& app = *reading.app;
      const bool finished = reading.reader->finished();
      app.silenced = !finished && !reading.reader->slow();
      app.mute = app.silenced || !app.answers;
      app.current = finished && (app.embedded || app.toolkit != "GTK");
      const bool quiet = !watch_->news(app.service).changed;
      if (finished && reading.want.anew) {
        app.whole = Clock::now();
        app.cost = std::chrono::duration_cast<Millis>(app.whole - start);
        ++app.readings;
        if (quiet && disagreements(reading.before, app.nodes) > 0) app.doubted_until = app.whole + kDoubt;
      }
      // What the mirror had went without a word.
      if (finished && !reading.want.anew && reading.reader->missing()) app.suspicious = true;
      if (finished && app.answers && (!quiet || app.suspicious)) left.push_back(&app);
    }
    if (deadline.passed()) break;
  }
  return {};
}

// Who looked at the windows meanwhile has seen what the app told of, unless something was painted.
void AtspiAccessibility::take_places(std::future<Result<std::vector<AppWindow>>> places, std::uint64_t changes) {
  seen_.reset();
  if (!places.valid()) return;
  auto windows = places.get();
  if (windows.ok() && changes != 0 && screen_changes() == changes) seen_ = std::move(*windows);
}

AtspiAccessibility::Work AtspiAccessibility::work(std::int64_t pid) {
  const std::lock_guard lock(mutex_);
  Work work;
  if (bus_) work.questions = bus_->sent();
  for (const auto& [service, app] : mirrors_) {
    if (app.pid != pid) continue;
    work.readings += app.readings;
    work.doubted = work.doubted || Clock::now() < app.doubted_until;
  }
  return work;
}

}  // namespace handrail::atspi
