// Which tier each part of a plan, and each event, needs of the app that receives it. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/action_spec.h"
#include "model/event.h"
#include "model/input_plan.h"

namespace handrail::policy {

inline constexpr std::string_view kKeyboardFocus = "the keyboard focus";  // a role

// One place that a plan reaches.
struct Need {
  enum class Where {
    point,
    focus,
    window,
    app,
    clipboard,
    pointer,
    process
  } where = Where::point;  // pointer: where it is now
  Point at;                // of a point
  WindowId window = 0;     // of a window
  std::string app;         // of an app
  catalog::Tier tier = catalog::Tier::full;
  std::string role;      // for messages: "the point", "the end of the drag", "the keyboard focus"
  std::int64_t pid = 0;  // of a process
  friend bool operator==(const Need&, const Need&) = default;
};

// Left clicks, scrolling and moving need `click`; other buttons, modifiers, drags (both ends), buttons that stay down
// or were down before, keys and text need `full`. Changing a window needs `click`,
// closing it needs `full`, and so it is with all windows of an app; so does ending a process. Pressing an element and
// scrolling to it need `click`, all else on one needs `full`. Opening an app needs `read`, with a file `full`. What an
// app offers over the message bus needs `full`; other services, workspaces and what belongs to the whole session are no
// app's, and other gates judge them. The clipboard belongs to no app: its need has tier `none`, and the clipboard gate
// judges it. What a drag passes on its way is nobody's: the server sends all of it to the app where the button went
// down.
enum class ButtonBefore { up, down };
std::vector<Need> needs_of(const Plan& plan, ButtonBefore button = ButtonBefore::up);
catalog::Tier tier_needed(const InputEvent& event);

}  // namespace handrail::policy
