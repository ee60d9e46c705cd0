// The fixture and the words that the rows of the contract suite are written in.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "contract/desk.h"
#include "support/test_permit.h"

namespace handrail::contract {

inline Deadline soon() { return Deadline::in(Millis(5000)); }
inline Deadline passed() { return Deadline(Clock::now() - Millis(1)); }
inline Permit permit() { return engine::PermitMint::mint(); }

inline constexpr Colour kRed{200, 30, 40};
inline constexpr Colour kGreen{20, 160, 60};

class Contract : public ::testing::Test {
 protected:
  void start(Layout layout = Layout::one) { desk_ = make_desk(layout); }
  Desk& desk() {
    if (!desk_) start();
    return *desk_;
  }
  Screen& screen() { return *desk().computer().screen(); }
  Input& input() { return *desk().computer().input(); }
  Windows& windows() { return *desk().computer().windows(); }
  Clipboard& clipboard() { return *desk().computer().clipboard(); }

  OpenApp probe(const Rect& frame = {100, 100, 400, 300}, Colour colour = kRed) {
    return desk().open_probe("probe", frame, colour);
  }
  // Clicked, so that it takes keys.
  OpenApp editor();

  Result<InputReport> perform(std::vector<Step> steps, std::stop_token stop = {}, Deadline deadline = soon()) {
    return input().perform(InputPlan{std::move(steps)}, permit(), deadline, std::move(stop));
  }
  Result<Window> change(WindowId window, WindowVerb verb, const Rect& frame = {}) {
    return windows().change({window, verb, frame}, permit(), soon(), {});
  }

  // Until what apps noted makes it true; false when it does not in time.
  bool eventually(const std::function<bool()>& holds);
  // Until the app has noted at least that many events of these kinds, and then all it noted of them.
  std::vector<Received> wait_for(WindowId window, std::vector<Received::Kind> kinds, std::size_t count);

 private:
  std::unique_ptr<Desk> desk_;
};

Key key(const std::string& name);
std::vector<Step> chord(const std::string& keys);
CaptureRequest of_window(WindowId window);
CaptureRequest of_region(int display, const Rect& region);
// The colour that a capture shows at a desktop point.
Colour colour_at(const Capture& capture, Point at);

#define EXPECT_NEAR_POINT(a, b, by) \
  EXPECT_NEAR((a).x, (b).x, by);    \
  EXPECT_NEAR((a).y, (b).y, by)

// A failure with exactly this code.
#define EXPECT_CODE(result, wanted)                                      \
  do {                                                                   \
    const auto& result_ = (result);                                      \
    ASSERT_FALSE(result_.ok()) << "expected " << row(wanted).name;       \
    EXPECT_EQ(result_.error().code, wanted) << to_text(result_.error()); \
  } while (false)

#define ASSERT_OK(result)                                  \
  do {                                                     \
    const auto& result_ = (result);                        \
    ASSERT_TRUE(result_.ok()) << to_text(result_.error()); \
  } while (false)

}  // namespace handrail::contract
