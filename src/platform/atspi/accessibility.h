// The Accessibility port over the accessibility bus. The trees of apps are mirrored: read once, and again when an app
// says that something changed, when pixels changed and the toolkit does not tell everything, and now and then to be
// sure. Every answer is fenced: each app has answered after the question, so all that it said before is known. An app
// belongs to the process that the bus daemon names for its connection, never to the one that it claims.
#pragma once

#include <condition_variable>
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
  explicit AtspiAccessibility(BusAddress session_bus, WindowPlaces windows = {});
  ~AtspiAccessibility() override;

  bool reachable(Deadline deadline) override;
  Result<std::vector<ElementTree>> trees(const TreeRequest& request, Deadline deadline) override;
  Result<Element> read(const ElementKey& key, Deadline deadline) override;
  Result<std::optional<FoundElement>> focused(std::int64_t pid, Deadline deadline) override;
  Result<ElementReport> act(const ActOnElement& act, Permit permit, Deadline deadline, std::stop_token stop) override;
  Result<std::uint64_t> change_count(const std::vector<std::int64_t>& pids, Deadline deadline) override;
  Result<std::uint64_t> wait_for_change(const std::vector<std::int64_t>& pids, std::uint64_t seen, Deadline deadline,
                                        std::stop_token stop) override;

 private:
  // All of these with mutex_ held.
  // False when there is no accessibility bus, so that no app has a tree.
  Result<bool> connect(Deadline deadline);
  std::vector<Mirror*> apps(const std::vector<std::int64_t>& pids);
  Result<std::vector<ElementTree>> find_trees(const TreeRequest& request, Deadline deadline);
  Status bring_up(const std::vector<Mirror*>& apps, const TreeRequest& request, Deadline deadline);
  Result<ElementTree> tree_of(Mirror& app, const TreeRequest& request);
  Result<Scene> scene_of(const Mirror& app);
  Result<Element> find_element(const ElementKey& key, Deadline deadline);
  Result<ElementReport> act_on(const ActOnElement& act, Deadline deadline, const std::stop_token& stop);
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

  // Counts of what was said, by process. A mutex of their own: waiting must not keep the bus from anybody.
  std::uint64_t count_of(const std::vector<std::int64_t>& pids);
  std::uint64_t counted(std::int64_t pid);
  void heard(std::int64_t pid);
  std::mutex counts_mutex_;
  std::condition_variable_any counted_;
  std::map<std::int64_t, std::uint64_t> counts_;

  BusAddress session_bus_;
  WindowPlaces windows_;
  std::timed_mutex mutex_;
  std::unique_ptr<Bus> bus_;
  std::unique_ptr<AppWatch> watch_;
  std::map<std::string, Mirror> mirrors_;  // by their connections
  std::optional<std::vector<AppWindow>> seen_;
  std::unique_ptr<BusPump> pump_;  // ends before the bus
};

}  // namespace handrail::atspi
