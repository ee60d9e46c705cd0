// A reply as the message that carries it. Pictures go in as base64 without a detour through JSON, which
// would look at each of their characters twice.
#pragma once

#include <string>

#include "front/mcp/protocol.h"
#include "surface/tool_surface.h"
#include "wire/json_rpc.h"

namespace handrail::mcp {

std::string new_nonce();

std::string tool_result_message(Era era, const wire::RpcId& id, const surface::Reply& reply);

}  // namespace handrail::mcp
