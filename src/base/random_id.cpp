#include "base/random_id.h"

#include <sys/random.h>

#include <array>
#include <cstdlib>

namespace handrail {

std::string random_id(std::string_view prefix) {
  std::array<unsigned char, 16> bytes{};
  // The kernel's generator is always there; without it no handle would be safe to give out.
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  std::string id{prefix};
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const unsigned char byte : bytes) {
    id += kDigits[byte >> 4];
    id += kDigits[byte & 15];
  }
  return id;
}

}  // namespace handrail
