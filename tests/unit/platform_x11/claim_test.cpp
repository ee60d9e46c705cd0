#include "platform/x11/display_claim.h"

#include <gtest/gtest.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include "gate_fixture.h"
#include "platform/x11/backend.h"
#include "platform/x11/keymap_record.h"

namespace handrail::x11 {
namespace {

using testing::KeyboardOracle;
using testing::XClient;
using testing::XServer;

Deadline soon() { return Deadline::in(Millis(10000)); }

Backend open_backend(const XServer& x, BackendParts parts = {}) {
  return make_backend([name = x.name()]() -> Result<std::string> { return name; }, std::move(parts));
}

Result<InputReport> click(Backend& backend) {
  return backend.ports.input->perform({{MoveTo{{150, 150}}, ButtonDown{}, ButtonUp{}}}, engine::PermitMint::mint(),
                                      Deadline::in(Millis(20000)), {});
}

TEST(DisplayClaim, TheSecondIsToldWhoHoldsIt) {
  XServer x;
  Backend first = open_backend(x);
  Backend second = open_backend(x);
  ASSERT_TRUE(first.claim->take("session one, pid 1", soon()).ok());
  ASSERT_TRUE(first.claim->take("session one, pid 1", soon()).ok()) << "again is harmless";
  const Status busy = second.claim->take("session two, pid 2", soon());
  ASSERT_FALSE(busy.ok());
  EXPECT_EQ(busy.error().code, Code::busy);
  EXPECT_NE(busy.error().message.find("session one, pid 1"), std::string::npos) << busy.error().message;
  first.claim->release();
  EXPECT_EQ(second.claim->holder(soon()).value(), "");
  EXPECT_TRUE(second.claim->take("session two, pid 2", soon()).ok());
}

TEST(DisplayClaim, AHolderThatHasGoneIsNone) {
  XServer x;
  Backend second = open_backend(x);
  {
    Backend first = open_backend(x);
    ASSERT_TRUE(first.claim->take("session one", soon()).ok());
  }
  EXPECT_TRUE(second.claim->take("session two", soon()).ok());
}

TEST(DisplayClaim, WhoLostItSendsNothing) {
  XServer x;
  XClient app(x.name());
  app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  Backend first = open_backend(x);
  Backend second = open_backend(x);
  ASSERT_TRUE(first.claim->take("session one", soon()).ok());
  const auto before = click(first);
  ASSERT_TRUE(before.ok()) << to_text(before.error());
  EXPECT_TRUE(before->delivered);
  ASSERT_TRUE(app.wait([&] { return app.count(XCB_BUTTON_RELEASE) == 1; }));
  ASSERT_TRUE(second.claim->seize("session two", soon()).ok());
  const int trials = testing::full_run() ? 200 : 10;
  for (int i = 0; i < trials; ++i) {
    const auto after = click(first);
    ASSERT_FALSE(after.ok());
    EXPECT_EQ(after.error().code, Code::busy);
    EXPECT_NE(after.error().message.find("session two"), std::string::npos) << after.error().message;
    const auto keys =
        first.ports.input->perform({{TypeText{"abc"}}}, engine::PermitMint::mint(), Deadline::in(Millis(20000)), {});
    EXPECT_EQ(keys.error().code, Code::busy);
  }
  app.sync();
  app.wait([] { return true; });
  EXPECT_EQ(app.count(XCB_BUTTON_PRESS), 1);
  EXPECT_EQ(app.count(XCB_KEY_PRESS), 0);
  EXPECT_TRUE(click(second).ok());
}

// Remembers what it was told, and can be gone.
class Ledger : public Custody {
 public:
  Status ready() override { return answer(); }
  Status held(const HeldNow& now) override {
    const std::lock_guard lock(mutex);
    history.push_back(now);
    return gone ? answer() : Status();
  }
  Status keep(Kept what, std::string bytes) override {
    const std::lock_guard lock(mutex);
    if (what == Kept::keymap) {
      if (!bytes.empty()) kept = bytes;
      now_kept = std::move(bytes);
    }
    return answer();
  }
  Status give_back(Kept, Deadline) override { return {}; }
  void grabbing(bool on) noexcept override { depth += on ? 1 : -1; }
  Status answer() const { return gone ? Status(make_error(Code::internal, "There is no guardian.")) : Status(); }

  std::mutex mutex;
  std::vector<HeldNow> history;
  std::string kept;
  std::string now_kept;
  std::atomic<int> depth = 0;
  std::atomic<bool> gone = false;
};

TEST(InputCustody, IsToldBeforeEachPressAndAfterEachRelease) {
  XServer x;
  XClient app(x.name());
  app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  auto ledger = std::make_shared<Ledger>();
  Backend backend = open_backend(x, {{}, ledger});
  ASSERT_TRUE(click(backend).ok());
  {
    const std::lock_guard lock(ledger->mutex);
    EXPECT_EQ(ledger->history, (std::vector<HeldNow>{{{}, {1}}, {{}, {}}}));
    EXPECT_EQ(ledger->depth, 0);
  }
  ledger->gone = true;
  app.wait([&] { return app.count(XCB_BUTTON_RELEASE) == 1; });
  const auto refused = click(backend);
  EXPECT_EQ(refused.error().code, Code::permission_missing);
  const auto typed =
      backend.ports.input->perform({{TypeText{"a"}}}, engine::PermitMint::mint(), Deadline::in(Millis(20000)), {});
  EXPECT_EQ(typed.error().code, Code::permission_missing);
  app.sync();
  app.wait([] { return true; });
  EXPECT_EQ(app.count(XCB_BUTTON_PRESS), 1);
  EXPECT_EQ(app.count(XCB_KEY_PRESS), 0);
}

TEST(InputCustody, KeepsTheMapWhileKeysAreLentAndAnotherCanRestoreIt) {
  XServer x;
  testing::run({"setxkbmap", "-layout", "us"}, x.name());
  KeyboardOracle oracle(x.name());
  const xcb_window_t window = oracle.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  xcb_set_input_focus(oracle.xcb(), XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME);
  oracle.lock(true, 0);
  const auto before = oracle.facts();
  auto ledger = std::make_shared<Ledger>();
  Backend backend = open_backend(x, {{}, ledger});
  // Left down: the key stays lent, as it would be after a crash.
  const auto held = backend.ports.input->perform({{KeyDown{{XKB_KEY_Cyrillic_ya}}}}, engine::PermitMint::mint(),
                                                 Deadline::in(Millis(20000)), {});
  ASSERT_TRUE(held.ok()) << to_text(held.error());
  EXPECT_NE(oracle.facts().core_map, before.core_map);
  std::string bytes;
  {
    const std::lock_guard lock(ledger->mutex);
    EXPECT_FALSE(ledger->now_kept.empty());
    bytes = ledger->now_kept;
  }
  for (int twice = 0; twice < 2; ++twice) {
    ASSERT_TRUE(restore_keymap(oracle.xcb(), bytes).ok());
    oracle.sync();
    EXPECT_EQ(oracle.facts().core_map, before.core_map);
  }
  EXPECT_TRUE(restore_keymap(oracle.xcb(), "").ok());
  for (std::size_t cut = 1; cut < bytes.size(); cut += 7) {
    EXPECT_EQ(restore_keymap(oracle.xcb(), std::string_view(bytes).substr(0, cut)).error().code,
              Code::argument_invalid);
  }
  ASSERT_TRUE(backend.ports.input->release_all(soon()).ok());
  EXPECT_EQ(oracle.facts(), before);
  const std::lock_guard lock(ledger->mutex);
  EXPECT_TRUE(ledger->now_kept.empty());
}

TEST(Backend, SaysWhichExtensionsInputLacks) {
  XServer x({{1280, 800}, false, {"-extension", "X-Resource"}});
  Backend backend = open_backend(x);
  const auto report = click(backend);
  EXPECT_EQ(report.error().code, Code::capability_unsupported);
  EXPECT_NE(report.error().message.find("X-Resource"), std::string::npos) << to_text(report.error());
  const Capabilities found = backend.ports.capabilities();
  EXPECT_FALSE(found[Capability::pointer].available);
  EXPECT_NE(found[Capability::keyboard].missing.find("X-Resource"), std::string::npos);
}

}  // namespace
}  // namespace handrail::x11
