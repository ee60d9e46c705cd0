#include "actions/capture.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/context.h"
#include "actions/observe.h"
#include "actions/plan/delta.h"
#include "actions/plan/find.h"
#include "actions/plan/index.h"
#include "base/counted.h"
#include "base/one_line.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::NoResult;
using catalog::Tier;
using catalog::Touches;

constexpr std::size_t kMostMarks = 150;
constexpr std::size_t kManyLeftOut = 100000;

std::string said_of(const ElementsSeen& seen, CaptureMode mode, bool screen) {
  if (mode == CaptureMode::vision) return {};
  if (!seen.any && screen) return " No window of a granted app tells of its elements.";
  if (!seen.any)
    return " The app tells nobody about its elements: use the picture, coordinates and keys. `handrail setup` says "
           "what it needs.";
  std::string text = fmt::format(" {} can be acted on, by number.", counted(seen.elements.size(), "element"));
  if (!seen.complete) text += fmt::format(" The list is cut: {}.", seen.why);
  return text;
}

// A delta can be told against the last look alone: another one has other pixels.
struct Since {
  Look look;
  plan::Delta delta;
};

std::optional<Since> told_since(ActionContext& context, const std::string& since, ElementsSeen& seen) {
  if (since.empty()) return std::nullopt;
  const ElementsSeen before = context.remembered();
  const std::optional<Look> look = context.last_look();
  if (!look || look->id != since || before.look != since || before.window != seen.window) return std::nullopt;
  return Since{*look, plan::compare(before.elements, seen.elements)};
}

Result<ElementsSeen> elements_of(ActionContext& context, const Target& target, const CaptureApp& capture) {
  ElementsSeen seen;
  seen.window = target.window;
  if (capture.mode == CaptureMode::vision) return seen;
  ElementsRequest request;
  request.target = target;
  request.most = static_cast<std::size_t>(capture.max_elements);
  request.values = true;
  auto found = context.elements(request);
  // Without accessibility there is still a picture.
  if (!found.ok() && capture.mode == CaptureMode::ax) return found.error();
  if (!found.ok()) return seen;
  seen = std::move(found).value();
  seen.window = target.window;
  return seen;
}

CaptureResult result_of(const Target& target, const Look& look) {
  CaptureResult result;
  result.look = look.id;
  result.app = target.screen ? "screen" : target.app;
  result.window = static_cast<std::int64_t>(target.window);
  result.width = look.image.width;
  result.height = look.image.height;
  return result;
}

// New ones, changed ones and moved ones are rows; of those that are gone there is only the number.
std::string tell_delta(const plan::Delta& delta, const Look& look, CaptureResult& result) {
  for (const auto* part : {&delta.came, &delta.changed, &delta.moved}) {
    for (ElementRow& row : plan::rows_of(*part, look)) result.elements.push_back(std::move(row));
  }
  for (const SeenElement& each : delta.gone) result.gone.push_back(each.number);
  return plan::delta_index_of(delta, look, result.app);
}

// The first capture of all shows what there is. Afterwards nothing is shown in place of what is gone.
Result<Target> target_of(ActionContext& context, const CaptureApp& capture) {
  std::optional<WindowId> window;
  if (capture.window_id) window = static_cast<WindowId>(*capture.window_id);
  const bool first = capture.app.empty() && !window && !context.last_target();
  return context.aim(first ? "screen" : capture.app, window);
}

std::string said_since(const std::string& asked, const std::optional<Since>& since) {
  if (asked.empty()) return {};
  if (!since) return " That look is not of the last capture of this window: all is told anew.";
  const plan::Delta& delta = since->delta;
  return fmt::format(
      " Since {}: {} new (+), {} changed (~), {} moved (>), {} gone (-), {} as they were, with their numbers.", asked,
      delta.came.size(), delta.changed.size(), delta.moved.size(), delta.gone.size(), delta.same.size());
}

Result<Outcome> run_capture(ActionContext& context, const CaptureApp& capture) {
  const Target target = TRY(target_of(context, capture));
  ElementsSeen seen = TRY(elements_of(context, target, capture));
  std::optional<Since> since = told_since(context, capture.since, seen);
  LookRequest request;
  if (!target.screen) request.window = target.window;
  request.with_picture = capture.mode != CaptureMode::ax;
  if (capture.mode == CaptureMode::som) {
    for (const SeenElement& each : seen.elements) {
      if (request.marks.size() < kMostMarks) request.marks.push_back({each.number, each.element.bounds});
    }
  }
  LookResult look = TRY(context.look(request));
  seen.look = look.look.id;
  context.remember(seen);
  CaptureResult result = result_of(target, look.look);
  result.left_out = static_cast<int>(std::min(seen.left_out, kManyLeftOut));
  std::string index;
  if (since) {
    result.since = capture.since;
    plan::find_moved(since->delta, since->look, look.look);
    index = tell_delta(since->delta, look.look, result);
  } else {
    result.elements = plan::rows_of(seen.elements, look.look);
    index = plan::index_of(result.elements, seen.left_out, result.app);
  }
  Outcome outcome = observed(describe::encode(result));
  outcome.text =
      fmt::format("{}, {}x{} pixels.{}{}", target.screen ? "The whole screen" : one_line(target.app), result.width,
                  result.height, said_of(seen, capture.mode, target.screen), said_since(capture.since, since));
  if (look.unsaid > 0) outcome.text += unsaid_note(look.unsaid);
  if (look.hidden > 0) outcome.text += fmt::format(" {} window(s) that are not granted are grey.", look.hidden);
  if (look.frozen) outcome.text += " The window is not drawn now; this is its last picture.";
  if (!target.screen) outcome.untrusted = fmt::format("title {}\n", quoted(target.title, 200));
  outcome.untrusted += index;
  if (request.with_picture) outcome.pictures.push_back(std::move(look.picture));
  return outcome;
}

Result<Outcome> run_focus_app(ActionContext& context, const FocusApp& focus) {
  const Target target = TRY(context.aim(focus.app, {}));
  if (!focus.raise_window || target.screen) {
    Outcome outcome = acted(Route::system, Delivery::background, {Evidence::value_readback});
    outcome.text = fmt::format("Later calls are about {}. Its window stays where it is.",
                               target.screen ? "the whole screen" : one_line(target.app));
    return outcome;
  }
  ChangeWindow front;
  front.window = target.window;
  return context.perform(front);
}

Result<Outcome> run_find(ActionContext& context, const FindElements& find) {
  ElementsRequest request;
  request.target = TRY(context.aim(find.app, {}));
  request.interactive = false;
  request.values = true;
  request.most = 5000;
  ElementsSeen seen = TRY(context.elements(request));
  seen.elements = plan::ranked(std::move(seen.elements), find.name, find.role);
  if (seen.elements.size() > static_cast<std::size_t>(find.most))
    seen.elements.resize(static_cast<std::size_t>(find.most));
  int number = 0;
  for (SeenElement& each : seen.elements) each.number = ++number;
  // Points need no picture, and what coordinates refer to stays as it is.
  Look look = plan::points_look();
  if (find.basis == Basis::pixels) {
    LookRequest look_request;
    if (!request.target.screen) look_request.window = request.target.window;
    look_request.with_picture = false;
    look = TRY(context.look(look_request)).look;
  }
  seen.look = look.id;
  seen.window = request.target.window;
  context.remember(seen);
  CaptureResult result = result_of(request.target, look);
  result.elements = plan::rows_of(seen.elements, look);
  Outcome outcome = observed(describe::encode(result));
  outcome.text = seen.elements.empty() ? "No element fits." : fmt::format("{} element(s) fit.", seen.elements.size());
  outcome.untrusted = plan::index_of(result.elements, 0, result.app);
  return outcome;
}

constexpr std::array kCapture{
    Example{"See an app and number what can be acted on.", R"({"app": "mousepad"})"},
    Example{"Without a picture.", R"({"mode": "ax", "app": "mousepad"})"},
    Example{"The whole desktop.", R"({"mode": "vision", "app": "screen"})"},
    Example{"Only what changed since the last capture.", R"({"mode": "ax", "since": "L3"})"},
};
constexpr std::array kFocus{Example{"Work on an app.", R"({"app": "mousepad"})"}};
constexpr std::array kFind{Example{"A button by its label.", R"({"name": "Save", "role": "push button"})"}};

constexpr std::array kCaptureActions{
    action<CaptureApp, CaptureResult, run_capture>(
        "capture", Category::observe, Touches::nothing, Tier::read, Capability::screen,
        "Look at an app: a picture with numbered elements and their list; later calls are about it.", kCapture),
    action<FindElements, CaptureResult, run_find>("find_element", Category::ax, Touches::nothing, Tier::read,
                                                  Capability::accessibility,
                                                  "Find elements of an app by name and role, best fit first.", kFind),
    action<FocusApp, NoResult, run_focus_app>(
        "focus_app", Category::apps, Touches::windows, Tier::click, Capability::windows,
        "Choose the app that later calls are about; raises it only when asked.", kFocus),
};

}  // namespace

Status check(const FindElements& find) {
  if (find.basis == Basis::pixels || find.basis == Basis::points) return {};
  return make_error(Code::argument_invalid, "`basis` is not one for boxes.").with_field("basis", "pixels or points");
}

std::span<const catalog::ActionSpec> capture_actions() { return kCaptureActions; }

}  // namespace handrail::actions
