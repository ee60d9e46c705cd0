// The least that a screenshot can cost on one thread: grab into shared memory, area downscale, JPEG in
// one piece, base64. Answers each line of standard input with the milliseconds of one shot and of its
// parts, so that bench/run can interleave it with everything else.
#include <sys/ipc.h>
#include <sys/shm.h>
#include <turbojpeg.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/base64.h"
#include "vision/picture.h"
#include "vision/scale.h"
#include "vision/sizing.h"

namespace {

using namespace handrail;

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

class Grab {
 public:
  Grab() : connection_(xcb_connect(nullptr, nullptr)) {
    if (xcb_connection_has_error(connection_) != 0) {
      std::fprintf(stderr, "bench_limit: no display\n");
      std::exit(1);
    }
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection_)).data;
    root_ = screen->root;
    frame_.width = screen->width_in_pixels;
    frame_.height = screen->height_in_pixels;
    frame_.stride = static_cast<std::size_t>(frame_.width) * 4;
    const std::size_t bytes = frame_.stride * static_cast<std::size_t>(frame_.height) + 64;
    const int id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
    auto* memory = static_cast<std::uint8_t*>(shmat(id, nullptr, 0));
    segment_ = xcb_generate_id(connection_);
    xcb_shm_attach(connection_, segment_, static_cast<std::uint32_t>(id), 0);
    take();
    shmctl(id, IPC_RMID, nullptr);
    frame_.pixels = std::shared_ptr<const std::uint8_t>(memory, [](const std::uint8_t* at) { shmdt(at); });
  }
  ~Grab() { xcb_disconnect(connection_); }
  Grab(const Grab&) = delete;
  Grab& operator=(const Grab&) = delete;

  void take() {
    const auto cookie =
        xcb_shm_get_image(connection_, root_, 0, 0, static_cast<std::uint16_t>(frame_.width),
                          static_cast<std::uint16_t>(frame_.height), ~0U, XCB_IMAGE_FORMAT_Z_PIXMAP, segment_, 0);
    const std::unique_ptr<xcb_shm_get_image_reply_t, Free> reply(xcb_shm_get_image_reply(connection_, cookie, nullptr));
    if (!reply) {
      std::fprintf(stderr, "bench_limit: the display refused shared memory\n");
      std::exit(1);
    }
  }
  const Frame& frame() const { return frame_; }

 private:
  xcb_connection_t* connection_;
  xcb_window_t root_ = 0;
  xcb_shm_seg_t segment_ = 0;
  Frame frame_;
};

}  // namespace

int main() {
  Grab grab;
  const Size target = vision::fit(grab.frame().size());
  const vision::Scaler scaler(grab.frame().size(), target);
  vision::Scaler::Scratch scratch;
  Frame sized = make_frame(target);
  const tjhandle compressor = tjInitCompress();
  std::vector<unsigned char> jpeg(tjBufSize(target.width, target.height, TJSAMP_420));
  std::string text, line;
  while (std::getline(std::cin, line)) {
    const double start = now_ms();
    grab.take();
    const double grabbed = now_ms();
    scaler.rows(grab.frame(), 0, target.height, writable(sized), sized.stride, scratch);
    const double scaled = now_ms();
    unsigned char* out = jpeg.data();
    unsigned long size = jpeg.size();
    tjCompress2(compressor, sized.row(0), target.width, static_cast<int>(sized.stride), target.height, TJPF_BGRX, &out,
                &size, TJSAMP_420, 75, TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT);
    const double encoded = now_ms();
    text.clear();
    append_base64(text, {jpeg.data(), size});
    const double end = now_ms();
    // Beside the limit: the same frame through the two-thread path of the product, and as PNG.
    const auto picture = vision::picture_of(grab.frame(), target);
    const double shared = now_ms();
    const auto png = vision::picture_of(grab.frame(), target, {ImageFormat::png, 75, 0});
    const double with_png = now_ms();
    std::printf(
        "{\"total\":%.4f,\"grab\":%.4f,\"scale\":%.4f,\"jpeg\":%.4f,\"base64\":%.4f,\"bytes\":%lu,"
        "\"two_threads\":%.4f,\"two_thread_bytes\":%zu,\"png\":%.4f,\"png_bytes\":%zu}\n",
        end - start, grabbed - start, scaled - grabbed, encoded - scaled, end - encoded, size, shared - end,
        picture.ok() ? picture->bytes.size() : 0, with_png - shared, png.ok() ? png->bytes.size() : 0);
    std::fflush(stdout);
  }
  tjDestroy(compressor);
}
