// The part of a call that deals with elements: whose they are, which number means which, and whether it is still there.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/nearest.h"
#include "engine/call_context.h"
#include "policy/app_name.h"
#include "vision/marks.h"

namespace handrail::engine {
namespace {

Deadline soon() { return Deadline::in(kBackendPatience); }

// How well a name that a client gave fits an app: 3 exact, 2 as another name of it, 1 as a part.
int fit(const std::string& asked, const Window& window, const AppIdentity& app, const std::string& name) {
  using policy::lower;
  const std::string wanted = policy::folded_app_name(asked);
  if (wanted == lower(name) || wanted == lower(app.desktop_id)) return 3;
  std::vector<std::string> aliases = policy::program_names(app.executable);
  aliases.push_back(lower(window.app));
  if (std::ranges::find(aliases, wanted) != aliases.end()) return 2;
  aliases.push_back(lower(name));
  aliases.push_back(lower(app.desktop_id));
  const bool part =
      std::ranges::any_of(aliases, [&](const std::string& alias) { return alias.find(wanted) != std::string::npos; });
  return part ? 1 : 0;
}

}  // namespace

Result<Target> CallContext::aim(const std::string& app, std::optional<WindowId> window) {
  if (app == "screen" && !window) {
    Target screen;
    screen.screen = true;
    session_.set_target(screen);
    return screen;
  }
  Windows* windows = TRY(require(computer_.windows(), "window control"));
  Targets* targets = TRY(require(computer_.targets(), "window owners"));
  const std::vector<Window> list = TRY(windows->list(soon()));
  if (app.empty() && !window) {
    const auto last = session_.target();
    if (!last) {
      return make_error(Code::target_stale, "No window is aimed at yet.")
          .with_hint("Capture one first: name its app, or a window of list_windows.");
    }
    if (last->screen) return *last;
    window = last->window;
  }
  struct Candidate {
    const Window* window;
    policy::Standing standing;
    int fit;
  };
  std::vector<Candidate> found;
  std::vector<std::string> known;
  for (const Window& each : list) {
    if (window && each.id != *window) continue;
    const auto owner = targets->of(each.id, soon());
    if (!owner.ok()) continue;
    policy::Standing standing = session_.standing(*owner);
    const std::string name = standing.app.name.empty() ? each.app : standing.app.name;
    if (std::ranges::find(known, name) == known.end()) known.push_back(name);
    const int fits = window ? 3 : fit(app, each, owner->app, name);
    if (fits > 0) found.push_back({&each, std::move(standing), fits});
  }
  if (found.empty() && window) {
    return make_error(Code::target_stale, fmt::format("There is no window {} any more.", *window))
        .with_hint("List the windows, or capture the app by name.");
  }
  if (found.empty()) {
    return make_error(Code::not_found, fmt::format("No open window belongs to an app called `{}`.", shortened(app, 60)))
        .with_field("app", known.empty() ? "an app that is open" : fmt::format("one of: {}", fmt::join(known, ", ")));
  }
  const int best = std::ranges::max_element(found, {}, &Candidate::fit)->fit;
  std::erase_if(found, [&](const Candidate& candidate) { return candidate.fit < best; });
  std::vector<std::string> names;
  for (const Candidate& candidate : found) {
    const std::string& name = candidate.standing.app.name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (names.size() > 1) {
    return make_error(Code::ambiguous,
                      fmt::format("`{}` fits several apps: {}.", shortened(app, 60), fmt::join(names, ", ")))
        .with_field("app", "the full name of one of them");
  }
  // Of several windows the focused one, else the topmost; the list has the lowest first.
  const auto focused =
      std::ranges::find_if(found, [](const Candidate& candidate) { return candidate.window->focused; });
  const Candidate& chosen = focused != found.end() ? *focused : found.back();
  if (!chosen.standing.granted()) {
    return make_error(Code::access_denied, fmt::format("{} is not granted.", chosen.standing.app.name))
        .with_hint("Ask for it with request_access.");
  }
  Target target{false,
                chosen.standing.app.name,
                chosen.window->pid,
                chosen.window->id,
                chosen.window->title,
                chosen.window->bounds};
  session_.set_target(target);
  if (std::exchange(moving_, false)) {
    // What a capture shows is no half of a movement, where that can be had at once.
    TRY(StillWatch(computer_, target).settle(kMomentOfRest, options_.stop));
  }
  return target;
}

// A grant may have gone since the app was aimed at.
Status CallContext::must_be_granted(std::int64_t pid) {
  Targets* targets = TRY(require(computer_.targets(), "window owners"));
  const auto owner = targets->of_process(pid, soon());
  if (owner.ok() && shows(*owner)) return {};
  if (!owner.ok() || !owner->app.known()) {
    return make_error(Code::target_stale, "The app has ended.")
        .with_hint("See which windows there are, and capture one.");
  }
  return make_error(Code::access_denied, "The app is not granted.").with_hint("Ask for it with `request_access`.");
}

Result<actions::ElementsSeen> CallContext::elements(const actions::ElementsRequest& request) {
  Accessibility* port = TRY(require(computer_.accessibility(), "accessibility"));
  TreeRequest asked;
  asked.values = request.values;
  Rect visible = request.target.bounds;
  if (request.target.screen) {
    Windows* windows = TRY(require(computer_.windows(), "window control"));
    Targets* targets = TRY(require(computer_.targets(), "window owners"));
    for (const Window& window : TRY(windows->list(soon()))) {
      const bool known = std::ranges::find(asked.pids, window.pid) != asked.pids.end();
      if (window.pid == 0 || !window.visible || known) continue;
      const auto owner = targets->of(window.id, soon());
      if (owner.ok() && shows(*owner)) asked.pids.push_back(window.pid);
    }
    const auto all = TRY(displays());
    for (const Display& display : all) {
      if (display.id == session_.selected_display() || display.id == all.front().id) visible = display.bounds;
      if (display.id == session_.selected_display()) break;
    }
  } else {
    TRY(must_be_granted(request.target.pid));
    asked.pids.push_back(request.target.pid);
    if (!request.everywhere) asked.window = request.target.window;
  }
  const std::vector<ElementTree> trees = TRY(port->trees(asked, soon()));
  actions::ElementsSeen seen;
  std::vector<Element> flat;
  std::vector<ElementKey> keys;
  for (const ElementTree& tree : trees) {
    seen.any = seen.any || tree.elements.size() > 1;
    seen.complete = seen.complete && tree.complete;
    seen.left_out += tree.left_out;
    if (!tree.complete) seen.why = tree.why;
    for (std::size_t i = 0; i < tree.elements.size(); ++i) {
      flat.push_back(tree.elements[i]);
      flat.back().name = shown_name(tree, i);
      keys.push_back(key_of(tree, i));
    }
  }
  if (!request.interactive) {
    for (std::size_t i = 0; i < flat.size() && seen.elements.size() < request.most; ++i) {
      seen.elements.push_back({0, keys[i], flat[i]});
    }
    seen.left_out += flat.size() - seen.elements.size();
    return seen;
  }
  const Size points{static_cast<int>(visible.width), static_cast<int>(visible.height)};
  const auto marked = vision::select_marks(flat, visible, points, flat.size());
  for (const vision::MarkedElement& mark : marked) {
    if (seen.elements.size() == request.most) break;
    seen.elements.push_back({mark.mark.number, keys[mark.element], flat[mark.element]});
  }
  seen.left_out += marked.size() - seen.elements.size();
  return seen;
}

void CallContext::remember(const actions::ElementsSeen& seen) {
  KnownElements known{{}, seen.look, seen.window};
  for (const actions::SeenElement& each : seen.elements) known.all.push_back({each.number, each.key, each.element});
  session_.remember_elements(std::move(known));
}

actions::ElementsSeen CallContext::remembered() const {
  actions::ElementsSeen seen;
  KnownElements known = session_.elements();
  seen.look = std::move(known.look);
  seen.window = known.window;
  for (KnownElement& each : known.all) seen.elements.push_back({each.number, each.key, std::move(each.told)});
  return seen;
}

Result<actions::SeenElement> CallContext::element(int number) {
  TRY(require(computer_.accessibility(), "accessibility"));
  const std::vector<KnownElement> known = session_.elements().all;
  if (known.empty()) {
    return make_error(Code::target_stale, "No elements are numbered yet.")
        .with_hint("Capture the app first; its reply numbers the elements.");
  }
  const auto found = std::ranges::find(known, number, &KnownElement::number);
  if (found == known.end()) {
    return make_error(
               Code::argument_invalid,
               fmt::format("There is no element {} in the last capture, which numbered {}.", number, known.size()))
        .with_field("element", "a number of the last capture");
  }
  return actions::SeenElement{number, found->key, TRY(read(found->key))};
}

Result<Element> CallContext::read(const ElementKey& key) {
  Accessibility* port = TRY(require(computer_.accessibility(), "accessibility"));
  TRY(must_be_granted(key.pid));
  return port->read(key, soon());
}

Result<std::optional<actions::SeenElement>> CallContext::element_at(Point at) {
  std::optional<actions::SeenElement> best;
  Targets* targets = computer_.targets();
  if (computer_.accessibility() == nullptr || targets == nullptr) return best;
  const auto target = session_.target();
  if (!target || target->screen) return best;
  actions::ElementsRequest request;
  request.target = *target;
  request.most = 1000;
  const actions::ElementsSeen seen = TRY(elements(request));
  for (const actions::SeenElement& each : seen.elements) {
    const Rect& bounds = each.element.bounds;
    const bool smaller =
        !best || bounds.width * bounds.height <= best->element.bounds.width * best->element.bounds.height;
    if (bounds.contains(at) && smaller) best = each;
  }
  return best;
}

Result<bool> CallContext::in_front() {
  const auto target = session_.target();
  if (!target) {
    return make_error(Code::target_stale, "No window is aimed at yet.")
        .with_hint("Capture one first: name its app, or a window of list_windows.");
  }
  if (target->screen) return true;
  Windows* windows = TRY(require(computer_.windows(), "window control"));
  const std::vector<Window> list = TRY(windows->list(soon()));
  return std::ranges::any_of(list, [&](const Window& window) { return window.focused && window.id == target->window; });
}

void CallContext::use_field(const actions::SeenElement& field) {
  if (!call_.dry_run) runner_.use_field(field.key);
}

Result<std::optional<actions::SeenElement>> CallContext::field_in_use(const Target& target) {
  std::optional<actions::SeenElement> found;
  const std::optional<ElementKey>& key = runner_.field_in_use();
  if (!key || target.screen || key->pid != target.pid) return found;
  auto now = read(*key);
  if (!now.ok()) {
    if (now.error().code == Code::target_stale) return found;
    return now.error();
  }
  if (now->window != 0 && now->window != target.window) return found;
  found = actions::SeenElement{0, *key, std::move(now).value()};
  return found;
}

Result<std::optional<actions::SeenElement>> CallContext::focused_element(const Target& target) {
  std::optional<actions::SeenElement> found;
  Accessibility* port = computer_.accessibility();
  if (port == nullptr || target.screen) return found;
  TRY(must_be_granted(target.pid));
  const auto focused = TRY(port->focused(target.pid, soon()));
  if (!focused) return found;
  found = actions::SeenElement{0, focused->key, focused->element};
  return found;
}

}  // namespace handrail::engine
