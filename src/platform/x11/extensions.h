// What the X server offers beyond the core protocol. Read `present()` before any request of an
// extension: xcb ends the whole connection on a request of an absent one. To use another extension,
// add a member here and a row in extensions.cpp.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace handrail::x11 {

class Server;

struct Extension {
  std::uint32_t major = 0;  // version; 0.0 is absent
  std::uint32_t minor = 0;
  std::uint8_t major_opcode = 0;
  std::uint8_t first_event = 0;
  std::uint8_t first_error = 0;

  bool present() const { return major_opcode != 0; }
  bool at_least(std::uint32_t wanted_major, std::uint32_t wanted_minor) const {
    return present() && (major > wanted_major || (major == wanted_major && minor >= wanted_minor));
  }
};

struct Extensions {
  Extension xtest;
  Extension shm;
  Extension randr;
  Extension composite;
  Extension damage;
  Extension xfixes;
  Extension xkb;
  Extension res;
  Extension xinput;
  Extension shape;
  Extension record;
};

// Presence and versions in two round trips; tells the server our versions, as several demand it.
Result<Extensions> query_extensions(Server& server);

}  // namespace handrail::x11
