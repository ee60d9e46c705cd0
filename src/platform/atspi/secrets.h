// The Secrets port over the accessibility bus: where password fields are, by what the apps themselves expose. An app
// belongs to the process that the bus daemon names for its connection, never to the one that it claims.
//
// Trees are searched when their apps say that something changed, and now and then to be sure. Every answer is fenced:
// each app has answered after the question, so all that it said before is known. A field stays covered for a while
// after it is gone, because apps say so before they paint over it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "computer/ports.h"
#include "platform/atspi/app_watch.h"
#include "platform/atspi/bus.h"
#include "platform/atspi/field_places.h"
#include "platform/atspi/pump.h"
#include "platform/atspi/tree_search.h"

namespace handrail::atspi {

// What only the display server knows.
struct WindowPlaces {
  // The windows that show, managed or not, in logical points. An app that does not answer, or does not say where a
  // field is, has all of its own covered. When absent the former is an error and the latter covers everything.
  std::function<Result<std::vector<AppWindow>>()> all;
  // Device pixels per point; 1 when absent.
  std::function<double()> scale;
  // Counts up whenever a pixel may have changed. While it does not, the last answer holds and nobody is asked.
  std::function<Result<std::uint64_t>()> changes;
};

class AtspiSecrets : public Secrets {
 public:
  // The session bus, asked for at each new connection: an embedded desktop that was lost comes back with another one.
  // An empty address: there is none.
  using BusAddress = std::function<Result<std::string>()>;
  explicit AtspiSecrets(BusAddress session_bus, WindowPlaces windows = {});
  ~AtspiSecrets() override;

  Result<std::vector<Rect>> fields(const std::vector<std::int64_t>& pids, Deadline deadline) override;
  Result<std::optional<bool>> focused(std::int64_t pid, Deadline deadline) override;

 private:
  struct Field;
  struct App;
  struct Past;

  // Null when there is no accessibility bus.
  Result<std::unique_ptr<Bus>> dial(Deadline deadline);
  // False when there never was one, so that no app has a tree.
  Result<bool> connect(Deadline deadline);
  std::vector<App*> apps(const std::vector<std::int64_t>& pids);
  // Every app has answered, or is mute; every tree is as the apps last said.
  Status bring_up(std::vector<App*>& apps, Deadline deadline);
  Status ask(const std::vector<App*>& apps, Deadline deadline);
  void ask(App& app);
  Status search(App& app, Deadline deadline);
  Status find_flashes(App& app, const AppNews& news, Deadline deadline);
  // As they were when this question was first about them.
  Result<std::vector<AppWindow>> windows_of(const App& app);
  Result<std::vector<Rect>> whole(const App& app);
  Status place(App& app);
  void remember(App& app, std::vector<Rect> places);
  template <class T>
  Result<T> forget_lost(Result<T> result);
  Result<std::vector<Rect>> find_fields(const std::vector<std::int64_t>& pids, Deadline deadline);
  Result<std::optional<bool>> find_focus(std::int64_t pid, Deadline deadline);
  std::uint64_t changes() const;
  static bool due(const App& app);

  BusAddress session_bus_;
  WindowPlaces windows_;
  std::timed_mutex mutex_;
  std::unique_ptr<Bus> bus_;
  bool had_bus_ = false;
  std::unique_ptr<AppWatch> watch_;
  std::map<std::string, App> apps_;  // by their connections
  std::vector<Past> past_;
  struct Answer {
    std::vector<std::int64_t> pids;
    std::vector<Rect> places;
    std::uint64_t changes = 0;
  };
  std::optional<Answer> last_;
  std::optional<std::vector<AppWindow>> seen_;
  std::unique_ptr<BusPump> pump_;  // ends before the bus
};

}  // namespace handrail::atspi
