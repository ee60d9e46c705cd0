#include "platform/x11/backend.h"

#include <mutex>
#include <optional>

#include "platform/x11/clipboard.h"
#include "platform/x11/extensions.h"
#include "platform/x11/input.h"
#include "platform/x11/screen.h"
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
  if (!extensions->xtest.present()) {
    for (const Capability capability : {Capability::pointer, Capability::keyboard}) {
      found.lack(capability, "the XTEST extension of the X server",
                 "Start the X server with it (Xvfb and Xorg have it unless started with -extension XTEST).");
    }
  }
  if (!extensions->xkb.present()) {
    found.lack(Capability::keyboard, "the XKEYBOARD extension of the X server", "Start the X server with it.");
  }
  return found;
}

}  // namespace

Backend make_backend(Connection::DisplaySource source) {
  auto connection = std::make_shared<Connection>(std::move(source));
  Backend backend;
  backend.ports.screen = std::make_unique<X11Screen>(connection);
  backend.ports.windows = std::make_unique<X11Windows>(connection);
  backend.ports.input = std::make_unique<X11Input>(connection);
  backend.ports.clipboard = std::make_unique<X11Clipboard>(connection);
  auto offered = std::make_shared<Offered>();
  connection->on_open([offered](Server& server) -> Status {
    const std::lock_guard lock(offered->mutex);
    offered->extensions = server.extensions();
    return {};
  });
  backend.ports.capabilities = [offered] { return capabilities(*offered); };
  backend.ports.backend = connection;
  backend.watch_windows = [connection](Deadline deadline, std::stop_token stop,
                                       const std::function<Result<bool>()>& done) {
    return EventWatch(*connection).until(deadline, stop, done);
  };
  backend.connection = connection;
  return backend;
}

}  // namespace handrail::x11
