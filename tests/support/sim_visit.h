// What a session on the simulated desktop stands on: everything granted that a default window belongs to, a guardian
// and a lock that are always there, and a real audit log in a folder that goes away.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/session.h"
#include "platform/sim/custody.h"
#include "platform/sim/sim_computer.h"

namespace handrail {

class SimVisit {
 public:
  SimVisit() {
    std::string pattern = (std::filesystem::temp_directory_path() / "handrail-visit-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    audit_ = engine::AuditLog::open({folder_ + "/audit", folder_ + "/key", 100}).value();
  }
  ~SimVisit() {
    audit_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  SimVisit(const SimVisit&) = delete;
  SimVisit& operator=(const SimVisit&) = delete;

  engine::SessionSettings settings() const {
    engine::SessionSettings settings;
    settings.rules.granted = {{"sim", GrantTier::full}};
    settings.rules.flags.clipboard_read = settings.rules.flags.clipboard_write = true;
    return settings;
  }
  engine::SessionParts parts() {
    engine::SessionParts parts;
    parts.custody = &custody;
    parts.lock = &lock;
    parts.audit = audit_.get();
    return parts;
  }
  engine::AuditLog& audit() { return *audit_; }
  const std::string& folder() const { return folder_; }
  // What the log holds now, of one kind or of all.
  std::vector<Json> records(std::string_view kind = {}) const {
    std::vector<Json> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ + "/audit")) {
      if (entry.path().extension() != ".jsonl") continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        Json record = parse_json(line).value();
        if (kind.empty() || record["kind"] == kind) found.push_back(std::move(record));
      }
    }
    return found;
  }

  sim::SimCustody custody;
  sim::SimLock lock;

 private:
  std::string folder_;
  std::unique_ptr<engine::AuditLog> audit_;
};

}  // namespace handrail
