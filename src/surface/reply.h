// How an outcome or an error reads, the same on every surface.
#pragma once

#include "surface/tool_surface.h"

namespace handrail::surface {

Reply make_reply(Result<Outcome> outcome, std::string_view nonce);

// The fields that every reply carries, joined with those of one action's result.
Json output_schema(const Json& result_schema);

// Of a tool whose actions each add fields of their own.
Json open_output_schema();

// Of a tool that can do anything.
Json any_annotations(std::string_view title);

// With the name of the tool beside each.
std::vector<ToolCall> calls_of(std::string_view tool, std::vector<Json> arguments);

// MCP annotations that follow from what an action touches.
Json annotations(const catalog::ActionSpec& spec, std::string_view title);

}  // namespace handrail::surface
