// How an outcome or an error reads, the same on every surface.
#pragma once

#include "surface/tool_surface.h"

namespace handrail::surface {

Reply make_reply(Result<Outcome> outcome, std::string_view nonce);

// The fields that every reply carries, joined with those of one action's result.
Json output_schema(const Json& result_schema);

// MCP annotations that follow from what an action touches.
Json annotations(const catalog::ActionSpec& spec, std::string_view title);

}  // namespace handrail::surface
