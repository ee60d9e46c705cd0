// The part of a call that deals with elements: whose they are, which number means which, and whether it is still there.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "actions/plan/uncovered.h"
#include "base/nearest.h"
#include "base/one_line.h"
#include "engine/call_context.h"
#include "engine/fit_of_name.h"
#include "engine/reaction.h"
#include "policy/app_name.h"
#include "vision/marks.h"

namespace handrail::engine {
namespace {

Deadline soon() { return Deadline::in(kBackendPatience); }

Error gone(const Target& target) {
  return make_error(Code::target_stale, fmt::format("The window of {} is gone.", one_line(target.app)))
      .with_hint("Capture another window: name its app, a window of list_windows, or `screen` for all there is.");
}

// Names what to ask for, so that the grant is for this very program.
Error not_granted(const policy::Standing& standing, const std::string& id) {
  if (standing.kind == policy::StandingKind::denied) {
    return make_error(Code::access_denied,
                      fmt::format("{} is denied, by the owner's settings or as the kind of app that it is.",
                                  one_line(standing.app.name)))
        .with_hint("Do this part without it, or ask the person to do it.");
  }
  Error error = make_error(Code::access_denied, fmt::format("{} is not granted.", one_line(standing.app.name)));
  if (standing.kind != policy::StandingKind::not_granted || id.empty()) return error;
  return std::move(error).with_hint(fmt::format("Ask for it with request_access, as the app `{}`.", one_line(id)));
}

}  // namespace

Result<Target> CallContext::aim(const std::string& app, std::optional<WindowId> window) {
  if (app == "screen" && !window) {
    Target screen;
    screen.screen = true;
    return meant(screen);
  }
  Windows* windows = TRY(require(computer_.windows(), "window control"));
  Targets* targets = TRY(require(computer_.targets(), "window owners"));
  const std::vector<Window> list = TRY(windows->list(soon()));
  const auto last = session_.target();
  const bool as_before = app.empty() && !window;
  if (as_before) {
    if (!last) {
      return make_error(Code::target_stale, "No window is aimed at yet.")
          .with_hint("Capture one first: name its app, or a window of list_windows.");
    }
    if (last->screen) return meant(*last);
    window = last->window;
    const bool open = std::ranges::any_of(list, [&](const Window& each) { return each.id == last->window; });
    if (!open) return gone(*last);
  }
  struct Candidate {
    const Window* window;
    policy::Standing standing;
    Receiver owner;
    int fit;
  };
  std::vector<Candidate> found;
  std::vector<std::string> known;
  for (const Window& each : list) {
    if (window && each.id != *window) continue;
    const auto owner = targets->of(each.id, soon());
    if (!owner.ok()) continue;
    policy::Standing standing = session_.standing(*owner);
    const std::string name = one_line(standing.app.name.empty() ? each.app : standing.app.name);
    if (std::ranges::find(known, name) == known.end()) known.push_back(name);
    const int fits = window ? 3 : fit_of_name(app, each.app, owner->app, name);
    if (fits > 0) found.push_back({&each, std::move(standing), *owner, fits});
  }
  if (found.empty() && window) {
    return make_error(Code::target_stale, fmt::format("There is no window {} any more.", *window))
        .with_hint("List the windows, or capture the app by name.");
  }
  if (found.empty()) {
    return make_error(Code::not_found,
                      fmt::format("No open window belongs to an app called `{}`.", one_line(shortened(app, 60))))
        .with_field("app", known.empty() ? "an app that is open" : fmt::format("one of: {}", fmt::join(known, ", ")));
  }
  const int best = std::ranges::max_element(found, {}, &Candidate::fit)->fit;
  std::erase_if(found, [&](const Candidate& candidate) { return candidate.fit < best; });
  std::vector<std::string> names;
  for (const Candidate& candidate : found) {
    std::string name = one_line(candidate.standing.app.name);
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  if (names.size() > 1) {
    return make_error(Code::ambiguous,
                      fmt::format("`{}` fits several apps: {}.", one_line(shortened(app, 60)), fmt::join(names, ", ")))
        .with_field("app", "the full name of one of them");
  }
  // Of several windows the focused one, else the topmost; the list has the lowest first.
  const auto focused =
      std::ranges::find_if(found, [](const Candidate& candidate) { return candidate.window->focused; });
  const Candidate& chosen = focused != found.end() ? *focused : found.back();
  // Its process ended, and its window is about to go.
  if (as_before && chosen.standing.kind == policy::StandingKind::unidentified) return gone(*last);
  if (!chosen.standing.granted()) {
    return refused_look(not_granted(chosen.standing, policy::app_id(chosen.owner.app)), &chosen.owner);
  }
  Target target{false,
                chosen.standing.app.name,
                chosen.window->pid,
                chosen.window->id,
                chosen.window->title,
                chosen.window->bounds};
  if (std::exchange(moving_, false)) {
    // What a capture shows is no half of a movement, where that can be had at once.
    TRY(StillWatch(computer_, target).settle(kMomentOfRest, options_.stop));
  }
  return meant(std::move(target));
}

// A trial changes nothing for later calls.
Target CallContext::meant(Target target) {
  aimed_ = target;
  if (!call_.dry_run) session_.set_target(target);
  return target;
}

std::optional<Target> CallContext::last_target() const { return aimed_ ? aimed_ : session_.target(); }

// A grant may have gone since the app was aimed at.
Status CallContext::must_be_granted(std::int64_t pid) {
  Targets* targets = TRY(require(computer_.targets(), "window owners"));
  const auto owner = targets->of_process(pid, soon());
  if (owner.ok() && shows(*owner)) return {};
  if (!owner.ok() || !owner->app.known()) {
    return make_error(Code::target_stale, "The app has ended.")
        .with_hint("See which windows there are, and capture one.");
  }
  return refused_look(not_granted(session_.standing(*owner), policy::app_id(owner->app)), &*owner);
}

Error CallContext::refused_look(Error error, const Receiver* owner) {
  if (owner != nullptr) record_.reaches(*owner, session_.standing(*owner));
  error.gate = "target_granted";
  return error;
}

Result<actions::ElementsSeen> CallContext::elements(const actions::ElementsRequest& request) {
  look_began_ = Clock::now();
  Accessibility* port = TRY(require(computer_.accessibility(), "accessibility"));
  TreeRequest asked;
  asked.values = request.values;
  Rect visible = request.target.bounds;
  std::vector<Window> stack;
  std::map<std::int64_t, std::string> names;
  if (request.target.screen) {
    Windows* windows = TRY(require(computer_.windows(), "window control"));
    Targets* targets = TRY(require(computer_.targets(), "window owners"));
    stack = TRY(windows->list(soon()));
    std::erase_if(stack, [](const Window& window) { return !window.visible; });
    for (const Window& window : stack) {
      if (window.pid == 0 || names.contains(window.pid)) continue;
      const auto owner = targets->of(window.id, soon());
      if (!owner.ok()) continue;
      const policy::Standing standing = session_.standing(*owner);
      if (!standing.granted()) continue;
      asked.pids.push_back(window.pid);
      names.emplace(window.pid, standing.app.name);
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
      if (request.target.screen) flat.back().bounds = actions::plan::uncovered(flat.back(), tree.pid, stack);
      keys.push_back(key_of(tree, i));
    }
  }
  if (!request.interactive) {
    for (std::size_t i = 0; i < flat.size() && seen.elements.size() < request.most; ++i) {
      seen.elements.push_back({0, keys[i], flat[i], names[keys[i].pid]});
    }
    seen.left_out += flat.size() - seen.elements.size();
    if (request.values) read_options(seen.elements, trees);
    return seen;
  }
  const Size points{static_cast<int>(visible.width), static_cast<int>(visible.height)};
  const auto marked = vision::select_marks(flat, visible, points, flat.size());
  for (const vision::MarkedElement& mark : marked) {
    if (seen.elements.size() == request.most) break;
    const ElementKey& key = keys[mark.element];
    seen.elements.push_back({mark.mark.number, key, flat[mark.element], names[key.pid]});
  }
  seen.left_out += marked.size() - seen.elements.size();
  if (request.values) read_options(seen.elements, trees);
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
  Accessibility* port = TRY(require(computer_.accessibility(), "accessibility"));
  const KnownElements all = session_.elements();
  const std::vector<KnownElement>& known = all.all;
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
  TRY(must_be_granted(found->key.pid));
  TRY(must_be_meant(all, *found));
  if (call_.spec->acts() && !call_.dry_run && !only_plan_) {
    reaction_ = std::make_unique<ElementReaction>(computer_, found->key, found->told.window, session_.target());
  }
  std::vector<actions::SeenElement> one{{number, found->key, TRY(port->read(found->key, soon()))}};
  if (reaction_) reaction_->reads(one[0].element);
  if (one[0].element.role == "combo box" && one[0].element.value.empty()) {
    TreeRequest request;
    request.pids = {found->key.pid};
    read_options(one, TRY(port->trees(request, soon())));
  }
  return std::move(one[0]);
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
  const auto target = last_target();
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
  const auto target = last_target();
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
