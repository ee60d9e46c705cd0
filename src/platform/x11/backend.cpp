#include "platform/x11/backend.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>

#include "platform/x11/clipboard.h"
#include "platform/x11/extensions.h"
#include "platform/x11/input.h"
#include "platform/x11/screen.h"
#include "platform/x11/targets.h"
#include "platform/x11/windows.h"

namespace handrail::x11 {
namespace {

// What the last server offered. Nothing before the first connection: then nothing is known to be missing,
// and a server that cannot be reached is told by the call itself.
struct Offered {
  std::mutex mutex;
  std::optional<Extensions> extensions;
};

Capabilities capabilities(Offered& offered) {
  Capabilities found;
  const std::lock_guard lock(offered.mutex);
  const auto& extensions = offered.extensions;
  if (!extensions) return found;
  const auto need_for_input = [&](bool there, std::string_view what, std::string_view option) {
    if (there) return;
    for (const Capability capability : {Capability::pointer, Capability::keyboard}) {
      found.lack(
          capability, fmt::format("the {} extension of the X server", what),
          fmt::format("Start the X server with it (Xvfb and Xorg have it unless started with -extension {}).", option));
    }
  };
  need_for_input(extensions->xtest.present(), "XTEST", "XTEST");
  // Without these nobody can tell which app gets a click, and whether a person is using the desktop.
  need_for_input(extensions->record.present(), "RECORD", "RECORD");
  need_for_input(extensions->res.at_least(1, 2), "X-Resource", "X-Resource");
  need_for_input(extensions->xinput.at_least(2, 1), "XInput 2", "XInputExtension");
  if (!extensions->xkb.present()) {
    found.lack(Capability::keyboard, "the XKEYBOARD extension of the X server", "Start the X server with it.");
  }
  return found;
}

std::vector<Facility> facilities(Offered& offered, Screen& screen, Deadline deadline) {
  const auto displays = screen.displays(deadline);
  std::vector<Facility> found;
  found.push_back({"display", displays.ok(),
                   displays.ok() ? fmt::format("{} display(s)", displays->size()) : displays.error().message,
                   displays.ok() ? "" : std::string(displays.error().next_step())});
  const std::lock_guard lock(offered.mutex);
  if (!offered.extensions) return found;
  const Extensions& has = *offered.extensions;
  const auto add = [&](const char* name, const Extension& extension, bool there, const char* option, bool needed) {
    found.push_back({name, there,
                     there ? fmt::format("version {}.{}", extension.major, extension.minor) : "the X server lacks it",
                     there ? "" : fmt::format("Start the X server without `-extension {}`.", option), needed});
  };
  add("xtest", has.xtest, has.xtest.present(), "XTEST", true);
  add("xinput2", has.xinput, has.xinput.at_least(2, 1), "XInputExtension", true);
  add("xcomposite", has.composite, has.composite.present(), "Composite", false);
  add("record", has.record, has.record.present(), "RECORD", true);
  add("xres", has.res, has.res.at_least(1, 2), "X-Resource", true);
  return found;
}

}  // namespace

Backend make_backend(Connection::DisplaySource source, BackendParts parts) {
  auto connection = std::make_shared<Connection>(source);
  Backend backend;
  backend.claim = std::make_shared<DisplayClaim>(connection, parts.custody);
  backend.people = std::make_shared<People>(std::make_shared<Connection>(std::move(source)));
  backend.delivery = std::make_shared<InputDelivery>(
      connection, InputDelivery::Parts{parts.identify, std::move(parts.custody), backend.claim, backend.people,
                                       std::move(parts.hears_one_keyboard)});
  backend.ports.screen = std::make_unique<X11Screen>(connection, parts.identify);
  backend.ports.windows = std::make_unique<X11Windows>(connection);
  backend.ports.input = std::make_unique<X11Input>(connection, backend.delivery);
  backend.ports.targets = std::make_unique<X11Targets>(connection, backend.delivery, backend.people);
  backend.ports.clipboard = std::make_unique<X11Clipboard>(connection);
  auto offered = std::make_shared<Offered>();
  connection->on_open([offered](Server& server) -> Status {
    const std::lock_guard lock(offered->mutex);
    offered->extensions = server.extensions();
    return {};
  });
  backend.ports.capabilities = [offered] { return capabilities(*offered); };
  backend.ports.facilities = [offered, screen = backend.ports.screen.get()](Deadline deadline) {
    return facilities(*offered, *screen, deadline);
  };
  backend.ports.backend = connection;
  backend.watch_windows = [connection](Deadline deadline, std::stop_token stop,
                                       const std::function<Result<bool>()>& done) {
    return EventWatch(*connection).until(deadline, stop, done);
  };
  backend.connection = connection;
  return backend;
}

}  // namespace handrail::x11
