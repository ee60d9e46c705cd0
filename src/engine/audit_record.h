// The line of one audit record: how it is written, and how it is read back byte by byte. A line holds
// {"seq":…,"time":…,"kind":…,…,"prev":…,"hash":…}; the hash is over the same line without that last field.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/json.h"

namespace handrail::engine {

inline constexpr std::string_view kCheckpointKind = "checkpoint";
inline constexpr std::string_view kGapKind = "gap";            // the log was damaged before this record
inline constexpr std::string_view kRepairKind = "repaired";    // a write that was cut short was taken back
inline constexpr std::string_view kStateKind = "state_saved";  // the kept state was written; its body has `counter`
inline constexpr std::size_t kMaxRecordBytes = 256 * 1024;

struct AuditLine {
  std::string text;  // with the line's end
  std::string hash;
};

// Whatever is in the body comes out as one line of plain ASCII: control characters are escaped, invalid UTF-8 is
// replaced, fields of the frame are renamed, and a body that is too large is replaced by its size and digest.
AuditLine audit_line(std::uint64_t sequence, std::chrono::system_clock::time_point time, std::string_view kind,
                     const Json& body, std::string_view previous);

struct ReadLine {
  std::uint64_t sequence = 0;
  std::string_view time;
  std::string_view kind;
  std::string_view previous;
  std::string_view hash;  // as the line states it
  bool intact = false;    // the stated hash is that of the bytes
};
// Without the line's end. Nothing when it does not have the form of a record.
std::optional<ReadLine> read_line(std::string_view line);

// The body of a checkpoint and its check.
Json checkpoint_body(const SigningKey& key, std::uint64_t count, std::string_view previous);
bool checkpoint_holds(const Json& record, std::string_view open_key, std::string_view previous);

}  // namespace handrail::engine
