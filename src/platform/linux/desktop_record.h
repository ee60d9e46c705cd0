// The JSON forms of what passes between the processes of an embedded desktop and lies in its folder.
#pragma once

#include "base/json.h"
#include "platform/linux/desktop_folder.h"

namespace handrail::linux_ {

// What the supervisor is told to start. All folders exist already.
struct SuperviseRequest {
  std::string name;
  std::string id;
  std::string runtime_dir;
  std::string lock_path;
  std::string home;
  DesktopHome home_kind = DesktopHome::private_;
  Environment base;  // the person's variables that programs may have
  std::vector<Size> screens;
  std::vector<std::vector<std::string>> apps;  // argument lists
  bool owned = false;                          // ends when the owner's pipe closes
  Millis patience{10000};                      // for everything to be ready
};

Json to_json(const DesktopInfo& info);
Result<DesktopInfo> desktop_info(const Json& json);

Json to_json(const SuperviseRequest& request);
Result<SuperviseRequest> supervise_request(const Json& json);

Json to_json(const Error& error);
// An error that another process of the desktop reported.
Error reported_error(const Json& json);

}  // namespace handrail::linux_
