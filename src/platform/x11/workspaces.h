// Workspaces, as window managers number them.
#pragma once

#include "model/desktop.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

// `capability_unsupported` where nobody keeps any. Only inside a task.
Result<std::vector<Workspace>> read_workspaces(Server& server);

enum class SendTo { one, one_or_all };  // all of them is -1
// `argument_invalid` with what there is.
Status check_workspace(Server& server, int workspace, SendTo to);

}  // namespace handrail::x11
