#include "policy/shell_variables.h"

#include <algorithm>

namespace handrail::policy {
namespace {

// Names made to share a slot must not cost more than others.
constexpr int kMaxSteps = 32;

}  // namespace

std::uint32_t ShellVariables::hash_of(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619U;
  return hash;
}

void ShellVariables::grow() {
  slots_.assign(slots_.empty() ? 64 : slots_.size() * 4, 0);
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    std::uint32_t& slot = slots_[slot_of(entries_[i].hash)];
    entries_[i].next = slot;
    slot = i + 1;
  }
}

ShellVariables::Text ShellVariables::keep(std::string_view text) {
  const auto at = static_cast<std::uint32_t>(pool_.size());
  pool_ += text;
  return {at, static_cast<std::uint32_t>(text.size())};
}

std::uint32_t ShellVariables::looked_up(std::string_view name) const {
  if (entries_.empty()) return 0;
  const std::uint32_t hash = hash_of(name);
  int steps = 0;
  for (std::uint32_t i = slots_[slot_of(hash)]; i != 0 && steps < kMaxSteps; i = entries_[i - 1].next, ++steps) {
    const Entry& entry = entries_[i - 1];
    if (entry.hash == hash && is_named(entry, name)) return last_ = i;
  }
  return 0;
}

void ShellVariables::set(std::string_view name, std::string_view value, std::size_t at, bool append) {
  value = value.substr(0, kMaxValue);
  if (const std::uint32_t index = index_of(name); index != 0) {
    Entry& entry = entries_[index - 1];
    if (entry.at > at) return;
    entry.at = at;
    if (append && entry.value.size + value.size() <= kMaxValue) {
      const std::string whole = std::string(text_of(entry.value)) + std::string(value);
      entry.value = keep(whole);
    } else if (!append && value.size() <= entry.value.size) {
      // In its old place.
      std::copy(value.begin(), value.end(), pool_.begin() + entry.value.at);
      entry.value.size = static_cast<std::uint32_t>(value.size());
    } else if (!append) {
      entry.value = keep(value);
    }
    return;
  }
  if (entries_.size() + 1 > slots_.size()) grow();
  const std::uint32_t hash = hash_of(name);
  std::uint32_t& slot = slots_[slot_of(hash)];
  const Text kept_name = keep(name);
  entries_.push_back({hash, slot, kept_name, keep(value), at});
  slot = last_ = static_cast<std::uint32_t>(entries_.size());
}

}  // namespace handrail::policy
