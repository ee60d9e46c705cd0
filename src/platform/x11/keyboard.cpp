#include "platform/x11/keyboard.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/x11/connection.h"

namespace handrail::x11 {
namespace {

// The Unicode form is the one that every toolkit reads right; old keysyms are in some tables only.
xcb_keysym_t text_keysym(char32_t character) {
  const bool latin1 = (character >= 0x20 && character < 0x7f) || (character >= 0xa0 && character <= 0xff);
  const auto number = static_cast<std::uint32_t>(character);
  return latin1 ? number : 0x01000000u | number;
}

}  // namespace

Status Keyboard::open(Server& server, Locks locks) {
  before_ = TRY(read_keyboard_state(server));
  // While keys are lent the map shows them; those rows are in spares_ as they were.
  map_ = TRY(KeyboardMap::read(server));
  locks_ = locks;
  if (locks_ == Locks::plain) make_plain(server, before_);
  return {};
}

void Keyboard::close(Server& server) {
  if (map_ && locks_ == Locks::plain) restore_locks(server, before_);
  map_.reset();
}

Status Keyboard::find_spares() {
  if (!spares_) spares_ = TRY(find_spare_keys(*map_));
  return {};
}

void Keyboard::write(Server& server) {
  Lending lending;
  for (const auto& [keysym, keycode] : lent_keys_) lending[keycode] = {keysym};
  for (const auto& [character, place] : lent_chars_) {
    std::vector<xcb_keysym_t>& levels = lending[place.keycode];
    if (levels.size() <= place.level) levels.resize(place.level + 1);
    levels[place.level] = text_keysym(character);
  }
  if (lending == written_) return;
  if (lending.empty()) {
    restore_keymap(server, *spares_);
  } else {
    lend(server, *spares_, lending);
  }
  written_ = std::move(lending);
}

Status Keyboard::lend_keys(Server& server, const std::vector<std::uint32_t>& keysyms) {
  for (const std::uint32_t keysym : keysyms) {
    if (lent_keys_.contains(keysym) || find(Key{keysym}, {})) continue;
    TRY(find_spares());
    const auto taken = [&](xcb_keycode_t keycode) {
      return std::ranges::any_of(lent_keys_, [&](const auto& entry) { return entry.second == keycode; });
    };
    const auto free = std::ranges::find_if_not(spares_->keycodes, taken);
    if (free == spares_->keycodes.end()) {
      return make_error(Code::too_large, fmt::format("More than {} keys that are not on the keyboard layout.",
                                                     spares_->keycodes.size()));
    }
    lent_keys_[keysym] = *free;
  }
  write(server);
  return {};
}

std::optional<Keyboard::Press> Keyboard::find(Key key, const std::vector<xcb_keycode_t>& down) const {
  if (const auto lent = lent_keys_.find(key.keysym); lent != lent_keys_.end()) return Press{{lent->second}, true};
  std::uint8_t locks = before_.locked;
  if (locks_ == Locks::plain) locks &= static_cast<std::uint8_t>(~XCB_MOD_MASK_LOCK);
  std::uint8_t in_effect = locks;
  for (const xcb_keycode_t keycode : down) in_effect |= map_->modifiers_of(keycode);
  auto stroke = map_->find(key.keysym, in_effect);
  // With Shift held no key makes "1"; who presses shift+1 means the key that makes it otherwise.
  if (!stroke && in_effect != locks) stroke = map_->find(key.keysym, locks);
  if (!stroke) return std::nullopt;
  Press press{map_->holders(static_cast<std::uint8_t>(stroke->modifiers & ~in_effect)), false};
  press.keycodes.push_back(stroke->keycode);
  return press;
}

std::optional<Stroke> Keyboard::find_char(char32_t character) const {
  const auto locks = static_cast<std::uint8_t>(before_.locked & ~XCB_MOD_MASK_LOCK);
  if (character == U'\n' || character == U'\t') return map_->find(key_for_char(character).keysym, locks);
  return map_->find_char(character, locks);
}

Result<std::size_t> Keyboard::text_capacity() {
  TRY(find_spares());
  return (spares_->keycodes.size() - lent_keys_.size()) * spares_->levels();
}

Status Keyboard::lend_text(Server& server, const std::vector<char32_t>& characters) {
  TRY(find_spares());
  std::vector<xcb_keycode_t> free;
  for (const xcb_keycode_t keycode : spares_->keycodes) {
    const auto on_it = [&](const auto& entry) { return entry.second == keycode; };
    if (std::ranges::none_of(lent_keys_, on_it)) free.push_back(keycode);
  }
  lent_chars_.clear();
  // All keys of one level before the next: short texts then need no modifier.
  for (std::size_t i = 0; i < characters.size(); ++i)
    lent_chars_[characters[i]] = {free[i % free.size()], i / free.size()};
  write(server);
  return {};
}

std::optional<Stroke> Keyboard::lent_char(char32_t character) const {
  const auto lent = lent_chars_.find(character);
  if (lent == lent_chars_.end()) return std::nullopt;
  return Stroke{lent->second.keycode, spares_->type.modifiers[lent->second.level]};
}

void Keyboard::end_text(Server& server) {
  lent_chars_.clear();
  if (spares_) write(server);
  if (!lending()) spares_.reset();
}

void Keyboard::restore(Server& server) {
  lent_keys_.clear();
  end_text(server);
}

Status Keyboard::recover(Server& server) {
  if (spares_ && !written_.empty()) {
    const auto& [keycode, keysyms] = *written_.begin();
    const auto reply = TRY(server.reply(xcb_get_keyboard_mapping(server.xcb(), keycode, 1),
                                        xcb_get_keyboard_mapping_reply, "GetKeyboardMapping"));
    const bool still_lent = xcb_get_keyboard_mapping_keysyms_length(reply.get()) > 0 &&
                            xcb_get_keyboard_mapping_keysyms(reply.get())[0] == keysyms[0];
    if (still_lent) {
      restore_keymap(server, *spares_);
      if (map_ && locks_ == Locks::plain) restore_locks(server, before_);
    }
  }
  map_.reset();
  spares_.reset();
  lent_keys_.clear();
  lent_chars_.clear();
  written_.clear();
  return {};
}

}  // namespace handrail::x11
