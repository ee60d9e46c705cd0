// The Secrets port over the accessibility bus: where password fields are, by what the apps themselves expose. An app
// belongs to the process that the bus daemon names for its connection, never to the one that it claims.
//
// Every answer is fenced: each app has answered after the question, so all that it said before is known. A field stays
// covered for a while after it is gone, because apps say so before they paint over it; an app that has just started is
// covered whole until its tree is there, because apps paint before they say anything.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "computer/ports.h"
#include "platform/atspi/app_trees.h"
#include "platform/atspi/app_watch.h"
#include "platform/atspi/bus.h"
#include "platform/atspi/newcomers.h"
#include "platform/atspi/pump.h"
#include "platform/atspi/secret_places.h"

namespace handrail::atspi {

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
  // Null when there is no accessibility bus.
  Result<std::unique_ptr<Bus>> dial(Deadline deadline);
  // False when there never was one, so that no app has a tree.
  Result<bool> connect(Deadline deadline);
  // Those of the processes that have just started and show what is not in their trees yet.
  Result<std::vector<std::int64_t>> unbuilt(const std::vector<std::int64_t>& pids, const std::vector<App*>& apps);
  template <class T>
  Result<T> forget_lost(Result<T> result);
  Result<std::vector<Rect>> find_fields(const std::vector<std::int64_t>& pids, Deadline deadline);
  Result<std::optional<bool>> find_focus(std::int64_t pid, Deadline deadline);
  Result<std::optional<bool>> read_focus(std::int64_t pid, Deadline deadline);
  // Apps of the process that show a password field.
  std::vector<App*> with_field(std::int64_t pid);
  // The trees of a process, as soon as it has what it shows in them.
  Result<std::vector<App*>> built(std::int64_t pid, Deadline deadline);

  BusAddress session_bus_;
  SecretPlaces places_;
  std::timed_mutex mutex_;
  Newcomers newcomers_;
  std::unique_ptr<Bus> bus_;
  bool had_bus_ = false;
  bool may_come_ = false;  // an accessibility bus, with the first app that asks for it
  std::unique_ptr<AppWatch> watch_;
  std::unique_ptr<AppTrees> trees_;
  struct Answer {
    std::vector<std::int64_t> pids;
    std::vector<Rect> places;
    std::uint64_t changes = 0;
  };
  std::optional<Answer> last_;
  std::unique_ptr<BusPump> pump_;  // ends before the bus
};

}  // namespace handrail::atspi
