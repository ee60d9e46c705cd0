#include "platform/x11/keyboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "platform/x11/connection.h"
#include "platform/x11/keymap_record.h"
#include "platform/x11/server_hold.h"

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
  changed_ = false;
  map_ = TRY(KeyboardMap::read(server));
  // Lent by an earlier plan on a layout that is gone: there is nothing to use and nothing to put back.
  if (!still_lent(*map_)) forget_lent();
  locks_ = locks;
  if (locks_ != Locks::plain || before_.plain()) return {};
  const Status kept = keep();
  if (!kept.ok()) {
    map_.reset();
    return kept;
  }
  make_plain(server, before_);
  return {};
}

void Keyboard::close(Server& server) {
  if (map_ && locks_ == Locks::plain) restore_locks(server.xcb(), before_);
  map_.reset();
  xcb_flush(server.xcb());
  (void)keep();
}

Status Keyboard::keep() {
  if (custody_ == nullptr) return {};
  KeymapRecord record;
  if (lending() && spares_) record.spares = spares_;
  if (map_ && locks_ == Locks::plain && !before_.plain()) record.locks = before_;
  std::string bytes = encode_keymap(record);
  if (bytes == kept_) return {};
  const Status kept = custody_->keep(Kept::keymap, bytes);
  if (!kept.ok()) return make_error(Code::permission_missing, kept.error().message).with_hint(kept.error().hint);
  kept_ = std::move(bytes);
  return {};
}

bool Keyboard::still_lent(const KeyboardMap& map) const {
  return std::ranges::all_of(written_, [&](const auto& lent) {
    const auto& now = map.row(lent.first).keysyms;
    return now.size() >= lent.second.size() &&
           std::ranges::equal(lent.second, std::span(now).first(lent.second.size()));
  });
}

Status Keyboard::check_unchanged(Server& server) {
  if (!changed_ || !map_) return {};
  changed_ = false;
  const KeyboardMap now = TRY(KeyboardMap::read(server));
  const bool spares = spares_.has_value();
  const xcb_keycode_t first = spares ? spares_->first : xcb_keycode_t{255};
  const xcb_keycode_t last = spares ? spares_->keycodes.back() : xcb_keycode_t{0};
  if (now.same_beside(*map_, first, last) && still_lent(now)) return {};
  changed_ = true;  // until the map is read anew
  foreign_ = true;
  return make_error(Code::target_stale, "The keyboard layout was changed by another program in the middle.")
      .with_hint("Look at what has arrived, then type the rest.");
}

std::vector<std::uint32_t> Keyboard::keysyms(xcb_keycode_t keycode) const {
  if (const auto lent = written_.find(keycode); lent != written_.end()) return lent->second;
  std::vector<std::uint32_t> made;
  for (const std::uint32_t keysym : map_->row(keycode).keysyms) {
    if (keysym != XCB_NO_SYMBOL && std::ranges::find(made, keysym) == made.end()) made.push_back(keysym);
  }
  return made;
}

std::uint8_t Keyboard::modifier_of_keysym(std::uint32_t keysym) const {
  const auto stroke = map_->find(keysym, 0);
  return stroke ? map_->modifiers_of(stroke->keycode) : std::uint8_t{0};
}

Status Keyboard::find_spares() {
  if (!spares_) spares_ = TRY(find_spare_keys(*map_));
  return {};
}

Status Keyboard::write(Server& server) {
  Lending lending;
  for (const auto& [keysym, keycode] : lent_keys_) lending[keycode] = {keysym};
  for (const auto& [character, place] : lent_chars_) {
    std::vector<xcb_keysym_t>& levels = lending[place.keycode];
    if (levels.size() <= place.level) levels.resize(place.level + 1);
    levels[place.level] = text_keysym(character);
  }
  if (lending == written_) return keep();
  if (lending.empty()) {
    put_back(server);
    written_.clear();
    return keep();
  }
  TRY(keep());
  // Rows of an older layout do not belong into one that came since, and nobody can bring one between the look at the
  // map and the writing.
  const ServerHold hold = TRY(ServerHold::take(server, custody_, nullptr));
  TRY(server.fence());
  TRY(check_unchanged(server));
  const AsPerson person(server);
  lend(server, *spares_, lending);
  written_ = std::move(lending);
  return {};
}

void Keyboard::put_back(Server& server) {
  const auto hold = ServerHold::take(server, custody_, nullptr);
  const auto now = KeyboardMap::read(server);
  const bool ours = now.ok() ? still_lent(*now) : !foreign_;
  foreign_ = false;
  const AsPerson person(server);
  if (ours) restore_rows(server.xcb(), *spares_);
  xcb_flush(server.xcb());
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
  return write(server);
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
  return write(server);
}

std::optional<Stroke> Keyboard::lent_char(char32_t character) const {
  const auto lent = lent_chars_.find(character);
  if (lent == lent_chars_.end()) return std::nullopt;
  return Stroke{lent->second.keycode, spares_->type.modifiers[lent->second.level]};
}

void Keyboard::end_text(Server& server) {
  lent_chars_.clear();
  if (spares_) (void)write(server);
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
      restore_rows(server.xcb(), *spares_);
      if (map_ && locks_ == Locks::plain) restore_locks(server.xcb(), before_);
    }
  }
  map_.reset();
  forget_lent();
  return keep();
}

void Keyboard::forget_lent() {
  spares_.reset();
  lent_keys_.clear();
  lent_chars_.clear();
  written_.clear();
  foreign_ = false;
}

}  // namespace handrail::x11
