#include "app/terminal_prompt.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

#include "actions/access.h"
#include "base/clock.h"
#include "base/fd.h"

namespace handrail::app {
namespace {

constexpr Millis kPatience{60000};

// The agent writes these texts: control characters could repaint the terminal and fake a question.
std::string printable(std::string_view text) {
  std::string plain;
  for (const char c : text) plain += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return plain;
}

std::string question(const AccessRequest& request) {
  std::string text = "\nHandrail: an agent asks for access.\n";
  for (const AppRequest& app : request.apps) {
    text += fmt::format("  {} ({})\n", printable(app.app), describe::name_of(app.tier));
  }
  if (request.flags.clipboard_read) text += "  read the clipboard\n";
  if (request.flags.clipboard_write) text += "  write the clipboard\n";
  if (request.flags.system_keys) text += "  keys that switch or quit apps\n";
  return text + fmt::format("  Its reason: {}\nAllow for this session? Type yes and press Return: ",
                            printable(request.reason));
}

// A line, or nothing when time is up or the call was stopped.
std::string read_line(int tty, int stop_fd, Deadline deadline) {
  std::string line;
  while (!deadline.passed() && line.size() < 100) {
    pollfd fds[2] = {{tty, POLLIN, 0}, {stop_fd, POLLIN, 0}};
    if (::poll(fds, 2, static_cast<int>(deadline.left().count())) <= 0 || fds[1].revents != 0) return {};
    char c = 0;
    if (::read(tty, &c, 1) != 1) return {};
    if (c == '\n') return line;
    line += c;
  }
  return {};
}

}  // namespace

policy::Answer ask_on_terminal(const AccessRequest& request, std::stop_token stop) {
  const Fd tty(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY));
  if (!tty.valid() || ::isatty(tty.get()) == 0) return policy::Answer::no;
  // A background process would be stopped by the terminal for reading it.
  if (::tcgetpgrp(tty.get()) != ::getpgrp()) return policy::Answer::no;
  const Fd stopped(::eventfd(0, EFD_CLOEXEC));
  const std::stop_callback on_stop(stop, [&stopped] { ::eventfd_write(stopped.get(), 1); });
  // What was typed before the question is no answer to it.
  ::tcflush(tty.get(), TCIFLUSH);
  const std::string text = question(request);
  if (::write(tty.get(), text.data(), text.size()) < 0) return policy::Answer::no;
  const std::string line = read_line(tty.get(), stopped.get(), Deadline::in(kPatience));
  return line == "yes" || line == "y" ? policy::Answer::yes : policy::Answer::no;
}

}  // namespace handrail::app
