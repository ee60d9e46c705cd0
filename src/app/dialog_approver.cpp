#include "app/dialog_approver.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "app/consent_dialog.h"
#include "base/fd.h"
#include "base/process.h"
#include "platform/x11/connection.h"

namespace handrail::app {
namespace {

// The dialog ends by itself at the deadline; this is for one that hangs.
constexpr Millis kGrace{1000};
constexpr std::size_t kMostReply = 4096;

// What fonts and the display need, and nothing that loads code.
Environment environment_for(const DialogPlace& place) {
  static constexpr std::array kKept{"HOME",
                                    "LANG",
                                    "LC_ALL",
                                    "LC_CTYPE",
                                    "PATH",
                                    "XDG_CACHE_HOME",
                                    "XDG_CONFIG_HOME",
                                    "XDG_DATA_HOME",
                                    "XDG_RUNTIME_DIR",
                                    "ASAN_OPTIONS",
                                    "UBSAN_OPTIONS",
                                    "LSAN_OPTIONS"};
  const Environment all = current_environment();
  Environment kept;
  for (const char* name : kKept) {
    if (const auto found = all.find(name); found != all.end()) kept.insert(*found);
  }
  kept["DISPLAY"] = place.display;
  if (!place.xauthority.empty()) kept["XAUTHORITY"] = place.xauthority;
  return kept;
}

// A file in memory, so that a question of any size is there in full before the dialog starts.
Result<Fd> in_memory(const std::string& text) {
  Fd file(::memfd_create("question", MFD_CLOEXEC));
  if (!file.valid() || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::lseek(file.get(), 0, SEEK_SET) != 0) {
    return make_error(Code::io_error, "The question could not be handed to the dialog.");
  }
  return file;
}

// All that the dialog prints. Bounded in time and size.
Result<std::string> read_reply(int fd, int stop_fd, Deadline deadline) {
  std::string reply;
  while (reply.size() < kMostReply) {
    pollfd fds[2] = {{fd, POLLIN, 0}, {stop_fd, POLLIN, 0}};
    const int ready = ::poll(fds, 2, static_cast<int>(deadline.left().count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready > 0 && fds[1].revents != 0) return make_error(Code::cancelled, "The call was ended.");
    if (ready <= 0) return make_error(Code::timeout, "The dialog did not answer in time.");
    std::array<char, 1024> buffer;
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    reply.append(buffer.data(), static_cast<std::size_t>(got));
  }
  if (reply.empty()) return make_error(Code::backend_error, "The dialog ended without an answer.");
  return reply;
}

}  // namespace

bool DialogApprover::available() const {
  const auto place = where_ ? where_() : std::nullopt;
  if (!place || place->display.empty()) return false;
  // A server that hangs in the greeting is cut off in time.
  x11::Connection connection([&place]() -> Result<std::string> { return place->display; });
  return connection
      .call<x11::Unit>(Deadline::in(kBackendPatience), [](x11::Server&) -> Result<x11::Unit> { return x11::Unit{}; })
      .ok();
}

Result<policy::ConsentChoice> DialogApprover::ask(const policy::ConsentQuestion& question, Deadline deadline,
                                                  std::stop_token stop) {
  const auto place = where_ ? where_() : std::nullopt;
  if (!place) return make_error(Code::backend_lost, "There is no desktop of a person to ask on.");
  std::unique_lock showing(showing_, std::defer_lock);
  while (!showing.try_lock_until(deadline.within(Millis(100)).at())) {
    if (stop.stop_requested()) return make_error(Code::cancelled, "The call was ended.");
    if (deadline.passed()) return make_error(Code::timeout, "Another question is still open.");
  }
  const Fd stopped(::eventfd(0, EFD_CLOEXEC));
  const std::stop_callback on_stop(stop, [&stopped] { ::eventfd_write(stopped.get(), 1); });
  const Fd input = TRY(in_memory(dialog_request(question, deadline.left())));
  Pipe output = TRY(make_pipe());
  SpawnOptions options;
  options.argv = {"handrail", std::string(kConsentDialogCommand)};
  options.program = program_;
  options.environment = environment_for(*place);
  options.cwd = std::string("/");
  options.stdin_fd = input.get();
  options.stdout_fd = output.write.get();
  options.stderr_fd = STDERR_FILENO;
  options.death_signal = SIGKILL;
  // Ends the dialog wherever this function is left.
  Process dialog = TRY(Process::spawn(options));
  output.write.reset();
  const std::string reply = TRY(read_reply(output.read.get(), stopped.get(), Deadline(deadline.at() + kGrace)));
  return read_dialog_reply(reply, policy::consent_digest(question));
}

}  // namespace handrail::app
