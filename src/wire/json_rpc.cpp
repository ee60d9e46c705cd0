#include "wire/json_rpc.h"

namespace handrail::wire {
namespace {

bool valid_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

}  // namespace

RpcMessage read_message(Json message) {
  if (!message.is_object()) return RpcInvalid{nullptr, "A message is a JSON object."};
  const auto id = message.find("id");
  const bool has_id = id != message.end();
  const RpcId known = has_id && valid_id(*id) ? *id : Json();
  if (message.value("jsonrpc", Json()) != "2.0") return RpcInvalid{known, "`jsonrpc` must be \"2.0\"."};
  if (has_id && known.is_null()) return RpcInvalid{nullptr, "`id` must be a string or an integer."};
  const auto method = message.find("method");
  if (method == message.end()) {
    if (has_id && (message.contains("result") || message.contains("error")))
      return RpcResponse{known, std::move(message)};
    return RpcInvalid{known, "`method` is missing."};
  }
  if (!method->is_string()) return RpcInvalid{known, "`method` must be a string."};
  Json params = Json::object();
  if (const auto found = message.find("params"); found != message.end()) {
    if (!found->is_object()) return RpcInvalid{known, "`params` must be an object."};
    params = std::move(*found);
  }
  if (has_id) return RpcRequest{known, method->get<std::string>(), std::move(params)};
  return RpcNotification{method->get<std::string>(), std::move(params)};
}

Json rpc_result(const RpcId& id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

Json rpc_error(const RpcId& id, int code, std::string_view message, Json data) {
  Json error{{"code", code}, {"message", message}};
  if (!data.is_null()) error["data"] = std::move(data);
  Json response{{"jsonrpc", "2.0"}};
  if (!id.is_null()) response["id"] = id;
  response["error"] = std::move(error);
  return response;
}

Json rpc_request(const RpcId& id, std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

Json rpc_notification(std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

}  // namespace handrail::wire
