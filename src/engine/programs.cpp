// Programs of a call: run in the sandbox, looked at and ended.
#include <fmt/format.h>

#include "actions/programs.h"
#include "engine/call_context.h"

namespace handrail::engine {
namespace {

Deadline soon() { return Deadline::in(kBackendPatience); }

}  // namespace

Result<std::vector<ProcessInfo>> CallContext::processes() {
  return TRY(require(computer_.programs(), "processes"))->processes(soon());
}

Result<ProcessInfo> CallContext::process(std::int64_t pid) {
  return TRY(require(computer_.programs(), "processes"))->process(pid);
}

Result<std::map<std::string, std::string>> CallContext::environment() {
  return TRY(require(computer_.programs(), "processes"))->environment();
}

Result<Outcome> CallContext::execute(const RunProgram& run) {
  Programs* programs = TRY(require(computer_.programs(), "place to run programs"));
  return actions::program_ended(TRY(programs->run(run, permit(*plan_), options_.stop)));
}

Result<Outcome> CallContext::execute(const EndProcess& end) {
  Programs* programs = TRY(require(computer_.programs(), "processes"));
  const bool by_itself = TRY(programs->end(end, permit(*plan_), soon()));
  Outcome outcome = acted(Route::system, Delivery::background, {Evidence::value_readback});
  outcome.text = fmt::format("Process {} has ended{}.", end.pid, by_itself ? "" : ", by force");
  outcome.data["forced"] = !by_itself;
  return outcome;
}

}  // namespace handrail::engine
