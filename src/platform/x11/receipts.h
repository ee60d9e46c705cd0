// Who got a press: the RECORD extension tells, on a connection and a thread of its own, which client each press and
// key was delivered to. A mark that is sent behind a press comes back in the same stream, so that "nobody got it" is
// known too. It knows clients by number only; who they are is the owners' business.
#pragma once

#include <xcb/record.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "platform/x11/connection.h"
#include "platform/x11/window_owners.h"

namespace handrail::x11 {

// One press or key that went to a client.
struct Receipt {
  bool key = false;
  std::uint8_t detail = 0;  // button or keycode
  ClientBase client = 0;
  xcb_window_t window = XCB_WINDOW_NONE;  // that it was reported on
  friend bool operator==(const Receipt&, const Receipt&) = default;
};

class Receipts {
 public:
  Receipts() = default;
  ~Receipts();
  Receipts(const Receipts&) = delete;
  Receipts& operator=(const Receipts&) = delete;

  // Inside a task, and never inside a server grab; harmless when it runs already for this connection.
  // `capability_unsupported` names the extension that is missing.
  Status start(Server& server, const std::string& display);

  // Inside a task: what the server does from now on is what seen() tells, not what it did before and told late.
  void begin(Server& server);
  // Inside a task: sends a mark behind everything sent so far.
  std::uint64_t mark(Server& server);

  // From now on only what these masters send counts. Events of the old kind do not tell who sent them: of those, only
  // the ones that went to this client.
  void heed(std::vector<std::uint16_t> masters, ClientBase client);
  void heed_all();

  // On any thread. True when the stream has come to the mark: what happened before it is in seen().
  bool wait_for_mark(std::uint64_t mark, Deadline deadline);
  // True when the receipts satisfy the predicate before the deadline.
  bool wait(Deadline deadline, const std::function<bool(const std::vector<Receipt>&)>& done);
  std::vector<Receipt> seen() const;
  // The same, and forgets them.
  std::vector<Receipt> drain();
  // A window of this connection that is never mapped.
  xcb_window_t own_window() const;

 private:
  void stop();
  Status prepare(Server& server);
  void run(const std::string& display, Deadline deadline);
  void listen(xcb_connection_t* xcb, unsigned sequence);
  void take(const xcb_record_enable_context_reply_t& reply);
  void count_marks(const xcb_record_enable_context_reply_t& reply);

  // Of the connection's thread.
  std::uint64_t epoch_ = 0;
  std::thread thread_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  bool started_ = false;
  bool ended_ = false;
  Fd breaker_;  // the stream's socket again: shutting it down ends the thread
  std::uint8_t input_opcode_ = 0;
  std::vector<std::uint16_t> masters_;  // device ids; copies that slave devices make are no receipts
  std::vector<std::uint16_t> heeded_;   // of the masters; all when empty
  ClientBase heeded_client_ = 0;
  xcb_window_t own_window_ = XCB_WINDOW_NONE;
  ClientBase own_client_ = 0;
  std::uint64_t marks_sent_ = 0;  // of the connection's thread
  std::uint64_t marks_seen_ = 0;
  std::uint64_t first_mark_ = 0;  // what came before it is of no interest
  std::vector<Receipt> receipts_;
};

}  // namespace handrail::x11
