#include "app/terminal_prompt.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/fd.h"
#include "policy/consent_text.h"

namespace handrail::app {
namespace {

using policy::ConsentChoice;

// The terminal, when this process may read it: one in the background would be stopped for it.
Fd open_terminal(const std::string& path) {
  Fd tty(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY));
  if (!tty.valid() || ::isatty(tty.get()) == 0 || ::tcgetpgrp(tty.get()) != ::getpgrp()) return {};
  return tty;
}

Result<std::string> read_line(int tty, int stop_fd, Deadline deadline) {
  std::string line;
  while (line.size() < 100) {
    pollfd fds[2] = {{tty, POLLIN, 0}, {stop_fd, POLLIN, 0}};
    const int ready = ::poll(fds, 2, static_cast<int>(deadline.left().count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready > 0 && fds[1].revents != 0) return make_error(Code::cancelled, "The call was ended.");
    if (ready <= 0) return make_error(Code::timeout, "Nobody answered in time.");
    char c = 0;
    if (::read(tty, &c, 1) != 1) return make_error(Code::io_error, "The terminal was closed.");
    if (c == '\n') return line;
    line += c;
  }
  return make_error(Code::too_large, "The answer is too long to be one.");
}

std::string_view indent_of(policy::ConsentLineKind kind) {
  switch (kind) {
    case policy::ConsentLineKind::detail: return "    ";
    case policy::ConsentLineKind::warning: return "  ! ";
    case policy::ConsentLineKind::item:
    case policy::ConsentLineKind::flag: return "  ";
    default: return "";
  }
}

bool is_offered(const policy::ConsentQuestion& question, ConsentChoice choice) {
  return std::find(question.offered.begin(), question.offered.end(), choice) != question.offered.end();
}

}  // namespace

std::string terminal_text(const policy::ConsentQuestion& question) {
  std::string text = "\nHandrail\n";
  for (const policy::ConsentLine& line : policy::consent_lines(question)) {
    text += fmt::format("{}{}\n", indent_of(line.kind), line.text);
  }
  text += "Allow? ";
  if (is_offered(question, ConsentChoice::once)) text += "[o]nce, ";
  if (is_offered(question, ConsentChoice::session)) text += "[s]ession, ";
  if (is_offered(question, ConsentChoice::always)) text += "[a]lways, ";
  return text + "anything else denies: ";
}

ConsentChoice terminal_choice(std::string_view line, const policy::ConsentQuestion& question) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  for (const ConsentChoice choice : {ConsentChoice::once, ConsentChoice::session, ConsentChoice::always}) {
    const std::string_view word = policy::name_of(choice);
    if ((line == word || line == word.substr(0, 1)) && is_offered(question, choice)) return choice;
  }
  return ConsentChoice::deny;
}

bool TerminalApprover::available() const { return open_terminal(terminal_).valid(); }

Result<ConsentChoice> TerminalApprover::ask(const policy::ConsentQuestion& question, Deadline deadline,
                                            std::stop_token stop) {
  const Fd tty = open_terminal(terminal_);
  if (!tty.valid()) return make_error(Code::backend_lost, "There is no terminal to ask at.");
  const Fd stopped(::eventfd(0, EFD_CLOEXEC));
  const std::stop_callback on_stop(stop, [&stopped] { ::eventfd_write(stopped.get(), 1); });
  // What was typed before the question is no answer to it.
  ::tcflush(tty.get(), TCIFLUSH);
  const std::string text = terminal_text(question);
  if (::write(tty.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return make_error(Code::io_error, "The terminal took no text.");
  }
  return terminal_choice(TRY(read_line(tty.get(), stopped.get(), deadline)), question);
}

}  // namespace handrail::app
