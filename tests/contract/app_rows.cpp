#include "contract/suite.h"

namespace handrail::contract {
namespace {

class AppContract : public Contract {
 protected:
  // Without a launcher the exact lack is told, and that is all there is to check.
  bool lacks_apps() {
    if (desk().computer().apps() != nullptr) return false;
    const CapabilityState state = desk().computer().capabilities()[Capability::apps];
    EXPECT_FALSE(state.available);
    EXPECT_FALSE(state.missing.empty());
    EXPECT_FALSE(state.fix.empty());
    return true;
  }
  Result<OpenedApp> open(const std::string& app) { return desk().computer().apps()->open({app}, permit(), soon(), {}); }
};

TEST_F(AppContract, OpeningShowsAWindowAndAgainBringsItToTheFront) {
  if (lacks_apps()) return;
  const auto opened = open("Contract Notes");
  ASSERT_OK(opened);
  EXPECT_FALSE(opened->was_running);
  ASSERT_TRUE(opened->window.has_value());
  ASSERT_NE(desk().state().find(opened->window->id), nullptr);
  const OpenApp above = desk().open_probe("above", {100, 100, 300, 200}, kGreen);
  ASSERT_EQ(desk().state().active, above.window);
  const auto again = open("Contract Notes");
  ASSERT_OK(again);
  EXPECT_TRUE(again->was_running);
  EXPECT_EQ(again->window->id, opened->window->id);
  EXPECT_EQ(desk().state().active, opened->window->id);
}

TEST_F(AppContract, AppsAreFoundByIdNameAndUniquePart) {
  if (lacks_apps()) return;
  const auto list = desk().computer().apps()->list(soon());
  ASSERT_OK(list);
  EXPECT_EQ(list->size(), 2u);
  for (const char* by : {"contract-notes", "CONTRACT NOTES", "note"}) {
    const auto opened = open(by);
    ASSERT_OK(opened);
    EXPECT_EQ(opened->app.name, "Contract Notes");
  }
}

TEST_F(AppContract, UnknownAndAmbiguousNamesAreRefused) {
  if (lacks_apps()) return;
  EXPECT_CODE(open("no such app"), Code::not_found);
  const auto several = open("contract");
  EXPECT_CODE(several, Code::ambiguous);
  EXPECT_NE(several.error().message.find("contract-notes"), std::string::npos);
  EXPECT_NE(several.error().message.find("contract-painter"), std::string::npos);
  EXPECT_TRUE(desk().state().windows.empty());
}

}  // namespace
}  // namespace handrail::contract
