// The one path that every call takes: admission gates, plan, fresh facts, time-of-use gates, permit,
// perform, journal.
#pragma once

#include <functional>
#include <stop_token>

#include "catalog/catalog.h"
#include "engine/session.h"

namespace handrail::engine {

// How far a long call has come; `total` is 0 when it is not known.
using Progress = std::function<void(double done, double total, const std::string& message)>;

struct CallOptions {
  std::stop_token stop;
  Progress progress;
  policy::Approver* client = nullptr;  // asks the person at the client's end; null when there is no such way
};

class CallRecord;

class CallContext;

class ActionRunner {
 public:
  ActionRunner(const catalog::Catalog& catalog, Session& session) : catalog_(catalog), session_(session) {}

  const catalog::Catalog& catalog() const { return catalog_; }
  Session& session() { return session_; }
  // The field that was last written to or clicked.
  void use_field(ElementKey field) { field_ = std::move(field); }
  const std::optional<ElementKey>& field_in_use() const { return field_; }

  // Take it when the call arrives, on the thread that knows the order.
  Turns::Turn take_turn(const catalog::ActionCall& call);
  // A call that reached us and cannot be run: its arguments are wrong, there is no such action, or there is no place
  // for it. It is written down like any other.
  void refused(std::string_view name, const Json& arguments, const Error& why);
  // Waits for the turn, then runs. Never throws.
  Result<Outcome> run(const catalog::ActionCall& call, Turns::Turn turn, const CallOptions& options);

 private:
  friend class CallContext;
  Error ended_in_line(const catalog::ActionCall& call, const Error& cancelled);
  Result<Outcome> say_who_stopped(const catalog::ActionCall& call, Result<Outcome> outcome, CallRecord& record);
  void come_to_rest(CallContext& context, int settle_ms, Outcome& outcome);
  void show_after(CallContext& context, Outcome& outcome);
  // The path itself, inside a turn: also for each step of a batch.
  Result<Outcome> run_now(const catalog::ActionCall& call, const CallOptions& options);

  const catalog::Catalog& catalog_;
  Session& session_;
  std::optional<ElementKey> field_;
};

}  // namespace handrail::engine
