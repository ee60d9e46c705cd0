#include "actions/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actions/context.h"
#include "actions/elements.h"
#include "actions/plan/find.h"
#include "base/nearest.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::Tier;
using catalog::Touches;

// Everything that one look at the target told, so that all predicates judge the same moment.
struct Scene {
  std::vector<Window> windows;
  ElementsSeen elements;
  std::optional<Error> blind;  // why the elements are not known
};

Result<Scene> look_around(ActionContext& context, const Target& target) {
  Scene scene;
  scene.windows = TRY(context.windows());
  ElementsRequest request;
  request.target = target;
  request.interactive = false;
  request.values = true;
  request.most = 5000;
  auto seen = context.elements(request);
  if (seen.ok())
    scene.elements = std::move(seen).value();
  else if (seen.error().code == Code::backend_lost || seen.error().code == Code::cancelled)
    return seen.error();
  else
    scene.blind = seen.error();
  return scene;
}

VerifiedRow row(bool so, std::string why) { return {so ? Truth::satisfied : Truth::unsatisfied, std::move(why)}; }
VerifiedRow unknown(std::string why) { return {Truth::unknown, std::move(why)}; }

// An app without elements is read by its pixels. That a text was not made out does not prove that it is not there.
VerifiedRow by_pixels(ActionContext& context, const Target& target, const std::string& text, bool wanted) {
  LookRequest request;
  request.kind = LookKind::detail;
  if (!target.screen) request.window = target.window;
  const auto seen = context.read_text(request);
  if (!seen.ok()) return unknown(seen.error().message);
  const bool found = std::ranges::any_of(
      seen->lines, [&](const TextSeen::Line& line) { return line.text.find(text) != std::string::npos; });
  if (found) return row(wanted, "The text shows, by its pixels.");
  return unknown("The app tells nobody about its elements, and its picture does not show the text clearly.");
}

// Whether what was not found can be said not to be there.
std::optional<VerifiedRow> cannot_tell(const Scene& scene) {
  if (scene.blind) return unknown(scene.blind->message);
  if (!scene.elements.any) return unknown("The app tells nobody about its elements.");
  if (!scene.elements.complete) return unknown("Not all of its elements could be read: " + scene.elements.why + ".");
  return std::nullopt;
}

VerifiedRow with_text(ActionContext& context, const Target& target, const Scene& scene, const std::string& text,
                      bool wanted) {
  const auto shows = [&](const SeenElement& each) {
    const Element& element = each.element;
    return element.name.find(text) != std::string::npos || element.value.find(text) != std::string::npos;
  };
  const bool found = std::ranges::any_of(scene.elements.elements, shows);
  if (found) return row(wanted, "The text shows.");
  if (!scene.elements.any) return by_pixels(context, target, text, wanted);
  if (auto why = cannot_tell(scene)) return *why;
  return row(!wanted, "The text does not show.");
}

VerifiedRow with_window(const Scene& scene, const std::string& title, bool wanted) {
  const bool open = std::ranges::any_of(
      scene.windows, [&](const Window& window) { return window.title.find(title) != std::string::npos; });
  return row(open == wanted, open ? "Such a window is open." : "No such window is open.");
}

VerifiedRow with_state(const Element& element, Expect is, const std::string& value) {
  const auto state = [&](ElementState which, const char* word) {
    const bool so = element.states.has(which);
    return row(so, fmt::format("It is {}{}.", so ? "" : "not ", word));
  };
  switch (is) {
    case Expect::focused: return state(ElementState::focused, "focused");
    case Expect::checked: return state(ElementState::checked, "checked");
    case Expect::selected: return state(ElementState::selected, "selected");
    case Expect::enabled: return state(ElementState::enabled, "enabled");
    case Expect::expanded: return state(ElementState::expanded, "expanded");
    default: break;
  }
  if (element.states.has(ElementState::secret)) return unknown("The value of a password field is told to nobody.");
  return row(element.value == value, element.value == value ? "It has that value." : "It has another value.");
}

Result<VerifiedRow> judge(ActionContext& context, const Target& target, const Scene& scene,
                          const Predicate& predicate) {
  switch (predicate.is) {
    case Expect::text:
    case Expect::no_text: return with_text(context, target, scene, predicate.text, predicate.is == Expect::text);
    case Expect::window:
    case Expect::no_window: return with_window(scene, predicate.name, predicate.is == Expect::window);
    default: break;
  }
  const bool absent = predicate.is == Expect::no_element;
  const bool exists = predicate.is == Expect::element;
  if (predicate.element) {
    const auto now = context.element(*predicate.element);
    if (now.ok()) {
      if (exists || absent) return row(exists, "The element is there.");
      return with_state(now->element, predicate.is, predicate.value);
    }
    if (now.error().code == Code::target_stale) {
      if (exists || absent) return row(absent, "The element is gone or another one.");
      return unknown("The element is gone or another one.");
    }
    return now.error();
  }
  const auto fitting = plan::ranked(scene.elements.elements, predicate.name, predicate.role);
  if (fitting.empty()) {
    if (auto why = cannot_tell(scene)) return *why;
    return row(absent, "No such element shows.");
  }
  if (exists || absent) return row(exists, "Such an element shows.");
  return with_state(fitting.front().element, predicate.is, predicate.value);
}

Truth all_of(const std::vector<VerifiedRow>& rows) {
  const auto any = [&](Truth truth) { return std::ranges::find(rows, truth, &VerifiedRow::truth) != rows.end(); };
  return any(Truth::unsatisfied) ? Truth::unsatisfied : any(Truth::unknown) ? Truth::unknown : Truth::satisfied;
}

Outcome told(VerifyResult result) {
  Outcome outcome = observed(describe::encode(result));
  outcome.text = fmt::format("{}.", describe::name_of(result.state));
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    outcome.text += fmt::format(" {}: {} ({})", i + 1, describe::name_of(result.rows[i].truth), result.rows[i].why);
  }
  return outcome;
}

Result<Outcome> run_verify(ActionContext& context, const VerifyState& verify) {
  const Target target = TRY(context.aim(verify.app, {}));
  const Scene scene = TRY(look_around(context, target));
  VerifyResult result;
  for (const Predicate& predicate : verify.expect) result.rows.push_back(TRY(judge(context, target, scene, predicate)));
  result.state = all_of(result.rows);
  return told(std::move(result));
}

Result<Outcome> run_wait_for(ActionContext& context, const WaitFor& wait) {
  const TimePoint start = Clock::now();
  const Deadline deadline = Deadline::in(Millis(std::lround(wait.timeout_seconds * 1000)));
  const Target target = TRY(context.aim(wait.app, {}));
  Predicate predicate;
  predicate.is = wait.text.empty() ? Expect::element : Expect::text;
  predicate.text = wait.text;
  predicate.name = wait.name;
  predicate.role = wait.role;
  VerifyResult result;
  while (true) {
    // What happens while it is looked at counts as seen afterwards: the wait begins before the look.
    TRY(context.begin_watch(target));
    const Scene scene = TRY(look_around(context, target));
    const VerifiedRow now = TRY(judge(context, target, scene, predicate));
    result.rows = {now};
    result.state = now.truth;
    if (now.truth == Truth::satisfied || deadline.passed()) break;
    TRY(context.await_change(target, deadline));
  }
  result.waited = std::round(millis_since(start)) / 1000;
  Outcome outcome = told(result);
  if (result.state != Truth::satisfied) {
    outcome.failure = make_error(Code::timeout, fmt::format("It did not come within {:g} s.", wait.timeout_seconds))
                          .with_hint("Capture to see what shows instead.");
  }
  return outcome;
}

Status check_predicate(const Predicate& predicate, std::size_t place) {
  const auto lacks = [&](const char* field) {
    return make_error(Code::argument_invalid, fmt::format("`expect[{}]` does not say which {}.", place, field))
        .with_field(fmt::format("expect[{}].{}", place, field), "a text that is not empty");
  };
  switch (predicate.is) {
    case Expect::text:
    case Expect::no_text: return predicate.text.empty() ? Status(lacks("text")) : Status();
    case Expect::window:
    case Expect::no_window: return predicate.name.empty() ? Status(lacks("name")) : Status();
    default: break;
  }
  if (!predicate.element && predicate.name.empty() && predicate.role.empty()) return lacks("element");
  return {};
}

constexpr std::array kVerify{
    Example{"A field holds a text.", R"({"expect": [{"is": "value", "element": 3, "value": "Grüße"}]})"},
    Example{
        "A dialog is open and its button can be pressed.",
        R"({"expect": [{"is": "window", "name": "Save"}, {"is": "enabled", "name": "Save", "role": "push button"}]})"},
};
constexpr std::array kWait{Example{"Until a page says so.", R"({"text": "Saved", "timeout_seconds": 5})"}};

constexpr std::array kVerifyActions{
    action<VerifyState, VerifyResult, run_verify>(
        "verify_state", Category::observe, Touches::nothing, Tier::read, Capability::screen,
        "Check that elements, values, texts and windows are as expected.", kVerify),
    action<WaitFor, VerifyResult, run_wait_for>("wait_for", Category::observe, Touches::nothing, Tier::read,
                                                Capability::screen, "Wait until a text or an element shows, by event.",
                                                kWait),
};

}  // namespace

Status check(const VerifyState& verify) {
  for (std::size_t i = 0; i < verify.expect.size(); ++i) TRY(check_predicate(verify.expect[i], i));
  return {};
}

Status check(const WaitFor& wait) {
  if (!wait.text.empty() || !wait.name.empty() || !wait.role.empty()) return {};
  return make_error(Code::argument_invalid, "Nothing says what to wait for.")
      .with_field("text", "a text, or the `name` or `role` of an element");
}

std::span<const catalog::ActionSpec> verify_actions() { return kVerifyActions; }

}  // namespace handrail::actions
