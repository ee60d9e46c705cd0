#include "front/mcp/server.h"

#include <fmt/format.h>

#include "base/log.h"
#include "front/mcp/tool_result.h"
#include "surface/guidance.h"

namespace handrail::mcp {
namespace {

// More calls than this in line is a client gone wild.
constexpr std::size_t kMostCalls = 1000;
// Calls run one after the other; the others are for those that need no place in line.
constexpr std::size_t kThreads = 8;

using wire::RpcCode;

std::string error_message(const wire::RpcId& id, RpcCode code, std::string_view message) {
  return to_line(wire::rpc_error(id, static_cast<int>(code), message));
}

std::string key_of(const wire::RpcId& id) { return to_line(id); }

// What keeps a tools/call from being read at all.
std::optional<Error> malformed_call(const Json& params) {
  const auto name = params.find("name");
  if (name == params.end() || !name->is_string()) {
    return make_error(Code::argument_invalid, "`name` is missing: the name of a tool.");
  }
  const auto arguments = params.find("arguments");
  if (arguments == params.end() || arguments->is_object()) return std::nullopt;
  return make_error(Code::argument_invalid, "`arguments` must be an object.");
}

}  // namespace

Server::Server(engine::ActionRunner& runner, const surface::ToolSurface& surface, Send send, ConsentFrom consent)
    : runner_(runner),
      surface_(surface),
      send_(std::move(send)),
      consent_(consent),
      requests_([this](std::string message) { send_(std::move(message)); }),
      pool_(kThreads) {}

Server::~Server() { close(Closing::end_all); }

void Server::receive_too_long() {
  send_(error_message(nullptr, RpcCode::invalid_request,
                      fmt::format("The message is longer than {} bytes and was not read.", kMaxMessage)));
}

void Server::receive(std::string_view text) {
  if (text.find_first_not_of(" \t\r") == std::string_view::npos) return;
  auto message = parse_json(text);
  if (!message.ok()) {
    send_(error_message(nullptr, RpcCode::parse_error, message.error().message));
  } else if (message->is_array()) {
    handle_batch(std::move(message).value());
  } else {
    dispatch(wire::read_message(std::move(message).value()), send_);
  }
}

// Arrays are a feature of one old revision only: all answers come back in one array.
void Server::handle_batch(Json messages) {
  if (negotiated_ != "2025-03-26" || messages.empty()) {
    send_(error_message(nullptr, RpcCode::invalid_request, "Send one message at a time: this revision has no arrays."));
    return;
  }
  struct Answers {
    std::mutex mutex;
    std::string joined;
    std::size_t open = 1;  // one for ourselves, so that it cannot close early
  };
  auto answers = std::make_shared<Answers>();
  const auto add = [answers, send = send_](const std::string& answer) {
    const std::lock_guard lock(answers->mutex);
    if (!answer.empty()) answers->joined += (answers->joined.empty() ? "[" : ",") + answer;
    if (--answers->open == 0 && !answers->joined.empty()) send(answers->joined + "]");
  };
  for (Json& message : messages) {
    wire::RpcMessage read = wire::read_message(std::move(message));
    // Requests and what cannot be understood are answered; notifications and responses are not.
    if (std::holds_alternative<wire::RpcRequest>(read) || std::holds_alternative<wire::RpcInvalid>(read)) {
      const std::lock_guard lock(answers->mutex);
      ++answers->open;
    }
    dispatch(read, add);
  }
  add({});
}

void Server::dispatch(const wire::RpcMessage& read, const Respond& respond) {
  if (const auto* asked = std::get_if<wire::RpcRequest>(&read)) {
    request(*asked, respond);
  } else if (const auto* note = std::get_if<wire::RpcNotification>(&read)) {
    notification(*note);
  } else if (const auto* invalid = std::get_if<wire::RpcInvalid>(&read)) {
    respond(error_message(invalid->id, RpcCode::invalid_request, invalid->reason));
  } else if (!requests_.take(std::get<wire::RpcResponse>(read))) {
    log(LogLevel::warning, "a response arrived although nothing was asked");
  }
}

std::optional<Era> Server::era_of(const wire::RpcRequest& request, const Respond& respond) {
  const auto meta = request.params.find("_meta");
  const bool has_meta = meta != request.params.end() && meta->is_object();
  const auto version = has_meta ? meta->find(kMetaVersion) : request.params.end();
  if (!has_meta || version == meta->end()) {
    if (negotiated_ || request.method == "initialize" || request.method == "ping") return Era::handshake;
    respond(error_message(
        request.id, RpcCode::invalid_params,
        fmt::format("Open with `initialize`, or give `_meta.{}` ({}) in every request.", kMetaVersion, kStateless)));
    return std::nullopt;
  }
  if (*version != kStateless) {
    Json supported = Json::array({std::string(kStateless)});
    Json data{{"supported", std::move(supported)}, {"requested", version->is_string() ? *version : Json("")}};
    respond(to_line(wire::rpc_error(request.id, static_cast<int>(McpCode::unsupported_version),
                                    "This protocol revision is not spoken without a handshake.", std::move(data))));
    return std::nullopt;
  }
  const auto capabilities = meta->find(kMetaCapabilities);
  if (capabilities == meta->end() || !capabilities->is_object()) {
    respond(error_message(request.id, RpcCode::invalid_params,
                          fmt::format("`_meta.{}` is missing; an empty object will do.", kMetaCapabilities)));
    return std::nullopt;
  }
  return Era::stateless;
}

void Server::request(const wire::RpcRequest& request, const Respond& respond) {
  const auto era = era_of(request, respond);
  if (!era) return;
  const auto answer = [&](Json result) { respond(to_line(wire::rpc_result(request.id, std::move(result)))); };
  if (request.method == "tools/call") return call_tool(*era, request, respond);
  if (request.method == "tools/list") {
    if (request.params.contains("cursor")) {
      return respond(
          error_message(request.id, RpcCode::invalid_params, "There is one page of tools; leave out `cursor`."));
    }
    return answer(list_tools(*era));
  }
  if (request.method == "prompts/list") return answer(cacheable(*era, prompt_list()));
  if (request.method == "prompts/get") {
    if (request.params.value("name", Json()) == surface::kGuidanceName)
      return answer(cacheable(*era, prompt(surface_.guidance())));
    return respond(error_message(request.id, RpcCode::invalid_params,
                                 fmt::format("The one prompt is `{}`.", surface::kGuidanceName)));
  }
  if (*era == Era::handshake && request.method == "initialize") return answer(initialize(request.params));
  if (*era == Era::handshake && request.method == "ping") return answer(Json::object());
  if (*era == Era::stateless && request.method == "server/discover") {
    Json versions = Json::array({std::string(kStateless)});
    for (const std::string_view version : kHandshake) versions.push_back(std::string(version));
    return answer(cacheable(*era, {{"supportedVersions", std::move(versions)},
                                   {"capabilities", server_capabilities()},
                                   {"instructions", instructions()}}));
  }
  respond(error_message(request.id, RpcCode::method_not_found,
                        fmt::format("There is no method `{}` here.", request.method.substr(0, 80))));
}

Json Server::initialize(const Json& params) {
  const Json wanted = params.value("protocolVersion", Json());
  negotiated_ = std::string(kHandshake.front());
  for (const std::string_view version : kHandshake) {
    if (wanted == version) negotiated_ = std::string(version);
  }
  client_shows_forms_ = negotiated_ != "2025-03-26" && takes_forms(params.value("capabilities", Json()));
  return {{"protocolVersion", *negotiated_},
          {"capabilities", server_capabilities()},
          {"serverInfo", server_info()},
          {"instructions", instructions()}};
}

Json Server::list_tools(Era era) const {
  Json tools = Json::array();
  for (const surface::Tool& tool : surface_.tools()) tools.push_back(surface::to_json(tool));
  return cacheable(era, {{"tools", std::move(tools)}});
}

void Server::notification(const wire::RpcNotification& notification) {
  if (notification.method != "notifications/cancelled") return;
  const auto id = notification.params.find("requestId");
  if (id == notification.params.end()) return;
  std::shared_ptr<InFlight> call;
  {
    const std::lock_guard lock(mutex_);
    const auto found = in_flight_.find(key_of(*id));
    if (found != in_flight_.end()) call = found->second;
    if (call) call->cancelled = true;
  }
  if (call) call->stop.request_stop();
}

void Server::call_tool(Era era, const wire::RpcRequest& request, const Respond& respond) {
  const std::optional<Error> malformed = malformed_call(request.params);
  if (malformed) {
    runner_.refused("unknown", request.params, *malformed);
    return respond(error_message(request.id, RpcCode::invalid_params, malformed->message));
  }
  static const Json kNone = Json::object();
  const std::string& name = request.params["name"].get_ref<const std::string&>();
  const auto given = request.params.find("arguments");
  const Json& arguments = given == request.params.end() ? kNone : *given;
  if (const auto told = surface_.answer(name, arguments)) {
    return respond(tool_result_message(era, request.id, *told));
  }
  auto call = surface_.resolve(name, arguments);
  if (call.ok()) return start(era, request, std::move(call).value(), respond);
  runner_.refused(name, arguments, call.error());
  if (call.error().code == Code::action_unknown) {
    return respond(error_message(request.id, RpcCode::invalid_params, to_text(call.error())));
  }
  respond(tool_result(era, request, std::move(call).error()));
}

void Server::start(Era era, const wire::RpcRequest& request, catalog::ActionCall call, const Respond& respond) {
  auto approver = approver_for(era, request, call);
  const auto refused = [&](const Error& why) { runner_.refused(call.spec->name, call.arguments, why); };
  if (!approver.ok()) {
    refused(approver.error());
    return respond(error_message(request.id, RpcCode::invalid_params, approver.error().message));
  }
  auto in_flight = std::make_shared<InFlight>();
  in_flight->acts = call.spec->acts();
  const std::string key = key_of(request.id);
  bool full = false, taken = false;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    full = in_flight_.size() >= kMostCalls;
    taken = !full && !in_flight_.emplace(key, in_flight).second;
  }
  if (full) {
    const Error busy = make_error(Code::busy, "Too many calls are waiting.");
    refused(busy);
    return respond(tool_result(era, request, busy));
  }
  if (taken) {
    refused(make_error(Code::argument_invalid, "A request with this id is still running."));
    return respond(error_message(request.id, RpcCode::invalid_request, "A request with this id is still running."));
  }
  // The place in line is taken here, where the order of arrival is known.
  auto turn = std::make_shared<engine::Turns::Turn>(runner_.take_turn(call));
  pool_.submit([this, era, request, key, in_flight, turn, respond, call = std::move(call),
                approver = std::move(approver).value(), progress = progress_of(request.params)] {
    Result<Outcome> outcome =
        runner_.run(call, std::move(*turn), {in_flight->stop.get_token(), progress, approver.get()});
    // A cancelled request is not answered. Closing is no cancelling: a client that sends requests and then the end of
    // its input may well read what became of them.
    bool wanted = true;
    {
      const std::lock_guard lock(mutex_);
      wanted = !in_flight->cancelled || outcome.ok();
    }
    // An array of answers counts them, so an empty one stands for "none".
    respond(wanted ? answer_to(era, request, approver.get(), std::move(outcome)) : std::string());
    const std::lock_guard lock(mutex_);
    in_flight_.erase(key);
    ended_.notify_all();
  });
}

Result<std::shared_ptr<policy::Approver>> Server::approver_for(Era era, const wire::RpcRequest& request,
                                                               const catalog::ActionCall& call) {
  std::shared_ptr<policy::Approver> none;
  if (consent_ == ConsentFrom::local_only) return none;
  if (era == Era::handshake) {
    if (!client_shows_forms_) return none;
    return std::shared_ptr<policy::Approver>(std::make_shared<PushedApprover>(requests_));
  }
  const bool forms = takes_forms(request.params["_meta"][std::string(kMetaCapabilities)]);
  // A call that does several things would do the first of them again when it is repeated with the answer.
  if (!forms || call.spec->touches == catalog::Touches::several) return none;
  auto answer = TRY(returned_answer(states_, request.method, request.params, Clock::now()));
  return std::shared_ptr<policy::Approver>(std::make_shared<ReturnedApprover>(std::move(answer)));
}

std::string Server::answer_to(Era era, const wire::RpcRequest& request, const policy::Approver* approver,
                              Result<Outcome> outcome) {
  const auto* returned = dynamic_cast<const ReturnedApprover*>(approver);
  const bool untouched = outcome.ok() || outcome.error().side_effects == SideEffects::none;
  if (returned != nullptr && returned->question() && untouched) {
    return to_line(wire::rpc_result(
        request.id, input_required(states_, request.method, request.params, *returned->question(), Clock::now())));
  }
  return tool_result(era, request, std::move(outcome));
}

engine::Progress Server::progress_of(const Json& params) const {
  const auto meta = params.find("_meta");
  if (meta == params.end() || !meta->is_object()) return nullptr;
  const auto token = meta->find("progressToken");
  if (token == meta->end() || !(token->is_string() || token->is_number_integer())) return nullptr;
  return [send = send_, token = *token](double done, double total, const std::string& message) {
    Json note{{"progressToken", token}, {"progress", done}};
    if (total > 0) note["total"] = total;
    if (!message.empty()) note["message"] = message;
    send(to_line(wire::rpc_notification("notifications/progress", std::move(note))));
  };
}

std::string Server::tool_result(Era era, const wire::RpcRequest& request, Result<Outcome> outcome) const {
  const std::string& tool = request.params["name"].get_ref<const std::string&>();
  return tool_result_message(era, request.id, surface_.render(tool, std::move(outcome), new_nonce()));
}

void Server::close(Closing closing) {
  std::unique_lock lock(mutex_);
  closed_ = true;
  std::vector<std::shared_ptr<InFlight>> to_stop;
  for (const auto& [key, call] : in_flight_) {
    if (closing == Closing::end_all || call->acts) to_stop.push_back(call);
  }
  lock.unlock();
  // Nobody is there any more who could answer.
  requests_.close();
  for (const auto& call : to_stop) call->stop.request_stop();
  lock.lock();
  // Looks are bounded by the backend's patience; a wait is not, so it does not hold up the end.
  const auto all_ended = [this] { return in_flight_.empty(); };
  if (!ended_.wait_for(lock, kBackendPatience, all_ended)) {
    for (const auto& [key, call] : in_flight_) to_stop.push_back(call);
    lock.unlock();
    for (const auto& call : to_stop) call->stop.request_stop();
    lock.lock();
    ended_.wait_for(lock, 2 * kBackendPatience, all_ended);
  }
}

}  // namespace handrail::mcp
