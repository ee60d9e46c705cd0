#include "engine/audit_head.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "base/digest.h"

namespace handrail::engine {
namespace {

constexpr std::string_view kMark = "handrail-audit-head-1";

std::string bytes_of(const Sha256& digest) { return {reinterpret_cast<const char*>(digest.data()), digest.size()}; }

std::string_view next_word(std::string_view& text) {
  const std::size_t space = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, space);
  text.remove_prefix(std::min(space + 1, text.size()));
  return word;
}

std::uint64_t number(std::string_view word) {
  std::uint64_t value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value);
  return value;
}

}  // namespace

std::string audit_head_key(std::string_view secret) { return bytes_of(hmac_sha256(secret, "handrail audit head")); }

std::string to_bytes(const AuditHead& head, std::string_view key) {
  std::string text = fmt::format("{} {} {} {} {} {} {} {} {} {} ", kMark, head.count, head.hash, head.file, head.size,
                                 head.checkpoint, head.state, head.pending, head.pending_hash, head.pending_file);
  text += to_hex(bytes_of(hmac_sha256(key, text)));
  text.resize(kHeadBytes - 1, ' ');
  return text + '\n';
}

std::optional<AuditHead> audit_head(std::string_view bytes, std::string_view key) {
  if (bytes.size() != kHeadBytes) return std::nullopt;
  std::string_view rest = bytes;
  if (next_word(rest) != kMark) return std::nullopt;
  AuditHead head;
  head.count = number(next_word(rest));
  head.hash = next_word(rest);
  head.file = next_word(rest);
  head.size = number(next_word(rest));
  head.checkpoint = number(next_word(rest));
  head.state = number(next_word(rest));
  head.pending = number(next_word(rest));
  head.pending_hash = next_word(rest);
  head.pending_file = next_word(rest);
  // Written again it must give the same bytes: nothing of it can be other than we write it.
  if (head.hash.size() != kNoHash.size() || head.file.size() + head.pending_file.size() > 80) return std::nullopt;
  if (!same_secret(to_bytes(head, key), bytes)) return std::nullopt;
  return head;
}

}  // namespace handrail::engine
