#include "platform/atspi/element_places.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "platform/atspi/roles.h"

namespace handrail::atspi {
namespace {

constexpr double kNear = 2;
constexpr double kMostShadow = 160;  // that an app draws around its window, both sides together

bool near(double a, double b) { return std::abs(a - b) <= kNear; }
bool same_size(const Rect& a, const Rect& b) { return near(a.width, b.width) && near(a.height, b.height); }
bool same_place(const Rect& a, const Rect& b) { return same_size(a, b) && near(a.x, b.x) && near(a.y, b.y); }
double area(const Rect& a) { return a.empty() ? 0 : a.width * a.height; }

std::optional<double> ratio(const Rect& told, const Rect& real) {
  const double k = real.width / told.width;
  if (!(k >= 0.25 && k <= 4) || std::abs(real.height - told.height * k) > kNear * std::max(1.0, k)) return std::nullopt;
  return k;
}

// How well a window fits; the highest wins.
struct Fit {
  int rank = 0;
  Placing placing;
};

Fit fit_on_screen(const Rect& told, const AppWindow& real) {
  const std::array<Rect, 3> boxes{real.whole, real.content, real.frame};
  for (const Rect& box : boxes) {
    if (same_place(told, box)) return {60, {&real, told, told, 1, real.frame}};
  }
  for (const Rect& box : boxes) {
    if (same_size(told, box)) return {40, {&real, told, box, 1, real.frame}};
  }
  for (const Rect& box : boxes) {
    if (const auto k = ratio(told, box)) return {20, {&real, told, box, *k, real.frame}};
  }
  // Elsewhere in size, but it is the place that counts.
  if (area(intersect(told, real.frame)) * 2 > area(told)) return {10, {&real, told, told, 1, real.frame}};
  return {};
}

Fit fit_in_window(const Rect& told, const AppWindow& real) {
  const double wide = real.whole.width - told.width, high = real.whole.height - told.height;
  if (same_size(told, real.content)) return {60, {&real, told, real.content, 1, real.content}};
  if (wide >= 0 && high >= 0 && wide <= kMostShadow && high <= kMostShadow) {
    return {40, {&real, told, real.content, 1, real.content}};
  }
  if (const auto k = ratio(told, real.content)) return {20, {&real, told, real.content, *k, real.content}};
  return {};
}

bool opens_apart(std::uint32_t role) {
  return role == kMenu || role == kPopupMenu || role == kWindow || role == kDialog || role == kAlert ||
         role == kToolTip;
}

bool clips(std::uint32_t role, const std::string& toolkit) {
  // Widgets of Qt never paint outside of their parents; scrolled windows of GTK 4 have no role of their own.
  if (toolkit == "Qt" || toolkit == "GTK") return true;
  return role == kScrollPane || role == kViewport || role == kInternalFrame || role == kDocumentFrame ||
         role == kDocumentWeb;
}

// The window of its own that a menu, a list of choices or a tip is in.
const AppWindow* window_apart(const Rect& at, const AppWindow* now, bool may_overlap,
                              const std::vector<AppWindow>& windows) {
  const AppWindow* best = nullptr;
  double most = area(at) / 2;
  for (const AppWindow& window : windows) {
    if (&window == now) continue;
    if (same_place(at, window.whole) || same_place(at, window.content)) return &window;
    const double covered = may_overlap ? area(intersect(at, window.whole)) : 0;
    if (covered > most) {
      most = covered;
      best = &window;
    }
  }
  return best;
}

// What opens over a window of GTK 4 has a window of its own, and says where that would be if it began at the corner of
// what opened it. Its size is told well, but for the arrow on top.
bool is_popover(const Node& node, const std::string& toolkit) {
  const std::string_view name = node.name;
  return toolkit == "GTK" && (name == "GtkPopover" || name == "GtkPopoverMenu" || name == "GtkTreePopover");
}

std::optional<Placing> place_popover(const Rect& told, const AppWindow* below, const std::vector<AppWindow>& windows) {
  constexpr double kArrow = 20;
  for (const AppWindow& window : windows) {
    const Rect& real = window.whole;
    const double higher = real.height - told.height;
    if (&window == below || !near(real.width, told.width) || higher < -kNear || higher > kArrow) continue;
    return Placing{&window, told, {real.x, real.y + higher, told.width, told.height}, 1, window.frame};
  }
  return std::nullopt;
}

struct Where {
  std::optional<Placing> placing;
  Rect clip;
  bool in_combo = false;  // of Qt: what it opens is in it all the time
  Rect told;
};

class Placer {
 public:
  Placer(const Mirror& app, const Scene& scene) : app_(app), scene_(scene) {}

  // Where it is, given where its parent is; `element` gets its bounds and its window.
  Where place(const Chosen& chosen, const Where* parent, Element& element) const {
    const Node& node = *chosen.node;
    const Rect told = points(node.at);
    const bool shows = node.placed && has_place(told) && passes(node, app_.toolkit, true);
    Where where = parent != nullptr ? *parent : Where();
    if (chosen.parent < 0 && shows) {
      where.placing = place_window(app_.toolkit, told, node.name, scene_.windows);
      if (!where.placing && places_on_screen(app_.toolkit)) where.placing = Placing{nullptr, told, told, 1, told};
      if (where.placing) where.clip = where.placing->clip;
    }
    if (where.placing && shows && is_popover(node, app_.toolkit)) {
      where.placing = place_popover(told, where.placing->window, scene_.windows);
      if (where.placing) where.clip = where.placing->clip;
    }
    if (!where.placing) return where;
    element.window = where.placing->window != nullptr ? where.placing->window->id : 0;
    if (!shows) return where;
    // What fills another widget is where that one is, whatever it says.
    if (parent != nullptr && mixes_widgets(app_.toolkit, app_.name) && same_size(told, parent->told)) {
      where.placing->from.x += told.x - parent->told.x;
      where.placing->from.y += told.y - parent->told.y;
    }
    where.told = told;
    Rect at = (*where.placing)(told);
    const bool choices = where.in_combo;
    where.in_combo = node.role == kComboBox && app_.toolkit == "Qt";
    if (choices) {
      const AppWindow* open = window_apart(at, where.placing->window, true, scene_.windows);
      if (open == nullptr) {
        where.placing.reset();
        return where;
      }
      where.placing->window = open;
      where.clip = where.placing->clip = open->frame;
      element.window = open->id;
    }
    if (chosen.parent >= 0 && places_on_screen(app_.toolkit)) move_apart(node, at, where, element);
    element.bounds = intersect(at, where.clip);
    if (clips(node.role, app_.toolkit)) where.clip = element.bounds;
    return where;
  }

 private:
  Rect points(const Rect& r) const {
    return {r.x / scene_.scale, r.y / scene_.scale, r.width / scene_.scale, r.height / scene_.scale};
  }

  void move_apart(const Node& node, const Rect& at, Where& where, Element& element) const {
    const bool hidden = intersect(at, where.clip).empty();
    if (!opens_apart(node.role) && !hidden) return;
    const AppWindow* apart = window_apart(at, where.placing->window, opens_apart(node.role), scene_.windows);
    if (apart == nullptr) return;
    where.placing->window = apart;
    where.clip = where.placing->clip = apart->frame;
    element.window = apart->id;
  }

  const Mirror& app_;
  const Scene& scene_;
};

// The list in the order of reading: each element followed by all that is in it.
std::vector<int> reading_order(const std::vector<Chosen>& chosen) {
  std::vector<std::vector<int>> children(chosen.size() + 1);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    children[static_cast<std::size_t>(chosen[i].parent + 1)].push_back(static_cast<int>(i));
  }
  std::vector<int> order, stack(children[0].rbegin(), children[0].rend());
  while (!stack.empty()) {
    const int next = stack.back();
    stack.pop_back();
    order.push_back(next);
    const auto& own = children[static_cast<std::size_t>(next + 1)];
    stack.insert(stack.end(), own.rbegin(), own.rend());
  }
  return order;
}

}  // namespace

bool mixes_widgets(const std::string& toolkit, const std::string& name) {
  return toolkit == "gtk" && name == "soffice";
}

Rect Placing::operator()(const Rect& told) const {
  return {to.x + (told.x - from.x) * scale, to.y + (told.y - from.y) * scale, told.width * scale, told.height * scale};
}

std::optional<Placing> place_window(const std::string& toolkit, const Rect& told, const std::string& title,
                                    const std::vector<AppWindow>& windows) {
  Fit best;
  for (const AppWindow& window : windows) {
    Fit fit = places_on_screen(toolkit) ? fit_on_screen(told, window) : fit_in_window(told, window);
    const bool titled = !title.empty() && window.title == title;
    if (fit.rank == 0 && titled) fit = {1, {&window, told, window.content, 1, window.content}};
    if (fit.rank > 0 && titled) fit.rank += 15;
    if (fit.rank > best.rank) best = fit;
  }
  return best.rank > 0 ? std::optional(best.placing) : std::nullopt;
}

std::vector<Element> place_elements(const Mirror& app, const std::vector<Chosen>& chosen, const Scene& scene,
                                    bool showing, std::optional<WindowId> only) {
  const Placer placer(app, scene);
  std::vector<Element> all(chosen.size());
  std::vector<Where> where(chosen.size());
  std::vector<bool> kept(chosen.size(), true);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Node& node = *chosen[i].node;
    Element& element = all[i];
    element.id = {app.service, node.path};
    element.place = chosen[i].place;
    element.depth = chosen[i].depth;
    element.role = role_name(node.role);
    element.name = node.name;
    element.description = node.description;
    element.value = node.value;
    element.states = states_of(node.role, node.states);
    const Where* parent = chosen[i].parent < 0 ? nullptr : &where[static_cast<std::size_t>(chosen[i].parent)];
    where[i] = placer.place(chosen[i], parent, element);
    // Without windows nobody knows where things are, but the app may say that they show.
    const bool shows = scene.known || where[i].placing ? !element.bounds.empty() : passes(node, app.toolkit, true);
    element.states.set(ElementState::showing, shows);
    kept[i] = (!showing || shows) && (!only || element.window == *only);
  }
  // What holds something that is kept is kept.
  for (std::size_t i = chosen.size(); i-- > 0;) {
    if (kept[i] && chosen[i].parent >= 0) kept[static_cast<std::size_t>(chosen[i].parent)] = true;
  }
  std::vector<Element> elements;
  std::vector<int> now(chosen.size(), -1);
  for (const int i : reading_order(chosen)) {
    const auto at = static_cast<std::size_t>(i);
    if (!kept[at]) continue;
    now[at] = static_cast<int>(elements.size());
    all[at].parent = chosen[at].parent < 0 ? -1 : now[static_cast<std::size_t>(chosen[at].parent)];
    elements.push_back(std::move(all[at]));
  }
  return elements;
}

}  // namespace handrail::atspi
