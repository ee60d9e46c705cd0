// The order of calls. A call takes its place when it arrives and runs when all before it have ended, so
// that a client which sends several at once gets what it asked for, in that order.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <stop_token>

#include "base/result.h"
#include "catalog/action_spec.h"

namespace handrail::engine {

enum class TurnKind {
  free,     // tells what the session knows: waits for nobody and nobody waits for it
  in_line,  // acts, looks or waits
};

TurnKind turn_kind(const catalog::ActionSpec& spec);

class Turns {
 public:
  class Turn {
   public:
    Turn() = default;
    Turn(Turn&& other) noexcept;
    Turn& operator=(Turn&& other) noexcept;
    ~Turn();

    // Returns when it is this call's turn; `cancelled` when stopped first.
    Status wait(std::stop_token stop);

   private:
    friend class Turns;
    Turn(Turns* turns, std::uint64_t place) : turns_(turns), place_(place) {}
    void leave();

    Turns* turns_ = nullptr;
    std::uint64_t place_ = 0;
  };

  // Call in the order of arrival; never blocks.
  Turn take(TurnKind kind);

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::set<std::uint64_t> waiting_or_running_;
  std::uint64_t next_ = 0;
};

}  // namespace handrail::engine
