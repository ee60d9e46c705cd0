// The bytes of the kept state: one line of JSON that ends with a code which only the holder of the key can make.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/grant_store.h"

namespace handrail::engine {

struct CountedState {
  std::uint64_t counter = 0;  // of changes; 0: never written
  KeptState state;
};

std::string grant_record_key(std::string_view secret);
std::string to_bytes(const CountedState& kept, std::string_view key);
// `protocol` when anything is other than it was written with this key.
Result<CountedState> counted_state(std::string_view bytes, std::string_view key);

}  // namespace handrail::engine
