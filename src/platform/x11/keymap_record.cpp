#include "platform/x11/keymap_record.h"

#include <cstdint>

#include "platform/x11/keyboard_xkb.h"

namespace handrail::x11 {
namespace {

constexpr std::string_view kMagic = "handrail keymap 1\n";
constexpr std::uint8_t kHasSpares = 1;
constexpr std::uint8_t kHasLocks = 2;
// Four groups of at most 255 levels are what XKB can have; real rows are far below.
constexpr std::size_t kMostKeysyms = 1024;

void put(std::string& out, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  std::uint32_t number(int bytes) {
    std::uint32_t value = 0;
    if (left_.size() < static_cast<std::size_t>(bytes)) {
      short_ = true;
      return 0;
    }
    for (int i = 0; i < bytes; ++i) {
      value |= std::uint32_t{static_cast<std::uint8_t>(left_[static_cast<std::size_t>(i)])} << (8 * i);
    }
    left_.remove_prefix(static_cast<std::size_t>(bytes));
    return value;
  }
  std::uint8_t byte() { return static_cast<std::uint8_t>(number(1)); }
  bool ended_well() const { return !short_ && left_.empty(); }
  bool cut_short() const { return short_; }

 private:
  std::string_view left_;
  bool short_ = false;
};

std::optional<SpareKeys> read_spares(Reader& reader) {
  SpareKeys spares;
  spares.map_first = reader.byte();
  spares.map_last = reader.byte();
  spares.first = reader.byte();
  const std::size_t rows = reader.number(2);
  if (spares.first < spares.map_first || rows == 0 || spares.first + rows - 1 > spares.map_last) return std::nullopt;
  for (std::size_t i = 0; i < rows; ++i) {
    KeyRow row;
    for (std::uint8_t& type : row.types) type = reader.byte();
    row.group_info = reader.byte();
    row.width = reader.byte();
    const std::size_t keysyms = reader.number(2);
    if (reader.cut_short() || keysyms > kMostKeysyms) return std::nullopt;
    for (std::size_t k = 0; k < keysyms; ++k) row.keysyms.push_back(reader.number(4));
    spares.original.push_back(std::move(row));
  }
  return spares;
}

std::optional<KeymapRecord> decode(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) return std::nullopt;
  Reader reader(bytes.substr(kMagic.size()));
  const std::uint8_t has = reader.byte();
  KeymapRecord record;
  if ((has & kHasSpares) != 0) {
    record.spares = read_spares(reader);
    if (!record.spares) return std::nullopt;
  }
  if ((has & kHasLocks) != 0) {
    KeyboardState state;
    state.locked = reader.byte();
    state.locked_group = reader.byte();
    // Only what was not plain needs putting back, and this is how restore_locks() tells.
    state.latched = reader.byte();
    state.group = reader.byte();
    record.locks = state;
  }
  if (!reader.ended_well()) return std::nullopt;
  return record;
}

bool use_xkb(xcb_connection_t* xcb) {
  const xcb_query_extension_reply_t* data = xcb_get_extension_data(xcb, &xcb_xkb_id);
  if (data == nullptr || data->present == 0) return false;
  xcb_discard_reply(xcb, xcb_xkb_use_extension(xcb, 1, 0).sequence);
  return true;
}

}  // namespace

std::string encode_keymap(const KeymapRecord& record) {
  if (record.empty()) return {};
  std::string out(kMagic);
  put(out, (record.spares ? kHasSpares : 0U) | (record.locks ? kHasLocks : 0U), 1);
  if (record.spares) {
    const SpareKeys& spares = *record.spares;
    put(out, spares.map_first, 1);
    put(out, spares.map_last, 1);
    put(out, spares.first, 1);
    put(out, static_cast<std::uint32_t>(spares.original.size()), 2);
    for (const KeyRow& row : spares.original) {
      for (const std::uint8_t type : row.types) put(out, type, 1);
      put(out, row.group_info, 1);
      put(out, row.width, 1);
      put(out, static_cast<std::uint32_t>(row.keysyms.size()), 2);
      for (const xcb_keysym_t keysym : row.keysyms) put(out, keysym, 4);
    }
  }
  if (record.locks) {
    put(out, record.locks->locked, 1);
    put(out, record.locks->locked_group, 1);
    put(out, record.locks->latched, 1);
    put(out, record.locks->group, 1);
  }
  return out;
}

std::string encode_keymap(const SpareKeys& spares) { return encode_keymap(KeymapRecord{spares, std::nullopt}); }

Status restore_keymap(xcb_connection_t* xcb, std::string_view bytes) {
  if (bytes.empty()) return {};
  const auto record = decode(bytes);
  if (!record) return make_error(Code::argument_invalid, "The kept keyboard map cannot be read.");
  if (!use_xkb(xcb)) return make_error(Code::capability_unsupported, "The X server lacks the XKEYBOARD extension.");
  if (record->spares) restore_rows(xcb, *record->spares);
  if (record->locks) restore_locks(xcb, *record->locks);
  xcb_flush(xcb);
  return {};
}

}  // namespace handrail::x11
