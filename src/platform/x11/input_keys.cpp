#include "platform/x11/input_keys.h"

#include <fmt/format.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include <algorithm>
#include <array>
#include <utility>

namespace handrail::x11 {

Status KeyGate::use_own_keyboard(Server& server) {
  own_keyboard_ = true;
  const auto modifiers = [&]() -> Result<std::array<std::uint8_t, 256>> {
    const auto reply =
        TRY(server.reply(xcb_get_modifier_mapping(server.xcb()), xcb_get_modifier_mapping_reply, "GetModifierMapping"));
    std::array<std::uint8_t, 256> found{};
    const xcb_keycode_t* keys = xcb_get_modifier_mapping_keycodes(reply.get());
    for (int i = 0; i < xcb_get_modifier_mapping_keycodes_length(reply.get()); ++i) {
      const int modifier = i / reply->keycodes_per_modifier;
      if (keys[i] != 0) found[keys[i]] = static_cast<std::uint8_t>(found[keys[i]] | 1 << modifier);
    }
    return found;
  };
  const auto own = TRY(modifiers());
  const AsPerson person(server);
  const auto theirs = TRY(modifiers());
  for (std::size_t i = 0; i < own.size(); ++i) means_otherwise_[i] = own[i] != theirs[i];
  return {};
}

Status KeyGate::must_mean_the_same(const std::vector<xcb_keycode_t>& keycodes) const {
  const bool same = std::ranges::none_of(keycodes, [&](xcb_keycode_t key) { return means_otherwise_[key]; });
  if (same) return {};
  return make_error(Code::capability_unsupported,
                    "The keyboard layout has a modifier that this needs on another key than the agent's own keyboard.")
      .with_hint("Repeat it with `delivery` foreground, which uses the person's keyboard.");
}

Status KeyGate::judge_key(Server& server, const std::vector<xcb_keycode_t>& keycodes) {
  TRY(must_mean_the_same(keycodes));
  const KeyboardState state = TRY(read_keyboard_state(server));
  // Behind the answer: news of the map that came before the hold is here by then.
  TRY(keyboard_.check_unchanged(server));
  InputEvent event;
  event.kind = EventKind::key;
  event.receiver = TRY(delivery_.key_receiver(server));
  event.chord.key = physical(keycodes.back());
  event.chord.held = TRY(down_now(server, state));
  for (std::size_t i = 0; i + 1 < keycodes.size(); ++i) event.chord.held.push_back(physical(keycodes[i]));
  receiver_ = event.receiver;
  client_ = client_of(server, static_cast<xcb_window_t>(receiver_.window));
  begin(server);
  last_ = event;
  return permit_.judge(event);
}

// Keys that others pressed before are not ours to account for.
void KeyGate::begin(Server& server) {
  if (!std::exchange(began_, true)) delivery_.receipts().begin(server);
}

Result<Receiver> KeyGate::judge_held(Server& server, const std::vector<HeldInput::HeldKey>& keys) {
  const KeyboardState state = TRY(read_keyboard_state(server));
  TRY(keyboard_.check_unchanged(server));
  InputEvent event;
  event.kind = EventKind::key;
  event.receiver = TRY(delivery_.key_receiver(server));
  receiver_ = event.receiver;
  client_ = client_of(server, static_cast<xcb_window_t>(receiver_.window));
  // From the last one back, each with what was down when it was pressed.
  event.chord.held = TRY(down_now(server, state));
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    event.chord.key = physical(key->keycodes.back());
    std::erase(event.chord.held, event.chord.key);
    TRY(permit_.judge(event));
    for (const xcb_keycode_t keycode : key->keycodes) std::erase(event.chord.held, physical(keycode));
  }
  return event.receiver;
}

bool KeyGate::repeats(const HeldInput::HeldKey& key) const { return keyboard_.modifiers_of(key.keycodes.back()) == 0; }

Status KeyGate::judge_text(Server& server, const std::vector<Stroke>& strokes) {
  for (const Stroke& stroke : strokes) {
    std::vector<xcb_keycode_t> keycodes = keyboard_.holders(stroke.modifiers);
    keycodes.push_back(stroke.keycode);
    TRY(must_mean_the_same(keycodes));
  }
  const KeyboardState state = TRY(read_keyboard_state(server));
  TRY(keyboard_.check_unchanged(server));
  const std::uint8_t own = own_modifiers();
  const auto foreign =
      static_cast<std::uint8_t>((state.held | state.latched | (state.locked & ~harmless_locks())) & ~own);
  if (foreign != 0 || state.caps_lock() || state.group != 0) {
    return make_error(Code::target_stale, "A modifier or a lock key is in effect that would change the text.")
        .with_hint("Someone is using the keyboard; wait a moment, look, then type the rest.");
  }
  InputEvent event;
  event.kind = EventKind::character;
  event.receiver = TRY(delivery_.key_receiver(server));
  receiver_ = event.receiver;
  client_ = client_of(server, static_cast<xcb_window_t>(receiver_.window));
  begin(server);
  TRY(permit_.judge(event));
  // With a modifier of ours held, characters are key presses like any other.
  if ((own & ~XCB_MOD_MASK_SHIFT) == 0) return {};
  event.kind = EventKind::key;
  event.chord.held = TRY(down_now(server, state));
  for (const Stroke& stroke : strokes) {
    event.chord.key = physical(stroke.keycode);
    TRY(permit_.judge(event));
  }
  return {};
}

std::uint8_t KeyGate::own_modifiers() const {
  std::uint8_t modifiers = 0;
  for (const HeldInput::HeldKey& held : held_.keys()) {
    for (const xcb_keycode_t keycode : held.keycodes) modifiers |= keyboard_.modifiers_of(keycode);
  }
  return modifiers;
}

// Caps Lock is put aside for texts, and Num Lock changes no key that a text uses.
std::uint8_t KeyGate::harmless_locks() const {
  return static_cast<std::uint8_t>(XCB_MOD_MASK_LOCK | keyboard_.modifier_of_keysym(XKB_KEY_Num_Lock));
}

Result<std::vector<PhysicalKey>> KeyGate::down_now(Server& server, const KeyboardState& state) {
  const auto keys = TRY(server.reply(xcb_query_keymap(server.xcb()), xcb_query_keymap_reply, "QueryKeymap"));
  std::vector<PhysicalKey> down;
  for (int keycode = 0; keycode < 256; ++keycode) {
    const bool pressed = (keys->keys[keycode / 8] >> (keycode % 8) & 1) != 0;
    if (pressed) down.push_back(physical(static_cast<xcb_keycode_t>(keycode)));
  }
  const int unseen = (state.latched | (state.locked & ~harmless_locks())) & 0xff;
  for (int bit = 1; bit < 0x100; bit <<= 1) {
    if ((unseen & bit) == 0) continue;
    const xcb_keycode_t keycode = keyboard_.key_of_modifier(static_cast<std::uint8_t>(bit));
    if (keycode != 0) down.push_back(physical(keycode));
  }
  return down;
}

void KeyGate::sent(Server& server, std::size_t presses) {
  sent_ += presses;
  mark_ = delivery_.receipts().mark(server);
}

Status KeyGate::account(Server& server) {
  Receipts& receipts = delivery_.receipts();
  if (!receipts.wait_for_mark(mark_, server.deadline().within(kBackendPatience))) {
    return make_error(Code::backend_error, "The X server did not tell who got the keys.");
  }
  for (const Receipt& receipt : receipts.drain()) {
    if (!receipt.key) continue;
    if (receipt.client == client_) {
      ++arrived_;
      continue;
    }
    auto ruling = rulings_.find(receipt.client);
    if (ruling == rulings_.end()) {
      if (TRY(delivery_.owners().is_window_manager(server, receipt.client))) {
        // Its own keys, or a look at them before the app gets them.
        ++diverted_;
        continue;
      }
      InputEvent event;
      event.kind = EventKind::received;
      event.receiver = TRY(delivery_.owners().client(server, receipt.client, receipt.window));
      event.receiver.grabbed = true;
      Status judged = permit_.judge(event);
      if (!judged.ok()) {
        judged.error().message += fmt::format(" The keys went to {}.", name_of(event.receiver));
      }
      ruling = rulings_.emplace(receipt.client, std::move(judged)).first;
    }
    if (!ruling->second.ok()) return ruling->second;
    ++arrived_;
  }
  // Who else got a key of the old kind is not told apart from what the person types; but that one is missing is seen.
  if (own_keyboard_ && arrived_ + diverted_ < sent_) {
    return make_error(Code::target_stale, "The keys did not reach the app; another program may take them.")
        .with_hint("Look at what has arrived. `delivery` foreground tells who takes them.");
  }
  return {};
}

void KeyGate::wait_for_late_ones(Deadline deadline) {
  if (all_arrived() || diverted_ == 0) return;
  const std::size_t missing = sent_ - arrived_;
  delivery_.receipts().wait(deadline, [&](const std::vector<Receipt>& receipts) {
    return std::cmp_greater_equal(std::ranges::count_if(receipts, &Receipt::key), missing);
  });
}

}  // namespace handrail::x11
