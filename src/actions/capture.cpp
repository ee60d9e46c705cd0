#include "actions/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actions/context.h"
#include "actions/elements.h"
#include "actions/observe.h"
#include "actions/plan/delta.h"
#include "actions/plan/find.h"
#include "base/nearest.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::NoResult;
using catalog::Tier;
using catalog::Touches;

// The text is for a model to read at once; the rest is in the structured reply.
constexpr std::size_t kLines = 40;
constexpr std::size_t kNameBytes = 60;
constexpr std::size_t kMostMarks = 150;

ElementRow row_of(const SeenElement& seen, const Look& look) {
  const Rect& at = seen.element.bounds;
  const Point corner = from_desktop(look, at.origin(), Basis::pixels);
  const double across = look.image.width / look.area.width;
  const double down = look.image.height / look.area.height;
  const auto whole = [](double value) { return static_cast<int>(std::lround(value)); };
  return {seen.number,
          seen.element.role,
          shortened(seen.element.name.empty() ? seen.element.description : seen.element.name, kNameBytes),
          {whole(corner.x), whole(corner.y), whole(at.width * across), whole(at.height * down)},
          state_words(seen.element)};
}

std::string line_of(const ElementRow& row, const std::string& value, const std::string& app) {
  std::string line = fmt::format("#{} {} '{}' @ ({})", row.n, row.role, row.name, fmt::join(row.box, ", "));
  // A name is not told twice, nor that something else than text stands there.
  const bool tells = !value.empty() && value != row.name && value != "\ufffc";
  if (tells) line += fmt::format(" = '{}'", shortened(value, kNameBytes));
  if (!row.states.empty()) line += fmt::format(" {}", fmt::join(row.states, " "));
  return line + fmt::format(" [{}]", app);
}

std::string index_of(const std::vector<ElementRow>& rows, const ElementsSeen& seen, const std::string& app) {
  std::string text;
  for (std::size_t i = 0; i < rows.size() && i < kLines; ++i) {
    text += line_of(rows[i], seen.elements[i].element.value, app) + "\n";
  }
  const std::size_t more = rows.size() - std::min(rows.size(), kLines) + seen.left_out;
  if (more > 0) text += fmt::format("+{} more\n", more);
  return text;
}

std::string said_of(const ElementsSeen& seen, CaptureMode mode) {
  if (mode == CaptureMode::vision) return {};
  if (!seen.any)
    return " The app tells nobody about its elements: use the picture, coordinates and keys. `handrail setup` says "
           "what it needs.";
  std::string text = fmt::format(" {} element(s) can be acted on, by number.", seen.elements.size());
  if (!seen.complete) text += fmt::format(" The list is cut: {}.", seen.why);
  return text;
}

// New ones with a plus, changed ones with a tilde, those that are gone with a minus.
std::string delta_of(const plan::Delta& delta, const Look& look, const std::string& app, CaptureResult& result) {
  std::string text;
  std::size_t lines = 0;
  const auto tell = [&](const char* sign, const std::vector<SeenElement>& elements, bool there) {
    for (const SeenElement& each : elements) {
      const ElementRow row = row_of(each, look);
      if (++lines <= kLines) text += sign + line_of(row, each.element.value, app) + "\n";
      if (there) {
        result.elements.push_back(row);
      } else {
        result.gone.push_back(each.number);
      }
    }
  };
  tell("+ ", delta.came, true);
  tell("~ ", delta.changed, true);
  tell("- ", delta.gone, false);
  if (lines > kLines) text += fmt::format("+{} more\n", lines - kLines);
  return text;
}

// What changed since the look that was asked for; nothing when that is not known any more.
std::optional<plan::Delta> delta_since(ActionContext& context, const std::string& since, ElementsSeen& seen) {
  if (since.empty()) return std::nullopt;
  const ElementsSeen before = context.remembered();
  if (before.look != since || before.window != seen.window) return std::nullopt;
  return plan::compare(before.elements, seen.elements);
}

Result<Outcome> run_capture(ActionContext& context, const CaptureApp& capture) {
  std::optional<WindowId> window;
  if (capture.window_id) window = static_cast<WindowId>(*capture.window_id);
  Result<Target> aimed = context.aim(capture.app, window);
  // The first capture of all shows what there is.
  if (!aimed.ok() && aimed.error().code == Code::target_stale && capture.app.empty() && !window) {
    aimed = context.aim("screen", {});
  }
  const Target target = TRY(std::move(aimed));
  ElementsSeen seen;
  if (capture.mode != CaptureMode::vision) {
    ElementsRequest request;
    request.target = target;
    request.most = static_cast<std::size_t>(capture.max_elements);
    request.values = true;
    auto found = context.elements(request);
    // Without accessibility there is still a picture.
    if (!found.ok() && capture.mode == CaptureMode::ax) return found.error();
    if (found.ok()) seen = std::move(found).value();
  }
  seen.window = target.window;
  const std::optional<plan::Delta> delta = delta_since(context, capture.since, seen);
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
  CaptureResult result;
  result.look = look.look.id;
  result.app = target.screen ? "screen" : target.app;
  result.window = static_cast<std::int64_t>(target.window);
  result.width = look.look.image.width;
  result.height = look.look.image.height;
  result.left_out = static_cast<int>(seen.left_out);
  std::string index;
  if (delta) {
    result.since = capture.since;
    index = delta_of(*delta, look.look, result.app, result);
  } else {
    for (const SeenElement& each : seen.elements) result.elements.push_back(row_of(each, look.look));
    index = index_of(result.elements, seen, result.app);
  }
  Outcome outcome = observed(describe::encode(result));
  outcome.text = fmt::format("{}, {}x{} pixels.{}", target.screen ? "The whole screen" : target.app, result.width,
                             result.height, said_of(seen, capture.mode));
  if (delta) {
    outcome.text +=
        fmt::format(" Since {}: {} new (+), {} changed (~), {} gone (-), {} as they were, with their numbers.",
                    capture.since, delta->came.size(), delta->changed.size(), delta->gone.size(), delta->same);
  } else if (!capture.since.empty()) {
    outcome.text += " That look is not of the last capture of this window: all is told anew.";
  }
  if (look.unsaid > 0) outcome.text += unsaid_note(look.unsaid);
  if (look.hidden > 0) outcome.text += fmt::format(" {} window(s) that are not granted are grey.", look.hidden);
  if (look.frozen) outcome.text += " The window is not drawn now; this is its last picture.";
  if (!target.screen) outcome.untrusted = fmt::format("title '{}'\n", shortened(target.title, 200));
  outcome.untrusted += index;
  if (request.with_picture) outcome.pictures.push_back(std::move(look.picture));
  return outcome;
}

Result<Outcome> run_focus_app(ActionContext& context, const FocusApp& focus) {
  const Target target = TRY(context.aim(focus.app, {}));
  if (!focus.raise_window || target.screen) {
    Outcome outcome = acted(Route::system, Delivery::background, {Evidence::value_readback});
    outcome.text = fmt::format("Later calls are about {}. Its window stays where it is.", focus.app);
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
  seen.left_out = 0;
  LookRequest look_request;
  if (!request.target.screen) look_request.window = request.target.window;
  look_request.with_picture = false;
  const LookResult look = TRY(context.look(look_request));
  context.remember(seen);
  CaptureResult result;
  result.look = look.look.id;
  result.app = request.target.app;
  result.window = static_cast<std::int64_t>(request.target.window);
  result.width = look.look.image.width;
  result.height = look.look.image.height;
  for (const SeenElement& each : seen.elements) result.elements.push_back(row_of(each, look.look));
  Outcome outcome = observed(describe::encode(result));
  outcome.text = seen.elements.empty() ? "No element fits." : fmt::format("{} element(s) fit.", seen.elements.size());
  outcome.untrusted = index_of(result.elements, seen, result.app);
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

std::span<const catalog::ActionSpec> capture_actions() { return kCaptureActions; }

}  // namespace handrail::actions
