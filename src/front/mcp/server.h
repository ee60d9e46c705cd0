// The MCP dispatcher: messages in, messages out, for every protocol revision. It translates and orders;
// what a call does is the engine's business, and how bytes travel is the transport's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "base/worker_pool.h"
#include "engine/action_runner.h"
#include "front/mcp/elicitation.h"
#include "front/mcp/protocol.h"
#include "surface/tool_surface.h"
#include "wire/json_rpc.h"

namespace handrail::mcp {

// Longer messages are refused unread. A screenful of text or a pasted picture is far below it.
inline constexpr std::size_t kMaxMessage = 16u << 20;

// Who may say yes for this connection. A client on another machine must not answer its own requests.
enum class ConsentFrom { client, local_only };

class Server {
 public:
  // Sends one message, serialised; called from several threads, one message at a time is its business.
  using Send = std::function<void(std::string message)>;

  Server(engine::ActionRunner& runner, const surface::ToolSurface& surface, Send send,
         ConsentFrom consent = ConsentFrom::client);
  // Ends every call, as close() does.
  ~Server();

  // One message as it came. Returns at once; calls go on in the background, in order of arrival.
  void receive(std::string_view text);
  // A message that was too long to be read.
  void receive_too_long();

  enum class Closing { let_looks_finish, end_all };
  // Ends the calls in progress and waits for them. No message is answered afterwards.
  void close(Closing closing);

 private:
  using Respond = std::function<void(std::string message)>;
  struct InFlight {
    std::stop_source stop;
    bool acts = false;
    bool cancelled = false;  // by the client, which has stopped waiting
  };

  void dispatch(const wire::RpcMessage& message, const Respond& respond);
  void handle_batch(Json messages);
  void request(const wire::RpcRequest& request, const Respond& respond);
  void notification(const wire::RpcNotification& notification);
  // The era that a request belongs to; nothing when it was answered with an error.
  std::optional<Era> era_of(const wire::RpcRequest& request, const Respond& respond);
  Json initialize(const Json& params);
  Json list_tools(Era era) const;
  void call_tool(Era era, const wire::RpcRequest& request, const Respond& respond);
  void start(Era era, const wire::RpcRequest& request, catalog::ActionCall call, const Respond& respond);
  // The way to the person at the client's end for one call; null when there is none.
  Result<std::shared_ptr<policy::Approver>> approver_for(Era era, const wire::RpcRequest& request,
                                                         const catalog::ActionCall& call);
  // The message that answers a call that has run.
  std::string answer_to(Era era, const wire::RpcRequest& request, const policy::Approver* approver,
                        Result<Outcome> outcome);
  engine::Progress progress_of(const Json& params) const;
  std::string tool_result(Era era, const wire::RpcRequest& request, Result<Outcome> outcome) const;

  engine::ActionRunner& runner_;
  const surface::ToolSurface& surface_;
  Send send_;
  const ConsentFrom consent_;
  ClientRequests requests_;
  InputStates states_;
  std::optional<std::string> negotiated_;  // the handshake's revision, once there was one
  bool client_shows_forms_ = false;        // by the handshake

  std::mutex mutex_;
  std::condition_variable ended_;
  std::map<std::string, std::shared_ptr<InFlight>> in_flight_;
  bool closed_ = false;
  WorkerPool pool_;
};

}  // namespace handrail::mcp
