#include "vision/jpeg.h"

#include <cstdio>
// jpeglib.h needs FILE and size_t to be declared before it.
#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csetjmp>
#include <cstring>
#include <span>

#include "vision/workers.h"

namespace handrail::vision {
namespace {

constexpr int kBlockRows = 16;  // a row of 4:2:0 blocks
// More strips share out better when one processor is busy elsewhere; each costs a little setup.
constexpr int kStrips = 6;
constexpr int kMostInterval = 65535;  // the marker has 16 bits
constexpr std::size_t kFirstBuffer = 64 * 1024;

using Bytes = std::vector<std::uint8_t>;

// Grows a vector as the compressor writes; libjpeg's own memory destination would leave the buffer behind.
struct Sink {
  jpeg_destination_mgr manager{};
  Bytes* bytes = nullptr;

  static Sink& of(j_compress_ptr compress) { return *reinterpret_cast<Sink*>(compress->dest); }

  static void begin(j_compress_ptr compress) {
    Sink& sink = of(compress);
    sink.bytes->resize(std::max(sink.bytes->capacity(), kFirstBuffer));
    sink.point_at(0);
  }
  static boolean grow(j_compress_ptr compress) {
    Sink& sink = of(compress);
    const std::size_t full = sink.bytes->size();
    sink.bytes->resize(full * 2);
    sink.point_at(full);
    return TRUE;
  }
  static void finish(j_compress_ptr compress) {
    Sink& sink = of(compress);
    sink.bytes->resize(sink.bytes->size() - sink.manager.free_in_buffer);
  }
  void point_at(std::size_t offset) {
    manager.next_output_byte = bytes->data() + offset;
    manager.free_in_buffer = bytes->size() - offset;
  }
};

struct Fault {
  jpeg_error_mgr manager{};
  std::jmp_buf escape;
  char message[JMSG_LENGTH_MAX] = {};

  // libjpeg may not be returned to after an error, and no exception may pass through its C frames.
  [[noreturn]] static void raise(j_common_ptr common) {
    Fault& fault = *reinterpret_cast<Fault*>(common->err);
    common->err->format_message(common, fault.message);
    std::longjmp(fault.escape, 1);
  }
  static void stay_silent(j_common_ptr) {}
};

// Where the entropy-coded data begins, and where the frame header keeps the height.
struct Layout {
  std::size_t height_at = 0;
  std::size_t data_at = 0;
};

Layout layout_of(std::span<const std::uint8_t> file) {
  Layout layout;
  for (std::size_t at = 2; at + 4 <= file.size();) {
    const std::uint8_t marker = file[at + 1];
    const std::size_t length = static_cast<std::size_t>(file[at + 2] << 8 | file[at + 3]);
    if (marker == 0xC0) layout.height_at = at + 5;
    at += 2 + length;
    if (marker == 0xDA) {
      layout.data_at = at;
      break;
    }
  }
  return layout;
}

}  // namespace

struct JpegEncoder::Lane {
  jpeg_compress_struct compress{};
  Fault fault;
  Sink sink;
  RowMemory memory;

  Lane() {
    compress.err = jpeg_std_error(&fault.manager);
    fault.manager.error_exit = &Fault::raise;
    fault.manager.output_message = &Fault::stay_silent;
    sink.manager.init_destination = &Sink::begin;
    sink.manager.empty_output_buffer = &Sink::grow;
    sink.manager.term_destination = &Sink::finish;
    if (setjmp(fault.escape) == 0) {
      jpeg_create_compress(&compress);
      compress.dest = &sink.manager;
    }
  }
  ~Lane() { jpeg_destroy_compress(&compress); }

  // Rows [from, to) as a file of their own. False with fault.message when libjpeg refuses.
  bool strip(const Rows& rows, int from, int to, int quality, unsigned restart_interval, Bytes& out) {
    sink.bytes = &out;
    if (setjmp(fault.escape) != 0) {
      jpeg_abort_compress(&compress);
      return false;
    }
    compress.image_width = static_cast<JDIMENSION>(rows.size().width);
    compress.image_height = static_cast<JDIMENSION>(to - from);
    compress.input_components = 4;
    compress.in_color_space = JCS_EXT_BGRX;
    jpeg_set_defaults(&compress);
    jpeg_set_quality(&compress, quality, TRUE);
    compress.restart_interval = restart_interval;
    jpeg_start_compress(&compress, TRUE);
    for (int y = from; y < to; y += kBlockRows) {
      const int count = std::min(kBlockRows, to - y);
      const Strip strip = rows.strip(y, y + count, memory);
      std::array<JSAMPROW, kBlockRows> lines{};
      for (int i = 0; i < count; ++i) {
        // libjpeg's type lacks the const; it only reads.
        lines[static_cast<std::size_t>(i)] = const_cast<JSAMPROW>(strip.row(i));
      }
      for (int done = 0; done < count;) {
        done += static_cast<int>(
            jpeg_write_scanlines(&compress, lines.data() + done, static_cast<JDIMENSION>(count - done)));
      }
    }
    jpeg_finish_compress(&compress);
    return true;
  }
};

JpegEncoder::JpegEncoder() {
  for (int lane = 0; lane < kLanes; ++lane) lanes_.push_back(std::make_unique<Lane>());
}
JpegEncoder::~JpegEncoder() = default;

Status JpegEncoder::encode(const Rows& rows, int quality, Bytes& out) {
  const Size size = rows.size();
  const int block_rows = (size.height + kBlockRows - 1) / kBlockRows;
  const int row_blocks = (size.width + kBlockRows - 1) / kBlockRows;
  const int strip_blocks = std::min((block_rows + kStrips - 1) / kStrips, std::max(1, kMostInterval / row_blocks));
  const int count = (block_rows + strip_blocks - 1) / strip_blocks;
  const int strip_rows = strip_blocks * kBlockRows;
  // Every strip is one restart interval long (the last one may be shorter), so none holds a marker itself.
  const auto interval = static_cast<unsigned>(strip_blocks * row_blocks);
  strips_.resize(std::max(strips_.size(), static_cast<std::size_t>(count)));

  std::atomic<int> failed_lane{-1};
  share(count, [&](int part, int lane) {
    const int from = part * strip_rows;
    const int to = std::min(size.height, from + strip_rows);
    const auto index = static_cast<std::size_t>(lane);
    if (!lanes_[index]->strip(rows, from, to, std::clamp(quality, 1, 100), count > 1 ? interval : 0,
                              strips_[static_cast<std::size_t>(part)])) {
      failed_lane = lane;
    }
  });
  if (failed_lane >= 0) {
    const Lane& lane = *lanes_[static_cast<std::size_t>(failed_lane.load())];
    return make_error(Code::internal, std::string("The JPEG encoder failed: ") + lane.fault.message);
  }

  std::size_t total = 0;
  for (int part = 0; part < count; ++part) total += strips_[static_cast<std::size_t>(part)].size();
  out.clear();
  out.reserve(total);
  for (int part = 0; part < count; ++part) {
    const Bytes& strip = strips_[static_cast<std::size_t>(part)];
    const std::size_t end_marker = 2;
    const auto begin =
        part == 0 ? strip.begin() : strip.begin() + static_cast<std::ptrdiff_t>(layout_of(strip).data_at);
    out.insert(out.end(), begin, strip.end() - end_marker);
    out.push_back(0xFF);
    out.push_back(part + 1 < count ? static_cast<std::uint8_t>(0xD0 + part % 8) : std::uint8_t{0xD9});
  }
  const Layout layout = layout_of(out);
  out[layout.height_at] = static_cast<std::uint8_t>(size.height >> 8);
  out[layout.height_at + 1] = static_cast<std::uint8_t>(size.height & 0xFF);
  return {};
}

}  // namespace handrail::vision
