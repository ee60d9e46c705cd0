// Running programs on an embedded desktop from outside: the desktop's supervisor starts them, so that
// they end with it, and tells how they ended. One request a connection, over a socket in the desktop's
// private folder.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/process.h"
#include "platform/linux/desktop_folder.h"

namespace handrail::linux_ {

struct ProgramRequest {
  std::vector<std::string> argv = {};
  std::string cwd = {};  // empty: the desktop's home
  // Standard input, output and error of the program; all or none.
  std::vector<int> streams = {};
  // The program is ended when the connection closes before it has ended by itself.
  bool bound = false;
};

// A program that runs, started here or by a supervisor. Dropping it does not end the program, unless
// the request was bound.
struct LaunchedProgram {
  pid_t pid = 0;
  Fd ended;  // readable once it has ended
  // Without waiting; call when `ended` is readable.
  std::function<Result<ExitStatus>()> exit_status;
};

Result<LaunchedProgram> run_on_desktop(const DesktopInfo& desktop, const ProgramRequest& request, Deadline deadline);

// The two sides' messages: one JSON value with descriptors.
struct ControlMessage {
  Json value;
  std::vector<Fd> descriptors;
};
Status send_message(int socket, const Json& value, std::span<const int> descriptors = {});
// `not_found` when the other side has closed.
Result<ControlMessage> receive_message(int socket);

// The supervisor's side.
Result<Fd> listen_for_control(const std::string& runtime_dir);
Json to_json(const ProgramRequest& request);
Result<ProgramRequest> program_request(const ControlMessage& message);
Json to_json(const ExitStatus& status);

}  // namespace handrail::linux_
