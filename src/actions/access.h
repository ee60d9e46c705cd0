// Asking for access to apps, and telling what is granted.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/action_spec.h"
#include "model/grant.h"

namespace handrail::actions {

struct RequestAccess {
  std::vector<AppRequest> apps;
  std::string reason;
  bool clipboard_read = false;
  bool clipboard_write = false;
  bool system_keys = false;
  bool files = false;
  bool shell = false;
};

// Something must be asked for.
Status check(const RequestAccess& asked);

struct DeniedApp {
  std::string app;
  GrantTier tier = GrantTier::full;
  std::string reason;
};

struct GrantedApp {
  std::string app;
  GrantTier tier = GrantTier::read;
  std::string source;
  Persist persist = Persist::session;
  // When it was asked for now, and can have no more than this.
  std::optional<GrantTier> asked;
  std::optional<std::string> lowered;
};

struct AccessResult {
  std::vector<GrantedApp> granted;
  std::vector<DeniedApp> denied;
  bool clipboard_read = false;
  bool clipboard_write = false;
  bool system_keys = false;
  bool files = false;
  bool shell = false;
};

std::span<const catalog::ActionSpec> access_actions();

}  // namespace handrail::actions

namespace handrail::describe {

template <>
struct Names<GrantTier> {
  static constexpr std::array list{Name{GrantTier::read, "read"}, Name{GrantTier::click, "click"},
                                   Name{GrantTier::full, "full"}};
};
template <>
struct Names<Persist> {
  static constexpr std::array list{Name{Persist::once, "once"}, Name{Persist::session, "session"},
                                   Name{Persist::always, "always"}};
};
template <>
struct Fields<AppRequest> {
  using T = AppRequest;
  static constexpr std::string_view example = R"({"app": "org.xfce.mousepad", "tier": "full"})";
  static constexpr auto list = std::tuple{
      needed("app", &T::app, "Desktop id or name of the app.", between(1, 200)),
      field("tier", &T::tier, "read looks, click adds left clicks and scrolling, full is everything."),
  };
};
template <>
struct Fields<actions::GrantedApp> {
  using T = actions::GrantedApp;
  static constexpr auto list = std::tuple{
      field("app", &T::app, "The app."),
      field("tier", &T::tier, "What may be done with it."),
      field("source", &T::source, "Who granted it."),
      field("persist", &T::persist, "How long it lasts."),
      field("asked", &T::asked, "The tier that was asked for, when less was granted."),
      field("lowered", &T::lowered, "Why less was granted."),
  };
};
template <>
struct Fields<actions::DeniedApp> {
  using T = actions::DeniedApp;
  static constexpr auto list = std::tuple{
      field("app", &T::app, "The app as it was asked for."),
      field("tier", &T::tier, "The tier that was asked for."),
      field("reason", &T::reason, "Why not."),
  };
};
template <>
struct Fields<actions::RequestAccess> {
  using T = actions::RequestAccess;
  static constexpr auto list = std::tuple{
      field("apps", &T::apps, "The apps that the task needs.", between(0, 50)),
      needed("reason", &T::reason, "Why, in a sentence for the person who decides.", between(1, 500)),
      field("clipboard_read", &T::clipboard_read, "Also read the clipboard."),
      field("clipboard_write", &T::clipboard_write, "Also write the clipboard."),
      field("system_keys", &T::system_keys, "Also use keys that switch or quit apps."),
      field("files", &T::files, "Also use files in the folders that the owner granted."),
      field("shell", &T::shell, "Also run commands and scripts in a sandbox."),
  };
};
template <>
struct Fields<actions::AccessResult> {
  using T = actions::AccessResult;
  static constexpr auto list = std::tuple{
      field("granted", &T::granted, "All grants of this session."),
      field("denied", &T::denied, "What was asked for and not granted."),
      field("clipboard_read", &T::clipboard_read, "The clipboard may be read."),
      field("clipboard_write", &T::clipboard_write, "The clipboard may be written."),
      field("system_keys", &T::system_keys, "Keys that switch or quit apps may be used."),
      field("files", &T::files, "Files in granted folders may be used."),
      field("shell", &T::shell, "Commands and scripts may be run."),
  };
};

}  // namespace handrail::describe
