// Method calls on a message bus, with JSON for the values. Nothing here waits longer than it was told, not even for a
// bus that took the connection and says nothing more.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"

struct sd_bus;

namespace handrail::linux_ {

inline constexpr const char* kSystemBus = "unix:path=/run/dbus/system_bus_socket";

enum class StartService { no, yes };

struct BusMethod {
  std::string destination;
  std::string path;
  std::string interface;
  std::string method;
  std::string signature{};
  Json arguments = Json::array();  // one for each type of the signature
  StartService start = StartService::no;
};

class ServiceBus {
 public:
  // `capability_unsupported` when there is none at the address.
  static Result<ServiceBus> connect(const std::string& address, Deadline deadline);

  // The values of the answer, as a list. `not_found`: nobody has the name; `timeout`: no answer came; `backend_error`:
  // the service answered with an error.
  Result<Json> call(const BusMethod& method, Deadline deadline);

  // 0 when nobody has it.
  Result<std::int64_t> owner(const std::string& name, Deadline deadline);
  // Well-known ones that somebody has; or that the bus would start somebody for.
  Result<std::vector<std::string>> names(Deadline deadline);
  Result<bool> offered(const std::string& name, Deadline deadline);

 private:
  struct Closer {
    void operator()(sd_bus* bus) const;
  };
  explicit ServiceBus(sd_bus* bus) : bus_(bus) {}
  std::unique_ptr<sd_bus, Closer> bus_;
};

}  // namespace handrail::linux_
