#include "platform/x11/clipboard_stash.h"

#include <cstring>

namespace handrail::x11 {
namespace {

constexpr std::string_view kMagic = "handrail stash 1\n";

void put_number(std::string& out, std::uint64_t value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

void put_text(std::string& out, std::string_view text) {
  put_number(out, text.size());
  out.append(text);
}

void put_format(std::string& out, const StashedFormat& format) {
  put_text(out, format.target);
  put_text(out, format.type);
  put_number(out, format.format);
  put_text(out, format.bytes);
}

class Reader {
 public:
  explicit Reader(std::string_view record) : left_(record) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    if (left_.size() < sizeof value) return fail();
    std::memcpy(&value, left_.data(), sizeof value);
    left_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const std::uint64_t size = number();
    if (size > left_.size()) {
      fail();
      return {};
    }
    std::string value(left_.substr(0, size));
    left_.remove_prefix(size);
    return value;
  }
  StashedFormat format() {
    StashedFormat value;
    value.target = text();
    value.type = text();
    const std::uint64_t bits = number();
    if (bits != 8 && bits != 16 && bits != 32) fail();
    value.format = static_cast<std::uint8_t>(bits);
    value.bytes = text();
    return value;
  }
  // Every entry takes more than one byte, so that a false count cannot cost more than the record.
  std::uint64_t count() {
    const std::uint64_t value = number();
    return value <= left_.size() ? value : fail();
  }
  bool good() const { return good_; }
  bool done() const { return good_ && left_.empty(); }

 private:
  std::uint64_t fail() {
    good_ = false;
    left_ = {};
    return 0;
  }
  std::string_view left_;
  bool good_ = true;
};

}  // namespace

std::string encode(const Stash& stash) {
  std::string out(kMagic);
  put_number(out, stash.selections.size());
  for (const StashedSelection& selection : stash.selections) {
    put_text(out, selection.selection);
    put_number(out, selection.formats.size());
    for (const StashedFormat& format : selection.formats) put_format(out, format);
  }
  put_number(out, stash.cut_buffers.size());
  for (const StashedFormat& buffer : stash.cut_buffers) put_format(out, buffer);
  return out;
}

std::optional<Stash> decode_stash(std::string_view record) {
  if (!record.starts_with(kMagic)) return {};
  Reader reader(record.substr(kMagic.size()));
  Stash stash;
  for (std::uint64_t left = reader.count(); left > 0 && reader.good(); --left) {
    StashedSelection selection;
    selection.selection = reader.text();
    for (std::uint64_t formats = reader.count(); formats > 0 && reader.good(); --formats) {
      selection.formats.push_back(reader.format());
    }
    stash.selections.push_back(std::move(selection));
  }
  for (std::uint64_t left = reader.count(); left > 0 && reader.good(); --left) {
    stash.cut_buffers.push_back(reader.format());
  }
  if (!reader.done()) return {};
  return stash;
}

}  // namespace handrail::x11
