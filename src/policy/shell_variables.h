// The variables that a text assigns, by name. Constant time each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace handrail::policy {

class ShellVariables {
 public:
  // Longer values are cut: no command's name is longer.
  static constexpr std::size_t kMaxValue = 96;

  // `at` is where the text sets it: what stands later counts, whenever it was found.
  void set(std::string_view name, std::string_view value, std::size_t at, bool append);
  // Nothing when the text has not set it.
  std::optional<std::string_view> find(std::string_view name) const {
    const std::uint32_t index = index_of(name);
    if (index == 0) return {};
    return text_of(entries_[index - 1].value);
  }
  bool empty() const { return entries_.empty(); }

 private:
  struct Text {  // in pool_
    std::uint32_t at;
    std::uint32_t size;
  };
  struct Entry {
    std::uint32_t hash;
    std::uint32_t next;  // in the same slot; 0: none
    Text name;
    Text value;
    std::size_t at;
  };
  std::string_view text_of(Text text) const { return {pool_.data() + text.at, text.size}; }
  // Names are short: a call of memcmp costs more than a look at each character.
  bool is_named(const Entry& entry, std::string_view name) const {
    if (entry.name.size != name.size()) return false;
    const char* const kept = pool_.data() + entry.name.at;
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (kept[i] != name[i]) return false;
    }
    return true;
  }
  // From 1; 0: none of that name.
  std::uint32_t index_of(std::string_view name) const {
    return last_ != 0 && is_named(entries_[last_ - 1], name) ? last_ : looked_up(name);
  }
  std::uint32_t looked_up(std::string_view name) const;
  Text keep(std::string_view text);
  static std::uint32_t hash_of(std::string_view name);
  std::size_t slot_of(std::uint32_t hash) const { return hash & (slots_.size() - 1); }
  void grow();

  std::string pool_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // index into entries_, from 1; as many as a power of two
  mutable std::uint32_t last_ = 0;    // the one that was set or found last, which often is asked for again
};

}  // namespace handrail::policy
