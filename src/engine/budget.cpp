#include "engine/budget.h"

#include <fmt/format.h>

#include <algorithm>

namespace handrail::engine {
namespace {

constexpr std::chrono::minutes kMinute{1};

std::int64_t keys_in(const Plan& plan) {
  std::int64_t keys = 0;
  // Characters, not bytes: all bytes but those that continue one.
  const auto characters = [](std::string_view text) {
    return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  };
  if (const auto* act = std::get_if<ActOnElement>(&plan)) return characters(act->text);
  const auto* input = std::get_if<InputPlan>(&plan);
  if (input == nullptr) return 0;
  for (const Step& step : input->steps) {
    if (std::holds_alternative<KeyDown>(step)) ++keys;
    if (const auto* text = std::get_if<TypeText>(&step)) keys += characters(text->text);
  }
  return keys;
}

}  // namespace

void Budget::count_call(TimePoint now) {
  const std::lock_guard lock(mutex_);
  ++calls_;
  if (limits_.calls_per_minute == 0) return;
  last_minute_.push_back(now);
  while (!last_minute_.empty() && now - last_minute_.front() >= kMinute) last_minute_.pop_front();
}

void Budget::count_keys(const Plan& plan) {
  const std::lock_guard lock(mutex_);
  keystrokes_ += keys_in(plan);
}

std::string Budget::spent(TimePoint now) const {
  const std::lock_guard lock(mutex_);
  if (limits_.calls > 0 && calls_ > limits_.calls) return fmt::format("{} calls", limits_.calls);
  if (limits_.seconds > 0 && now - began_ > std::chrono::seconds(limits_.seconds)) {
    return fmt::format("{} seconds", limits_.seconds);
  }
  if (limits_.calls_per_minute > 0 && last_minute_.size() > static_cast<std::size_t>(limits_.calls_per_minute)) {
    return fmt::format("{} calls a minute", limits_.calls_per_minute);
  }
  return {};
}

std::string Budget::spent_with(const Plan& plan) const {
  const std::lock_guard lock(mutex_);
  if (limits_.keystrokes > 0 && keystrokes_ + keys_in(plan) > limits_.keystrokes) {
    return fmt::format("{} keystrokes", limits_.keystrokes);
  }
  return {};
}

}  // namespace handrail::engine
