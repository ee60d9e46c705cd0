// News of whether a held key may go to somebody else: the focus moved, its window went away, the pointer left the one
// below it, somebody took all keys, or the key means another thing now. It counts what it hears; what the news is, is
// read from the server by who waits for it.
#pragma once

#include <xcb/xcb.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "platform/x11/connection.h"

namespace handrail::x11 {

class HeldWatch {
 public:
  // Inside a task: these windows from now on, in place of those before.
  void watch(Server& server, std::vector<xcb_window_t> windows);
  void end(Server& server) { watch(server, {}); }
  // On a new connection, where nothing is watched.
  void forget() { windows_.clear(); }
  // Every event of the connection. `new_map` when it tells of another keyboard map.
  void take(const xcb_generic_event_t& event, bool new_map);

  // On any thread. Another number than before: there is news.
  std::uint64_t news() const { return news_; }

 private:
  std::vector<xcb_window_t> windows_;
  std::atomic<std::uint64_t> news_ = 0;
};

}  // namespace handrail::x11
