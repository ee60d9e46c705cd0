#include "engine/audit_verify.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "base/digest.h"
#include "base/private_file.h"
#include "engine/audit_log.h"
#include "engine/audit_read.h"
#include "engine/audit_record.h"

namespace handrail::engine {
namespace {

constexpr Millis kPatience{5000};
constexpr std::size_t kDay = 10;  // of "2026-01-31T…"

// How far a log goes at one moment.
struct Extent {
  std::map<std::string, std::uint64_t> sizes;
  std::optional<AuditHead> head;
  std::optional<AuditHead> anchor;
};

std::optional<AuditHead> head_in(const std::string& path, std::string_view key) {
  const Result<std::string> bytes = read_private_file(path, kHeadBytes);
  return bytes.ok() ? audit_head(*bytes, key) : std::nullopt;
}

Result<Extent> measure(const std::string& folder, const std::string& key_file, std::string_view key) {
  FileLock lock = TRY(FileLock::open(audit_lock_file(folder)));
  TRY(lock.lock(Deadline::in(kPatience)));
  Extent extent;
  for (const std::string& name : TRY(audit_files(folder))) {
    struct stat facts {};
    if (::lstat((folder + "/" + name).c_str(), &facts) != 0) return file_error("look at", name, errno);
    extent.sizes[name] = static_cast<std::uint64_t>(facts.st_size);
  }
  extent.head = head_in(audit_head_file(folder), key);
  extent.anchor = head_in(audit_anchor_file(key_file), key);
  lock.unlock();
  return extent;
}

// Whoever forged a record must not write on the terminal of who reads the finding.
std::string escaped(const Json& text) {
  const std::string quoted = text.dump(-1, ' ', true, Json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

std::string records(std::uint64_t first, std::uint64_t last) {
  return first == last ? fmt::format("record {} is", first) : fmt::format("records {} to {} are", first, last);
}

}  // namespace

std::string to_text(const AuditFinding& finding) {
  if (finding.line == 0) return fmt::format("{}: {}", finding.file, finding.what);
  return fmt::format("{}, line {}: {}", finding.file, finding.line, finding.what);
}

void AuditChain::find(const std::string& file, std::uint64_t line, std::string what) {
  if (report.findings.size() < kMaxFindings) report.findings.push_back({file, line, std::move(what)});
}

void AuditChain::check_order(const std::string& file, std::uint64_t line, std::uint64_t sequence) {
  const std::uint64_t wanted = last_ + 1;
  if (sequence == wanted) return;
  if (sequence > wanted) {
    // The line that could not be read was one of them, and has been told already.
    if (lost_ && sequence == wanted + 1) return;
    return find(file, line, fmt::format("{} missing before this one.", records(wanted, sequence - 1)));
  }
  find(file, line, fmt::format("record {} stands where record {} should be.", sequence, wanted));
}

// A record stands in the file of its day, or in a later one that had been begun before the clock was set back. A file
// with another name than it was written under holds records of another day.
void AuditChain::check_day(const std::string& file, std::uint64_t line, std::uint64_t sequence, std::string_view time) {
  if (!is_audit_file(file)) return;
  day_ = std::max(day_, std::string(time.substr(0, kDay)));
  if (file == fmt::format("audit-{}.jsonl", day_) || file == misnamed_) return;
  misnamed_ = file;
  find(file, line, fmt::format("record {} was written into the file of {}.", sequence, escaped(Json(day_))));
}

void AuditChain::take(const std::string& file, std::uint64_t line, std::string_view text, bool ended) {
  const auto record = read_line(text);
  if (!record || !ended) {
    find(file, line, ended ? "the line is no record." : "the file ends in the middle of a record.");
    lost_ = true;
    return;
  }
  ++report.records;
  check_order(file, line, record->sequence);
  if (record->intact) check_day(file, line, record->sequence, record->time);
  if (!record->intact) find(file, line, fmt::format("record {} was changed.", record->sequence));
  if (!lost_ && record->sequence == last_ + 1 && record->previous != hash_) {
    find(file, line, fmt::format("record {} does not follow the one before it.", record->sequence));
  }
  if (record->kind == kCheckpointKind && record->intact) {
    ++report.checkpoints;
    const Result<Json> json = parse_json(text);
    const bool counted = json.ok() && json->value("count", Json()) == Json(record->sequence - 1);
    if (!counted || (!open_key_.empty() && !checkpoint_holds(*json, open_key_, record->previous))) {
      find(file, line, fmt::format("the signature of checkpoint {} does not hold.", record->sequence));
    }
  }
  if (record->kind == kRepairKind) ++report.repairs;
  if (record->kind == kGapKind) {
    const Result<Json> json = parse_json(text);
    const std::string reason = json.ok() && json->contains("reason") && (*json)["reason"].is_string()
                                   ? escaped((*json)["reason"])
                                   : "The reason cannot be read.";
    find(file, line, fmt::format("the log was damaged before record {}: {}", record->sequence, reason));
  }
  for (const Expected& expected : expected_) {
    if (expected.count == record->sequence && expected.hash != record->hash) {
      find(file, line, fmt::format("record {} is not the one that was written.", record->sequence));
    }
  }
  last_ = record->sequence;
  hash_ = record->hash;
  lost_ = false;
}

void AuditChain::finish(const AuditHead& head) {
  if (last_ < head.count) {
    find(head.file, 0, fmt::format("{} missing at the end.", records(last_ + 1, head.count)));
  } else if (last_ > head.count) {
    find(head.file, 0, fmt::format("{} not ours: added at the end.", records(head.count + 1, last_)));
  } else if (hash_ != head.hash) {
    find(head.file, 0, fmt::format("record {} is not the one that was written.", last_));
  }
}

Result<AuditReport> verify_audit(const std::string& folder, const std::string& key_file) {
  const Result<std::string> secret = read_private_file(key_file, 32);
  const Result<SigningKey> key = secret.ok() ? signing_key(*secret) : Result<SigningKey>(secret.error());
  if (!key.ok()) {
    return make_error(key.error().code, fmt::format("The key of the log cannot be used: {}", key.error().message))
        .with_hint("Without the key nobody can tell whether the log is whole.");
  }
  struct stat facts {};
  if (::stat(folder.c_str(), &facts) != 0) return file_error("open the log in", folder, errno);
  Extent extent = TRY(measure(folder, key_file, audit_head_key(key->secret)));
  AuditChain chain(key->open);
  AuditHead head = extent.head.value_or(AuditHead{});
  if (extent.head) chain.expect(head.count, head.hash);
  if (extent.anchor) chain.expect(extent.anchor->count, extent.anchor->hash);
  for (auto& [name, size] : extent.sizes) {
    ++chain.report.files;
    // What a writer that ended in the middle left behind is no record yet; the next writer mends it.
    const bool half = head.pending != 0 && name == head.pending_file;
    const std::uint64_t start = name == head.file ? head.size : 0;
    const bool whole = half && size == start + head.pending;
    if (half && !whole && size < start + head.pending && size > start) size = start;
    const auto take = [&chain, &file = name](const FileLine& line) {
      chain.take(file, line.number, line.text, line.ended);
      return true;
    };
    TRY(each_line(folder + "/" + name, 0, size, take));
    if (whole) {
      head.count += 1;
      head.hash = head.pending_hash;
    }
  }
  if (!extent.head) {
    const bool fresh = extent.sizes.empty() && !extent.anchor;
    if (!fresh)
      chain.report.findings.push_back({"head", 0, "it is missing or damaged, so that the end may be cut off."});
  } else {
    chain.finish(head);
  }
  if (extent.anchor && extent.anchor->count > head.count && extent.head) {
    chain.report.findings.push_back({"head", 0, "the log was put back to an older state."});
  }
  return std::move(chain.report);
}

}  // namespace handrail::engine
