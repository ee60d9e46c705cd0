// What to do next, for somebody at a command line: there a session is one command long, so what an agent would do in
// its next call is an option of this one.
#pragma once

#include "base/error.h"
#include "catalog/action_spec.h"
#include "engine/session.h"

namespace handrail::cli {

Error for_command_line(Error error, const catalog::ActionSpec& spec, const engine::Session& session);

}  // namespace handrail::cli
