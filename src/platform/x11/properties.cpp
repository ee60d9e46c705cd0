#include "platform/x11/properties.h"

namespace handrail::x11 {
namespace {

std::string from_latin1(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xc0 | byte >> 6);
      text += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return text;
}

std::string_view without_cut_character(std::string_view text) {
  std::size_t tail = 0;  // continuation bytes at the end
  while (tail < 4 && tail < text.size() && (static_cast<unsigned char>(text[text.size() - 1 - tail]) & 0xc0) == 0x80)
    ++tail;
  if (tail >= text.size()) return text;
  const auto lead = static_cast<unsigned char>(text[text.size() - 1 - tail]);
  const std::size_t needed = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
  return tail < needed ? text.substr(0, text.size() - 1 - tail) : text;
}

}  // namespace

std::string_view Property::bytes() const {
  if (reply_->format != 8) return {};
  return {static_cast<const char*>(xcb_get_property_value(reply_.get())),
          static_cast<std::size_t>(xcb_get_property_value_length(reply_.get()))};
}

std::span<const std::uint32_t> Property::words() const {
  if (reply_->format != 32) return {};
  return {static_cast<const std::uint32_t*>(xcb_get_property_value(reply_.get())),
          static_cast<std::size_t>(xcb_get_property_value_length(reply_.get())) / 4};
}

std::string Property::text(const Atoms& atoms) const {
  if (reply_->type == atoms.utf8_string) return std::string(without_cut_character(bytes()));
  return from_latin1(bytes());
}

PendingProperty ask_property(Server& server, xcb_window_t window, xcb_atom_t name, std::uint32_t words) {
  return PendingProperty(server.pend(xcb_get_property(server.xcb(), 0, window, name, XCB_ATOM_ANY, 0, words),
                                     xcb_get_property_reply, "GetProperty"));
}

std::string second_string(std::string_view bytes) {
  const std::size_t zero = bytes.find('\0');
  if (zero == std::string_view::npos) return from_latin1(bytes);
  std::string_view second = bytes.substr(zero + 1);
  return from_latin1(second.substr(0, second.find('\0')));
}

}  // namespace handrail::x11
