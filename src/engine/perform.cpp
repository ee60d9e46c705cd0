// The acting half of a call: fresh facts, time-of-use gates, permit, execution, evidence.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/nearest.h"
#include "base/one_line.h"
#include "engine/call_context.h"
#include "engine/permit_mint.h"
#include "engine/reaction.h"
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

// For a focus that comes while it is looked at.
constexpr int kFocusTries = 3;

const Point* only_move(const InputPlan& plan) {
  if (plan.steps.size() != 1) return nullptr;
  const auto* move = std::get_if<MoveTo>(&plan.steps.front());
  return move == nullptr ? nullptr : &move->at;
}

// A press that somebody else has received by now. A control that acts on the press has acted; all that is left is to
// tell. Keys that go elsewhere are stopped at the first one, and who merely holds events back has received nothing.
bool went_astray(const Plan& plan, const InputEvent& event, const policy::Ruling& ruling) {
  const auto* input = std::get_if<InputPlan>(&plan);
  const bool presses = input != nullptr && std::ranges::any_of(input->steps, [](const Step& step) {
                         return std::holds_alternative<ButtonDown>(step);
                       });
  const bool of_the_target = ruling.gate == "target_granted" || ruling.gate == "own_windows" || ruling.gate == "tier";
  const Receiver& receiver = event.receiver;
  const bool an_app = receiver.kind == ReceiverKind::app || receiver.kind == ReceiverKind::panel;
  return presses && event.kind == EventKind::received && of_the_target && an_app && !receiver.grabbed &&
         receiver.app.pid != 0;
}

// A yes for the background is none for the foreground, and one to raise a window is for that alone.
std::string_view scope_of(const Plan& plan, bool foreground) {
  const auto* change = std::get_if<ChangeWindow>(&plan);
  if (change != nullptr && change->verb == WindowVerb::raise) return "raising its window";
  if (change != nullptr) return "changing its window";
  if (std::holds_alternative<ChangeApp>(plan)) return "changing its windows";
  if (std::holds_alternative<CallService>(plan)) return "over the message bus";
  return foreground ? "in the foreground" : "in the background";
}

// What nobody sees needs no windows out of the way.
bool on_screen(const Plan& plan) {
  return !std::holds_alternative<ChangeFile>(plan) && !std::holds_alternative<RunProgram>(plan) &&
         !std::holds_alternative<EndProcess>(plan);
}

bool same_pixel(Point a, Point b) { return std::abs(a.x - b.x) <= 1 && std::abs(a.y - b.y) <= 1; }

}  // namespace

Status CallContext::judge_use(const Plan& plan, const policy::UseFacts& facts) {
  const policy::Ruling ruling = policy::judge(facts);
  if (ruling.verdict.judgement == policy::Judgement::ask) return ask(plan, facts, ruling);
  record_.ruled(ruling);
  if (!ruling.allowed()) return policy::refusal(ruling);
  return {};
}

Status CallContext::ask(const Plan& plan, const policy::UseFacts& facts, const policy::Ruling& ruling) {
  const std::string app = facts.targets.empty() ? "" : facts.targets.back().standing.app.name;
  const std::string deed =
      fmt::format("{} in {}, {}: {}", call_.spec->name, app, scope_of(plan, facts.foreground), ruling.verdict.reason);
  if (session_.approved(deed)) return {};
  policy::ConsentAnswer answer;
  answer.reason = "A dry run asks nobody.";
  if (!call_.dry_run) {
    policy::ConsentQuestion question;
    // What an app would open has been said by the gate.
    question.deed = std::holds_alternative<OpenApp>(plan) ? deed : deed + " " + summary(plan) + ".";
    question.offered = {policy::ConsentChoice::deny, policy::ConsentChoice::once, policy::ConsentChoice::session};
    // Another file may be there the next time.
    if (std::holds_alternative<OpenApp>(plan)) {
      question.offered = {policy::ConsentChoice::deny, policy::ConsentChoice::once};
    }
    if (const auto* call = std::get_if<CallService>(&plan)) {
      // Each one says something else.
      question.deed = fmt::format("Call {} of the service {}, object {}, interface {}, with {}", call->method,
                                  call->destination, call->path, call->interface, one_line(call->arguments));
      question.offered = {policy::ConsentChoice::deny, policy::ConsentChoice::once};
    }
    const bool said_by_agent = std::holds_alternative<CallService>(plan) || std::holds_alternative<OpenApp>(plan);
    if (said_by_agent && question.deed.size() > policy::kMostDeed) {
      return make_error(Code::gate_refused, "It is too long for a person to see all of it, so nobody is asked.")
          .with_hint("Use shorter arguments, or another action.");
    }
    answer = session_.ask(question, options_.client, options_.stop);
  }
  if (answer.choice == policy::ConsentChoice::session) session_.approve(deed);
  if (answer.choice != policy::ConsentChoice::deny) return judge_again(plan, facts);
  record_.ruled(ruling);
  Error refused = policy::refusal(ruling);
  refused.message += " " + answer.reason;
  return refused;
}

// The person took their time: the yes was for what was there then.
Status CallContext::judge_again(const Plan& plan, const policy::UseFacts& before) {
  policy::UseFacts now = TRY(gather_.use(plan, used_look_));
  // They have just used the mouse, to say yes.
  now.person_pause = Millis(0);
  gather_.person_agreed();
  const bool same = std::ranges::equal(before.targets, now.targets, [](const auto& a, const auto& b) {
    return a.receiver.toplevel == b.receiver.toplevel && a.receiver.app == b.receiver.app;
  });
  if (!same) {
    return make_error(Code::target_stale, "Another window would receive it by now.")
        .with_hint("Look again, bring the app to the front and repeat the call.");
  }
  const policy::Ruling ruling = policy::judge(now);
  if (ruling.verdict.judgement != policy::Judgement::deny) return {};
  record_.ruled(ruling);
  return policy::refusal(ruling);
}

Permit CallContext::permit(const Plan& plan) {
  return PermitMint::mint([this, &plan](const InputEvent& event) -> Status {
    const policy::Ruling ruling = policy::judge(gather_.event(plan, event));
    if (ruling.allowed()) return {};
    record_.ruled(ruling);
    record_.reaches(event.receiver, session_.standing(event.receiver));
    if (went_astray(plan, event, ruling)) astray_ = event.receiver;
    return policy::refusal(ruling);
  });
}

Error CallContext::stop_session(Error refusal) {
  record_.went_elsewhere();
  const AppIdentity& app = astray_->app;
  const std::string because = fmt::format("a press went to {} (pid {}), for which it was not meant",
                                          app.executable.empty() ? "another program" : app.executable, app.pid);
  session_.kill_switch().stop(because);
  if (session_.parts().keep_off) session_.parts().keep_off(because);
  refusal.message += " Handrail has switched itself off.";
  refusal.hint = "Only the owner of this desktop can switch it on again, with `handrail resume`; tell them.";
  return refusal;
}

Result<policy::UseFacts> CallContext::facts_of(const Plan& plan) {
  auto facts = gather_.use(plan, used_look_);
  if (facts.ok() && !facts->targets.empty()) {
    record_.reaches(facts->targets.back().receiver, facts->targets.back().standing);
  }
  return facts;
}

Result<Outcome> CallContext::refused(Error refusal, const policy::UseFacts& facts) {
  if (refusal.gate == "stale_pixels") return refused_with_picture(std::move(refusal), facts);
  return refusal;
}

Result<Outcome> CallContext::perform(const Plan& asked) {
  if (only_plan_) return Outcome{};
  const Plan plan = seated(asked);
  record_.planned(plan);
  if (hides_others() && on_screen(plan)) {
    // What is refused touches nothing: it is judged before windows are put away, and again on what is there then.
    const policy::UseFacts before = TRY(facts_of(plan));
    const policy::Ruling ruling = policy::judge(before);
    if (ruling.verdict.judgement == policy::Judgement::deny) {
      record_.ruled(ruling);
      return refused(policy::refusal(ruling), before);
    }
    TRY(hide_others());
  }
  for (int tries = 1;; ++tries) {
    const policy::UseFacts facts = TRY(facts_of(plan));
    if (Status judged = judge_use(plan, facts); !judged.ok()) return refused(std::move(judged).error(), facts);
    if (call_.dry_run) {
      Outcome outcome;
      outcome.dry_run = true;
      outcome.text = "Dry run, nothing was done. It would: " + summary(plan) + ".";
      return outcome;
    }
    const Receiver* target = facts.targets.empty() ? nullptr : &facts.targets.back().receiver;
    const policy::TextWindow before = target == nullptr ? policy::TextWindow() : session_.text_window(*target);
    Result<Outcome> outcome = [&] {
      const Ticker ticker(options_.progress, pauses_in(plan));
      return act(plan, facts);
    }();
    if (outcome.ok() || !gather_.focus_came() || tries == kFocusTries) return outcome;
    if (target != nullptr) session_.remember_text(*target, before);
  }
}

Result<Outcome> CallContext::act(const Plan& plan, const policy::UseFacts& facts) {
  // Pressing "Paste" by its element pastes as well as a key does.
  const bool reaches_app = std::holds_alternative<InputPlan>(plan) || std::holds_alternative<ActOnElement>(plan);
  ClipboardGuard* guard = computer_.clipboard_guard();
  const bool only_clickable = std::ranges::any_of(facts.targets, [](const policy::TargetFacts& target) {
    return target.standing.granted() && target.standing.tier == GrantTier::click;
  });
  const bool guarded = reaches_app && only_clickable && guard != nullptr;
  if (guarded) TRY(guard->guard(Deadline::in(kBackendPatience)));
  // An app that may be typed into is the target now: the person's clipboard is theirs again.
  const bool writes = std::holds_alternative<WriteClipboard>(plan);
  if (!only_clickable && guard != nullptr && guard->guarding() && (writes || !facts.targets.empty())) {
    TRY(guard->restore(Deadline::in(kBackendPatience)));
  }
  session_.budget().count_keys(plan);
  if (reaches_app && !facts.targets.empty()) {
    const Receiver& target = facts.targets.back().receiver;
    if (const auto& text = gather_.text_after()) session_.remember_text(target, *text);
  }
  plan_ = &plan;
  Result<Outcome> outcome = std::visit([this](const auto& part) { return execute(part); }, plan);
  plan_ = nullptr;
  if (guarded) {
    if (const Status still = guard->guard(Deadline::in(kBackendPatience)); !still.ok() && outcome.ok()) {
      return std::move(Error(still.error())).with_side_effects(SideEffects::possible);
    }
  }
  return outcome;
}

// The agent's picture is old; the refusal brings the part that changed.
Outcome CallContext::refused_with_picture(Error refusal, const policy::UseFacts& facts) {
  constexpr double kWide = 320, kHigh = 200;
  Outcome outcome;
  outcome.effect = Effect::refused;
  outcome.text = to_text(refusal);
  if (!facts.points.empty() && facts.look) {
    actions::LookRequest fresh;
    fresh.kind = actions::LookKind::detail;
    const Point aim = facts.points.front();
    fresh.region = intersect(Rect{aim.x - kWide / 2, aim.y - kHigh / 2, kWide, kHigh}, facts.look->area);
    if (auto seen = take_look(fresh); seen.ok()) {
      outcome.pictures.push_back(std::move(seen->picture));
      outcome.text += " The picture shows the place as it is now.";
    }
  }
  outcome.failure = std::move(refusal);
  return outcome;
}

Result<Outcome> CallContext::execute(const InputPlan& plan) {
  Input* input = TRY(require(computer_.input(), "input"));
  const Result<InputReport> performed = input->perform(plan, permit(*plan_), budget(plan), options_.stop);
  if (!performed.ok()) return astray_ ? stop_session(performed.error()) : performed.error();
  const InputReport& report = *performed;
  std::vector<Evidence> evidence;
  if (report.delivered) evidence.push_back(Evidence::delivered);
  const Point* at = plan.seat ? nullptr : only_move(plan);
  if (at != nullptr) {
    const auto now = pointer();
    evidence.clear();
    if (now.ok() && same_pixel(*now, *at)) evidence.push_back(Evidence::value_readback);
  }
  Outcome outcome = plan.seat ? acted(Route::agent_seat, Delivery::background, std::move(evidence))
                              : acted(Route::user_seat, Delivery::foreground, std::move(evidence));
  outcome.text = report.delivered && at == nullptr     ? "Delivered to the app. Take a screenshot to see what it did."
                 : outcome.effect == Effect::confirmed ? "Done."
                                                       : "Sent. Take a screenshot to see what it did.";
  return outcome;
}

Result<Outcome> CallContext::execute(const ActOnElement& act) {
  Accessibility* port = TRY(require(computer_.accessibility(), "accessibility"));
  const ElementReaction* watched = reaction_ && reaction_->is_of(act.element) ? reaction_.get() : nullptr;
  std::optional<Reaction> windows;
  if (watched == nullptr) windows.emplace(computer_, act.element.pid, session_.target());
  Permit permit = PermitMint::mint([this](const InputEvent&) -> Status {
    if (reaction_) reaction_->ready();
    return {};
  });
  const ElementReport report = TRY(port->act(act, std::move(permit), Deadline::in(kBackendPatience), options_.stop));
  // Of a value that reads otherwise nothing else is evidence.
  const bool sets = act.verb == ElementVerb::set_value || act.verb == ElementVerb::insert;
  const bool in_vain = sets && report.otherwise;
  std::vector<Evidence> evidence;
  if (report.as_wanted) evidence.push_back(Evidence::value_readback);
  if (!report.as_wanted && !in_vain) {
    evidence = watched != nullptr ? watched->windows(options_.stop) : windows->evidence(options_.stop);
  }
  const bool seen = !evidence.empty();
  const Delivery delivery = act.verb == ElementVerb::focus ? Delivery::foreground : Delivery::background;
  Outcome outcome = acted(Route::accessibility, delivery, std::move(evidence));
  // Something changed, but not what was asked for.
  if (report.otherwise) outcome.effect = Effect::unverified;
  // An app that opens a dialog answers when the dialog is closed.
  if (!seen && !report.reacted && report.answered) outcome.effect = Effect::suspected_noop;
  if (in_vain && report.after == report.before) outcome.effect = Effect::suspected_noop;
  outcome.text = report.as_wanted ? fmt::format("Done by {}, and read back.", report.how)
                 : report.otherwise
                     ? fmt::format("Asked by {}, but it does not read back as asked for. Capture to see.", report.how)
                 : !seen && !report.answered ? fmt::format("Asked by {}; the app is still at it.", report.how)
                 : seen                      ? fmt::format("Done by {}; the app's windows changed.", report.how)
                 : report.reacted ? fmt::format("Done by {}; the app says that something changed.", report.how)
                                  : fmt::format("Asked by {}; nothing was seen to change.", report.how);
  return outcome;
}

Result<Outcome> CallContext::execute(const WriteClipboard& write) {
  Clipboard* clipboard = TRY(require(computer_.clipboard(), "clipboard"));
  TRY(clipboard->write(write.selection, write.items, PermitMint::mint({}), Deadline::in(kBackendPatience)));
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

}  // namespace handrail::engine
