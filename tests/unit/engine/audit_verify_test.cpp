#include "engine/audit_verify.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "audit_fixture.h"
#include "base/digest.h"
#include "engine/audit_record.h"

namespace handrail::engine {
namespace {

class AuditVerifyTest : public AuditFixture {
 protected:
  void make(int records) {
    write(records);
    path_ = last_path();
    original_ = read(path_);
    lines_ = lines(original_);
    ASSERT_EQ(findings(), "");
  }
  // Every change must be found, and with the change undone nothing.
  void expect_found(const std::string& changed, const std::string& what) {
    overwrite(path_, changed);
    EXPECT_FALSE(verify().whole()) << what;
    overwrite(path_, original_);
  }

  std::string path_;
  std::string original_;
  std::vector<std::string> lines_;
};

// The chain is judged in memory, from the state before the line at fault: the same code as for files.
TEST_F(AuditVerifyTest, EveryFlippedBitIsFound) {
  make(full_test() ? 1000 : 12);
  const std::string open_key = signing_key(read(key_file())).value().open;
  AuditChain before(open_key);
  std::uint64_t flips = 0;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const std::string next = i + 1 < lines_.size() ? lines_[i + 1] : "";
    for (std::size_t bit = 0; bit < lines_[i].size() * 8; ++bit) {
      std::string changed = lines_[i];
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
      AuditChain chain = before;
      const std::string text = changed + next;
      std::size_t at = 0;
      for (std::size_t end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
        chain.take("log", i + 1, std::string_view(text).substr(at, end - at), true);
      }
      if (at < text.size()) chain.take("log", i + 1, std::string_view(text).substr(at), false);
      ASSERT_FALSE(chain.report.whole()) << "line " << i + 1 << " bit " << bit;
      ++flips;
    }
    before.take("log", i + 1, std::string_view(lines_[i]).substr(0, lines_[i].size() - 1), true);
    ASSERT_TRUE(before.report.whole());
  }
  EXPECT_EQ(flips, original_.size() * 8);
}

TEST_F(AuditVerifyTest, FlippedBitsInFilesAreFoundWithTheirLine) {
  make(20);
  std::vector<std::size_t> starts{0};
  for (const std::string& line : lines_) starts.push_back(starts.back() + line.size());
  for (std::size_t bit = 3; bit < original_.size() * 8; bit += 397) {
    std::string changed = original_;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    overwrite(path_, changed);
    const AuditReport report = verify();
    ASSERT_FALSE(report.whole()) << bit;
    const std::size_t line = static_cast<std::size_t>(std::ranges::upper_bound(starts, bit / 8) - starts.begin());
    EXPECT_EQ(report.findings[0].line, line) << bit;
    EXPECT_EQ(report.findings[0].file, files().back());
  }
  overwrite(path_, original_);
  EXPECT_EQ(findings(), "");
}

TEST_F(AuditVerifyTest, FlippedBitsOfTheHeadAreFound) {
  make(3);
  const std::string head = read(audit_head_file(folder()));
  for (std::size_t bit = 0; bit < head.size() * 8; bit += full_test() ? 1 : 43) {
    std::string changed = head;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    overwrite(audit_head_file(folder()), changed);
    ASSERT_FALSE(verify().whole()) << bit;
  }
}

TEST_F(AuditVerifyTest, EveryCutIsFound) {
  make(20);
  const std::size_t step = full_test() ? 1 : 61;
  for (std::size_t size = 0; size < original_.size(); size += step) {
    expect_found(original_.substr(0, size), fmt::format("cut to {}", size));
  }
  std::size_t end = 0;
  for (const std::string& line : lines_) {
    expect_found(original_.substr(0, end), fmt::format("cut to {} whole lines", end));
    end += line.size();
  }
  for (std::size_t start = 1; start < original_.size(); start += 97) {
    expect_found(original_.substr(start), fmt::format("start at {}", start));
  }
  EXPECT_EQ(findings(), "");
}

TEST_F(AuditVerifyTest, DeletedRepeatedSwappedAndInsertedRecordsAreFound) {
  make(20);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    auto fewer = lines_, more = lines_, foreign = lines_;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    more.insert(more.begin() + static_cast<std::ptrdiff_t>(i), lines_[i]);
    expect_found(joined(fewer), fmt::format("without {}", i));
    expect_found(joined(more), fmt::format("twice {}", i));
    // A record of right form that its maker could not sign into the chain.
    const auto record = read_line(std::string_view(lines_[i]).substr(0, lines_[i].size() - 1));
    const AuditLine forged =
        audit_line(record->sequence, std::chrono::system_clock::now(), "call", {{"a", "b"}}, record->previous);
    foreign[i] = forged.text;
    expect_found(joined(foreign), fmt::format("forged {}", i));
    foreign = lines_;
    foreign.insert(foreign.begin() + static_cast<std::ptrdiff_t>(i), forged.text);
    expect_found(joined(foreign), fmt::format("inserted {}", i));
    foreign = lines_;
    foreign.insert(foreign.begin() + static_cast<std::ptrdiff_t>(i), "\n");
    expect_found(joined(foreign), fmt::format("empty line {}", i));
    for (std::size_t j = i + 1; j < lines_.size(); j += full_test() ? 1 : 11) {
      auto swapped = lines_;
      std::swap(swapped[i], swapped[j]);
      expect_found(joined(swapped), fmt::format("swapped {} {}", i, j));
    }
  }
  EXPECT_EQ(findings(), "");
}

// All hashes made new behind the change, as one who knows the format but not the key can do.
TEST_F(AuditVerifyTest, AChainThatWasWrittenAgainIsFound) {
  make(20);
  std::string previous(kNoHash), text;
  std::uint64_t number = 0;
  for (const std::string& line : lines_) {
    Json json = parse_json(line).value();
    const std::string kind = json["kind"];
    if (kind == "call" && json["number"] == 4) continue;
    for (const char* frame : {"seq", "time", "kind", "prev", "hash"}) json.erase(frame);
    if (json.contains("count")) json["count"] = number;
    const AuditLine again = audit_line(++number, std::chrono::system_clock::now(), kind, json, previous);
    text += again.text;
    previous = again.hash;
  }
  overwrite(path_, text);
  const std::string told = findings();
  EXPECT_NE(told.find("the signature of checkpoint"), std::string::npos) << told;
  EXPECT_NE(told.find("missing at the end"), std::string::npos) << told;
}

TEST_F(AuditVerifyTest, AnAddedRecordAtTheEndIsFound) {
  make(5);
  const auto last = read_line(std::string_view(lines_.back()).substr(0, lines_.back().size() - 1));
  const AuditLine forged =
      audit_line(last->sequence + 1, std::chrono::system_clock::now(), "call", {{"a", "b"}}, last->hash);
  overwrite(path_, original_ + forged.text);
  EXPECT_NE(findings().find("added at the end"), std::string::npos) << findings();
  // The next writer does not take it for its own.
  write(1);
  EXPECT_NE(findings().find("Something was added to the file."), std::string::npos) << findings();
}

TEST_F(AuditVerifyTest, AnOlderLogPutBackIsFound) {
  make(5);
  const std::string head = read(audit_head_file(folder()));
  write(5);
  overwrite(path_, original_);
  overwrite(audit_head_file(folder()), head);
  EXPECT_NE(findings().find("put back to an older state"), std::string::npos) << findings();
  write(1);
  EXPECT_NE(findings().find("put back to an older state"), std::string::npos) << findings();
}

TEST_F(AuditVerifyTest, ALogThatIsGoneIsFound) {
  make(5);
  std::filesystem::remove_all(folder());
  std::filesystem::create_directory(folder());
  EXPECT_FALSE(verify().whole());
  std::filesystem::remove(folder() + "/lock");
  std::filesystem::remove(folder());
  EXPECT_FALSE(verify_audit(folder(), key_file()).ok());
}

TEST_F(AuditVerifyTest, AnotherKeyIsFound) {
  make(5);
  std::filesystem::remove(key_file());
  EXPECT_FALSE(verify_audit(folder(), key_file()).ok());
  write(1);
  EXPECT_NE(findings().find("the signature of checkpoint 1 does not hold"), std::string::npos) << findings();
}

// The name of a file is the day of its records.
TEST_F(AuditVerifyTest, ARenamedDayIsFound) {
  namespace fs = std::filesystem;
  make(20);
  for (const char* other : {"audit-2001-01-01.jsonl", "audit-2199-12-31.jsonl"}) {
    const std::string renamed = folder() + "/" + other;
    fs::rename(path_, renamed);
    const AuditReport report = verify();
    ASSERT_EQ(report.findings.size(), 1u) << other;
    EXPECT_EQ(report.findings[0].file, other);
    EXPECT_EQ(report.findings[0].line, 1u);
    fs::rename(renamed, path_);
    EXPECT_EQ(findings(), "");
  }
}

// A clock that is set back goes on in the later file; one that runs over midnight begins another.
TEST_F(AuditVerifyTest, DaysThatGoBackAndForthAreWhole) {
  using namespace std::chrono;
  auto now = sys_days(year(2026) / 1 / 31) + hours(23);
  AuditLog::Settings set = settings();
  set.now = [&now] { return system_clock::time_point(now); };
  {
    const auto log = AuditLog::open(set).value();
    for (const auto step : {hours(2), hours(-50), hours(1), hours(100)}) {
      ASSERT_TRUE(log->append("call", {{"action", "wait"}}).ok());
      now += step;
    }
    ASSERT_TRUE(log->append("call", {{"action", "wait"}}).ok());
  }
  EXPECT_EQ(findings(), "");
  const std::vector<std::string> days = files();
  ASSERT_EQ(days.size(), 3u);
  namespace fs = std::filesystem;
  fs::rename(folder() + "/" + days[1], folder() + "/audit-2026-02-02.jsonl");
  EXPECT_NE(findings(), "");
}

}  // namespace
}  // namespace handrail::engine
