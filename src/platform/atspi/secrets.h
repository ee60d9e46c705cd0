// The Secrets port over the accessibility bus: where password fields are, by what the apps themselves expose. An app
// belongs to the process that the bus daemon names for its connection, never to the one that it claims.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "computer/ports.h"
#include "platform/atspi/bus.h"
#include "platform/atspi/tree_search.h"

namespace handrail::atspi {

// What only the display server knows.
struct WindowPlaces {
  // Where the windows of a process show their content, in logical points. For apps that do not say where on the screen
  // a field is: then all of their windows are covered.
  std::function<std::vector<Rect>(std::int64_t pid)> of;
  // Device pixels per point; 1 when absent.
  std::function<double()> scale;
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
  struct App {
    std::string service;
    std::int64_t pid = 0;
  };
  // False when there is no accessibility bus, so that no app has a tree.
  Result<bool> connect(Deadline deadline);
  Result<std::vector<App>> apps(const std::vector<std::int64_t>& pids, Deadline deadline);
  Status add_places(const App& app, const AppTree& tree, std::vector<Rect>& places, Deadline deadline);
  template <class T>
  Result<T> forget_lost(Result<T> result);
  Result<std::vector<Rect>> find_fields(const std::vector<std::int64_t>& pids, Deadline deadline);
  Result<std::optional<bool>> find_focus(std::int64_t pid, Deadline deadline);

  BusAddress session_bus_;
  WindowPlaces windows_;
  std::mutex mutex_;
  std::unique_ptr<Bus> bus_;
  std::map<std::string, std::int64_t> pids_;  // of connections; a bus never gives a name twice
};

}  // namespace handrail::atspi
