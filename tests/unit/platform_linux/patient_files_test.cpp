#include "platform/linux/patient_files.h"

#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "support/test_permit.h"

namespace handrail::linux_ {
namespace {

// A disk that answers when it is let.
class HungDisk : public Files {
 public:
  std::vector<FileInfo> roots() override { return {}; }
  Result<FilePart> read(const std::string&, std::int64_t, std::size_t, Deadline) override {
    mounted.wait();
    return FilePart{"late", 4};
  }
  Result<FolderList> list(const std::string&, std::size_t, Deadline) override { return FolderList{}; }
  Result<FileInfo> info(const std::string&, Deadline) override { return FileInfo{}; }
  Result<FileStanding> standing(const std::string&, Deadline) override { return FileStanding::outside; }
  Result<FileInfo> change(const ChangeFile&, Permit, Deadline, std::stop_token) override {
    mounted.wait();
    return FileInfo{};
  }
  Status check(const ChangeFile&, Deadline) override { return make_error(Code::access_denied, "No."); }

  std::latch mounted{1};
};

TEST(PatientFiles, answer_in_time_whatever_the_disk_does) {
  const auto disk = std::make_shared<HungDisk>();
  PatientFiles files(disk);
  const Deadline soon = Deadline::in(Millis(50));
  EXPECT_EQ(files.read("x", 0, 10, soon).error().code, Code::timeout);
  const auto changed = files.change({}, engine::PermitMint::mint(), soon, {});
  EXPECT_EQ(changed.error().code, Code::timeout);
  EXPECT_EQ(changed.error().side_effects, SideEffects::possible) << "nobody knows what the disk will do yet";
  EXPECT_TRUE(files.list("x", 10, Deadline::in(kBackendPatience)).ok()) << "others are not held up";
  EXPECT_EQ(files.check({}, Deadline::in(kBackendPatience)).error().code, Code::access_denied);
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(files.read("x", 0, 10, Deadline::in(Millis(0))).ok());
  EXPECT_EQ(files.info("x", Deadline::in(kBackendPatience)).error().code, Code::timeout) << "too many wait already";
  disk->mounted.count_down();
  // Those that waited end by themselves, and then there is room again.
  const Deadline end = Deadline::in(Millis(10000));
  while (!files.info("x", Deadline::in(kBackendPatience)).ok() && !end.passed()) std::this_thread::yield();
  EXPECT_EQ(files.read("x", 0, 10, Deadline::in(kBackendPatience)).value().bytes, "late");
}

}  // namespace
}  // namespace handrail::linux_
