#include "policy/command_names.h"

namespace handrail::policy {
namespace {

constexpr std::size_t kMaxName = 64;
// Names made to share a slot must not cost more than others.
constexpr int kMaxSteps = 32;

std::uint32_t hash_of(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619U;
  return hash;
}

}  // namespace

std::uint32_t CommandNames::entry_of(std::string_view name) const {
  if (entries_.empty() || name.size() > kMaxName) return 0;
  int steps = 0;
  for (std::uint32_t i = slots_[hash_of(name) % slots_.size()]; i != 0 && steps < kMaxSteps; ++steps) {
    if (entries_[i - 1].name == name) return i;
    i = entries_[i - 1].next;
  }
  return 0;
}

void CommandNames::grow() {
  slots_.assign(slots_.empty() ? 64 : slots_.size() * 4, 0);
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    std::uint32_t& slot = slots_[hash_of(entries_[i].name) % slots_.size()];
    entries_[i].next = slot;
    slot = i + 1;
  }
}

void CommandNames::add(std::string_view name, const Meaning& meaning) {
  if (name.empty() || name.size() > kMaxName || meaning.empty()) return;
  if (const std::uint32_t known = entry_of(name); known != 0) {
    Meaning& old = entries_[known - 1].meaning;
    if (meaning.word != Word::other) old.word = meaning.word;
    old.seen |= meaning.seen;
    old.options |= meaning.options;
    old.runs_input = old.runs_input || meaning.runs_input;
    return;
  }
  marks_ |= mark_of(name);
  if (entries_.size() + 1 > slots_.size()) grow();
  std::uint32_t& slot = slots_[hash_of(name) % slots_.size()];
  entries_.push_back({name, meaning, slot});
  slot = static_cast<std::uint32_t>(entries_.size());
}

const CommandNames::Meaning* CommandNames::find(std::string_view name) const {
  const std::uint32_t entry = entry_of(name);
  return entry == 0 ? nullptr : &entries_[entry - 1].meaning;
}

}  // namespace handrail::policy
