// What an agent may do with which app.
#pragma once

#include <string>
#include <vector>

namespace handrail {

enum class GrantTier { read, click, full };

struct Grant {
  std::string app;
  GrantTier tier = GrantTier::read;
  std::string source;  // "config", "policy" or "terminal": who said yes
  friend bool operator==(const Grant&, const Grant&) = default;
};

struct GrantFlags {
  bool clipboard_read = false;
  bool clipboard_write = false;
  bool system_keys = false;
  friend bool operator==(const GrantFlags&, const GrantFlags&) = default;
};

struct AppRequest {
  std::string app;
  GrantTier tier = GrantTier::full;
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
};

}  // namespace handrail
