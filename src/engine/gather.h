// The facts of one act, read in one place right before it is judged. Gates read nothing else.
#pragma once

#include "catalog/action_spec.h"
#include "engine/session.h"
#include "policy/facts.h"

namespace handrail::engine {

class Gather {
 public:
  Gather(Session& session, const catalog::ActionCall& call) : session_(session), call_(call) {}

  // Before planning. An error is a desktop that cannot be reached, which is no question of permission.
  Result<policy::AdmissionFacts> admission(const Status& recorded) const;
  // Of a whole plan; `look` is the one that its coordinates went through. Errors are lost desktops only; what cannot be
  // learnt otherwise is told as unknown.
  Result<policy::UseFacts> use(const Plan& plan, const std::optional<Look>& look);
  // Of one event. Asks no port: it runs where events are sent.
  policy::UseFacts event(const Plan& plan, const InputEvent& event) const;

  // The person has just said yes to this act, and may still have a hand on the mouse.
  void person_agreed() { agreed_until_ = Clock::now() + session_.settings().person_pause; }

  // What the target of the last use() holds once the plan is done; nothing when the plan brings no text.
  const std::optional<policy::TextWindow>& text_after() const { return text_after_; }

  // The last use() looked at another window than the one that the first key would have gone to. Nothing was sent.
  bool focus_came() const { return focus_came_; }

 private:
  void common(policy::UseFacts& facts) const;
  Status targets(policy::UseFacts& facts, const Plan& plan) const;
  void person(policy::UseFacts& facts) const;
  void person_now(policy::UseFacts& facts) const;
  Result<std::vector<Rect>> frames_of(const ChangeWindow& change) const;
  Result<std::vector<Rect>> everywhere() const;
  Result<std::vector<Rect>> frames_of(const ActOnElement& act) const;
  Status texts(policy::UseFacts& facts, const Plan& plan);
  void judge_both(policy::UseFacts& facts, const policy::TextWindow& before, const policy::TextWindow& alone,
                  policy::TextWindow after);
  bool raises(const Plan& plan) const;
  policy::Known secret_field(const InputPlan& plan, const Receiver& focus);
  // Of a window that may be covered, its own picture is compared.
  policy::PixelFacts pixels(const std::vector<Point>& points, const policy::UseFacts& facts, bool covered) const;
  policy::PixelFacts pixels(const ActOnElement& act, const policy::UseFacts& facts) const;

  Session& session_;
  const catalog::ActionCall& call_;
  std::optional<policy::TextWindow> text_after_;
  TimePoint agreed_until_{};  // what a person does until then is part of their yes
  // The focus whose field is no password field.
  struct Looked {
    WindowId window = 0;
    std::int64_t pid = 0;
    bool tells = false;  // of its fields
  };
  std::optional<Looked> looked_;
  mutable bool typing_ = false;
  mutable bool focus_came_ = false;
};

}  // namespace handrail::engine
