// The work of the text rules, counted in branches of the program and not by a clock: it grows as the text does,
// whatever its shape. The sources of the rules are compiled into this test so that each basic block calls the counter.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "policy/text_rules.h"

namespace {

std::uint64_t steps = 0;

const std::string kShapes[] = {
#include "corpus/shapes.inc"
};
const std::string kOrdinary[] = {
#include "corpus/ordinary.inc"
};

std::string repeated(const std::string& part, std::size_t size) {
  std::string out;
  while (out.size() < size) out += part;
  return out;
}

std::uint64_t work_for(const std::string& text) {
  const std::uint64_t before = steps;
  handrail::policy::find_forbidden(text);
  return steps - before;
}

void expect_linear(const std::string& part) {
  constexpr std::size_t kSmall = 16000;
  work_for("");  // what is made once
  const std::uint64_t small = work_for(repeated(part, kSmall));
  const std::uint64_t large = work_for(repeated(part, 4 * kSmall));
  EXPECT_GT(small, 0U);
  EXPECT_LT(static_cast<double>(large), 4.4 * static_cast<double>(small) + 2000) << part.substr(0, 80);
}

TEST(TextWork, grows_with_the_text_for_every_shape) {
  for (const std::string& part : kShapes) expect_linear(part);
}

TEST(TextWork, grows_with_the_text_for_ordinary_text) {
  std::string all;
  for (const std::string& text : kOrdinary) {
    if (!handrail::policy::find_forbidden(text)) all += text + "\n\n";
  }
  expect_linear(all);
}

TEST(TextWork, grows_with_the_text_for_a_start_and_any_shape_behind_it) {
  // What is open at the start stays open: quotes, brackets, an assignment, a pipe, a function, a name.
  for (const std::string& start :
       {"'", "\"", "$(", "`", "{", "a='", "a=(", "a | ", "f() {", "alias x=rm\n", "rm ", "read a "}) {
    for (const std::string& part : kShapes) {
      constexpr std::size_t kSmall = 4000;
      const std::uint64_t small = work_for(start + repeated(part, kSmall));
      const std::uint64_t large = work_for(start + repeated(part, 4 * kSmall));
      EXPECT_LT(static_cast<double>(large), 4.4 * static_cast<double>(small) + 2000) << start << " and " << part;
    }
  }
}

}  // namespace

// Called by every basic block of the rules; by the linker's --wrap for the bytes that the library passes over for them.
extern "C" {
void __sanitizer_cov_trace_pc();
void __sanitizer_cov_trace_pc() { ++steps; }

void* __real_memchr(const void* from, int byte, std::size_t size);
void* __wrap_memchr(const void* from, int byte, std::size_t size);
void* __wrap_memchr(const void* from, int byte, std::size_t size) {
  void* const found = __real_memchr(from, byte, size);
  steps +=
      found == nullptr ? size : static_cast<std::size_t>(static_cast<char*>(found) - static_cast<const char*>(from));
  return found;
}

void* __real_memcpy(void* to, const void* from, std::size_t size);
void* __wrap_memcpy(void* to, const void* from, std::size_t size);
void* __wrap_memcpy(void* to, const void* from, std::size_t size) {
  steps += size;
  return __real_memcpy(to, from, size);
}
}
