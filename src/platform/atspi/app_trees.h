// What is known of the trees of the apps on the bus: their password fields, as the apps last said. Trees are searched
// when their apps say that something changed, and now and then to be sure. It knows objects, not where they are on the
// screen.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/geometry.h"
#include "platform/atspi/app_watch.h"
#include "platform/atspi/bus.h"
#include "platform/atspi/tree_search.h"

namespace handrail::atspi {

struct SecretField {
  std::string path, window;
  bool showing = false;
  bool focused = false;
  Rect at, window_at;  // as the app says
};

struct App {
  std::string service;
  std::int64_t pid = 0;
  TimePoint met = Clock::now();
  bool searched = false;
  bool incomplete = false;  // not all of its tree was looked at
  bool answers = false;     // it has a tree
  bool answered = false;    // the last question
  bool mute = false;        // not in time
  int searches = 0;         // of its whole tree, for the last question
  bool restless = false;    // what it shows does not come to rest
  bool flashed = false;     // a field may have come and gone, nobody knows where
  bool by_itself = false;   // it searches its tree when asked to
  bool grown = false;       // it is past its start
  std::size_t windows = 0;  // in its tree
  std::string toolkit;
  TimePoint when;  // it was searched
  std::vector<SecretField> fields;
  std::vector<Rect> places;  // of the last question

  bool known() const { return !mute && !restless; }
};

class AppTrees {
 public:
  // Both must outlive it.
  AppTrees(Bus& bus, AppWatch& watch) : bus_(bus), watch_(watch) {}

  // Those of these processes that are on the bus.
  std::vector<App*> of(const std::vector<std::int64_t>& pids);
  // Every app has answered, or is mute; every tree is as the apps last said.
  Status bring_up(const std::vector<App*>& apps, Deadline deadline);
  // Nothing was said since it was searched, and it need not be searched all the same.
  bool is_fresh(const App& app);

 private:
  Status ask(const std::vector<App*>& apps, Deadline deadline);
  void ask(App& app);
  Status search(App& app, Deadline deadline);
  // Only what came since. False when that cannot be told, and the whole tree has to be searched.
  Result<bool> search_news(App& app, Deadline deadline);
  Status not_in_time(App& app, const Error& error);
  Status find_flashes(App& app, const AppNews& news, Deadline deadline);

  Bus& bus_;
  AppWatch& watch_;
  std::map<std::string, App> apps_;  // by their connections
};

}  // namespace handrail::atspi
