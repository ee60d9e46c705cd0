// How long a megabyte of text is judged: every shape of the tests, and ordinary text. Prints the best of fifteen
// runs of each, in time of the processor, slowest first. `bench_text_rules SHAPE ROUNDS` judges a megabyte of one
// shape so often, for a profiler.
#include "policy/text_rules.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace {

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

std::string ordinary() {
  std::string all;
  for (const std::string& text : kOrdinary) {
    if (!handrail::policy::find_forbidden(text)) all += text + "\n\n";
  }
  return all;
}

double now_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double best_ms(const std::string& text) {
  double best = 1e9;
  for (int i = 0; i < 15; ++i) {
    const double before = now_ms();
    handrail::policy::find_forbidden(text);
    best = std::min(best, now_ms() - before);
  }
  return best;
}

}  // namespace

int main(int count, char** words) {
  constexpr std::size_t kMegabyte = 1000000;
  std::vector<std::string> shapes(std::begin(kShapes), std::end(kShapes));
  shapes.push_back(ordinary());
  if (count == 3) {
    const std::string& part = shapes.at(std::min<std::size_t>(std::strtoul(words[1], nullptr, 10), shapes.size() - 1));
    const std::string text = repeated(part, kMegabyte);
    for (long i = std::strtol(words[2], nullptr, 10); i > 0; --i) handrail::policy::find_forbidden(text);
    return 0;
  }
  std::vector<std::pair<double, std::string>> rows;
  for (const std::string& part : shapes) {
    rows.emplace_back(best_ms(repeated(part, kMegabyte)), part.size() > 100 ? "ordinary text" : part);
  }
  std::sort(rows.rbegin(), rows.rend());
  for (const auto& [ms, part] : rows) std::printf("%6.2f ms  %s\n", ms, part.c_str());
  return 0;
}
