// Kinds of programs that the list of apps does not hold, known by their names: password prompts and screen lockers, the
// desktop's own parts, viewers of other desktops, interpreters and shells.
#pragma once

#include <optional>
#include <string_view>

#include "policy/app_catalog.h"

namespace handrail::policy {

struct SpecialKind {
  std::string_view category;
  std::string_view says;  // completes "… is"
  bool denied = false;
  bool for_good = false;  // no owner's rule lifts it
  GrantTier most = GrantTier::full;
  Sentinel sentinel = Sentinel::none;
};

// By a program's name, desktop id, Flatpak id or class, in lower case.
std::optional<SpecialKind> special_kind(std::string_view name);
// Whether a program of this name runs other programs' code: an interpreter, a shell or a shared runtime.
bool runs_others(std::string_view name);
// The kind that all of those are.
SpecialKind interpreter_kind();

// What a window class alone says, in lower case: web apps of a browser, JetBrains' IDEs.
std::optional<SpecialKind> kind_of_class(std::string_view window_class);

// Names that other programs have too: they count only when nothing that can be trusted says otherwise.
bool clashes(std::string_view executable);

}  // namespace handrail::policy
