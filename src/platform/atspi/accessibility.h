// The Accessibility port over the accessibility bus. The trees of apps are mirrored: read once, then only what an app
// says has changed; all of it again when pixels changed and the toolkit does not tell everything, when something does
// not fit, and now and then to be sure. Every answer is fenced: each app has answered after the question, so all that
// it said before is known. An app belongs to the process that the bus daemon names for its connection, never to the one
// that it claims.
#pragma once

#include <condition_variable>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "computer/accessibility.h"
#include "platform/atspi/app_watch.h"
#include "platform/atspi/bus.h"
#include "platform/atspi/element_places.h"
#include "platform/atspi/mirror.h"
#include "platform/atspi/pump.h"
#include "platform/atspi/secrets.h"

namespace handrail::atspi {

class AtspiAccessibility : public Accessibility {
 public:
  using BusAddress = AtspiSecrets::BusAddress;
  // How long apps are believed.
  struct Pace {
    // A whole tree is compared with a fresh reading after this, and so seldom that it takes less than one part of
    // `share` of the time.
    Millis audit{5000};
    // An app that is new builds its tree for a while, and does not always say so: it is read whole at each look.
    Millis young{3000};
    int share = 200;
  };
  explicit AtspiAccessibility(BusAddress session_bus, WindowPlaces windows = {})
      : AtspiAccessibility(std::move(session_bus), std::move(windows), Pace()) {}
  AtspiAccessibility(BusAddress session_bus, WindowPlaces windows, Pace pace);
  ~AtspiAccessibility() override;

  bool reachable(Deadline deadline) override;
  Result<std::vector<ElementTree>> trees(const TreeRequest& request, Deadline deadline) override;
  Result<Element> read(const ElementKey& key, Deadline deadline) override;
  Result<std::optional<FoundElement>> focused(std::int64_t pid, Deadline deadline) override;
  Result<ElementReport> act(const ActOnElement& act, Permit permit, Deadline deadline, std::stop_token stop) override;
  Result<std::uint64_t> change_count(const std::vector<std::int64_t>& pids, Deadline deadline) override;
  Result<std::uint64_t> wait_for_change(const std::vector<std::int64_t>& pids, std::uint64_t seen, Deadline deadline,
                                        std::stop_token stop) override;

  // What looks at one process have cost so far.
  struct Work {
    std::uint64_t questions = 0;  // to all apps
    std::uint64_t readings = 0;   // of its whole tree
    bool doubted = false;         // it was found to change without a word
  };
  Work work(std::int64_t pid);

 private:
  // All of these with mutex_ held.
  // False when there is no accessibility bus, so that no app has a tree.
  Result<bool> connect(Deadline deadline);
  std::vector<Mirror*> apps(const std::vector<std::int64_t>& pids);
  Result<std::vector<ElementTree>> find_trees(const TreeRequest& request, Deadline deadline);
  Status bring_up(const std::vector<Mirror*>& apps, const TreeRequest& request, Deadline deadline);
  void take_places(std::future<Result<std::vector<AppWindow>>> places, std::uint64_t changes);
  Result<ElementTree> tree_of(Mirror& app, const TreeRequest& request);
  // A bus that went away, or is out of step, is dialled anew by the next question.
  template <class T>
  Result<T> forget_lost(Result<T> result) {
    const bool lost = bus_ && bus_->lost();
    if (lost || (bus_ && !result.ok() && result.error().code == Code::backend_lost)) hang_up();
    if (lost && result.ok()) return make_error(Code::backend_lost, "The accessibility bus went away.");
    return result;
  }
  void hang_up();
  std::uint64_t screen_changes() const;
  // The windows are asked for once. Any thread.
  Result<Scene> scene_of(const Mirror& app, std::optional<std::vector<AppWindow>>& seen) const;

  // What is asked of one element goes over a connection of its app's own, without mutex_: an app that does not answer
  // keeps nobody from the others.
  struct Hand {
    std::timed_mutex mutex;
    std::unique_ptr<Bus> bus;
  };
  // Whose element it is, and what the mirror knows of it.
  struct Owner {
    std::string toolkit, name;
    std::vector<std::string> above;  // from its parent to the root, as it was last seen
    std::shared_ptr<Hand> hand;
  };
  Result<Owner> owner_of(const ElementKey& key, Deadline deadline);
  // With the hand's mutex held. Whole: with its value and where it is on the screen. All that is on its way is answered
  // before it returns.
  Result<Element> find_element(Owner& owner, const ElementKey& key, bool whole, Deadline deadline);
  Result<ElementReport> act_on(Owner& owner, const ActOnElement& act, const Permit& permit, Deadline deadline,
                               const std::stop_token& stop);
  // Runs with a connection to the app; `timeout` when others have it for too long.
  template <class T, class Task>
  Result<T> by_hand(const ElementKey& key, Deadline deadline, Task task);

  // Counts of what was said, by process. A mutex of their own: waiting must not keep the bus from anybody.
  std::uint64_t count_of(const std::vector<std::int64_t>& pids);
  std::uint64_t counted(std::int64_t pid);
  // What the daemon had for us before now is counted, unless somebody else keeps the bus for long.
  void catch_up();
  // Until it is more than that.
  void hear_of(std::int64_t pid, std::uint64_t seen, Deadline deadline, const std::stop_token& stop);
  void heard(std::int64_t pid);
  std::mutex counts_mutex_;
  std::condition_variable_any counted_;
  std::map<std::int64_t, std::uint64_t> counts_;

  BusAddress session_bus_;
  WindowPlaces windows_;
  const Pace pace_;
  std::timed_mutex mutex_;
  std::unique_ptr<Bus> bus_;
  std::unique_ptr<AppWatch> watch_;
  std::map<std::string, Mirror> mirrors_;  // by their connections
  std::map<std::string, std::shared_ptr<Hand>> hands_;
  std::optional<std::vector<AppWindow>> seen_;
  std::unique_ptr<BusPump> pump_;  // ends before the bus
};

template <class T, class Task>
Result<T> AtspiAccessibility::by_hand(const ElementKey& key, Deadline deadline, Task task) {
  Owner owner = TRY(owner_of(key, deadline));
  const std::unique_lock lock(owner.hand->mutex, deadline.at());
  if (!lock) return make_error(Code::timeout, "The app is busy with another request.");
  std::unique_ptr<Bus>& bus = owner.hand->bus;
  if (!bus || bus->lost()) {
    const std::string session_bus = TRY(session_bus_());
    bus = TRY(Bus::dial_accessibility(session_bus, deadline));
  }
  if (!bus) return make_error(Code::backend_lost, "The accessibility bus went away.");
  Result<T> result = task(owner);
  if (bus->lost()) bus.reset();
  return result;
}

}  // namespace handrail::atspi
