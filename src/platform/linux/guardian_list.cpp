#include "platform/linux/guardian_list.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "platform/linux/guardian_record.h"
#include "platform/linux/guardian_wire.h"
#include "platform/linux/process_table.h"

namespace handrail::linux_ {

std::vector<GuardianInfo> list_guardians() {
  std::vector<GuardianInfo> found;
  const std::string wanted = fmt::format("/memfd:{}", kRecordName);
  for (const ProcessFacts& process : all_processes()) {
    const std::string path = fmt::format("/proc/{}/fd/{}", process.id.pid, kRecordFd);
    char target[64] = {};
    const ssize_t size = ::readlink(path.c_str(), target, sizeof target - 1);
    if (size <= 0 || !std::string_view(target).starts_with(wanted)) continue;
    Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.valid()) continue;
    const auto record = GuardianRecord::open(std::move(file), GuardianRecord::Use::to_read);
    // The server and the stand-in have the same memory.
    if (!record.ok() || record->state().guardian != process.id.pid) continue;
    const HeldNow held = record->held();
    GuardianInfo info;
    info.pid = process.id.pid;
    info.server = record->state().server;
    const auto server = process_facts(info.server);
    info.server_alive = server && server->state != 'Z';
    info.display = record->display().name;
    info.folder = record->folder();
    info.keys = held.keycodes.size();
    info.buttons = held.buttons.size();
    info.keymap_bytes = record->size_of(Kept::keymap);
    info.windows_bytes = record->size_of(Kept::windows);
    info.clipboard_bytes = record->size_of(Kept::clipboard);
    info.holds_clipboard = record->state().content[static_cast<std::size_t>(Kept::clipboard)].served != 0;
    found.push_back(info);
  }
  return found;
}

}  // namespace handrail::linux_
