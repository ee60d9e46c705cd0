#include "platform/x11/connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <cassert>
#include <cerrno>

#include "base/log.h"
#include "platform/x11/atoms.h"
#include "platform/x11/dial.h"
#include "platform/x11/extensions.h"

namespace handrail::x11 {
namespace {

// A running task ends by itself at its deadline unless a library call hangs; this is how long its
// caller gives it to do so before the socket is cut.
constexpr Millis kGrace{50};
// Listeners are short; one that takes this long hangs on a full socket.
constexpr Millis kListenerPatience{500};

xcb_screen_t* nth_screen(xcb_connection_t* xcb, int number) {
  xcb_screen_iterator_t it = xcb_setup_roots_iterator(xcb_get_setup(xcb));
  for (; it.rem > 0 && number > 0; --number) xcb_screen_next(&it);
  return it.rem > 0 ? it.data : nullptr;
}

Error no_answer(std::string_view display) {
  return make_error(Code::timeout, fmt::format("The X server on {} did not answer in time.", display))
      .with_hint("Another program may hold the server; try again, or restart the desktop.");
}

}  // namespace

struct Connection::Job {
  enum class State { queued, running, done };
  Deadline deadline;
  Task task;
  State state = State::queued;
  std::optional<Error> failure;
};

Connection::Connection(DisplaySource source)
    : source_(std::move(source)), wake_fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  server_.dispatch_ = [this] { dispatch_events(); };
  thread_ = std::thread([this] { loop(); });
}

Connection::~Connection() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    cut();
  }
  wake();
  thread_.join();
}

void Connection::on_open(Opener opener) { openers_.push_back(std::move(opener)); }

void Connection::on_event(Listener listener) { listeners_.push_back(std::move(listener)); }

bool Connection::connected() const {
  const std::lock_guard lock(mutex_);
  return connected_;
}

std::string Connection::display_name() const {
  const std::lock_guard lock(mutex_);
  return display_name_;
}

void Connection::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(wake_fd_.get(), &one, sizeof one);
}

void Connection::cut() {
  was_cut_ = true;
  if (breaker_.valid()) ::shutdown(breaker_.get(), SHUT_RDWR);
}

Status Connection::run(Deadline deadline, Task task) {
  assert(std::this_thread::get_id() != thread_.get_id());
  auto job = std::make_shared<Job>(Job{deadline, std::move(task), Job::State::queued, {}});
  std::unique_lock lock(mutex_);
  jobs_.push_back(job);
  lock.unlock();
  wake();
  lock.lock();

  const auto done = [&] { return job->state == Job::State::done; };
  if (!finished_.wait_until(lock, deadline.at(), done)) {
    if (job->state == Job::State::queued) {
      std::erase(jobs_, job);
      // Nobody else waits for a listener, so the one who suffers from its hanging frees the thread.
      if (events_since_ && Clock::now() - *events_since_ > kListenerPatience) cut();
      return no_answer(display_name_);
    }
    // The task refers to its caller's stack: it must have ended before this returns.
    if (!finished_.wait_until(lock, deadline.at() + kGrace, done)) {
      cut();
      finished_.wait(lock, done);
    }
  }
  if (job->failure) return *job->failure;
  return {};
}

void Connection::loop() {
  while (true) {
    wait_for_work();
    std::shared_ptr<Job> job;
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) break;
      if (jobs_.empty()) continue;
      job = std::move(jobs_.front());
      jobs_.pop_front();
      job->state = Job::State::running;
    }
    std::optional<Error> failure = attempt(*job);
    // What the task captured must not outlive its caller, who goes on once the job is done.
    job->task = nullptr;
    const std::lock_guard lock(mutex_);
    job->failure = std::move(failure);
    job->state = Job::State::done;
    finished_.notify_all();
  }
  close();
}

void Connection::wait_for_work() {
  if (server_.xcb_ != nullptr) {
    {
      const std::lock_guard lock(mutex_);
      events_since_ = Clock::now();
    }
    server_.deadline_ = Deadline::in(kBackendPatience);
    // Also what xcb read ahead while it looked for replies, or sent what listeners asked for: poll() does not see that.
    while (server_.read_events(xcb_poll_for_event)) {
      dispatch_events();
      xcb_flush(server_.xcb_);
      const std::lock_guard lock(mutex_);
      if (stopping_ || !jobs_.empty()) break;
    }
    const bool lost = server_.broken();
    {
      const std::lock_guard lock(mutex_);
      events_since_.reset();
    }
    if (lost) close();
  }
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || !jobs_.empty()) return;
  }
  std::array<pollfd, 2> sources{pollfd{wake_fd_.get(), POLLIN, 0}, pollfd{-1, POLLIN, 0}};
  if (server_.xcb_ != nullptr) sources[1].fd = xcb_get_file_descriptor(server_.xcb_);
  ::poll(sources.data(), sources.size(), -1);
  std::uint64_t count = 0;
  [[maybe_unused]] const auto cleared = ::read(wake_fd_.get(), &count, sizeof count);
}

std::optional<Error> Connection::attempt(Job& job) {
  if (job.deadline.passed()) return no_answer(display_name());
  // A server that went away while nobody called is noticed here, and is no reason to fail this call.
  if (server_.xcb_ != nullptr && server_.broken()) close();
  if (server_.xcb_ == nullptr) {
    const Status opened = open(job.deadline);
    if (!opened.ok()) return opened.error();
  }
  server_.deadline_ = job.deadline;
  const bool content = job.task(server_);
  xcb_flush(server_.xcb_);
  if (!server_.broken()) return {};

  const bool was_cut = [this] {
    const std::lock_guard lock(mutex_);
    return was_cut_;
  }();
  const Error error = was_cut ? no_answer(server_.name_) : server_.lost("the last request");
  close();
  if (content || was_cut) return error;
  return {};  // the task has met the loss itself and says so
}

Status Connection::open(Deadline deadline) {
  const std::string display = TRY(source_());
  {
    const std::lock_guard lock(mutex_);
    display_name_ = display;
    was_cut_ = false;
  }
  server_.name_ = display;
  server_.deadline_ = deadline;
  const auto dialled = dial(display, deadline, [this](int fd) {
    const std::lock_guard lock(mutex_);
    breaker_ = Fd(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
    // The caller may have run out of patience before there was a socket.
    if (stopping_ || was_cut_) cut();
  });
  if (!dialled.ok()) {
    const std::lock_guard lock(mutex_);
    breaker_.reset();
    return was_cut_ ? no_answer(display) : dialled.error();
  }
  server_.xcb_ = dialled->xcb;
  server_.screen_number_ = dialled->screen_number;
  server_.screen_ = nth_screen(dialled->xcb, dialled->screen_number);
  ++server_.epoch_;
  server_.acting_as_ = 0;

  const Status ready = [this]() -> Status {
    if (server_.screen_ == nullptr) {
      return make_error(Code::backend_lost, fmt::format("The X display {} has no such screen.", server_.name_))
          .with_hint("Name an existing screen in DISPLAY, usually :N without a suffix.");
    }
    server_.extensions_ = std::make_unique<Extensions>(TRY(query_extensions(server_)));
    server_.atoms_ = std::make_unique<Atoms>(TRY(intern_atoms(server_)));
    for (const Opener& opener : openers_) TRY(opener(server_));
    return {};
  }();
  if (!ready.ok()) {
    close();
    return ready;
  }
  const std::lock_guard lock(mutex_);
  connected_ = true;
  return {};
}

void Connection::close() {
  if (server_.xcb_ == nullptr) return;
  xcb_disconnect(server_.xcb_);
  server_.xcb_ = nullptr;
  server_.out_of_step_ = false;
  server_.screen_ = nullptr;
  // The next server may number them otherwise.
  server_.extensions_.reset();
  server_.atoms_.reset();
  server_.silent_since_.reset();
  server_.watched_.clear();
  server_.events_.clear();
  const std::lock_guard lock(mutex_);
  breaker_.reset();
  connected_ = false;
  ++losses_;
  ++generation_;
  changed_.notify_all();
}

void Connection::dispatch_events() {
  // A listener that reads a reply comes back here; the events it meets wait for the loop below.
  if (dispatching_) return;
  // Some events come unasked, a new keyboard map for one, and as early as the server's first answers: listeners hear
  // of them when there are atoms and extensions to understand them by.
  if (!server_.extensions_ || !server_.atoms_) return;
  dispatching_ = true;
  bool any = false;
  while (!server_.events_.empty()) {
    const auto event = std::move(server_.events_.front());
    server_.events_.pop_front();
    const auto type = event->response_type & 0x7f;
    if (type == 0) {
      const auto* error = reinterpret_cast<const xcb_generic_error_t*>(event.get());
      log(LogLevel::debug, "x11: error {} on request {}.{}", error->error_code, error->major_code, error->minor_code);
      continue;
    }
    if (type == XCB_DESTROY_NOTIFY) {
      server_.watched_.erase(reinterpret_cast<const xcb_destroy_notify_event_t*>(event.get())->window);
    }
    for (const Listener& listener : listeners_) listener(server_, *event);
    any = true;
  }
  dispatching_ = false;
  if (any) announce();
}

void Connection::announce() {
  const std::lock_guard lock(mutex_);
  ++generation_;
  changed_.notify_all();
}

EventWatch::EventWatch(Connection& connection) : connection_(connection) {
  const std::lock_guard lock(connection_.mutex_);
  losses_ = connection_.losses_;
}

Status EventWatch::until(Deadline deadline, std::stop_token stop, const std::function<Result<bool>()>& done) {
  const std::stop_callback on_stop(stop, [this] {
    const std::lock_guard lock(connection_.mutex_);
    connection_.changed_.notify_all();
  });
  while (true) {
    std::uint64_t seen = 0;
    {
      const std::lock_guard lock(connection_.mutex_);
      seen = connection_.generation_;
      if (connection_.losses_ != losses_) {
        return make_error(Code::backend_lost, fmt::format("The X server on {} went away.", connection_.display_name_))
            .with_hint(way_back(connection_.display_name_));
      }
    }
    if (stop.stop_requested()) return make_error(Code::cancelled, "The call was cancelled while it waited.");
    if (TRY(done())) return {};
    std::unique_lock lock(connection_.mutex_);
    const bool moved = connection_.changed_.wait_until(
        lock, deadline.at(), [&] { return connection_.generation_ != seen || stop.stop_requested(); });
    if (!moved) return make_error(Code::timeout, "What was waited for did not happen in time.");
  }
}

}  // namespace handrail::x11
