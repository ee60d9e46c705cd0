// Which kind of app a program is, and the most that an agent can be granted of it. The list is compiled in; the owner's
// rules come on top. The strictest of all that match wins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/grant.h"
#include "model/identity.h"

namespace handrail::policy {

enum class Sentinel { none, shell, filesystem, system_settings, secrets, other_desktop };

struct AppClass {
  std::string name;      // for people: the catalogue's name, else the desktop id, else the executable's
  std::string category;  // "browser", "terminal", …; empty when it is in no list
  bool denied = false;
  GrantTier most = GrantTier::full;
  Sentinel sentinel = Sentinel::none;
  std::vector<std::string> why;  // what matched which row, a sentence each
  // It runs other programs' code (interpreter, shell, shared runtime): only with its script is it an app.
  bool runs_others = false;
  bool for_good = false;  // denied, and no rule of the owner lifts it: password prompts, screen lockers, the desktop
  friend bool operator==(const AppClass&, const AppClass&) = default;
};

// The owner's word on an app: `app` is any of its ids, its name in the catalogue, or the path of its executable or of
// its script, compared without case. A bare file name lowers and denies wherever the file is, and raises only programs
// in the system's folders.
struct OwnerRule {
  std::string app;
  bool deny = false;
  GrantTier most = GrantTier::full;  // raises or lowers what the catalogue says
  bool only_raises = false;          // made from a grant at launch: never lowers, and gives way to a rule that does
  friend bool operator==(const OwnerRule&, const OwnerRule&) = default;
};

class AppCatalog {
 public:
  // The one that is compiled in; made once.
  static const AppCatalog& builtin();

  // Claims (window class, script) can only make it stricter. With an owner's rule for the app, the rule decides; of
  // several, the strictest. Interpreters and shells are terminals whatever they run.
  AppClass classify(const AppIdentity& identity, const std::vector<OwnerRule>& rules) const;
  // Whether an owner who writes `app` means this program, beyond doubt.
  bool means(std::string_view app, const AppIdentity& identity) const;
  std::size_t size() const;

 private:
  AppCatalog();
  struct Tables;
  const Tables* tables_;
};

// How a person or an agent names the program: its desktop id, else its script, else its executable.
std::string app_id(const AppIdentity& identity);

}  // namespace handrail::policy
