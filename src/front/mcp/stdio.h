// MCP over standard input and output: one message a line.
#pragma once

#include "engine/action_runner.h"
#include "surface/tool_surface.h"

namespace handrail::mcp {

// Takes standard output for the protocol alone; what a library prints later goes to standard error.
// Call before anything else is started.
int claim_stdout();

// Serves until the input ends or `ending_fd` becomes readable, then ends every call, lets go of every
// key and button, and returns.
void serve_stdio(engine::ActionRunner& runner, const surface::ToolSurface& surface, int protocol_out, int ending_fd);

}  // namespace handrail::mcp
