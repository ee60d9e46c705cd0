#include "policy/gates/argument_limits.h"

#include <fmt/format.h>

namespace handrail::policy::gates {
namespace {

// Characters of all strings, so that nothing is serialised just to be counted.
std::size_t text_bytes(const Json& value) {
  if (value.is_string()) return value.get_ref<const std::string&>().size();
  std::size_t bytes = 0;
  if (value.is_structured()) {
    for (const auto& item : value) bytes += text_bytes(item);
  }
  return bytes;
}

}  // namespace

Verdict argument_limits(const AdmissionFacts& facts) {
  const std::size_t bytes = text_bytes(facts.call.arguments);
  if (bytes <= kMaxArgumentBytes) return allow();
  return deny(Code::too_large,
              fmt::format("The arguments hold {} bytes of text; at most {} are taken.", bytes, kMaxArgumentBytes));
}

}  // namespace handrail::policy::gates
