// Asking the person at the client's end, in both eras. With a handshake the question is a request of ours that the call
// waits for. Without one the call ends with the question, and the same call comes again with the answer and with a
// state of ours that ties the two together. Whatever is not a clear yes to exactly this question is a no.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "policy/consent.h"
#include "wire/json_rpc.h"

namespace handrail::mcp {

// Whether a client with these capabilities can show a form.
bool takes_forms(const Json& client_capabilities);
// The `params` of elicitation/create: the consent text and one field with the answers.
Json elicitation_params(const policy::ConsentQuestion& question);
// Of an elicitation's result: declined, cancelled, unknown and malformed answers are `deny`.
policy::ConsentChoice elicited_choice(const Json& result);

// Requests of ours to the client of one connection, matched with their answers by ids that nobody can guess.
class ClientRequests {
 public:
  using Send = std::function<void(std::string message)>;
  explicit ClientRequests(Send send) : send_(std::move(send)) {}

  // Sends and waits. The client is told when nobody waits any more.
  Result<Json> ask(std::string_view method, Json params, Deadline deadline, std::stop_token stop);
  // A response that came in; false when nobody waits for it.
  bool take(const wire::RpcResponse& response);
  // Nothing will be answered any more.
  void close();

 private:
  Send send_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, std::optional<Json>> open_;  // by id; the response's body once it is there
  bool closed_ = false;
};

// The handshake's era.
class PushedApprover : public policy::Approver {
 public:
  explicit PushedApprover(ClientRequests& requests) : requests_(requests) {}
  std::string_view name() const override { return "client"; }
  bool available() const override { return true; }
  Result<policy::ConsentChoice> ask(const policy::ConsentQuestion& question, Deadline deadline,
                                    std::stop_token stop) override;

 private:
  ClientRequests& requests_;
};

// What a question was about, in a form that the client carries and cannot read meaning into or change.
struct InputState {
  std::string call;      // digest of the method and its params
  std::string question;  // digest of what was shown
  friend bool operator==(const InputState&, const InputState&) = default;
};

// Makes and takes back states: authenticated, good for some minutes and for one use, on this connection only.
class InputStates {
 public:
  InputStates();
  std::string make(const InputState& state, TimePoint now);
  // Nothing when it is not ours, is too old or was taken before.
  std::optional<InputState> take(const std::string& text, TimePoint now);

 private:
  const std::string key_;
  std::mutex mutex_;
  std::map<std::string, TimePoint> open_;  // nonces that are out, with their end
};

// The digest that ties a question to a call: of the method and params without what a repetition changes.
std::string call_digest(std::string_view method, const Json& params);

// The stateless era: made for one call.
class ReturnedApprover : public policy::Approver {
 public:
  struct Answer {
    std::string question;  // digest
    policy::ConsentChoice choice = policy::ConsentChoice::deny;
  };
  explicit ReturnedApprover(std::optional<Answer> answer) : answer_(std::move(answer)) {}
  std::string_view name() const override { return "client"; }
  bool available() const override { return true; }
  Result<policy::ConsentChoice> ask(const policy::ConsentQuestion& question, Deadline deadline,
                                    std::stop_token stop) override;
  bool deferred() const override { return question_.has_value(); }
  // What the client has to be asked before the call can go on.
  const std::optional<policy::ConsentQuestion>& question() const { return question_; }

 private:
  std::optional<Answer> answer_;
  std::optional<policy::ConsentQuestion> question_;
};

// The answer that a repeated call brings. An error when its state is not one of ours for this very call.
Result<std::optional<ReturnedApprover::Answer>> returned_answer(InputStates& states, std::string_view method,
                                                                const Json& params, TimePoint now);
// The result that asks.
Json input_required(InputStates& states, std::string_view method, const Json& params,
                    const policy::ConsentQuestion& question, TimePoint now);

}  // namespace handrail::mcp
