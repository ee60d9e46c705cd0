// An audit log in a folder of its own, which goes away with the test.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "engine/audit_log.h"
#include "engine/audit_read.h"
#include "engine/audit_verify.h"

namespace handrail::engine {

inline bool full_test() {
  const char* full = std::getenv("HANDRAIL_FULL");
  return full != nullptr && std::string_view(full) == "1";
}

class AuditFixture : public ::testing::Test {
 protected:
  AuditFixture() {
    std::string form = (std::filesystem::temp_directory_path() / "handrail-audit-XXXXXX").string();
    if (::mkdtemp(form.data()) != nullptr) base_ = form;
  }
  ~AuditFixture() override {
    std::error_code ignored;
    std::filesystem::remove_all(base_, ignored);
  }

  std::string folder() const { return base_ + "/audit"; }
  std::string key_file() const { return base_ + "/audit.key"; }
  AuditLog::Settings settings(std::uint64_t every = 10) const {
    return {.folder = folder(), .key_file = key_file(), .checkpoint_every = every};
  }
  std::unique_ptr<AuditLog> open(std::uint64_t every = 10) {
    auto log = AuditLog::open(settings(every));
    EXPECT_TRUE(log.ok()) << (log.ok() ? "" : to_text(log.error()));
    return log.ok() ? std::move(log).value() : nullptr;
  }
  void write(int count) {
    const auto log = open();
    for (int i = 0; i < count; ++i) {
      const auto written = log->append("call", {{"action", "left_click"}, {"number", i}});
      ASSERT_TRUE(written.ok()) << to_text(written.error());
    }
  }
  std::vector<std::string> files() const {
    const auto names = audit_files(folder());
    return names.ok() ? *names : std::vector<std::string>();
  }
  std::string last_path() const { return folder() + "/" + files().back(); }

  static std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // In place, as a person with an editor would not do it but a program can.
  static void overwrite(const std::string& path, std::string_view bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
      all.push_back(text.substr(at, end + 1 - at));
    }
    return all;
  }
  static std::string joined(const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& line : all) text += line;
    return text;
  }

  AuditReport verify() const {
    const auto report = verify_audit(folder(), key_file());
    EXPECT_TRUE(report.ok()) << (report.ok() ? "" : to_text(report.error()));
    return report.ok() ? *report : AuditReport{};
  }
  std::string findings() const {
    std::string text;
    for (const AuditFinding& finding : verify().findings) text += to_text(finding) + "\n";
    return text;
  }

  std::string base_;
};

}  // namespace handrail::engine
