// Finds the cookie that lets a client into an X server. libXau does the same with static buffers, which
// two threads must not share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace handrail::x11 {

// As X11/Xauth.h numbers them.
enum class AuthFamily : std::uint16_t { internet = 0, local = 256, wild = 65535 };

struct AuthTarget {
  AuthFamily family = AuthFamily::local;
  std::string address;  // the host's name, or the 4 bytes of its IPv4 number
  std::string display;  // its number as text
};

inline constexpr std::string_view kCookieProtocol = "MIT-MAGIC-COOKIE-1";

// The first cookie of an Xauthority file's content that fits. Nothing after the first malformed record.
std::optional<std::string> find_cookie(std::string_view file, const AuthTarget& target);

// Reads the file that XAUTHORITY names, else ~/.Xauthority. None is normal: many embedded servers let
// their own user in without one.
std::optional<std::string> cookie_for(const AuthTarget& target);

}  // namespace handrail::x11
