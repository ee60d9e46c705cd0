#include "platform/x11/segments.h"

#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include <algorithm>

#include "base/fd.h"
#include "base/log.h"
#include "platform/x11/extensions.h"

namespace handrail::x11 {
namespace {

// A frame in the making, the one before it for comparison, and one in another thread's encoder.
constexpr std::size_t kMaxSegments = 3;
constexpr std::size_t kPage = 4096;  // more than the slack of a frame

}  // namespace

struct SegmentPool::Segment {
  enum class Memory { file, system_v };
  Segment(std::uint8_t* mapped, std::size_t bytes, Memory kind) : memory(mapped), size(bytes), kind_(kind) {}
  ~Segment() {
    if (kind_ == Memory::file) {
      ::munmap(memory, size);
    } else {
      ::shmdt(memory);
    }
  }
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  std::uint8_t* memory;
  std::size_t size;
  xcb_shm_seg_t id = 0;
  std::uint64_t epoch = 0;

 private:
  Memory kind_;
};

Result<std::optional<Lease>> SegmentPool::lease(Server& server, std::size_t bytes) {
  std::shared_ptr<Segment> segment;
  {
    const std::lock_guard lock(mutex_);
    if (!server.extensions().shm.present() || unshared_epoch_ == server.epoch() || out_ >= kMaxSegments) {
      return std::optional<Lease>();
    }
    std::erase_if(idle_, [&](const auto& one) { return one->epoch != server.epoch(); });
    const auto fits =
        std::find_if(idle_.begin(), idle_.end(), [&](const auto& one) { return one->size >= bytes + kPage; });
    if (fits != idle_.end()) {
      segment = *fits;
      idle_.erase(fits);
    } else if (!idle_.empty()) {
      // Made for a smaller screen.
      xcb_shm_detach(server.xcb(), idle_.back()->id);
      idle_.pop_back();
    }
  }
  if (!segment) {
    // Room for the whole screen, so that captures of every size share segments.
    const std::size_t screen = std::size_t{server.screen()->width_in_pixels} * server.screen()->height_in_pixels * 4;
    auto attached = attach(server, std::max(bytes, screen) + kPage);
    if (!attached.ok()) {
      if (attached.error().code != Code::backend_error) return attached.error();
      log(LogLevel::info, "x11: no shared memory with this server; captures go over the socket");
      const std::lock_guard lock(mutex_);
      unshared_epoch_ = server.epoch();
      return std::optional<Lease>();
    }
    segment = *attached;
  }
  const std::lock_guard lock(mutex_);
  ++out_;
  return std::optional<Lease>(Lease{
      segment->id, std::shared_ptr<std::uint8_t>(segment->memory, [pool = shared_from_this(), segment](std::uint8_t*) {
        pool->give_back(segment);
      })});
}

Result<std::shared_ptr<SegmentPool::Segment>> SegmentPool::attach(Server& server, std::size_t bytes) {
  std::shared_ptr<Segment> segment;
  const xcb_shm_seg_t id = xcb_generate_id(server.xcb());
  if (server.extensions().shm.at_least(1, 2)) {
    // No name and no number that another user could guess.
    Fd file(::memfd_create("handrail-frame", MFD_CLOEXEC));
    if (file.valid() && ::ftruncate(file.get(), static_cast<off_t>(bytes)) == 0) {
      void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file.get(), 0);
      if (memory != MAP_FAILED) {
        segment = std::make_shared<Segment>(static_cast<std::uint8_t*>(memory), bytes, Segment::Memory::file);
        const Status shared =
            server.check(xcb_shm_attach_fd_checked(server.xcb(), id, file.release(), 0), "ShmAttachFd");
        if (!shared.ok() && shared.error().code != Code::backend_error) return shared.error();
        if (!shared.ok()) segment.reset();
      }
    }
  }
  if (!segment) {
    const int number = ::shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
    void* memory = number < 0 ? nullptr : ::shmat(number, nullptr, 0);
    if (memory == nullptr || memory == reinterpret_cast<void*>(-1)) {
      if (number >= 0) ::shmctl(number, IPC_RMID, nullptr);
      return make_error(Code::backend_error, "There is no shared memory to be had.");
    }
    segment = std::make_shared<Segment>(static_cast<std::uint8_t*>(memory), bytes, Segment::Memory::system_v);
    const Status shared =
        server.check(xcb_shm_attach_checked(server.xcb(), id, static_cast<std::uint32_t>(number), 0), "ShmAttach");
    // Attached or not, it goes with its last user.
    ::shmctl(number, IPC_RMID, nullptr);
    if (!shared.ok()) return shared.error();
    for (std::size_t at = 0; at < bytes; at += kPage) segment->memory[at] = 0;
  }
  segment->id = id;
  segment->epoch = server.epoch();
  return segment;
}

void SegmentPool::give_back(const std::shared_ptr<Segment>& segment) {
  const std::lock_guard lock(mutex_);
  --out_;
  idle_.push_back(segment);
}

}  // namespace handrail::x11
