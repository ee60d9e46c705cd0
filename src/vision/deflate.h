// DEFLATE for filtered screen pixels: runs of equal pixels and single pixels, one dynamic block a
// strip. Screen content after the row filter is mostly runs, so a search for other repeats costs
// much time for little size. It knows nothing of PNG's chunks.
#pragma once

#include <cstdint>
#include <vector>

namespace handrail::vision {

// Collects the pixels of a strip, then writes them as one block that ends on a byte, so that strips
// made by several threads can be put one after the other. Keeps its memory.
class StripDeflater {
 public:
  // Begins a strip of at most `pixels` pixels in `rows` rows.
  void begin(std::size_t pixels, std::size_t rows);
  // One filtered row: its filter byte, then pixels as 0x00RRGGBB, written red green blue. `pixels`
  // may be read up to 3 elements past `count`.
  void row(std::uint8_t filter, const std::uint32_t* pixels, std::size_t count);
  // Appends the block to `out`.
  void finish(std::vector<std::uint8_t>& out);

 private:
  void run(std::uint32_t pixels);

  std::vector<std::uint32_t> tokens_;
  std::size_t used_ = 0;
  std::vector<std::uint32_t> frequencies_;
};

// What ends a stream after any number of blocks: an empty last block.
inline constexpr std::uint8_t kLastBlock[] = {0x03, 0x00};

}  // namespace handrail::vision
