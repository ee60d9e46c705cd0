#include "platform/x11/people.h"

#include <gtest/gtest.h>
#include <xcb/xinput.h>
#include <xcb/xtest.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include <atomic>
#include <cstring>

#include "typing_fixture.h"

namespace handrail::x11 {
namespace {

using testing::XClient;
using testing::XServer;

Deadline soon() { return Deadline::in(Millis(10000)); }

// The server's own devices, which nobody drives here, driven by request: their events come from a device that is not
// XTEST's, as a person's do.
class Person : public XClient {
 public:
  explicit Person(const std::string& display) : XClient(display) {
    std::free(xcb_input_xi_query_version_reply(xcb(), xcb_input_xi_query_version(xcb(), 2, 2), nullptr));
    const auto* extension = xcb_get_extension_data(xcb(), &xcb_input_id);
    first_event_ = extension->first_event;
    auto* devices =
        xcb_input_xi_query_device_reply(xcb(), xcb_input_xi_query_device(xcb(), XCB_INPUT_DEVICE_ALL), nullptr);
    for (auto info = xcb_input_xi_query_device_infos_iterator(devices); info.rem > 0;
         xcb_input_xi_device_info_next(&info)) {
      const std::string name(xcb_input_xi_device_info_name(info.data), info.data->name_len);
      if (name.find("XTEST") != std::string::npos) continue;
      if (info.data->type == XCB_INPUT_DEVICE_TYPE_SLAVE_KEYBOARD) keyboard_ = info.data->deviceid;
      if (info.data->type == XCB_INPUT_DEVICE_TYPE_SLAVE_POINTER) mouse_ = info.data->deviceid;
    }
    std::free(devices);
    if (keyboard_ == 0 || mouse_ == 0) throw std::runtime_error("no devices");
  }
  void key(std::uint8_t keycode, bool down) {
    xcb_test_fake_input(xcb(), static_cast<std::uint8_t>(first_event_ + (down ? 1 : 2)), keycode, XCB_CURRENT_TIME,
                        XCB_WINDOW_NONE, 0, 0, static_cast<std::uint8_t>(keyboard_));
    sync();
  }
  void button(std::uint8_t number, bool down) {
    xcb_test_fake_input(xcb(), static_cast<std::uint8_t>(first_event_ + (down ? 3 : 4)), number, XCB_CURRENT_TIME,
                        XCB_WINDOW_NONE, 0, 0, static_cast<std::uint8_t>(mouse_));
    sync();
  }

 private:
  std::uint8_t first_event_ = 0;
  std::uint16_t keyboard_ = 0;
  std::uint16_t mouse_ = 0;
};

struct Watched {
  explicit Watched(const std::string& display)
      : people(std::make_shared<Connection>([display]() -> Result<std::string> { return display; })) {}
  std::optional<Millis> idle() {
    auto since = people.idle(soon());
    EXPECT_TRUE(since.ok()) << to_text(since.error());
    return since.ok() ? *since : std::nullopt;
  }
  People people;
};

TEST(People, SyntheticInputIsNobody) {
  XServer x;
  Watched watched(x.name());
  ASSERT_TRUE(watched.people.listen(soon()).ok());
  XClient robot(x.name());
  xcb_test_fake_input(robot.xcb(), XCB_KEY_PRESS, 38, XCB_CURRENT_TIME, XCB_WINDOW_NONE, 0, 0, 0);
  xcb_test_fake_input(robot.xcb(), XCB_KEY_RELEASE, 38, XCB_CURRENT_TIME, XCB_WINDOW_NONE, 0, 0, 0);
  xcb_test_fake_input(robot.xcb(), XCB_MOTION_NOTIFY, 0, XCB_CURRENT_TIME, robot.root(), 50, 60, 0);
  xcb_test_fake_input(robot.xcb(), XCB_BUTTON_PRESS, 1, XCB_CURRENT_TIME, XCB_WINDOW_NONE, 0, 0, 0);
  xcb_test_fake_input(robot.xcb(), XCB_BUTTON_RELEASE, 1, XCB_CURRENT_TIME, XCB_WINDOW_NONE, 0, 0, 0);
  robot.sync();
  EXPECT_EQ(watched.idle(), std::nullopt);
}

TEST(People, KeysAndButtonsOfADeviceAreAPerson) {
  XServer x;
  Watched watched(x.name());
  Person person(x.name());
  EXPECT_EQ(watched.idle(), std::nullopt);
  person.key(38, true);
  person.key(38, false);
  ASSERT_TRUE(watched.idle().has_value());
  EXPECT_LT(*watched.idle(), Millis(10000));

  Watched other(x.name());
  EXPECT_EQ(other.idle(), std::nullopt);
  person.button(1, true);
  person.button(1, false);
  EXPECT_TRUE(other.idle().has_value());
}

TEST(People, ThePanicChordIsAPersonsOnly) {
  XServer x;
  testing::run({"setxkbmap", "-layout", "us"}, x.name());
  Watched watched(x.name());
  std::atomic<int> panics = 0;
  watched.people.on_panic({XKB_KEY_Control_L, XKB_KEY_Alt_L, XKB_KEY_Escape}, [&] { ++panics; });
  ASSERT_TRUE(watched.people.listen(soon()).ok());
  constexpr std::uint8_t kChord[] = {105, 64, 9};  // the right Control, Alt, Escape

  XClient robot(x.name());
  for (const bool down : {true, false}) {
    for (const std::uint8_t key : kChord) {
      xcb_test_fake_input(robot.xcb(), down ? XCB_KEY_PRESS : XCB_KEY_RELEASE, key, XCB_CURRENT_TIME, XCB_WINDOW_NONE,
                          0, 0, 0);
    }
  }
  robot.sync();
  (void)watched.idle();
  EXPECT_EQ(panics, 0);

  Person person(x.name());
  person.key(105, true);
  person.key(64, true);
  (void)watched.idle();
  EXPECT_EQ(panics, 0);
  person.key(9, true);
  (void)watched.idle();
  EXPECT_EQ(panics, 1);
  for (const std::uint8_t key : kChord) person.key(key, false);
  person.key(9, true);
  person.key(9, false);
  (void)watched.idle();
  EXPECT_EQ(panics, 1);
}

}  // namespace
}  // namespace handrail::x11
