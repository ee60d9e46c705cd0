#include "computer/local_computer.h"

namespace handrail {

LocalComputer::LocalComputer(LocalPorts ports) : ports_(std::move(ports)) {}

Capabilities LocalComputer::without_accessibility() {
  Capabilities found = ports_.capabilities ? ports_.capabilities() : Capabilities{};
  // A port that was never made is missing, whatever the backend says.
  const auto need = [&found](bool there, Capability capability, const char* what) {
    if (!there && found[capability].available) found.lack(capability, what, "Use a desktop that offers it.");
  };
  need(ports_.screen != nullptr, Capability::screen, "screen capture");
  need(ports_.input != nullptr, Capability::pointer, "a pointer");
  need(ports_.input != nullptr, Capability::keyboard, "a keyboard");
  need(ports_.windows != nullptr, Capability::windows, "window control");
  need(ports_.apps != nullptr, Capability::apps, "an app launcher");
  need(ports_.clipboard != nullptr, Capability::clipboard, "a clipboard");
  return found;
}

Capabilities LocalComputer::capabilities() {
  Capabilities found = without_accessibility();
  const bool there = ports_.accessibility && ports_.accessibility->reachable(Deadline::in(kBackendPatience));
  if (!there) found.lack(Capability::accessibility, "an accessibility bus", "Run `handrail setup`.");
  return found;
}

// To ask for the accessibility bus is not for calls that have no use for it.
CapabilityState LocalComputer::capability(Capability wanted) {
  return (wanted == Capability::accessibility ? capabilities() : without_accessibility())[wanted];
}

}  // namespace handrail
