#include "platform/atspi/accessibility.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/atspi/mirror_news.h"

namespace handrail::atspi {
namespace {

// For the whole of one question, whatever the apps do; for all of a tree, also what does not show, a little more.
constexpr Millis kPatience{1000};
constexpr Millis kWholePatience{1700};

const AppWatch::Also kAlso{
    {"object:state-changed", "object:property-change", "object:text-changed", "object:selection-changed",
     "object:bounds-changed", "object:visible-data-changed", "window:"},
    {"type='signal',interface='org.a11y.atspi.Event.Object',member='StateChanged'",
     "type='signal',interface='org.a11y.atspi.Event.Object',member='PropertyChange'",
     "type='signal',interface='org.a11y.atspi.Event.Object',member='TextChanged'",
     "type='signal',interface='org.a11y.atspi.Event.Object',member='SelectionChanged'",
     "type='signal',interface='org.a11y.atspi.Event.Object',member='BoundsChanged'",
     "type='signal',interface='org.a11y.atspi.Event.Object',member='VisibleDataChanged'",
     "type='signal',interface='org.a11y.atspi.Event.Window'",
     "type='signal',interface='org.a11y.atspi.Cache',member='RemoveAccessible'"},
    {},
    {}};

std::string why_cut(const Mirror& app, const Cut& cut, std::size_t most) {
  if (app.silenced) return "the app stopped answering";
  if (!app.embedded && app.toolkit == "GTK") return "the app is still starting";
  if (!app.current) return "the app took too long to tell all of it";
  if (cut.most) return fmt::format("the limit of {} elements", most);
  if (cut.depth) return fmt::format("it is deeper than {} levels", kDeepestElement);
  return "lists or tables that make their rows as they are asked for";
}

}  // namespace

AtspiAccessibility::AtspiAccessibility(BusAddress session_bus, WindowPlaces windows, Pace pace)
    : session_bus_(std::move(session_bus)), windows_(std::move(windows)), pace_(pace) {}

AtspiAccessibility::~AtspiAccessibility() = default;

Result<bool> AtspiAccessibility::connect(Deadline deadline) {
  if (!bus_) {
    const std::string session_bus = TRY(session_bus_());
    bus_ = TRY(Bus::dial_accessibility(session_bus, deadline));
    if (!bus_) return false;
    AppWatch::Also also = kAlso;
    also.heard = [this](std::int64_t pid) { heard(pid); };
    also.said = [this](const std::string& service, TreeEvent event) {
      const auto app = mirrors_.find(service);
      if (app != mirrors_.end()) hear_news(app->second, std::move(event));
    };
    watch_ = std::make_unique<AppWatch>(*bus_, std::move(also));
    pump_ = std::make_unique<BusPump>(*bus_, mutex_);
  }
  bus_->drain();
  TRY(watch_->start(deadline));
  TRY(watch_->update(deadline));
  const auto ended = [&](const auto& known) { return !watch_->pids().contains(known.first); };
  std::erase_if(mirrors_, ended);
  std::erase_if(hands_, ended);
  return true;
}

bool AtspiAccessibility::reachable(Deadline deadline) {
  const std::lock_guard lock(mutex_);
  if (bus_ && !bus_->lost()) return true;
  const Result<bool> connected = forget_lost(connect(deadline.within(kPatience)));
  return connected.ok() && *connected;
}

// In the order asked for.
std::vector<Mirror*> AtspiAccessibility::apps(const std::vector<std::int64_t>& pids) {
  std::vector<Mirror*> found;
  for (const std::int64_t wanted : pids) {
    for (const auto& [service, pid] : watch_->pids()) {
      if (pid != wanted) continue;
      Mirror& app = mirrors_[service];
      app.service = service;
      app.pid = pid;
      found.push_back(&app);
    }
  }
  return found;
}

std::uint64_t AtspiAccessibility::screen_changes() const {
  if (!windows_.changes) return 0;
  const auto count = windows_.changes();
  return count.ok() ? *count : 0;
}

Result<Scene> AtspiAccessibility::scene_of(const Mirror& app, std::optional<std::vector<AppWindow>>& seen) const {
  Scene scene;
  if (!windows_.all) return scene;
  if (!seen) seen = TRY(windows_.all());
  scene.known = true;
  std::copy_if(seen->begin(), seen->end(), std::back_inserter(scene.windows),
               [&](const AppWindow& window) { return window.pid == app.pid; });
  if (windows_.scale) scene.scale = std::max(1.0, windows_.scale());
  return scene;
}

Result<ElementTree> AtspiAccessibility::tree_of(Mirror& app, const TreeRequest& request) {
  ElementTree tree;
  tree.pid = app.pid;
  tree.app = app.name;
  tree.toolkit = app.toolkit;
  Cut cut;
  const std::vector<Chosen> chosen = choose(app, request.showing, request.most, cut);
  const Scene scene = TRY(scene_of(app, seen_));
  tree.elements = place_elements(app, chosen, scene, request.showing, request.window);
  // Known from another look.
  for (Element& element : tree.elements) {
    if (!request.values) element.value.clear();
  }
  tree.left_out = cut.left_out;
  tree.complete = app.current && !cut.most && !cut.depth && !cut.unbounded;
  if (!tree.complete) tree.why = why_cut(app, cut, request.most);
  return tree;
}

Result<std::vector<ElementTree>> AtspiAccessibility::find_trees(const TreeRequest& request, Deadline deadline) {
  std::vector<ElementTree> found;
  if (!TRY(connect(deadline))) return found;
  seen_.reset();
  const std::vector<Mirror*> asked = apps(request.pids);
  TRY(bring_up(asked, request, deadline));
  for (Mirror* app : asked) {
    if (!app->answers && !app->silenced) continue;
    ElementTree tree = TRY(tree_of(*app, request));
    if (!app->answers && tree.elements.empty() && !tree.complete) tree.why = "the app stopped answering";
    // A process may have several connections, of which one has the tree.
    if (!found.empty() && found.back().pid == tree.pid) {
      if (found.back().elements.size() < tree.elements.size()) found.back() = std::move(tree);
    } else {
      found.push_back(std::move(tree));
    }
  }
  return found;
}

void AtspiAccessibility::hang_up() {
  pump_.reset();
  mirrors_.clear();
  hands_.clear();
  watch_.reset();
  bus_.reset();
}

Result<std::vector<ElementTree>> AtspiAccessibility::trees(const TreeRequest& request, Deadline deadline) {
  const std::lock_guard lock(mutex_);
  return forget_lost(find_trees(request, deadline.within(request.showing ? kPatience : kWholePatience)));
}

Result<std::optional<FoundElement>> AtspiAccessibility::focused(std::int64_t pid, Deadline deadline) {
  TreeRequest request;
  request.pids = {pid};
  request.values = true;
  std::optional<FoundElement> found;
  for (const ElementTree& tree : TRY(trees(request, deadline))) {
    if (!tree.complete && tree.elements.empty()) return make_error(Code::timeout, "The app does not answer.");
    for (std::size_t i = 0; i < tree.elements.size(); ++i) {
      const Element& element = tree.elements[i];
      // The innermost: a list has it, and the row in it.
      if (element.states.has(ElementState::focused)) found = {key_of(tree, i), element};
    }
  }
  return found;
}

void AtspiAccessibility::heard(std::int64_t pid) {
  {
    const std::lock_guard lock(counts_mutex_);
    ++counts_[pid];
  }
  counted_.notify_all();
}

std::uint64_t AtspiAccessibility::count_of(const std::vector<std::int64_t>& pids) {
  std::uint64_t sum = 0;
  for (const std::int64_t pid : pids) {
    const auto count = counts_.find(pid);
    if (count != counts_.end()) sum += count->second;
  }
  return sum;
}

Result<std::uint64_t> AtspiAccessibility::change_count(const std::vector<std::int64_t>& pids, Deadline deadline) {
  {
    const std::lock_guard lock(mutex_);
    auto connected = forget_lost(connect(deadline.within(kPatience)));
    if (!connected.ok()) return connected.error();
  }
  const std::lock_guard lock(counts_mutex_);
  return count_of(pids);
}

Result<std::uint64_t> AtspiAccessibility::wait_for_change(const std::vector<std::int64_t>& pids, std::uint64_t seen,
                                                          Deadline deadline, std::stop_token stop) {
  TRY(change_count(pids, deadline));
  std::unique_lock lock(counts_mutex_);
  std::uint64_t now = 0;
  const bool passed = counted_.wait_until(lock, stop, deadline.at(), [&] {
    now = count_of(pids);
    return now > seen;
  });
  if (passed) return now;
  if (stop.stop_requested()) return make_error(Code::cancelled, "The wait was called off.");
  return make_error(Code::timeout, "Nothing changed in time.");
}

}  // namespace handrail::atspi
