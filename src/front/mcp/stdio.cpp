#include "front/mcp/stdio.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/log.h"
#include "front/mcp/server.h"
#include "wire/line_reader.h"
#include "wire/line_writer.h"

namespace handrail::mcp {
namespace {

// A client that leaves this much unread does not read any more.
constexpr std::size_t kMostUnread = 64u << 20;
// What is left to say at the end gets this long to be taken.
constexpr Millis kFarewell{300};

bool readable(int fd) {
  pollfd waiting{fd, POLLIN, 0};
  return fd >= 0 && ::poll(&waiting, 1, 0) > 0;
}

}  // namespace

int claim_stdout() {
  const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return out;
}

void serve_stdio(engine::ActionRunner& runner, const surface::ToolSurface& surface, int protocol_out, int ending_fd) {
  wire::LineWriter writer(protocol_out, kMostUnread);
  wire::LineReader reader(STDIN_FILENO, kMaxMessage);
  Server server(runner, surface, [&writer](std::string message) {
    if (!message.empty()) writer.write(std::move(message));
  });
  std::string line;
  for (bool open = true; open;) {
    switch (reader.next(line, ending_fd)) {
      case wire::LineReader::Event::line: server.receive(line); break;
      case wire::LineReader::Event::too_long: server.receive_too_long(); break;
      case wire::LineReader::Event::end: open = false; break;
    }
  }
  server.close(readable(ending_fd) ? Server::Closing::end_all : Server::Closing::let_looks_finish);
  if (const Status released = runner.session().release_input(); !released.ok()) {
    log(LogLevel::warning, "keys and buttons could not be released: {}", to_text(released.error()));
  }
  writer.close(kFarewell);
}

}  // namespace handrail::mcp
