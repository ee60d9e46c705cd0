#include "platform/x11/dialog.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <xcb/xcbext.h>
#include <xcb/xinput.h>
#include <xcb/xtest.h>

#include <cstring>
#include <future>
#include <thread>

#include "platform/x11/connection.h"
#include "platform/x11/dialog_devices.h"
#include "platform/x11/dialog_paint.h"
#include "support/x_server.h"

// The font library keeps a little for as long as the process lives.
extern "C" const char* __lsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }  // NOLINT

namespace handrail::x11 {
namespace {

using testing::XClient;
using testing::XServer;

constexpr std::uint8_t kEscape = 9, kTab = 23, kEnter = 36, kRight = 114;

DialogSpec question(Millis inert) {
  DialogSpec spec;
  spec.title = "Handrail asks";
  spec.parts = {{DialogPart::Kind::heading, "An agent asks to use apps on this desktop."},
                {DialogPart::Kind::item, "Terminal: click"},
                {DialogPart::Kind::detail, "Program: /usr/bin/xterm"},
                {DialogPart::Kind::warning, "It can run any command."},
                {DialogPart::Kind::quote, "In the agent's words: “Run the tests.”"},
                {DialogPart::Kind::note, "If you did not expect this, deny it."}};
  spec.buttons = {"Deny", "Once", "This session", "Always"};
  spec.inert = inert;
  return spec;
}

// Another client of the same server, which can act as a person's devices do and as programs do.
class Hands {
 public:
  explicit Hands(const std::string& display) : client(display) {
    const auto* input = xcb_get_extension_data(client.xcb(), &xcb_input_id);
    first_event_ = input->first_event;
    Owned<xcb_input_xi_query_version_reply_t>(
        xcb_input_xi_query_version_reply(client.xcb(), xcb_input_xi_query_version(client.xcb(), 2, 2), nullptr));
    const Owned<xcb_input_xi_query_device_reply_t> devices(xcb_input_xi_query_device_reply(
        client.xcb(), xcb_input_xi_query_device(client.xcb(), XCB_INPUT_DEVICE_ALL), nullptr));
    for (auto it = xcb_input_xi_query_device_infos_iterator(devices.get()); it.rem != 0;
         xcb_input_xi_device_info_next(&it)) {
      const std::string name(xcb_input_xi_device_info_name(it.data),
                             static_cast<std::size_t>(xcb_input_xi_device_info_name_length(it.data)));
      if (name.find("XTEST") != std::string::npos) continue;
      if (it.data->type == XCB_INPUT_DEVICE_TYPE_SLAVE_POINTER) mouse = it.data->deviceid;
      if (it.data->type == XCB_INPUT_DEVICE_TYPE_SLAVE_KEYBOARD) keyboard = it.data->deviceid;
    }
  }

  // By the devices that the server itself has: what a person uses.
  void really_move(int x, int y) {
    std::array<std::uint8_t, 68> request{};  // FakeInput with a motion and its values
    request[1] = XCB_TEST_FAKE_INPUT;
    request[4] = static_cast<std::uint8_t>(first_event_ + XCB_INPUT_DEVICE_MOTION_NOTIFY);
    request[35] = static_cast<std::uint8_t>(mouse);
    request[36] = static_cast<std::uint8_t>(first_event_ + XCB_INPUT_DEVICE_VALUATOR);
    request[37] = static_cast<std::uint8_t>(mouse);
    request[42] = 2;
    const std::int32_t values[2] = {x, y};
    std::memcpy(&request[44], values, sizeof values);
    static constexpr xcb_protocol_request_t kRequest{1, &xcb_test_id, XCB_TEST_FAKE_INPUT, 1};
    std::array<iovec, 3> parts{};
    parts[2] = {request.data(), request.size()};
    xcb_send_request(client.xcb(), 0, &parts[2], &kRequest);
    client.sync();
  }
  void really_press() {
    device(XCB_INPUT_DEVICE_BUTTON_PRESS, 1, mouse);
    device(XCB_INPUT_DEVICE_BUTTON_RELEASE, 1, mouse);
    client.sync();
  }
  void really_key(std::uint8_t key) {
    device(XCB_INPUT_DEVICE_KEY_PRESS, key, keyboard);
    device(XCB_INPUT_DEVICE_KEY_RELEASE, key, keyboard);
    client.sync();
  }
  void really_click(PixelRect at) {
    really_move(at.x + at.width / 2 - 1, at.y + at.height / 2);
    really_move(at.x + at.width / 2, at.y + at.height / 2);
    really_press();
  }

  // As programs do it.
  void fake(std::uint8_t type, std::uint8_t detail, int x = 0, int y = 0) {
    xcb_test_fake_input(client.xcb(), type, detail, 0, client.root(), static_cast<std::int16_t>(x),
                        static_cast<std::int16_t>(y), 0);
    client.sync();
  }
  void fake_move(PixelRect at) { fake(XCB_MOTION_NOTIFY, 0, at.x + at.width / 2, at.y + at.height / 2); }
  void fake_click(PixelRect at) {
    fake_move(at);
    fake(XCB_BUTTON_PRESS, 1);
    fake(XCB_BUTTON_RELEASE, 1);
  }
  void fake_key(std::uint8_t key) {
    fake(XCB_KEY_PRESS, key);
    fake(XCB_KEY_RELEASE, key);
  }

  XClient client;
  std::uint16_t mouse = 0, keyboard = 0;

 private:
  void device(int type, std::uint8_t detail, std::uint16_t id) {
    xcb_test_fake_input(client.xcb(), static_cast<std::uint8_t>(first_event_ + type), detail, 0, XCB_WINDOW_NONE, 0, 0,
                        static_cast<std::uint8_t>(id));
  }
  std::uint8_t first_event_ = 0;
};

class Desk {
 public:
  explicit Desk(bool window_manager = false) : x({{1280, 800}, window_manager, {}}), hands(x.name()) {
    EXPECT_NE(hands.mouse, 0);
    EXPECT_NE(hands.keyboard, 0);
  }
  ~Desk() {
    ::eventfd_write(end.get(), 1);
    if (answer.valid()) answer.wait();
  }

  void ask(Millis inert, Millis patience = Millis(60000)) {
    answer = std::async(std::launch::async, [this, inert, patience] {
      return show_dialog(x.name(), question(inert), Deadline::in(patience), end.get());
    });
    const Deadline up = Deadline::in(Millis(30000));
    while (!answered() && ((window = find()) == 0 || !painted()) && !up.passed()) answer.wait_for(Millis(10));
    ASSERT_NE(window, 0u) << "it did not come up";
    painter.emplace(question(inert), 1);
  }
  bool answered() const { return answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
  PixelRect button(std::size_t place) {
    PixelRect at = painter->buttons()[place];
    const PixelRect origin = hands.client.place(window);
    return {at.x + origin.x, at.y + origin.y, at.width, at.height};
  }
  // Does it again and again, as the moment from which on it is heard cannot be seen from outside.
  Result<std::size_t> until_answered(const std::function<void()>& act) {
    const Deadline deadline = Deadline::in(Millis(30000));
    while (!answered() && !deadline.passed()) {
      act();
      answer.wait_for(Millis(30));
    }
    if (!answered()) return make_error(Code::timeout, "The test's patience is over.");
    return answer.get();
  }
  // The dialog has taken all events before: its own answer to a request of ours would come after them.
  bool deaf_to(const std::function<void()>& act, int times = 20) {
    for (int i = 0; i < times && !answered(); ++i) {
      act();
      answer.wait_for(Millis(10));
    }
    return !answered();
  }

  XServer x;
  Hands hands;
  Fd end{::eventfd(0, EFD_CLOEXEC)};
  xcb_window_t window = 0;
  std::optional<DialogPainter> painter;
  std::future<Result<std::size_t>> answer;

 private:
  // It asks for the time once its picture is there.
  bool painted() {
    const Owned<xcb_get_property_reply_t> stamp(xcb_get_property_reply(
        hands.client.xcb(),
        xcb_get_property(hands.client.xcb(), 0, window, hands.client.atom("_HANDRAIL_SHOWN"), XCB_ATOM_ANY, 0, 1),
        nullptr));
    return stamp && stamp->type != XCB_ATOM_NONE;
  }
  // A viewable window of our class, however deep a window manager put it.
  xcb_window_t find(xcb_window_t below = 0) {
    const xcb_window_t top = below == 0 ? hands.client.root() : below;
    const Owned<xcb_query_tree_reply_t> tree(
        xcb_query_tree_reply(hands.client.xcb(), xcb_query_tree(hands.client.xcb(), top), nullptr));
    if (!tree) return 0;
    for (int i = 0; i < xcb_query_tree_children_length(tree.get()); ++i) {
      const xcb_window_t child = xcb_query_tree_children(tree.get())[i];
      const Owned<xcb_get_property_reply_t> name(xcb_get_property_reply(
          hands.client.xcb(), xcb_get_property(hands.client.xcb(), 0, child, XCB_ATOM_WM_CLASS, XCB_ATOM_STRING, 0, 64),
          nullptr));
      if (name && xcb_get_property_value_length(name.get()) == 18 && hands.client.viewable(child)) return child;
      if (const xcb_window_t deeper = find(child)) return deeper;
    }
    return 0;
  }
};

class DialogOn : public ::testing::TestWithParam<bool> {};

TEST_P(DialogOn, APersonPressesAButton) {
  for (const std::size_t place : {3u, 0u}) {
    Desk desk(GetParam());
    desk.ask(Millis(100));
    const auto pressed = desk.until_answered([&] { desk.hands.really_click(desk.button(place)); });
    ASSERT_TRUE(pressed.ok()) << to_text(pressed.error());
    EXPECT_EQ(*pressed, place);
  }
}

TEST_P(DialogOn, ProgramsPressNothing) {
  Desk desk(GetParam());
  desk.ask(Millis(0));
  EXPECT_TRUE(desk.deaf_to([&] { desk.hands.fake_click(desk.button(3)); })) << "XTEST";
  EXPECT_TRUE(desk.deaf_to([&] {
    const PixelRect at = desk.painter->buttons()[3];
    xcb_button_press_event_t event{};
    event.response_type = XCB_BUTTON_PRESS;
    event.detail = 1;
    event.root = desk.hands.client.root();
    event.event = desk.window;
    event.event_x = static_cast<std::int16_t>(at.x + 5);
    event.event_y = static_cast<std::int16_t>(at.y + 5);
    event.same_screen = 1;
    for (const std::uint8_t type : {XCB_BUTTON_PRESS, XCB_BUTTON_RELEASE}) {
      event.response_type = type;
      xcb_send_event(desk.hands.client.xcb(), 0, desk.window, 0, reinterpret_cast<const char*>(&event));
    }
    desk.hands.client.sync();
  })) << "sent events";
  EXPECT_TRUE(desk.deaf_to([&] {
    for (const std::uint8_t key : {kTab, kEnter, kEscape}) desk.hands.fake_key(key);
  })) << "XTEST keys";
  // Its pointer under a person's finger.
  EXPECT_TRUE(desk.deaf_to([&] {
    desk.hands.fake_move(desk.button(3));
    desk.hands.really_press();
  })) << "a pointer that a program moved";
  const auto pressed = desk.until_answered([&] { desk.hands.really_click(desk.button(2)); });
  ASSERT_TRUE(pressed.ok()) << to_text(pressed.error());
  EXPECT_EQ(*pressed, 2u);
}

INSTANTIATE_TEST_SUITE_P(Desktops, DialogOn, ::testing::Bool(),
                         [](const auto& desk) { return desk.param ? "managed" : "bare"; });

TEST(Dialog, DenyHasTheFocus) {
  {
    Desk desk;
    desk.ask(Millis(0));
    const auto pressed = desk.until_answered([&] { desk.hands.really_key(kEnter); });
    ASSERT_TRUE(pressed.ok()) << to_text(pressed.error());
    EXPECT_EQ(*pressed, 0u);
  }
  Desk desk;
  desk.ask(Millis(0));
  // Keys before it listens are lost: the focus is seen by what a later Escape does not undo.
  const auto pressed = desk.until_answered([&] {
    desk.hands.really_key(kRight);
    desk.hands.really_key(kEscape);
  });
  ASSERT_TRUE(pressed.ok()) << to_text(pressed.error());
  EXPECT_EQ(*pressed, 0u) << "Escape is no, whatever has the focus";
}

TEST(Dialog, APersonCanGoToAnotherButtonByKey) {
  Desk desk;
  desk.ask(Millis(0));
  // Both keys in one go: either both are heard, or Return alone, which is no.
  Result<std::size_t> pressed = desk.until_answered([&] {
    desk.hands.really_key(kTab);
    desk.answer.wait_for(Millis(300));
    desk.hands.really_key(kTab);
    desk.answer.wait_for(Millis(300));
    desk.hands.really_key(kEnter);
  });
  ASSERT_TRUE(pressed.ok()) << to_text(pressed.error());
  EXPECT_NE(*pressed, 0u);
}

TEST(Dialog, IsInertAtFirst) {
  Desk desk;
  desk.ask(Millis(60000));
  EXPECT_TRUE(desk.deaf_to([&] {
    desk.hands.really_click(desk.button(3));
    desk.hands.really_key(kEscape);
  }));
}

TEST(Dialog, HearsNothingWhileSomethingLiesOverIt) {
  Desk desk;
  desk.ask(Millis(0));
  const PixelRect at = desk.hands.client.place(desk.window);
  const xcb_window_t cover = desk.hands.client.open({{at.x + 10, at.y + 10, 60, 30}, 0xffffff, "cover", true});
  EXPECT_TRUE(desk.deaf_to([&] { desk.hands.really_click(desk.button(1)); }));
  xcb_unmap_window(desk.hands.client.xcb(), cover);
  const auto pressed = desk.until_answered([&] { desk.hands.really_click(desk.button(1)); });
  ASSERT_TRUE(pressed.ok()) << to_text(pressed.error());
  EXPECT_EQ(*pressed, 1u);
}

TEST(Dialog, EndsWithoutAnAnswer) {
  {
    Desk desk;
    desk.ask(Millis(700), Millis(3000));
    const auto late = desk.until_answered([] {});
    ASSERT_FALSE(late.ok());
    EXPECT_EQ(late.error().code, Code::timeout);
  }
  {
    Desk desk;
    desk.ask(Millis(700));
    ::eventfd_write(desk.end.get(), 1);
    const auto taken_back = desk.until_answered([] {});
    ASSERT_FALSE(taken_back.ok());
    EXPECT_EQ(taken_back.error().code, Code::cancelled);
  }
  XServer x;
  auto answer = std::async(std::launch::async,
                           [&] { return show_dialog(x.name(), question(Millis(0)), Deadline::in(Millis(60000))); });
  {
    XClient client(x.name());
    const Deadline up = Deadline::in(Millis(30000));
    while ((client.focus() <= 1 || client.focus() == client.root()) && !up.passed()) answer.wait_for(Millis(10));
  }
  x.kill();
  const auto lost = answer.get();
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.error().code, Code::backend_lost);
}

TEST(Dialog, DoesNotShowWhatDoesNotFit) {
  XServer x;
  DialogSpec spec = question(Millis(0));
  const DialogPart more{DialogPart::Kind::item, "One more app: full"};
  spec.parts.insert(spec.parts.end(), 60, more);
  const auto shown = show_dialog(x.name(), spec, Deadline::in(Millis(60000)));
  ASSERT_FALSE(shown.ok());
  EXPECT_EQ(shown.error().code, Code::too_large);
}

TEST(DialogInput, ReadsNoFurtherThanTheEventGoes) {
  for (std::uint32_t words = 0; words < 20; ++words) {
    const std::size_t bytes = 32 + 4 + words * 4;  // as xcb gives it
    const Owned<xcb_ge_generic_event_t> event(static_cast<xcb_ge_generic_event_t*>(std::calloc(1, bytes)));
    event->response_type = XCB_GE_GENERIC;
    event->extension = 131;
    event->event_type = XCB_INPUT_BUTTON_PRESS;
    event->length = words;
    const auto& generic = reinterpret_cast<const xcb_generic_event_t&>(*event);
    EXPECT_EQ(read_dialog_input(generic, 131).has_value(), bytes >= sizeof(xcb_input_button_press_event_t)) << words;
    EXPECT_FALSE(read_dialog_input(generic, 130).has_value());
    event->response_type |= 0x80;
    EXPECT_FALSE(read_dialog_input(generic, 131).has_value()) << "sent by a client";
  }
}

}  // namespace
}  // namespace handrail::x11
