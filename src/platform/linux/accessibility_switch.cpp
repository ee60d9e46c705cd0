#include "platform/linux/accessibility_switch.h"

#include <unistd.h>

#include <cerrno>

#include "base/json.h"
#include "base/private_file.h"
#include "platform/linux/session_bus.h"

namespace handrail::linux_ {
namespace {

constexpr std::size_t kMostBytes = 4096;
constexpr const char* kWasOn = "was_on";

// Nothing when there is none.
Result<std::optional<bool>> recorded(const std::string& record) {
  auto text = read_private_file(record, kMostBytes);
  if (!text.ok() && text.error().code == Code::not_found) return std::optional<bool>();
  if (!text.ok()) return text.error();
  const Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains(kWasOn) || !json[kWasOn].is_boolean()) {
    return make_error(Code::protocol, record + " is not as Handrail wrote it.")
        .with_hint("Remove it; then accessibility stays as it is now.");
  }
  return std::optional(json[kWasOn].get<bool>());
}

Result<FileLock> locked(const std::string& record, Deadline deadline) {
  FileLock lock = TRY(FileLock::open(record + ".lock"));
  TRY(lock.lock(deadline));
  return lock;
}

}  // namespace

Result<AccessibilityOn> switch_accessibility_on(const std::string& session_bus, const std::string& record,
                                                Deadline deadline) {
  const FileLock lock = TRY(locked(record, deadline));
  SessionBus bus = TRY(SessionBus::connect(session_bus, deadline));
  AccessibilityOn now;
  now.was_on = TRY(bus.accessibility_enabled(SessionBus::Start::yes, deadline)).value_or(false);
  now.to_restore = TRY(recorded(record)).has_value();
  if (!now.was_on) {
    // First: what ends in between leaves something to put back, and not the other way round.
    if (!now.to_restore) TRY(replace_private_file(record, Json{{kWasOn, false}}.dump() + "\n"));
    now.to_restore = true;
    TRY(bus.switch_accessibility(true, deadline));
  }
  now.bus = TRY(bus.accessibility_bus(deadline));
  return now;
}

Result<std::optional<bool>> restore_accessibility(const std::string& session_bus, const std::string& record,
                                                  Deadline deadline) {
  const FileLock lock = TRY(locked(record, deadline));
  const std::optional<bool> was_on = TRY(recorded(record));
  if (!was_on) return was_on;
  SessionBus bus = TRY(SessionBus::connect(session_bus, deadline));
  TRY(bus.switch_accessibility(*was_on, deadline));
  if (::unlink(record.c_str()) != 0 && errno != ENOENT) return file_error("remove", record, errno);
  return was_on;
}

}  // namespace handrail::linux_
