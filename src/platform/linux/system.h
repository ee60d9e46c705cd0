// The System port: the kernel's files, the notification service, logind and the screen saver. On an embedded desktop
// nothing of the machine is touched: its screen, lock and session are somebody else's.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "computer/system.h"
#include "platform/linux/notification_watch.h"
#include "platform/linux/services.h"

namespace handrail::linux_ {

struct SystemParts {
  BusAddress session_bus;
  std::string system_bus;       // its address
  bool embedded = false;        // the desktop is on no screen of this machine
  std::string sys = "/sys";     // where sysfs is
  std::string accessibility{};  // the file that remembers what it was before
};

class LinuxSystem : public System {
 public:
  explicit LinuxSystem(SystemParts parts) : parts_(std::move(parts)) {}

  Result<SystemState> state(Deadline deadline) override;
  Result<std::uint32_t> notify(const std::string& title, const std::string& text, Permit permit,
                               Deadline deadline) override;
  Result<NotificationsSeen> notifications(Deadline deadline) override;
  Result<int> set_brightness(int percent, Permit permit, Deadline deadline) override;
  Result<bool> lock(Permit permit, Deadline deadline) override;
  Result<bool> enable_accessibility(Permit permit, Deadline deadline) override;
  void tell_lacks(Capabilities& capabilities) override;

  // Begins to listen for notifications, so that later ones are known. Waits for nobody.
  void listen();

 private:
  std::optional<bool> locked(Deadline deadline);

  SystemParts parts_;
  std::mutex mutex_;
  std::string heard_on_;  // address of the bus that is listened to
  std::unique_ptr<NotificationWatch> watch_;
};

}  // namespace handrail::linux_
