// The acting half of a call: fresh facts, time-of-use gates, permit, execution, evidence.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "actions/apps.h"
#include "engine/call_context.h"
#include "engine/permit_mint.h"
#include "policy/pipeline.h"

namespace handrail::engine {
namespace {

// The longest an honest execution takes: apps that cannot acknowledge keys are typed to slowly.
Deadline budget(const InputPlan& plan) {
  Millis span{10000};
  for (const Step& step : plan.steps) {
    if (const auto* pause = std::get_if<Pause>(&step)) span += pause->span;
    // Per byte, which is more than per character; every request to the server has its own patience.
    if (const auto* text = std::get_if<TypeText>(&step)) span += Millis(20 * text->text.size());
  }
  return Deadline::in(span);
}

double pauses_in(const Plan& plan) {
  Millis span{0};
  if (const auto* input = std::get_if<InputPlan>(&plan)) {
    for (const Step& step : input->steps) {
      if (const auto* pause = std::get_if<Pause>(&step)) span += pause->span;
    }
  }
  return static_cast<double>(span.count()) / 1000;
}

// Tells a client that asked for it, once a second, for how long an act has been going on.
class Ticker {
 public:
  Ticker(const Progress& progress, double total) {
    if (!progress) return;
    thread_ = std::jthread([&progress, total](const std::stop_token& done) {
      const TimePoint start = Clock::now();
      std::mutex mutex;
      std::condition_variable_any never;
      std::unique_lock lock(mutex);
      for (int second = 1; !done.stop_requested(); ++second) {
        never.wait_until(lock, done, start + std::chrono::seconds(second), [] { return false; });
        if (!done.stop_requested()) progress(second, total, "working");
      }
    });
  }

 private:
  std::jthread thread_;
};

// Windows and apps answer through a window manager or a program that has to start.
constexpr Millis kWindowPatience{5000};
constexpr Millis kStartPatience{15000};

const Point* only_move(const InputPlan& plan) {
  if (plan.steps.size() != 1) return nullptr;
  const auto* move = std::get_if<MoveTo>(&plan.steps.front());
  return move == nullptr ? nullptr : &move->at;
}

bool same_pixel(Point a, Point b) { return std::abs(a.x - b.x) <= 1 && std::abs(a.y - b.y) <= 1; }

}  // namespace

Status CallContext::judge_use(const Plan& plan) {
  std::optional<std::uint64_t> layout;
  if (used_look_) {
    if (const auto now = displays(); now.ok())
      layout = layout_stamp(*now);
    else if (now.error().code == Code::backend_lost)
      return now.error();
  }
  KillSwitch& kill_switch = session_.kill_switch();
  const policy::UseFacts facts{
      call_, plan, kill_switch.stopped(), kill_switch.because(), used_look_, session_.selected_display(), layout};
  const policy::Ruling ruling = policy::judge(facts);
  record_.ruled(ruling);
  if (!ruling.allowed()) return policy::refusal(ruling);
  return {};
}

Result<Outcome> CallContext::perform(const Plan& plan) {
  record_.planned(plan);
  TRY(judge_use(plan));
  if (call_.dry_run) {
    Outcome outcome;
    outcome.dry_run = true;
    outcome.text = "Dry run, nothing was done. It would: " + summary(plan) + ".";
    return outcome;
  }
  const Ticker ticker(options_.progress, pauses_in(plan));
  return std::visit([this](const auto& part) { return execute(part); }, plan);
}

Result<Outcome> CallContext::execute(const InputPlan& plan) {
  Input* input = TRY(require(computer_.input(), "input"));
  TRY(input->perform(plan, PermitMint::mint(), budget(plan), options_.stop));
  std::vector<Evidence> evidence;
  if (const Point* at = only_move(plan)) {
    const auto now = cursor();
    if (now.ok() && same_pixel(*now, *at)) evidence.push_back(Evidence::value_readback);
  }
  Outcome outcome = acted(Route::user_seat, Delivery::foreground, std::move(evidence));
  outcome.text = outcome.effect == Effect::confirmed ? "Done." : "Sent. Take a screenshot to see what it did.";
  return outcome;
}

Result<Outcome> CallContext::execute(const OpenApp& open) {
  Apps* apps = TRY(require(computer_.apps(), "app launcher"));
  const OpenedApp result = TRY(apps->open(open.app, PermitMint::mint(), Deadline::in(kStartPatience), options_.stop));
  return actions::opened(result.app, result.window, result.was_running);
}

Result<Outcome> CallContext::execute(const WriteClipboard& write) {
  Clipboard* clipboard = TRY(require(computer_.clipboard(), "clipboard"));
  TRY(clipboard->write(write.selection, write.items, PermitMint::mint(), Deadline::in(kBackendPatience)));
  std::vector<Evidence> evidence;
  if (!write.items.empty()) {
    const ClipItem& first = write.items.front();
    const auto now = clipboard->read(write.selection, first.mime, Deadline::in(kBackendPatience));
    if (now.ok() && *now == first.bytes) evidence.push_back(Evidence::value_readback);
  }
  Outcome outcome = acted(Route::clipboard, Delivery::background, std::move(evidence));
  outcome.text =
      outcome.effect == Effect::confirmed ? "The clipboard holds it now." : "Written, but it reads differently.";
  return outcome;
}

Result<Outcome> CallContext::execute(const ChangeWindow& change) {
  Windows* windows = TRY(require(computer_.windows(), "window control"));
  const Window now = TRY(windows->change(change, PermitMint::mint(), Deadline::in(kWindowPatience), options_.stop));
  Outcome outcome = acted(Route::system, Delivery::foreground, {Evidence::window_change});
  outcome.text = change.verb == WindowVerb::close
                     ? fmt::format("Window {} is closed.", now.id)
                     : fmt::format("Window {} is at ({:g}, {:g}, {:g}, {:g}) now.", now.id, now.bounds.x, now.bounds.y,
                                   now.bounds.width, now.bounds.height);
  return outcome;
}

}  // namespace handrail::engine
