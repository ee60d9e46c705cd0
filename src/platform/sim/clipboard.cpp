#include "platform/sim/ports.h"

namespace handrail::sim {

Result<std::vector<std::string>> SimClipboard::formats(Selection selection, Deadline deadline) {
  return hub_.use(deadline, [&](Desktop& desktop) -> Result<std::vector<std::string>> {
    std::vector<std::string> offered;
    for (const ClipItem& item : desktop.clipboards().items(selection)) offered.push_back(item.mime);
    return offered;
  });
}

Result<std::string> SimClipboard::read(Selection selection, const std::string& mime, Deadline deadline) {
  return hub_.use(deadline, [&](Desktop& desktop) -> Result<std::string> {
    for (const ClipItem& item : desktop.clipboards().items(selection)) {
      if (item.mime == mime) return item.bytes;
    }
    return make_error(Code::not_found, "The clipboard does not offer " + mime + ".");
  });
}

Status SimClipboard::write(Selection selection, std::vector<ClipItem> items, Permit, Deadline deadline) {
  return hub_.use(deadline, [&](Desktop& desktop) -> Status {
    desktop.clipboards().set(selection, std::move(items));
    return {};
  });
}

}  // namespace handrail::sim
