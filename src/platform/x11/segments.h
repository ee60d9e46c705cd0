// Shared memory for pictures: mapped and touched once, lent out many times. First use of fresh pages
// costs more than the whole capture.
#pragma once

#include <xcb/shm.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "platform/x11/connection.h"

namespace handrail::x11 {

struct Lease {
  xcb_shm_seg_t segment = 0;
  // Comes back to the pool when the last copy is dropped, on any thread.
  std::shared_ptr<std::uint8_t> memory;
};

class SegmentPool : public std::enable_shared_from_this<SegmentPool> {
 public:
  // At least `bytes` and the slack that frames promise. Nothing when the server shares no memory with
  // us or when all segments are out: the caller then reads over the socket. Only inside a task.
  Result<std::optional<Lease>> lease(Server& server, std::size_t bytes);

 private:
  struct Segment;
  Result<std::shared_ptr<Segment>> attach(Server& server, std::size_t bytes);
  void give_back(const std::shared_ptr<Segment>& segment);

  std::mutex mutex_;
  std::vector<std::shared_ptr<Segment>> idle_;
  std::size_t out_ = 0;
  std::uint64_t unshared_epoch_ = 0;  // of a server that refused
};

}  // namespace handrail::x11
