// The order of calls. A call takes its place when it arrives and waits there for earlier ones that it
// must not overtake: what acts runs alone and in order, what looks sees everything acted before it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <stop_token>

#include "base/result.h"
#include "catalog/action_spec.h"

namespace handrail::engine {

enum class TurnKind {
  free,    // needs no desktop: waits for nobody and nobody waits for it
  shared,  // looks: waits for earlier acts
  alone,   // acts: waits for all earlier looks and acts
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
    Turn(Turns* turns, std::uint64_t place, TurnKind kind) : turns_(turns), place_(place), kind_(kind) {}
    void leave();

    Turns* turns_ = nullptr;
    std::uint64_t place_ = 0;
    TurnKind kind_ = TurnKind::free;
  };

  // Call in the order of arrival; never blocks.
  Turn take(TurnKind kind);

 private:
  bool may_go(std::uint64_t place, TurnKind kind) const;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::uint64_t, TurnKind> waiting_or_running_;
  std::uint64_t next_ = 0;
};

}  // namespace handrail::engine
