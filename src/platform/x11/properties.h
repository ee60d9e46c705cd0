// Window properties as values. What an app writes into them is untrusted: wrong types and formats
// read as empty.
#pragma once

#include <xcb/xcb.h>

#include <span>
#include <string>
#include <string_view>

#include "platform/x11/atoms.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

class Property {
 public:
  explicit Property(Owned<xcb_get_property_reply_t> reply) : reply_(std::move(reply)) {}

  bool present() const { return reply_->type != XCB_ATOM_NONE; }
  std::string_view bytes() const;                // of format 8
  std::span<const std::uint32_t> words() const;  // of format 32
  // As UTF-8, whatever the encoding says; never cut inside a character.
  std::string text(const Atoms& atoms) const;

 private:
  Owned<xcb_get_property_reply_t> reply_;
};

class PendingProperty {
 public:
  explicit PendingProperty(Pending<xcb_get_property_reply_t> pending) : pending_(std::move(pending)) {}
  Result<Property> get() { return Property(TRY(pending_.get())); }

 private:
  Pending<xcb_get_property_reply_t> pending_;
};

// At most `words` times 4 bytes of it.
PendingProperty ask_property(Server& server, xcb_window_t window, xcb_atom_t name, std::uint32_t words);

// WM_CLASS is two strings, each ended by a zero: the instance and the class.
std::string second_string(std::string_view bytes);

}  // namespace handrail::x11
