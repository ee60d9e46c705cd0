// The person's clipboard as a value: every format of the three selections, and the cut buffers, as bytes for custody
// and back. Atoms are kept by name. Memory only; never a file.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace handrail::x11 {

inline constexpr std::array<std::string_view, 3> kGuardedSelections{"CLIPBOARD", "PRIMARY", "SECONDARY"};
inline constexpr std::size_t kCutBuffers = 8;

struct StashedFormat {
  std::string target;
  std::string type;
  std::uint8_t format = 8;  // bits of a unit
  std::string bytes;
  friend bool operator==(const StashedFormat&, const StashedFormat&) = default;
};

struct StashedSelection {
  std::string selection;
  std::vector<StashedFormat> formats;
  friend bool operator==(const StashedSelection&, const StashedSelection&) = default;
};

struct Stash {
  std::vector<StashedSelection> selections;  // those that had an owner and content
  std::vector<StashedFormat> cut_buffers;    // `target` is the property on the root window
  friend bool operator==(const Stash&, const Stash&) = default;
};

// Never empty, also for an empty stash: that nothing was there is something to restore, too.
std::string encode(const Stash& stash);
// Nothing when the bytes are no such record.
std::optional<Stash> decode_stash(std::string_view record);

}  // namespace handrail::x11
