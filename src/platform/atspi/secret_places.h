// Where on the screen the password fields of apps are and lately were: what the trees say, put together with the
// windows that the display server has. It asks no app anything.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "platform/atspi/app_trees.h"
#include "platform/atspi/field_places.h"

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

class SecretPlaces {
 public:
  explicit SecretPlaces(WindowPlaces windows) : windows_(std::move(windows)) {}

  // The windows are as they are from now on.
  void look_again() { seen_.reset(); }
  // 0 when it is not known.
  std::uint64_t changes() const;
  // Nothing when windows are not known.
  Result<std::optional<std::size_t>> window_count(std::int64_t pid);
  // All windows of a process.
  Result<std::vector<Rect>> whole(std::int64_t pid);
  // Of the app as it is known now; those that it had before stay for a while.
  Status place(App& app);
  // Places of the processes that were left lately, by the count of now.
  std::vector<Rect> past(const std::vector<std::int64_t>& pids, std::uint64_t changes);

 private:
  // Where a field was.
  struct Past {
    std::int64_t pid = 0;
    Rect place;
    TimePoint until;
    std::uint64_t changes = 0;  // when it went: as long as nothing was painted it is still there
  };

  Result<std::vector<AppWindow>> windows_of(std::int64_t pid);
  Result<std::vector<Rect>> shown(const App& app);
  void keep(std::int64_t pid, const Rect& place);

  WindowPlaces windows_;
  std::optional<std::vector<AppWindow>> seen_;
  std::vector<Past> past_;
};

// Unless it is there already.
void add_place(std::vector<Rect>& places, const Rect& place);

}  // namespace handrail::atspi
