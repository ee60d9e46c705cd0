// What happened, without claiming more than was seen.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "model/frame.h"
#include "model/input_plan.h"

namespace handrail {

enum class Effect { confirmed, partial, unverified, suspected_noop, refused };
constexpr std::string_view name(Effect effect) {
  constexpr std::array<std::string_view, 5> kNames{"confirmed", "partial", "unverified", "suspected_noop", "refused"};
  return kNames[static_cast<std::size_t>(effect)];
}

enum class Route { accessibility, agent_seat, user_seat, clipboard, system };
enum class Evidence { value_readback, delivered, window_change, pixels_changed };
enum class Delivery { background, foreground };

struct Outcome {
  Effect effect = Effect::unverified;
  Route route = Route::system;
  Delivery delivery = Delivery::background;
  std::vector<Evidence> evidence;
  double took_ms = 0;
  bool dry_run = false;

  std::string text;            // one or two sentences for the agent, trusted
  std::string untrusted;       // text that came from the desktop; fenced by the surface
  Json data = Json::object();  // the action's own result fields
  std::vector<Picture> pictures;
  std::optional<Error> failure;  // what ended it, when a part of it was done before
};

// Confirmed needs evidence of what came of it: what was read back, or a window. That it was delivered says nothing of
// that, and pixels may have moved by themselves: then, and without any evidence, the effect is unverified.
Outcome acted(Route route, Delivery delivery, std::vector<Evidence> evidence);
// What is known after a failure: nothing happened, or nobody can tell how much did.
Effect effect_of(const Error& error);
// A dry run, and a call that failed, claim no effect whatever was read on the way.
void claim_nothing(Outcome& outcome);
// Looking: what is reported was read, so it is confirmed by read-back.
Outcome observed(Json data);

}  // namespace handrail
