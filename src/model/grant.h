// What an agent may do with which app.
#pragma once

#include <string>
#include <vector>

#include "model/identity.h"

namespace handrail {

enum class GrantTier { read, click, full };

// How long a person's yes lasts.
enum class Persist { once, session, always };

struct Grant {
  std::string app;  // as a person names it: desktop id, else the executable
  GrantTier tier = GrantTier::read;
  std::string source;  // "config", "policy", or the approver that said yes: "client", "dialog", "terminal"
  Persist persist = Persist::session;
  std::string executable;  // the path, for people
  FileId file;             // what the grant is bound to; unknown: it covers nothing until it is resolved
  std::string script;      // the one program of an interpreter that it covers
  friend bool operator==(const Grant&, const Grant&) = default;
};

struct GrantFlags {
  bool clipboard_read = false;
  bool clipboard_write = false;
  bool system_keys = false;
  bool files = false;
  bool shell = false;
  friend bool operator==(const GrantFlags&, const GrantFlags&) = default;
};

struct AppRequest {
  std::string app;
  GrantTier tier = GrantTier::full;
  bool by_category = false;  // of the owner, who named no tier: as much as apps of its kind can have
  friend bool operator==(const AppRequest&, const AppRequest&) = default;
};

struct AccessRequest {
  std::vector<AppRequest> apps;
  std::string reason;
  GrantFlags flags;
};

struct Access {
  std::vector<Grant> grants;
  GrantFlags flags;
  friend bool operator==(const Access&, const Access&) = default;
};

// What came of a request for one app.
struct AppAnswer {
  std::string app;  // as it was asked for
  GrantTier asked = GrantTier::full;
  bool granted = false;
  GrantTier tier = GrantTier::read;  // when granted; may be less than was asked for
  bool lowered = false;              // granted with less, because that is the most that it can have
  std::string grant;                 // the name under which it is or would be granted
  std::string reason;                // why not, or why less: one sentence with the next step
};

struct AccessReply {
  Access access;  // all that the session holds now
  std::vector<AppAnswer> answers;
};

// The program behind an app's name, as the launcher would start it.
struct AppProgram {
  App app;
  AppIdentity identity;  // pid 0: it need not run
};

}  // namespace handrail
