#include "policy/consent_text.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "base/digest.h"
#include "base/utf8.h"

namespace handrail::policy {
namespace {

constexpr std::size_t kMostName = 80;
constexpr std::size_t kMostPath = 160;
constexpr std::size_t kMostReason = 300;

struct Range {
  char32_t first, last;
};

// What has no shape of its own, changes the order of what is around it, or looks like a plain space.
constexpr std::array kUnseen{
    Range{0x00, 0x1f},       Range{0x7f, 0xa0},       Range{0xad, 0xad},     Range{0x34f, 0x34f},
    Range{0x61c, 0x61c},     Range{0x115f, 0x1160},   Range{0x1680, 0x1680}, Range{0x17b4, 0x17b5},
    Range{0x180b, 0x180f},   Range{0x2000, 0x200f},   Range{0x2028, 0x202f}, Range{0x2039, 0x2039},
    Range{0x205f, 0x206f},   Range{0x2800, 0x2800},   Range{0x3000, 0x3000}, Range{0x3164, 0x3164},
    Range{0xd800, 0xf8ff},   Range{0xfdd0, 0xfdef},   Range{0xfe00, 0xfe0f}, Range{0xfeff, 0xfeff},
    Range{0xffa0, 0xffa0},   Range{0xfff0, 0xfffb},   Range{0xfffe, 0xffff}, Range{0x1bca0, 0x1bca3},
    Range{0x1d173, 0x1d17a}, Range{0xe0000, 0x10ffff}};

// Marks that are drawn over the character before them.
constexpr std::array kMarks{Range{0x300, 0x36f},   Range{0x483, 0x489},   Range{0x1ab0, 0x1aff},
                            Range{0x1dc0, 0x1dff}, Range{0x20d0, 0x20ff}, Range{0xfe20, 0xfe2f}};
// A letter has two at most in any language that people write; more of them bury the lines around.
constexpr int kMostMarks = 2;

template <std::size_t N>
bool in(const std::array<Range, N>& ranges, char32_t c) {
  for (const Range& range : ranges) {
    if (c >= range.first && c <= range.last) return true;
  }
  return false;
}

// The bytes of one character at the start of `text`; 0 when they are no UTF-8.
std::size_t character_bytes(std::string_view text) {
  const auto lead = static_cast<std::uint8_t>(text.front());
  const std::size_t count = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (count > text.size() || !decode_utf8(text.substr(0, count)).ok()) return 0;
  return count;
}

// Each character as it is shown.
std::vector<std::string> visible_characters(std::string_view text) {
  std::vector<std::string> shown;
  int marks = 0;
  bool after_space = true;  // a space at the start is not seen either
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes == 0) {
      shown.push_back(fmt::format("‹x{:02X}›", static_cast<std::uint8_t>(text.front())));
      text.remove_prefix(1);
      marks = 0, after_space = false;
      continue;
    }
    const char32_t c = decode_utf8(text.substr(0, bytes)).value().front();
    marks = in(kMarks, c) ? marks + 1 : 0;
    const bool hidden = in(kUnseen, c) || marks > kMostMarks || (c == ' ' && after_space);
    shown.push_back(hidden ? fmt::format("‹U+{:04X}›", static_cast<std::uint32_t>(c))
                           : std::string(text.substr(0, bytes)));
    after_space = c == ' ';
    text.remove_prefix(bytes);
  }
  return shown;
}

std::string_view name_of(GrantTier tier) {
  switch (tier) {
    case GrantTier::read: return "read";
    case GrantTier::click: return "click";
    case GrantTier::full: return "full";
  }
  return "full";
}

std::string_view meaning_of(GrantTier tier) {
  switch (tier) {
    case GrantTier::read: return "The agent sees its windows, and cannot touch them.";
    case GrantTier::click: return "The agent sees its windows, clicks and scrolls in them, and cannot type.";
    case GrantTier::full: return "The agent sees its windows, clicks, drags and types in them.";
  }
  return "The agent can do anything in its windows.";
}

std::string_view warning_of(Sentinel sentinel) {
  switch (sentinel) {
    case Sentinel::none: return {};
    case Sentinel::shell: return "It can run any command: this is as good as giving the agent your whole account.";
    case Sentinel::filesystem: return "It reaches all your files: the agent could read, move or delete them.";
    case Sentinel::system_settings: return "It changes how this computer works, for you and for other apps.";
    case Sentinel::secrets: return "It holds passwords or keys: the agent could see and use them.";
    case Sentinel::other_desktop: return "It controls another desktop or computer, where none of these limits hold.";
  }
  return "It is more than an ordinary app.";
}

struct FlagText {
  bool GrantFlags::*flag;
  std::string_view text;
  std::string_view warning;
};

constexpr std::array kFlags{
    FlagText{&GrantFlags::clipboard_read, "Read the clipboard.", "It may hold what you copied, such as a password."},
    FlagText{&GrantFlags::clipboard_write, "Write the clipboard.", ""},
    FlagText{&GrantFlags::system_keys, "Press keys that switch or quit apps.", ""},
    FlagText{&GrantFlags::files, "Use files in the folders that your config file names.",
             "The agent could read, move or delete them."},
    FlagText{&GrantFlags::shell, "Run commands and scripts, in a sandbox with those folders.",
             "It can run any command: this is as good as giving the agent your whole account."}};

void add_item(std::vector<ConsentLine>& lines, const ConsentItem& item) {
  using Kind = ConsentLineKind;
  const auto add = [&lines](Kind kind, std::string text) { lines.push_back({kind, std::move(text)}); };
  add(Kind::item, fmt::format("{}: {}", visible_text(item.app, kMostName), name_of(item.tier)));
  add(Kind::detail, std::string(meaning_of(item.tier)));
  add(Kind::detail, fmt::format("Program: {}", visible_text(item.executable, kMostPath)));
  if (!item.script.empty()) add(Kind::detail, fmt::format("Runs: {}", visible_text(item.script, kMostPath)));
  if (item.before) {
    add(Kind::detail,
        fmt::format("Granted before: {}. A yes changes it to {}.", name_of(*item.before), name_of(item.tier)));
  }
  if (item.sentinel != Sentinel::none) add(Kind::warning, std::string(warning_of(item.sentinel)));
}

}  // namespace

std::string visible_text(std::string_view text, std::size_t most) {
  // Far more than can be shown is not looked at one by one.
  std::string shortened;
  if (text.size() > most * 16) {
    const std::size_t part = most * 8;
    shortened = std::string(text.substr(0, part)) + std::string(text.substr(text.size() - part));
  }
  const std::vector<std::string> shown = visible_characters(shortened.empty() ? text : shortened);
  if (shown.empty()) return "‹nothing›";
  const auto joined = [&shown](std::size_t from, std::size_t to) {
    std::string part;
    for (std::size_t i = from; i < to; ++i) part += shown[i];
    return part;
  };
  if (shown.size() <= most) return joined(0, shown.size());
  // The end of a path tells most, the start of a sentence does: both stay. The digest keeps apart what differs between.
  const std::size_t head = most / 2, tail = most - head;
  const std::string much = shortened.empty() ? fmt::format("{} more", shown.size() - most) : "much more";
  const std::string left_out = fmt::format("‹{}, {}›", much, sha256_hex(text).substr(0, 8));
  return joined(0, head) + left_out + joined(shown.size() - tail, shown.size());
}

std::vector<ConsentLine> consent_lines(const ConsentQuestion& question) {
  using Kind = ConsentLineKind;
  std::vector<ConsentLine> lines;
  const bool deed = !question.deed.empty();
  lines.push_back({Kind::title, deed ? "An agent asks to do something that needs your word."
                                     : "An agent asks to use apps on this desktop."});
  if (deed) lines.push_back({Kind::item, visible_text(question.deed, kMostDeed)});
  for (const ConsentItem& item : question.items) add_item(lines, item);
  for (const FlagText& row : kFlags) {
    if (!(question.flags.*row.flag)) continue;
    lines.push_back({Kind::flag, std::string(row.text)});
    if (!row.warning.empty()) lines.push_back({Kind::warning, std::string(row.warning)});
  }
  if (!question.reason.empty()) {
    lines.push_back(
        {Kind::reason, fmt::format("In the agent's words: “{}”", visible_text(question.reason, kMostReason))});
  }
  lines.push_back({Kind::note, "If you did not expect this, deny it."});
  return lines;
}

std::vector<std::string> consent_text(const ConsentQuestion& question) {
  std::vector<std::string> text;
  for (ConsentLine& line : consent_lines(question)) text.push_back(std::move(line.text));
  return text;
}

std::string digest_of_lines(const std::vector<std::string>& lines) {
  // No line holds a newline, so that lines cannot be cut elsewhere with the same digest.
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return sha256_hex(all);
}

std::string consent_digest(const ConsentQuestion& question) { return digest_of_lines(consent_text(question)); }

}  // namespace handrail::policy
