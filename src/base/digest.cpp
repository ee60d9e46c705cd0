#include "base/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <cstdlib>
#include <memory>

namespace handrail {
namespace {

struct KeyDeleter {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct ContextDeleter {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Pkey = std::unique_ptr<EVP_PKEY, KeyDeleter>;
using Context = std::unique_ptr<EVP_MD_CTX, ContextDeleter>;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

// The library fails here only when memory is gone; going on without randomness or digests is no choice.
void must(bool ok) {
  if (!ok) std::abort();
}

}  // namespace

Sha256 sha256(std::string_view bytes) {
  Sha256 digest{};
  must(EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) == 1);
  return digest;
}

std::string sha256_hex(std::string_view bytes) {
  const Sha256 digest = sha256(bytes);
  return to_hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

Result<std::string> from_hex(std::string_view hex) {
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  if (hex.size() % 2 != 0) return make_error(Code::argument_invalid, "Hex digits come in pairs.");
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit(hex[i]), low = digit(hex[i + 1]);
    if (high < 0 || low < 0) return make_error(Code::argument_invalid, "That is no lower-case hex digit.");
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

Sha256 hmac_sha256(std::string_view key, std::string_view bytes) {
  Sha256 digest{};
  unsigned size = 0;
  must(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes_of(bytes), bytes.size(), digest.data(),
            &size) != nullptr);
  return digest;
}

bool same_secret(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  must(RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) == 1);
  return bytes;
}

SigningKey new_signing_key() { return signing_key(random_bytes(32)).value(); }

Result<SigningKey> signing_key(std::string_view secret) {
  if (secret.size() != 32) return make_error(Code::argument_invalid, "A signing key has 32 bytes.");
  const Pkey key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes_of(secret), secret.size()));
  must(key != nullptr);
  std::string open(32, '\0');
  std::size_t size = open.size();
  must(EVP_PKEY_get_raw_public_key(key.get(), reinterpret_cast<unsigned char*>(open.data()), &size) == 1);
  return SigningKey{std::string(secret), std::move(open)};
}

std::string sign(const SigningKey& signer, std::string_view bytes) {
  const Pkey key(
      EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes_of(signer.secret), signer.secret.size()));
  const Context context(EVP_MD_CTX_new());
  must(key != nullptr && context != nullptr);
  must(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1);
  std::string signature(64, '\0');
  std::size_t size = signature.size();
  must(EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes_of(bytes),
                      bytes.size()) == 1);
  return signature;
}

bool signed_by(std::string_view open_key, std::string_view bytes, std::string_view signature) {
  if (open_key.size() != 32) return false;
  const Pkey key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(open_key), open_key.size()));
  const Context context(EVP_MD_CTX_new());
  if (key == nullptr || context == nullptr) return false;
  if (EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1) return false;
  return EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(bytes), bytes.size()) == 1;
}

}  // namespace handrail
