#include "front/mcp/elicitation.h"

#include <algorithm>

#include "base/digest.h"
#include "base/random_id.h"
#include "front/mcp/protocol.h"

namespace handrail::mcp {
namespace {

using policy::ConsentChoice;

constexpr std::string_view kMethod = "elicitation/create";
constexpr const char* kKey = "consent";  // of the one question in a result
constexpr Millis kStateLasts{5 * 60000};
// More questions than this at once are no person's business.
constexpr std::size_t kMostOpen = 64;

std::string_view bytes_of(const Sha256& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

Json member(const Json& object, const char* name) { return object.is_object() ? object.value(name, Json()) : Json(); }

}  // namespace

bool takes_forms(const Json& client_capabilities) {
  const Json elicitation = member(client_capabilities, "elicitation");
  if (!elicitation.is_object()) return false;
  // Empty means forms, as it did before there was another mode.
  return elicitation.contains("form") || !elicitation.contains("url");
}

Json elicitation_params(const policy::ConsentQuestion& question) {
  std::string message;
  for (const std::string& line : policy::consent_text(question)) message += (message.empty() ? "" : "\n") + line;
  Json choices = Json::array({policy::name_of(ConsentChoice::deny)});
  for (const ConsentChoice choice : question.offered) {
    if (choice != ConsentChoice::deny) choices.push_back(policy::name_of(choice));
  }
  Json choice{{"type", "string"},
              {"title", "Allow?"},
              {"description", "How long it is allowed: deny, once (this call), session, or always (until revoked)."},
              {"enum", std::move(choices)}};
  return {{"message", std::move(message)},
          {"requestedSchema",
           {{"type", "object"}, {"properties", {{"choice", std::move(choice)}}}, {"required", {"choice"}}}}};
}

ConsentChoice elicited_choice(const Json& result) {
  if (member(result, "action") != "accept") return ConsentChoice::deny;
  const Json choice = member(member(result, "content"), "choice");
  if (!choice.is_string()) return ConsentChoice::deny;
  return policy::choice_named(choice.get_ref<const std::string&>()).value_or(ConsentChoice::deny);
}

Result<Json> ClientRequests::ask(std::string_view method, Json params, Deadline deadline, std::stop_token stop) {
  const std::string id = random_id("ask-");
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return make_error(Code::backend_lost, "The client has gone.");
    if (open_.size() >= kMostOpen) return make_error(Code::busy, "Too many questions are open.");
    open_.emplace(id, std::nullopt);
  }
  send_(to_line(wire::rpc_request(id, method, std::move(params))));
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, stop, deadline.at(), [&] { return closed_ || open_.at(id).has_value(); });
  const std::optional<Json> body = std::move(open_.at(id));
  open_.erase(id);
  const bool closed = closed_;
  lock.unlock();
  if (body) {
    if (const auto result = body->find("result"); result != body->end()) return *result;
    return make_error(Code::protocol, "The client answered the question with an error.");
  }
  if (closed) return make_error(Code::backend_lost, "The client has gone.");
  send_(to_line(wire::rpc_notification("notifications/cancelled", {{"requestId", id}})));
  if (stop.stop_requested()) return make_error(Code::cancelled, "The call was ended.");
  return make_error(Code::timeout, "The client did not answer in time.");
}

bool ClientRequests::take(const wire::RpcResponse& response) {
  if (!response.id.is_string()) return false;
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(response.id.get_ref<const std::string&>());
  // The first answer is the answer.
  if (found == open_.end() || found->second) return false;
  found->second = response.body;
  changed_.notify_all();
  return true;
}

void ClientRequests::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

Result<ConsentChoice> PushedApprover::ask(const policy::ConsentQuestion& question, Deadline deadline,
                                          std::stop_token stop) {
  return elicited_choice(TRY(requests_.ask(kMethod, elicitation_params(question), deadline, stop)));
}

InputStates::InputStates() : key_(random_bytes(32)) {}

std::string InputStates::make(const InputState& state, TimePoint now) {
  const std::string nonce = to_hex(random_bytes(16));
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(open_, [&](const auto& entry) { return entry.second <= now; });
    // The oldest goes: its question is the least likely to be answered yet.
    while (open_.size() >= kMostOpen) {
      open_.erase(std::min_element(open_.begin(), open_.end(),
                                   [](const auto& a, const auto& b) { return a.second < b.second; }));
    }
    open_.emplace(nonce, now + kStateLasts);
  }
  const std::string body = to_hex(to_line({{"call", state.call}, {"question", state.question}, {"nonce", nonce}}));
  return body + "." + to_hex(bytes_of(hmac_sha256(key_, body)));
}

std::optional<InputState> InputStates::take(const std::string& text, TimePoint now) {
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos || text.size() > 4096) return std::nullopt;
  const std::string body = text.substr(0, dot);
  if (!same_secret(text.substr(dot + 1), to_hex(bytes_of(hmac_sha256(key_, body))))) return std::nullopt;
  const auto bytes = from_hex(body);
  if (!bytes.ok()) return std::nullopt;
  const auto json = parse_json(*bytes);
  if (!json.ok()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const auto open = open_.find(json->value("nonce", ""));
  if (open == open_.end()) return std::nullopt;
  const bool fresh = now < open->second;
  open_.erase(open);
  if (!fresh) return std::nullopt;
  return InputState{json->value("call", ""), json->value("question", "")};
}

std::string call_digest(std::string_view method, const Json& params) {
  Json rest = params;
  for (const char* name : {"_meta", "inputResponses", "requestState"}) rest.erase(name);
  return sha256_hex(to_line(Json::array({method, std::move(rest)})));
}

Result<ConsentChoice> ReturnedApprover::ask(const policy::ConsentQuestion& question, Deadline, std::stop_token) {
  // What was shown is what is granted: a question that reads otherwise by now is asked anew.
  if (answer_ && answer_->question == policy::consent_digest(question)) {
    const ConsentChoice choice = answer_->choice;
    answer_.reset();
    return choice;
  }
  question_ = question;
  return make_error(Code::access_denied, "The client has to ask the person first.");
}

Result<std::optional<ReturnedApprover::Answer>> returned_answer(InputStates& states, std::string_view method,
                                                                const Json& params, TimePoint now) {
  const auto state = params.find("requestState");
  if (state == params.end()) return std::optional<ReturnedApprover::Answer>();
  const auto known = state->is_string() ? states.take(state->get_ref<const std::string&>(), now) : std::nullopt;
  if (!known || !same_secret(known->call, call_digest(method, params))) {
    return make_error(Code::argument_invalid,
                      "`requestState` does not belong to this call, is too old or was used before. Call again without "
                      "`requestState` and `inputResponses`.");
  }
  return std::optional(
      ReturnedApprover::Answer{known->question, elicited_choice(member(params.value("inputResponses", Json()), kKey))});
}

Json input_required(InputStates& states, std::string_view method, const Json& params,
                    const policy::ConsentQuestion& question, TimePoint now) {
  Json asked{{kKey, {{"method", kMethod}, {"params", elicitation_params(question)}}}};
  Json result{{"resultType", "input_required"},
              {"inputRequests", std::move(asked)},
              {"requestState", states.make({call_digest(method, params), policy::consent_digest(question)}, now)}};
  result["_meta"][std::string(kMetaServerInfo)] = server_info();
  return result;
}

}  // namespace handrail::mcp
