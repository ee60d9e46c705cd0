#include "platform/x11/restore.h"

#include <fmt/format.h>
#include <poll.h>
#include <xcb/res.h>
#include <xcb/xtest.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "platform/x11/agent_seat.h"
#include "platform/x11/clipboard_holder.h"
#include "platform/x11/clipboard_stash.h"
#include "platform/x11/dial.h"
#include "platform/x11/input_held.h"

namespace handrail::x11 {
namespace {

// How often the display server is asked whether it is through with a dead client.
constexpr int kLookAgainMs = 5;
// A client whose process died is gone in no time; one that stays is not ours to wait for.
constexpr Millis kGonePatience{500};

Error no_record(std::string_view what) {
  return make_error(Code::argument_invalid, fmt::format("The record of the {} is damaged.", what));
}

class X11Restorer : public Restorer {
 public:
  explicit X11Restorer(RestoreParts parts) : parts_(std::move(parts)) {}
  ~X11Restorer() override { hang_up(); }

  Status connect(const std::string& display, const std::string& xauthority, std::int64_t dead,
                 Deadline deadline) override {
    hang_up();
    if (display != display_) holder_.reset();
    display_ = display;
    if (!xauthority.empty()) ::setenv("XAUTHORITY", xauthority.c_str(), 1);
    const Dialled dialled = TRY(dial(display, deadline, [](int) {}));
    xcb_ = dialled.xcb;
    xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(xcb_));
    for (int left = dialled.screen_number; left > 0 && screens.rem > 1; --left) xcb_screen_next(&screens);
    root_ = screens.data->root;
    dead_ = dead;
    if (dead > 0) wait_until_gone(dead, deadline.within(kGonePatience));
    return check();
  }

  Result<HeldNow> release(const HeldNow& held, Deadline) override {
    if (!present(&xcb_test_id)) return make_error(Code::capability_unsupported, "The X server has no XTEST.");
    for (auto button = held.buttons.rbegin(); button != held.buttons.rend(); ++button) {
      fake(XCB_BUTTON_RELEASE, *button);
    }
    for (auto key = held.keycodes.rbegin(); key != held.keycodes.rend(); ++key) fake(XCB_KEY_RELEASE, *key);
    seat_left_ = std::ranges::find(held.buttons, kIdleButton) != held.buttons.end();
    HeldNow left;
    if (seat_left_) {
      left.buttons.push_back(kIdleButton);
      quiet_seat(xcb_, root_, dead_);
    }
    TRY(sync());
    return left;
  }

  Status tidy() override {
    if (!std::exchange(seat_left_, false)) return {};
    remove_seat(xcb_, root_, dead_);
    // Who hangs up first takes back what the server has not read yet.
    return sync();
  }

  Status restore(Kept what, std::string_view record, Deadline deadline) override {
    switch (what) {
      case Kept::keymap:
        if (!parts_.keymap) return missing("keyboard map");
        TRY(parts_.keymap(xcb_, record));
        return sync();
      case Kept::windows:
        if (!parts_.windows) return missing("windows");
        TRY(parts_.windows(xcb_, root_, record));
        return sync();
      case Kept::clipboard: return hold(record, Taking::all, deadline);
    }
    return {};
  }

  Status hold_again(std::string_view record, Deadline deadline) override {
    return hold(record, Taking::unowned_only, deadline);
  }

  bool holding() override { return holder_ && holder_->holding(); }

 private:
  static Status missing(std::string_view what) {
    return make_error(Code::capability_unsupported, fmt::format("There is nothing here to restore the {} with.", what));
  }

  Status hold(std::string_view record, Taking taking, Deadline deadline) {
    const auto stash = decode_stash(record);
    if (!stash) return no_record("clipboard");
    if (!holder_) {
      holder_ = std::make_unique<StashHolder>(
          std::make_shared<Connection>([display = display_]() -> Result<std::string> { return display; }));
    }
    return holder_->hold(*stash, taking, deadline);
  }

  void hang_up() {
    if (xcb_ != nullptr) xcb_disconnect(xcb_);
    xcb_ = nullptr;
  }

  bool present(xcb_extension_t* extension) const {
    const auto* data = xcb_get_extension_data(xcb_, extension);
    return data != nullptr && data->present != 0;
  }

  void fake(std::uint8_t type, std::uint8_t detail) {
    xcb_test_fake_input(xcb_, type, detail, XCB_CURRENT_TIME, XCB_WINDOW_NONE, 0, 0, 0);
  }

  Status check() const {
    if (xcb_ != nullptr && xcb_connection_has_error(xcb_) == 0) return {};
    return make_error(Code::backend_lost, fmt::format("The X server on {} went away.", display_))
        .with_hint(way_back(display_));
  }

  Status sync() const {
    const Owned<xcb_get_input_focus_reply_t> reply(xcb_get_input_focus_reply(xcb_, xcb_get_input_focus(xcb_), nullptr));
    return check();
  }

  // Whether the X server still has a connection of the process. It closes one only when it has done what was sent.
  bool has_client(std::int64_t pid) const {
    const xcb_res_client_id_spec_t all{XCB_NONE, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID};
    const Owned<xcb_res_query_client_ids_reply_t> reply(
        xcb_res_query_client_ids_reply(xcb_, xcb_res_query_client_ids(xcb_, 1, &all), nullptr));
    if (!reply) return false;
    auto ids = xcb_res_query_client_ids_ids_iterator(reply.get());
    for (; ids.rem > 0; xcb_res_client_id_value_next(&ids)) {
      const bool told = xcb_res_client_id_value_value_length(ids.data) >= 1;
      if (told && *xcb_res_client_id_value_value(ids.data) == static_cast<std::uint32_t>(pid)) return true;
    }
    return false;
  }

  void wait_until_gone(std::int64_t pid, Deadline deadline) {
    if (!present(&xcb_res_id)) return;
    // The version must be told before anything newer than 1.0 is asked.
    const Owned<xcb_res_query_version_reply_t> version(
        xcb_res_query_version_reply(xcb_, xcb_res_query_version(xcb_, 1, 2), nullptr));
    if (!version) return;
    while (!deadline.passed() && has_client(pid)) {
      pollfd socket{xcb_get_file_descriptor(xcb_), POLLIN, 0};
      ::poll(&socket, 1, kLookAgainMs);
    }
  }

  RestoreParts parts_;
  std::string display_;
  xcb_connection_t* xcb_ = nullptr;
  xcb_window_t root_ = XCB_WINDOW_NONE;
  std::int64_t dead_ = 0;
  bool seat_left_ = false;
  std::unique_ptr<StashHolder> holder_;
};

}  // namespace

std::unique_ptr<Restorer> make_restorer(RestoreParts parts) { return std::make_unique<X11Restorer>(std::move(parts)); }

}  // namespace handrail::x11
