#include "actions/judging.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/plan/find.h"

namespace handrail::actions {
namespace {

// Windows of apps that are not granted have no title of their own here: nothing is said about them, nor by them.
constexpr std::string_view kUntold = "(not granted)";

Result<Scene> windows_around(ActionContext& context) {
  Scene scene;
  scene.windows = TRY(context.windows());
  for (const Window& window : scene.windows) scene.open.push_back(window.id);
  scene.untold = std::erase_if(scene.windows, [](const Window& window) { return window.title == kUntold; }) > 0;
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
  if (scene.blind && scene.blind->code == Code::target_stale) return unknown(scene.blind->message);
  if (!scene.elements.any) return by_pixels(context, target, text, wanted);
  if (auto why = cannot_tell(scene)) return *why;
  return row(!wanted, "The text does not show.");
}

VerifiedRow with_window(const Scene& scene, const std::string& title, bool wanted) {
  const bool open = std::ranges::any_of(
      scene.windows, [&](const Window& window) { return window.title.find(title) != std::string::npos; });
  // The one that was meant is known to be gone, whatever else is open.
  const bool went = scene.was_open.find(title) != std::string::npos;
  if (!open && scene.untold && !went)
    return unknown("No granted app has such a window; of the windows of other apps nothing is told.");
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

}  // namespace

Result<Scene> look_around(ActionContext& context, const Target& target) {
  Scene scene = TRY(windows_around(context));
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

Result<Scene> scene_without(ActionContext& context, Error gone) {
  Scene scene = TRY(windows_around(context));
  if (const auto last = context.last_target(); last && !last->screen) scene.was_open = last->title;
  scene.blind = std::move(gone);
  return scene;
}

bool about_windows(const Predicate& predicate) {
  return predicate.is == Expect::window || predicate.is == Expect::no_window;
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

}  // namespace handrail::actions
