// One connection to an X server and the one thread that speaks on it.
//
// Port code runs on its caller's thread and sends short tasks here; a task makes requests and reads
// replies, each with a deadline, and never waits for an app or a window manager. Waiting for those is
// done on the caller's side with `EventWatch`, so that a slow app never delays another call.
//
// A lost server turns every pending and later call into `backend_lost`. The next call tries to
// connect again; nothing runs in the background for it.
#pragma once

#include <xcb/xcb.h>

#include <array>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"

namespace handrail::x11 {

// malloc'ed replies and events of xcb.
struct FreeDeleter {
  void operator()(void* p) const { std::free(p); }
};
template <class T>
using Owned = std::unique_ptr<T, FreeDeleter>;

struct Atoms;       // interned names, atoms.h
struct Extensions;  // what the server offers, extensions.h
class Server;

// A reply that is on its way. Lets a task send many requests before it reads the first answer; an
// unread one is thrown away, as xcb would keep it for ever.
template <class Reply>
class Pending {
 public:
  Pending(Server& server, unsigned sequence, std::string_view request)
      : server_(&server), sequence_(sequence), request_(request) {}
  Pending(Pending&& other) noexcept
      : server_(std::exchange(other.server_, nullptr)), sequence_(other.sequence_), request_(other.request_) {}
  Pending& operator=(Pending&&) = delete;
  ~Pending();

  // Once. As Server::reply.
  Result<Owned<Reply>> get();

 private:
  Server* server_;
  unsigned sequence_;
  std::string_view request_;
};

// The first master pointer of every X server.
inline constexpr std::uint16_t kPersonPointer = 2;

// The live server as a task sees it. Only valid on the connection's thread, inside a task or listener.
class Server {
 public:
  Server();
  ~Server();
  xcb_connection_t* xcb() const { return xcb_; }
  xcb_screen_t* screen() const { return screen_; }
  int screen_number() const { return screen_number_; }
  xcb_window_t root() const { return screen_->root; }
  const Atoms& atoms() const { return *atoms_; }
  const Extensions& extensions() const { return *extensions_; }
  // Counts connections: what was made under another epoch (segments, pixmaps, windows) is gone.
  std::uint64_t epoch() const { return epoch_; }
  Deadline deadline() const { return deadline_; }
  // Whose pointer and keyboard requests and XTEST are about from here on: a master pointer's, or the person's (0).
  // `backend_error` when there is no such master any more: then it is the person's again, and nothing is to be sent.
  Status act_as(std::uint16_t master);
  std::uint16_t acting_as() const { return acting_as_; }
  // Inside a hold of the server, where nobody can take the master away any more.
  Status still_acting();

  // Waits for one reply until the task's deadline, and never longer than kBackendPatience. An X error
  // becomes `backend_error` naming the request, except BadWindow and BadDrawable: `not_found`.
  //   auto tree = TRY(server.reply(xcb_query_tree(server.xcb(), w), xcb_query_tree_reply, "QueryTree"));
  // `request` is a literal.
  template <class Cookie, class Reply>
  Result<Owned<Reply>> reply(Cookie cookie, Reply* (*)(xcb_connection_t*, Cookie, xcb_generic_error_t**),
                             std::string_view request) {
    void* raw = TRY(wait_reply(cookie.sequence, request));
    return Owned<Reply>(static_cast<Reply*>(raw));
  }
  // The same in two halves, for pipelining.
  template <class Cookie, class Reply>
  Pending<Reply> pend(Cookie cookie, Reply* (*)(xcb_connection_t*, Cookie, xcb_generic_error_t**),
                      std::string_view request) {
    return Pending<Reply>(*this, cookie.sequence, request);
  }
  // Outcome of a `_checked` void request.
  Status check(xcb_void_cookie_t cookie, std::string_view request);
  // Returns when the server has processed everything sent so far and its events were dispatched.
  Status fence();
  // Adds to the events this connection gets of a window, until as many unwatch() calls. X keeps one
  // mask a client and window, so nobody here sets it directly: that would end what others selected.
  void watch(xcb_window_t window, std::uint32_t event_mask);
  void unwatch(xcb_window_t window, std::uint32_t event_mask);

 private:
  friend class Connection;
  template <class Reply>
  friend class Pending;
  Result<void*> wait_reply(unsigned sequence, std::string_view request);
  void discard(unsigned sequence);
  // True when some wait to be dispatched.
  bool read_events(xcb_generic_event_t* (*next)(xcb_connection_t*));
  void count_watch(xcb_window_t window, std::uint32_t event_mask, bool more);
  Error lost(std::string_view request) const;

  // Nothing that is asked is answered any more.
  bool broken() const;

  xcb_connection_t* xcb_ = nullptr;
  bool out_of_step_ = false;  // an answer was passed over, and so will be all that follow
  xcb_screen_t* screen_ = nullptr;
  int screen_number_ = 0;
  std::unique_ptr<Atoms> atoms_;
  std::unique_ptr<Extensions> extensions_;
  std::uint64_t epoch_ = 0;
  Deadline deadline_ = Deadline::in(Millis(0));
  std::optional<TimePoint> silent_since_;             // it let a request wait in vain
  using WatchCounts = std::array<std::uint32_t, 25>;  // of each event mask bit
  std::map<xcb_window_t, WatchCounts> watched_;
  std::deque<Owned<xcb_generic_event_t>> events_;  // read, not yet dispatched
  std::function<void()> dispatch_;                 // hands queued events to the connection's listeners
  std::string name_;
  std::uint16_t acting_as_ = 0;
};

// What is done inside is about these devices; afterwards about those before.
class ActingAs {
 public:
  ActingAs(Server& server, std::uint16_t master)
      : server_(server), before_(server.acting_as()), status_(server.act_as(master)) {}
  ~ActingAs() { (void)server_.act_as(before_); }
  ActingAs(const ActingAs&) = delete;
  ActingAs& operator=(const ActingAs&) = delete;
  const Status& status() const { return status_; }

 private:
  Server& server_;
  std::uint16_t before_;
  Status status_;
};

// The person's, whoever acts.
class AsPerson : public ActingAs {
 public:
  explicit AsPerson(Server& server) : ActingAs(server, 0) {}
};

template <class Reply>
Pending<Reply>::~Pending() {
  if (server_ != nullptr) server_->discard(sequence_);
}

template <class Reply>
Result<Owned<Reply>> Pending<Reply>::get() {
  Server& server = *std::exchange(server_, nullptr);
  void* raw = TRY(server.wait_reply(sequence_, request_));
  return Owned<Reply>(static_cast<Reply*>(raw));
}

class Connection {
 public:
  // Where to connect; asked again for every new connection, so that an owner can start a new server.
  using DisplaySource = std::function<Result<std::string>()>;
  // Called on the connection's thread for every event, also while a task waits for a reply. It may
  // send requests and read short replies; events that come meanwhile are delivered after it.
  using Listener = std::function<void(Server&, const xcb_generic_event_t&)>;
  // Called on the connection's thread right after a connection was made, in order of registration.
  using Opener = std::function<Status(Server&)>;

  explicit Connection(DisplaySource source);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Register before the first call; they live as long as the connection.
  void on_open(Opener opener);
  void on_event(Listener listener);

  // Connects if needed, runs the task on the thread and returns its result. A task that is still
  // queued when the deadline passes is dropped unrun; one that runs is bounded by the same deadline:
  // should a library call inside it hang on the socket, the connection is cut and the result is
  // `timeout`. Not to be called from a task or listener.
  template <class T>
  Result<T> call(Deadline deadline, std::function<Result<T>(Server&)> task) {
    std::optional<Result<T>> answer;
    Status ran = run(deadline, [&](Server& server) {
      answer.emplace(task(server));
      return answer->ok();
    });
    if (!ran.ok()) return ran.error();
    return std::move(*answer);
  }

  bool connected() const;
  // The last one connected to, or tried.
  std::string display_name() const;

 private:
  friend class EventWatch;
  struct Job;
  // Says whether the task was content with what it got.
  using Task = std::function<bool(Server&)>;
  // Blocks until the task has run. Errors when it could not be run at all.
  Status run(Deadline deadline, Task task);
  void loop();
  void wait_for_work();
  std::optional<Error> attempt(Job& job);
  Status open(Deadline deadline);
  void close();
  void dispatch_events();
  void wake();
  void cut();  // mutex held
  void announce();

  DisplaySource source_;
  std::vector<Opener> openers_;
  std::vector<Listener> listeners_;
  Server server_;
  bool dispatching_ = false;

  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<Job>> jobs_;
  bool connected_ = false;
  bool stopping_ = false;
  bool was_cut_ = false;
  std::string display_name_;
  std::optional<TimePoint> events_since_;  // the thread is inside listeners, with no task
  std::condition_variable finished_;       // a job was
  std::condition_variable changed_;        // any event was dispatched or the connection was lost
  std::uint64_t generation_ = 0;           // counts those
  std::uint64_t losses_ = 0;
  Fd breaker_;  // the connection's socket again: shutting it down frees a thread that hangs in xcb

  Fd wake_fd_;
  std::thread thread_;
};

// Lets a caller wait for something that events make true.
//   EventWatch watch(connection);                       // before the request that causes the event
//   TRY(connection.call<Unit>(… send …));
//   TRY(watch.until(deadline, stop, [&] { return …read state with connection.call…; }));
class EventWatch {
 public:
  explicit EventWatch(Connection& connection);

  // Evaluates `done` now and after each batch of events, on the caller's thread. `timeout` when the
  // deadline passes, `cancelled` when stopped, `backend_lost` when the connection went away since
  // this watch was made, or the predicate's own error.
  Status until(Deadline deadline, std::stop_token stop, const std::function<Result<bool>()>& done);

 private:
  Connection& connection_;
  std::uint64_t losses_;
};

// The value of tasks that only do something.
struct Unit {};

}  // namespace handrail::x11
