#include "engine/grant_store.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "audit_fixture.h"

namespace handrail::engine {
namespace {

Grant grant(const std::string& app, GrantTier tier = GrantTier::full) {
  Grant made{app, tier, "dialog", Persist::always, "/usr/bin/" + app, {0xfffffffffffffff0U, 7, -3}, "/a/script.py"};
  return made;
}

class GrantStoreTest : public AuditFixture {
 protected:
  GrantStoreTest() : audit_(open()) {}

  std::unique_ptr<GrantStore> store() {
    auto opened = GrantStore::open(GrantStore::settings_with(base_ + "/state", key_file(), *audit_));
    EXPECT_TRUE(opened.ok());
    return std::move(opened).value();
  }
  void add(const std::string& app) {
    const auto changed = store()->change([&](KeptState& state) { state.access.grants.push_back(grant(app)); });
    ASSERT_TRUE(changed.ok()) << to_text(changed.error());
  }
  std::vector<std::string> apps(std::string* told = nullptr) {
    std::vector<std::string> names;
    for (const Grant& kept : store()->load(told).access.grants) names.push_back(kept.app);
    return names;
  }
  std::string path() const { return base_ + "/state/grants.json"; }

  std::unique_ptr<AuditLog> audit_;
};

TEST_F(GrantStoreTest, EverythingComesBackButWhatEndsWithTheSession) {
  KeptState wanted;
  wanted.access.grants = {grant("mousepad"), grant("xterm", GrantTier::click)};
  wanted.access.flags = {.clipboard_read = true, .system_keys = true};
  wanted.selected_display = 2;
  wanted.look = Look{"look-1", 1, {1.5, 2, 300, 200}, {640, 480}, 1.25, 0xfedcba9876543210U, {}};
  ASSERT_TRUE(store()
                  ->change([&](KeptState& state) {
                    state = wanted;
                    Grant fleeting = grant("gimp");
                    fleeting.persist = Persist::session;
                    state.access.grants.push_back(fleeting);
                  })
                  .ok());
  std::string told;
  const KeptState kept = store()->load(&told);
  EXPECT_EQ(told, "");
  EXPECT_EQ(kept.access, wanted.access);
  EXPECT_EQ(kept.selected_display, 2);
  ASSERT_TRUE(kept.look.has_value());
  EXPECT_EQ(kept.look->id, "look-1");
  EXPECT_EQ(kept.look->area, wanted.look->area);
  EXPECT_EQ(kept.look->layout, wanted.look->layout);
  EXPECT_EQ(kept.look->scale, 1.25);
  struct stat facts {};
  ASSERT_EQ(::stat(path().c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777U, 0600U);
}

TEST_F(GrantStoreTest, NothingThereIsEmptyWithoutAWord) {
  std::string told;
  EXPECT_TRUE(apps(&told).empty());
  EXPECT_EQ(told, "");
}

TEST_F(GrantStoreTest, NoFlippedBitAndNoCutGivesAnything) {
  add("mousepad");
  const std::string whole = read(path());
  for (std::size_t bit = 0; bit < whole.size() * 8; bit += full_test() ? 1 : 7) {
    std::string changed = whole;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    overwrite(path(), changed);
    std::string told;
    ASSERT_TRUE(apps(&told).empty()) << bit;
    ASSERT_NE(told, "") << bit;
  }
  for (std::size_t size = 0; size < whole.size(); size += full_test() ? 1 : 11) {
    overwrite(path(), whole.substr(0, size));
    ASSERT_TRUE(apps().empty()) << size;
  }
  overwrite(path(), whole);
  EXPECT_EQ(apps(), std::vector<std::string>{"mousepad"});
}

TEST_F(GrantStoreTest, AnOlderStateIsRefused) {
  add("mousepad");
  const std::string older = read(path());
  ASSERT_TRUE(store()->change([](KeptState& state) { state.access.grants.clear(); }).ok());
  overwrite(path(), older);
  std::string told;
  EXPECT_TRUE(apps(&told).empty());
  EXPECT_NE(told.find("was written since"), std::string::npos) << told;
  std::filesystem::remove(path());
  EXPECT_TRUE(apps(&told).empty());
  EXPECT_NE(told.find("gone"), std::string::npos) << told;
  // A change after that is newer than all of them.
  add("gimp");
  EXPECT_EQ(apps(), std::vector<std::string>{"gimp"});
  overwrite(path(), older);
  EXPECT_TRUE(apps().empty());
}

TEST_F(GrantStoreTest, OthersFilesLinksAndOpenModesGiveNothing) {
  add("mousepad");
  ::chmod(path().c_str(), 0644);
  std::string told;
  EXPECT_TRUE(apps(&told).empty());
  EXPECT_NE(told.find("not private"), std::string::npos) << told;
  ::chmod(path().c_str(), 0600);
  std::filesystem::rename(path(), path() + ".moved");
  std::filesystem::create_symlink(path() + ".moved", path());
  EXPECT_TRUE(apps().empty());
  std::filesystem::remove(path());
  std::filesystem::create_directory(path());
  EXPECT_TRUE(apps().empty());
  std::filesystem::remove(path());
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  EXPECT_TRUE(apps().empty());
}

TEST_F(GrantStoreTest, AStateOfAnotherKeyGivesNothing) {
  add("mousepad");
  overwrite(key_file(), std::string(32, 'k'));
  EXPECT_TRUE(apps().empty());
}

TEST_F(GrantStoreTest, ChangesOfSeveralSessionsAreAllKept) {
  const auto one = store(), other = store();
  std::vector<std::jthread> threads;
  for (GrantStore* each : {one.get(), other.get()}) {
    threads.emplace_back([each, name = each == one.get() ? "one" : "other"] {
      for (int i = 0; i < 10; ++i) {
        const auto add_one = [&](KeptState& state) {
          state.access.grants.push_back(grant(fmt::format("{}-{}", name, i)));
        };
        auto changed = each->change(add_one);
        // A slow disk lets one of them wait too long; nothing was changed then.
        for (int again = 0; !changed.ok() && changed.error().code == Code::busy && again < 20; ++again) {
          changed = each->change(add_one);
        }
        EXPECT_TRUE(changed.ok()) << to_text(changed.error());
      }
    });
  }
  threads.clear();
  EXPECT_EQ(apps().size(), 20U);
}

TEST_F(GrantStoreTest, KilledAtAnyMomentItIsTheOldStateOrTheNewOne) {
  const int rounds = full_test() ? 300 : 10;
  audit_.reset();
  for (int round = 0; round < rounds; ++round) {
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      audit_ = open();
      const auto own = store();
      if (::write(ready[1], "x", 1) != 1) ::_exit(1);
      for (int i = 0;; ++i) {
        (void)own->change([i](KeptState& state) {
          state.access.grants.assign(static_cast<std::size_t>(i % 5 + 1), grant("app"));
          state.selected_display = i % 5 + 1;
        });
      }
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    std::this_thread::sleep_for(std::chrono::microseconds(200 + 1511 * (round % 40)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    audit_ = open();
    std::string told;
    const KeptState kept = store()->load(&told);
    EXPECT_EQ(told, "") << round;
    EXPECT_EQ(kept.access.grants.size(), static_cast<std::size_t>(kept.selected_display)) << round;
    audit_.reset();
  }
}

TEST_F(GrantStoreTest, WhatTheAuditLogCannotTakeIsAnError) {
  auto settings = GrantStore::settings_with(base_ + "/state", key_file(), *audit_);
  settings.changed = [](std::uint64_t) -> Status { return make_error(Code::io_error, "The disk is full."); };
  const auto opened = GrantStore::open(settings);
  ASSERT_TRUE(opened.ok());
  const auto changed = (*opened)->change([](KeptState&) {});
  ASSERT_FALSE(changed.ok());
  EXPECT_EQ(changed.error().code, Code::io_error);
}

}  // namespace
}  // namespace handrail::engine
