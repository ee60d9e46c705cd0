#include "engine/turns.h"

#include <utility>

namespace handrail::engine {

TurnKind turn_kind(const catalog::ActionSpec& spec) {
  const bool told_at_once =
      !spec.acts() && spec.capability == Capability::none && spec.category == catalog::Category::permission;
  return told_at_once ? TurnKind::free : TurnKind::in_line;
}

Turns::Turn::Turn(Turn&& other) noexcept : turns_(std::exchange(other.turns_, nullptr)), place_(other.place_) {}

Turns::Turn& Turns::Turn::operator=(Turn&& other) noexcept {
  if (this != &other) {
    leave();
    turns_ = std::exchange(other.turns_, nullptr);
    place_ = other.place_;
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
  if (turns_ == nullptr) return {};
  std::unique_lock lock(turns_->mutex_);
  const auto first = [this] { return *turns_->waiting_or_running_.begin() == place_; };
  if (turns_->changed_.wait(lock, stop, first)) return {};
  return make_error(Code::cancelled, "The call was cancelled before its turn came.");
}

Turns::Turn Turns::take(TurnKind kind) {
  if (kind == TurnKind::free) return Turn(nullptr, 0);
  const std::lock_guard lock(mutex_);
  const std::uint64_t place = next_++;
  waiting_or_running_.insert(place);
  return Turn(this, place);
}

}  // namespace handrail::engine
