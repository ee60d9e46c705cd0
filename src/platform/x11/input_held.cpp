#include "platform/x11/input_held.h"

#include <xcb/xtest.h>

#include <algorithm>
#include <iterator>

namespace handrail::x11 {

std::uint8_t button_number(Button button) {
  switch (button) {
    case Button::left: return 1;
    case Button::middle: return 2;
    case Button::right: return 3;
    // 4 to 7 are the wheel.
    case Button::x1: return 8;
    case Button::x2: return 9;
  }
  return 1;
}

void fake_button(Server& server, std::uint8_t button, bool down) {
  xcb_test_fake_input(server.xcb(), down ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE, button, XCB_CURRENT_TIME,
                      XCB_WINDOW_NONE, 0, 0, 0);
}

void fake_key(Server& server, xcb_keycode_t keycode, bool down) {
  xcb_test_fake_input(server.xcb(), down ? XCB_KEY_PRESS : XCB_KEY_RELEASE, keycode, XCB_CURRENT_TIME, XCB_WINDOW_NONE,
                      0, 0, 0);
}

void fake_motion(Server& server, PixelPoint to) {
  xcb_test_fake_input(server.xcb(), XCB_MOTION_NOTIFY, 0, XCB_CURRENT_TIME, server.root(),
                      static_cast<std::int16_t>(to.x), static_cast<std::int16_t>(to.y), 0);
}

namespace {

// In the reverse order of their presses.
void release_keys(Server& server, const std::vector<xcb_keycode_t>& keycodes) {
  for (auto keycode = keycodes.rbegin(); keycode != keycodes.rend(); ++keycode) fake_key(server, *keycode, false);
}

}  // namespace

Status HeldInput::tell() {
  if (custody_ == nullptr) return {};
  HeldNow now;
  for (const HeldButton& held : buttons_) now.buttons.push_back(button_number(held.button));
  for (const HeldKey& held : keys_) now.keycodes.insert(now.keycodes.end(), held.keycodes.begin(), held.keycodes.end());
  now.keycodes.insert(now.keycodes.end(), passing_.begin(), passing_.end());
  if (seat_) now.buttons.push_back(kIdleButton);
  const Status told = custody_->held(now);
  if (told.ok()) return {};
  return make_error(Code::permission_missing, told.error().message).with_hint(told.error().hint);
}

Status HeldInput::announce_keys(std::vector<xcb_keycode_t> passing) {
  passing_ = std::move(passing);
  return tell();
}

Status HeldInput::announce_seat(bool taken) {
  seat_ = taken;
  return tell();
}

Status HeldInput::press(Server& server, Button button, std::uint64_t plan) {
  if (holds(button)) return {};
  // Noted before it is sent: whatever happens in between, somebody lets go of it.
  {
    const std::lock_guard lock(mutex_);
    buttons_.push_back({button, plan});
  }
  const Status told = tell();
  if (!told.ok()) {
    const std::lock_guard lock(mutex_);
    buttons_.pop_back();
    return told;
  }
  fake_button(server, button_number(button), true);
  return {};
}

Status HeldInput::press(Server& server, HeldKey key) {
  if (std::ranges::find(keys_, key.key, &HeldKey::key) != keys_.end()) return {};
  {
    const std::lock_guard lock(mutex_);
    keys_.push_back(std::move(key));
  }
  const Status told = tell();
  if (!told.ok()) {
    const std::lock_guard lock(mutex_);
    keys_.pop_back();
    return told;
  }
  for (const xcb_keycode_t keycode : keys_.back().keycodes) fake_key(server, keycode, true);
  return {};
}

bool HeldInput::release(Server& server, Button button) {
  const auto held = std::ranges::find(buttons_, button, &HeldButton::button);
  if (held == buttons_.end()) return false;
  fake_button(server, button_number(button), false);
  {
    const std::lock_guard lock(mutex_);
    buttons_.erase(held);
  }
  // Not before the server is through with it: of what a killed process has sent it may drop the rest.
  (void)server.fence();
  (void)tell();
  return true;
}

bool HeldInput::release(Server& server, Key key) {
  const auto held = std::ranges::find(keys_, key, &HeldKey::key);
  if (held == keys_.end()) return false;
  release_keys(server, held->keycodes);
  {
    const std::lock_guard lock(mutex_);
    keys_.erase(held);
  }
  (void)server.fence();
  (void)tell();
  return true;
}

template <class Matches>
void HeldInput::release_matching(Server& server, Matches matches) {
  for (auto held = buttons_.rbegin(); held != buttons_.rend(); ++held) {
    if (matches(held->plan)) fake_button(server, button_number(held->button), false);
  }
  for (auto held = keys_.rbegin(); held != keys_.rend(); ++held) {
    if (matches(held->plan)) release_keys(server, held->keycodes);
  }
  const std::size_t before = keys_.size() + buttons_.size();
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(keys_, [&](const HeldKey& held) { return matches(held.plan); });
    std::erase_if(buttons_, [&](const HeldButton& held) { return matches(held.plan); });
  }
  if (keys_.size() + buttons_.size() == before) return;
  (void)server.fence();
  (void)tell();
}

void HeldInput::release_plan(Server& server, std::uint64_t plan) {
  release_matching(server, [&](std::uint64_t by) { return by == plan; });
}

void HeldInput::release_everything(Server& server) {
  release_matching(server, [](std::uint64_t) { return true; });
}

Status HeldInput::recover(Server& server) {
  if (empty()) return {};
  auto pending_keys = server.pend(xcb_query_keymap(server.xcb()), xcb_query_keymap_reply, "QueryKeymap");
  const auto pointer =
      TRY(server.reply(xcb_query_pointer(server.xcb(), server.root()), xcb_query_pointer_reply, "QueryPointer"));
  const auto down = TRY(pending_keys.get());
  for (const HeldButton& held : buttons_) {
    const std::uint8_t number = button_number(held.button);
    // The mask tells of five buttons; a release of one that is up does nothing.
    const bool known_up = number <= 5 && (pointer->mask & (XCB_BUTTON_MASK_1 << (number - 1))) == 0;
    if (!known_up) fake_button(server, number, false);
  }
  const auto is_down = [&](xcb_keycode_t keycode) { return (down->keys[keycode / 8] >> (keycode % 8) & 1) != 0; };
  for (auto held = keys_.rbegin(); held != keys_.rend(); ++held) {
    std::vector<xcb_keycode_t> still;
    std::ranges::copy_if(held->keycodes, std::back_inserter(still), is_down);
    release_keys(server, still);
  }
  {
    const std::lock_guard lock(mutex_);
    keys_.clear();
    buttons_.clear();
  }
  (void)server.fence();
  (void)tell();
  return {};
}

bool HeldInput::holds(Button button) const {
  return std::ranges::find(buttons_, button, &HeldButton::button) != buttons_.end();
}

bool HeldInput::holds_lent_key() const { return std::ranges::any_of(keys_, &HeldKey::lent); }

std::vector<Button> HeldInput::buttons() const {
  const std::lock_guard lock(mutex_);
  std::vector<Button> out;
  for (const HeldButton& held : buttons_) out.push_back(held.button);
  return out;
}

std::vector<Key> HeldInput::keys_told() const {
  const std::lock_guard lock(mutex_);
  std::vector<Key> out;
  for (const HeldKey& held : keys_) out.push_back(held.key);
  return out;
}

}  // namespace handrail::x11
