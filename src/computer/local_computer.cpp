#include "computer/local_computer.h"

namespace handrail {

LocalComputer::LocalComputer(LocalPorts ports) : ports_(std::move(ports)) {}

Capabilities LocalComputer::at_hand() {
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
  if (ports_.files == nullptr) {
    found.lack(Capability::files, "granted folders", "The owner names them in the config file, under `files.roots`.");
  }
  std::string fix = "Use a desktop that offers it.";
  const std::string missing = ports_.programs == nullptr ? "a place to run programs" : ports_.programs->missing(&fix);
  if (!missing.empty()) found.lack(Capability::programs, missing, fix);
  need(ports_.services != nullptr, Capability::services, "a session bus");
  need(ports_.system != nullptr, Capability::notifications, "a notification service");
  need(ports_.system != nullptr, Capability::brightness, "a backlight");
  need(ports_.system != nullptr, Capability::screen_lock, "a screen lock");
  return found;
}

std::vector<Facility> LocalComputer::facilities(Deadline deadline) {
  std::vector<Facility> found;
  if (ports_.facilities) found = ports_.facilities(deadline);
  const bool elements = ports_.accessibility && ports_.accessibility->reachable(deadline);
  found.push_back({"accessibility_bus", elements, elements ? "answers" : "does not answer",
                   elements ? "" : "Call `setup`, or run `handrail setup`."});
  return found;
}

Capabilities LocalComputer::capabilities() {
  Capabilities found = at_hand();
  if (ports_.system) ports_.system->tell_lacks(found);
  look_for_elements(found);
  return found;
}

void LocalComputer::look_for_elements(Capabilities& found) {
  const bool there = ports_.accessibility && ports_.accessibility->reachable(Deadline::in(kBackendPatience));
  if (!there) found.lack(Capability::accessibility, "an accessibility bus", "Run `handrail setup`.");
}

// To ask for buses and services is not for calls that have no use for them.
CapabilityState LocalComputer::capability(Capability wanted) {
  Capabilities found = at_hand();
  if (wanted == Capability::accessibility) look_for_elements(found);
  const bool of_services = wanted == Capability::services || wanted == Capability::notifications ||
                           wanted == Capability::brightness || wanted == Capability::screen_lock;
  if (of_services && ports_.system) ports_.system->tell_lacks(found);
  return found[wanted];
}

}  // namespace handrail
