#include "platform/x11/xauthority.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace handrail::x11 {
namespace {

std::optional<std::uint16_t> take_number(std::string_view& rest) {
  if (rest.size() < 2) return {};
  const auto high = static_cast<unsigned char>(rest[0]), low = static_cast<unsigned char>(rest[1]);
  rest.remove_prefix(2);
  return static_cast<std::uint16_t>(high << 8 | low);
}

std::optional<std::string_view> take_text(std::string_view& rest) {
  const auto length = take_number(rest);
  if (!length || rest.size() < *length) return {};
  const std::string_view text = rest.substr(0, *length);
  rest.remove_prefix(*length);
  return text;
}

}  // namespace

std::optional<std::string> find_cookie(std::string_view file, const AuthTarget& target) {
  constexpr auto kWild = static_cast<std::uint16_t>(AuthFamily::wild);
  while (!file.empty()) {
    const auto family = take_number(file);
    // Address, display, protocol, cookie.
    std::array<std::string_view, 4> fields;
    for (std::string_view& field : fields) {
      const auto text = take_text(file);
      if (!family || !text) return {};
      field = *text;
    }
    const auto& [address, display, protocol, cookie] = fields;
    const bool host =
        *family == kWild || (*family == static_cast<std::uint16_t>(target.family) && address == target.address);
    if (host && (display.empty() || display == target.display) && protocol == kCookieProtocol)
      return std::string(cookie);
  }
  return {};
}

std::optional<std::string> cookie_for(const AuthTarget& target) {
  const char* named = std::getenv("XAUTHORITY");
  const char* home = std::getenv("HOME");
  std::string path;
  if (named != nullptr) {
    path = named;
  } else if (home != nullptr) {
    path = std::string(home) + "/.Xauthority";
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  // Not by an iterator over the buffer, which throws when a read fails.
  std::ostringstream content;
  content << file.rdbuf();
  return find_cookie(content.str(), target);
}

}  // namespace handrail::x11
