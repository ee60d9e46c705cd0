// The end of the audit log as its last writer left it, authenticated with the owner's key: what is cut off, added or
// put back from an older copy does not fit it. Fixed in size, so that one small write replaces it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace handrail::engine {

inline constexpr std::size_t kHeadBytes = 512;
inline constexpr std::string_view kNoHash = "0000000000000000000000000000000000000000000000000000000000000000";

struct AuditHead {
  std::uint64_t count = 0;            // records so far; also the sequence number of the last one
  std::string hash{kNoHash};          // of the last record
  std::string file = "-";             // where that stands
  std::uint64_t size = 0;             // of the file, up to and with that record
  std::uint64_t checkpoint = 0;       // sequence number of the last checkpoint
  std::uint64_t state = 0;            // the newest counter of the kept state
  std::uint64_t pending = 0;          // bytes of a record that is being written now; 0: none
  std::string pending_hash{kNoHash};  // its hash
  std::string pending_file = "-";     // the file it goes to
  friend bool operator==(const AuditHead&, const AuditHead&) = default;
};

// Exactly kHeadBytes. `key` is audit_head_key() of the signing key's secret.
std::string to_bytes(const AuditHead& head, std::string_view key);
// Nothing when a single bit is not as it was written with this key.
std::optional<AuditHead> audit_head(std::string_view bytes, std::string_view key);
std::string audit_head_key(std::string_view secret);

}  // namespace handrail::engine
