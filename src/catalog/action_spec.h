// What an action is: the facts that surfaces, gates, command line and docs read from one row. The
// behaviour is a function pointer; nothing here acts.
#pragma once

#include <any>
#include <span>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "describe/flags.h"
#include "model/capability.h"
#include "model/outcome.h"

namespace handrail::actions {
class ActionContext;
}

namespace handrail::catalog {

enum class Category {
  permission,
  observe,
  mouse,
  keyboard,
  ax,
  windows,
  apps,
  clipboard,
  files,
  scripting,
  system,
  flow
};

// What an action may change. Annotations and the order of calls follow from it.
enum class Touches {
  nothing,
  pointer,
  keyboard,
  elements,
  windows,
  apps,
  clipboard,
  files,
  programs,
  system,
  grants,
  several
};

// What an app must be granted for it: none < read < click < full.
enum class Tier { none, read, click, full };

struct Example {
  std::string_view says;    // what it does, for people
  std::string_view params;  // JSON of the params
};

struct ActionSpec {
  std::string_view name;
  Category category;
  Touches touches;
  Tier tier;
  Capability capability;
  std::string_view summary;
  std::span<const Example> examples;

  Result<std::any> (*decode)(const Json& params);
  Json (*encode)(const std::any& params);  // whole, with the defaults of what was left out
  Json (*params_schema)();
  Json (*result_schema)();
  std::vector<describe::Flag> (*flags)();
  Result<Outcome> (*run)(actions::ActionContext& context, const std::any& params);

  bool acts() const { return touches != Touches::nothing; }
};

// One call of one action, decoded.
struct ActionCall {
  const ActionSpec* spec = nullptr;
  std::any params;
  Json arguments;  // the same params as canonical JSON, for gates, journal and dry runs
  bool dry_run = false;
  bool capture_after = false;  // the reply also shows what came of it
  int settle_ms = 0;           // how long at most to wait until what it set off is over; 0: not at all
};

// An action with no fields of its own in the result.
struct NoResult {};

// Makes a row. `Run` is Result<Outcome>(ActionContext&, const Params&). A `Status check(const Params&)` beside
// the params is part of decoding, so that a batch is judged before its first step runs.
template <class Params, class Answer, auto Run>
constexpr ActionSpec action(std::string_view name, Category category, Touches touches, Tier tier, Capability capability,
                            std::string_view summary, std::span<const Example> examples) {
  return {
      name,
      category,
      touches,
      tier,
      capability,
      summary,
      examples,
      [](const Json& params) -> Result<std::any> {
        Params decoded = TRY(describe::decode<Params>(params));
        // What limits of single fields cannot say, such as whether a key exists.
        if constexpr (requires { check(decoded); }) TRY(check(decoded));
        return std::any(std::move(decoded));
      },
      [](const std::any& params) { return describe::encode(*std::any_cast<Params>(&params)); },
      [] { return describe::schema<Params>(); },
      [] { return describe::schema<Answer>(); },
      [] { return describe::flags<Params>(); },
      [](actions::ActionContext& context, const std::any& params) {
        return Run(context, *std::any_cast<Params>(&params));
      },
  };
}

}  // namespace handrail::catalog

namespace handrail::describe {
template <>
struct Fields<catalog::NoResult> {
  static constexpr std::tuple<> list{};
};
template <>
struct Names<catalog::Category> {
  using C = catalog::Category;
  static constexpr std::array list{Name{C::permission, "permission"},
                                   Name{C::observe, "observe"},
                                   Name{C::mouse, "mouse"},
                                   Name{C::keyboard, "keyboard"},
                                   Name{C::ax, "ax"},
                                   Name{C::windows, "windows"},
                                   Name{C::apps, "apps"},
                                   Name{C::clipboard, "clipboard"},
                                   Name{C::files, "files"},
                                   Name{C::scripting, "scripting"},
                                   Name{C::system, "system"},
                                   Name{C::flow, "flow"}};
};
template <>
struct Names<catalog::Touches> {
  using T = catalog::Touches;
  static constexpr std::array list{
      Name{T::nothing, "nothing"},     Name{T::pointer, "pointer"}, Name{T::keyboard, "keyboard"},
      Name{T::elements, "elements"},   Name{T::windows, "windows"}, Name{T::apps, "apps"},
      Name{T::clipboard, "clipboard"}, Name{T::files, "files"},     Name{T::programs, "programs"},
      Name{T::system, "system"},       Name{T::grants, "grants"},   Name{T::several, "several"}};
};
template <>
struct Names<catalog::Tier> {
  using T = catalog::Tier;
  static constexpr std::array list{Name{T::none, "none"}, Name{T::read, "read"}, Name{T::click, "click"},
                                   Name{T::full, "full"}};
};
template <>
struct Names<Capability> {
  using C = Capability;
  static constexpr std::array list{Name{C::none, "none"},
                                   Name{C::screen, "screen"},
                                   Name{C::pointer, "pointer"},
                                   Name{C::keyboard, "keyboard"},
                                   Name{C::windows, "windows"},
                                   Name{C::apps, "apps"},
                                   Name{C::clipboard, "clipboard"},
                                   Name{C::accessibility, "accessibility"},
                                   Name{C::files, "files"},
                                   Name{C::programs, "programs"},
                                   Name{C::services, "services"},
                                   Name{C::notifications, "notifications"},
                                   Name{C::brightness, "brightness"},
                                   Name{C::screen_lock, "screen_lock"}};
};
}  // namespace handrail::describe
