#include "engine/turns.h"

#include <utility>

namespace handrail::engine {

TurnKind turn_kind(const catalog::ActionSpec& spec) {
  if (spec.acts()) return TurnKind::alone;
  return spec.capability == Capability::none ? TurnKind::free : TurnKind::shared;
}

Turns::Turn::Turn(Turn&& other) noexcept
    : turns_(std::exchange(other.turns_, nullptr)), place_(other.place_), kind_(other.kind_) {}

Turns::Turn& Turns::Turn::operator=(Turn&& other) noexcept {
  if (this != &other) {
    leave();
    turns_ = std::exchange(other.turns_, nullptr);
    place_ = other.place_;
    kind_ = other.kind_;
  }
  return *this;
}

Turns::Turn::~Turn() { leave(); }

void Turns::Turn::leave() {
  if (turns_ == nullptr) return;
  {
    const std::lock_guard lock(turns_->mutex_);
    turns_->waiting_or_running_.erase(place_);
  }
  turns_->changed_.notify_all();
  turns_ = nullptr;
}

Status Turns::Turn::wait(std::stop_token stop) {
  if (turns_ == nullptr || kind_ == TurnKind::free) return {};
  std::unique_lock lock(turns_->mutex_);
  if (turns_->changed_.wait(lock, stop, [this] { return turns_->may_go(place_, kind_); })) return {};
  return make_error(Code::cancelled, "The call was cancelled before its turn came.");
}

Turns::Turn Turns::take(TurnKind kind) {
  if (kind == TurnKind::free) return Turn(nullptr, 0, kind);
  const std::lock_guard lock(mutex_);
  const std::uint64_t place = next_++;
  waiting_or_running_.emplace(place, kind);
  return Turn(this, place, kind);
}

bool Turns::may_go(std::uint64_t place, TurnKind kind) const {
  for (const auto& [other, other_kind] : waiting_or_running_) {
    if (other >= place) return true;
    if (kind == TurnKind::alone || other_kind == TurnKind::alone) return false;
  }
  return true;
}

}  // namespace handrail::engine
