// JSON-RPC 2.0 messages: told apart, checked and made. Knows nothing of what the methods mean.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/json.h"

namespace handrail::wire {

enum class RpcCode : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
};

// A string or an integer; null stands for "not known".
using RpcId = Json;

struct RpcRequest {
  RpcId id;
  std::string method;
  Json params = Json::object();
};
struct RpcNotification {
  std::string method;
  Json params = Json::object();
};
struct RpcResponse {  // of the other side, to a request of ours
  RpcId id;
  Json body;
};
struct RpcInvalid {
  RpcId id;  // when it could be read
  std::string reason;
};

using RpcMessage = std::variant<RpcRequest, RpcNotification, RpcResponse, RpcInvalid>;

RpcMessage read_message(Json message);

Json rpc_result(const RpcId& id, Json result);
// Without an id when it is null: the schema knows no null id.
Json rpc_error(const RpcId& id, int code, std::string_view message, Json data = nullptr);
Json rpc_request(const RpcId& id, std::string_view method, Json params);
Json rpc_notification(std::string_view method, Json params);

}  // namespace handrail::wire
