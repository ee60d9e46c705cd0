// What gates judge: values gathered in one place, at one moment. A gate reads nothing else. Every fact has a value of
// its own, so that `UseFacts{call, plan}` is complete and the rest is set by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "catalog/action_spec.h"
#include "model/capability.h"
#include "model/event.h"
#include "model/file.h"
#include "model/grant.h"
#include "model/input_plan.h"
#include "model/look.h"
#include "policy/standing.h"

namespace handrail::policy {

// What may not have been learnt. Gates treat `unknown` as the stricter of the two.
enum class Known { no, yes, unknown };

// Something that must be so before anything is done, or why it is not.
struct Readiness {
  bool ok = true;
  std::string problem{};  // completes a sentence for the agent
  std::string fix{};
};

// Known before planning, from the call and the owner's settings alone.
struct AdmissionFacts {
  const catalog::ActionCall& call;
  bool stopped = false;           // the kill switch
  std::string stopped_because{};  // what stopped it, for the message
  CapabilityState capability{};   // of what the action needs
  Readiness lock{};               // this session holds the desktop; asked for actions that act
  Readiness guardian{};           // asked for actions that act
  Readiness audit{};              // a record of the attempt is on disk; asked for every call
  std::string spent{};            // the budget that is used up: "500 calls"; empty when none is
  GrantFlags flags{};             // of the session
};

// One app that an act would reach.
struct TargetFacts {
  Receiver receiver{};
  Standing standing{};
  catalog::Tier needs = catalog::Tier::full;
  std::string role{};         // for the message: "the point", "the end of the drag", "the keyboard focus", "the window"
  std::optional<Point> at{};  // of a point
};

// How the screen around the targets compares with the look that the coordinates come from.
struct PixelFacts {
  bool checked = false;
  bool changed = false;
  std::string what{};  // "the picture around [640, 400]", "the window there"
};

// Read right before the act. The same gates judge a plan as a whole and then every event of it; what an event has
// nothing to do with is left empty.
struct UseFacts {
  const catalog::ActionCall& call;
  const Plan& plan;
  bool stopped = false;
  std::string stopped_because{};
  std::optional<Look> look{};  // the look that the call's coordinates went through
  // Since it was taken, where that is watched; the longest there is when nobody knows, as after a restart.
  std::optional<Millis> look_age{};
  int selected_display = 0;
  std::optional<std::uint64_t> layout{};  // of the displays now; nothing when it could not be read

  Readiness lock{};
  Readiness guardian{};
  std::vector<TargetFacts> targets{};
  GrantFlags flags{};
  PixelFacts pixels{};
  std::vector<KeyChord> chords{};     // that the plan or the event would make
  std::vector<std::string> deeds{};   // what an app would be asked to do, by the names of its own menus and actions
  std::optional<std::string> text{};  // the text that its target would hold together with what it got before
  // Since a person last used a device that is not ours; nothing when they never did.
  std::optional<Millis> person_idle{};
  Millis person_pause{0};          // how long a person is left alone; 0: the gate is off
  bool foreground = true;          // it would use the person's own pointer, keyboard or focus
  Known secret_field = Known::no;  // keys would go into a password field
  bool raises = false;             // it was asked to bring a window to the front of a person's desktop
  bool persons_desktop = true;     // somebody may sit in front of it
  std::optional<Rect> region{};    // the only part of the desktop that may be touched
  std::vector<Point> points{};     // that would be touched
  std::vector<Rect> frames{};      // of windows as they would be, and of elements; gathered when there is a region
  // Of the file that an app would open; `outside` when nobody knows.
  std::optional<FileStanding> file{};
  std::string spent{};
};

}  // namespace handrail::policy
