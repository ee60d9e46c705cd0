// Whether one expectation holds in what was seen at one moment. What cannot be learnt is unknown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actions/context.h"
#include "actions/verify.h"

namespace handrail::actions {

// Everything that one look at the target told, so that all predicates judge the same moment.
struct Scene {
  std::vector<WindowId> open;   // all windows
  std::vector<Window> windows;  // of granted apps
  bool untold = false;          // there are windows besides, of apps that are not granted
  std::string was_open;         // the title of the target when it is gone
  ElementsSeen elements;
  std::optional<Error> blind;  // why the elements are not known
};

Result<Scene> look_around(ActionContext& context, const Target& target);
// A window that is gone is a finding, and what else is open can still be told.
Result<Scene> scene_without(ActionContext& context, Error gone);

bool about_windows(const Predicate& predicate);
Result<VerifiedRow> judge(ActionContext& context, const Target& target, const Scene& scene, const Predicate& predicate);

}  // namespace handrail::actions
