// The guardian's hands on an X display: lets go of keys and buttons, puts the keyboard map and windows back, owns the
// person's clipboard. It has connections of its own.
#pragma once

#include <xcb/xcb.h>

#include <functional>
#include <memory>

#include "computer/restorer.h"

namespace handrail::x11 {

struct RestoreParts {
  std::function<Status(xcb_connection_t* xcb, std::string_view record)> keymap;
  std::function<Status(xcb_connection_t* xcb, xcb_window_t root, std::string_view record)> windows;
};

// Parts that are missing make their restore `capability_unsupported`.
std::unique_ptr<Restorer> make_restorer(RestoreParts parts);

}  // namespace handrail::x11
