// Digests, signatures of checkpoints and constant-time comparison: the only place that knows the crypto library.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace handrail {

using Sha256 = std::array<std::uint8_t, 32>;

Sha256 sha256(std::string_view bytes);
// Lower-case hex of the digest.
std::string sha256_hex(std::string_view bytes);
std::string to_hex(std::string_view bytes);
Result<std::string> from_hex(std::string_view hex);

Sha256 hmac_sha256(std::string_view key, std::string_view bytes);
// Takes the same time wherever they differ.
bool same_secret(std::string_view a, std::string_view b);
std::string random_bytes(std::size_t count);

// Ed25519. Keys are 32 raw bytes, signatures 64.
struct SigningKey {
  std::string secret;
  std::string open;  // the public half
};
SigningKey new_signing_key();
Result<SigningKey> signing_key(std::string_view secret);
std::string sign(const SigningKey& key, std::string_view bytes);
bool signed_by(std::string_view open_key, std::string_view bytes, std::string_view signature);

}  // namespace handrail
