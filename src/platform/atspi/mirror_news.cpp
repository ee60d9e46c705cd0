#include "platform/atspi/mirror_news.h"

#include <functional>
#include <string_view>

#include "platform/atspi/tree_search.h"

namespace handrail::atspi {
namespace {

constexpr std::size_t kMostSaid = 4000;
constexpr std::size_t kMostStrangers = 4000;
// Who may take a name from a label inside.
constexpr int kNamedAfter = 3;

// What it is about may have another place, or other company.
bool about_shape(const TreeEvent& event) {
  if (event.kind == "StateChanged") {
    return event.detail == "showing" || event.detail == "visible" || event.detail == "defunct";
  }
  if (event.kind == "PropertyChange") return event.detail == "accessible-parent" || event.detail == "accessible-role";
  return event.kind != "TextChanged" && event.kind != "SelectionChanged";
}

class News {
 public:
  explicit News(Mirror& app) : app_(app) {}

  void take(const TreeEvent& event) {
    if (event.kind == "ChildrenChanged") return children(event);
    if (event.kind == "RemoveAccessible") return removed(event);
    if (event.kind == "Window") return window(event);
    Node* node = find(event.object);
    if (event.kind == "StateChanged") return state(event, node);
    if (node == nullptr) return;
    if (event.kind == "PropertyChange") {
      property(event, *node);
    } else if (event.kind == "TextChanged") {
      node->valued = node->described = false;
    } else if (event.kind == "BoundsChanged") {
      bounds(*node);
    } else if (event.kind == "SelectionChanged") {
      node->valued = false;
      below(*node, [](Node& each) { each.has_states = false; });
    } else {
      below(*node, [](Node& each) { each.described = each.has_states = each.placed = each.valued = false; });
    }
  }

 private:
  Node* find(const std::string& path) {
    const auto found = app_.nodes.find(path);
    return found == app_.nodes.end() ? nullptr : &found->second;
  }

  // Itself and all that is known to be in it.
  void below(Node& top, const std::function<void(Node&)>& change) {
    std::unordered_set<std::string_view> seen;
    std::vector<Node*> left{&top};
    while (!left.empty()) {
      Node& node = *left.back();
      left.pop_back();
      if (!seen.insert(node.path).second) continue;
      for (const std::string& child : node.children) {
        if (Node* next = find(child)) left.push_back(next);
      }
      change(node);
    }
  }

  void list_again(Node& node) {
    node.listed = node.cut = false;
    for (const std::string& child : node.children) {
      if (Node* known = find(child)) known->place = -1;
    }
    // The root is asked at once: what it says of their number is not always true.
    if (node.path == kRoot) {
      node.child_count = -1;
    } else {
      node.described = false;
    }
  }

  // What is known of it and of all in it may be of another one that had its place.
  void forget(const std::string& path) {
    Node* top = find(path);
    if (top == nullptr || path == kRoot) return;
    std::vector<std::string> gone;
    below(*top, [&](Node& node) { gone.push_back(node.path); });
    for (const std::string& each : gone) {
      if (each != kRoot) app_.nodes.erase(each);
    }
  }

  // The tree should have it, unless it is in a part that does not show.
  void stranger(const std::string& path) {
    if (app_.strangers.contains(path)) return;
    app_.suspicious = true;
    if (app_.strangers.size() >= kMostStrangers) app_.strangers.clear();
    app_.strangers.insert(path);
  }

  void children(const TreeEvent& event) {
    if (Node* parent = find(event.object)) {
      list_again(*parent);
      if (event.child.empty()) below(*parent, [this](Node& node) { list_again(node); });
    } else {
      stranger(event.object);
    }
    forget(event.child);
  }

  void removed(const TreeEvent& event) {
    const Node* node = find(event.object);
    if (node == nullptr) return;
    for (auto& [path, each] : app_.nodes) {
      for (const std::string& child : each.children) {
        if (child != event.object) continue;
        list_again(each);
        break;
      }
    }
    forget(event.object);
  }

  // GTK says of what holds a new object only that it was laid out anew, which happens whenever something comes.
  void bounds(Node& node) {
    if (node.path != kRoot) list_again(node);
    below(node, [](Node& each) { each.placed = false; });
  }

  void window(const TreeEvent& event) {
    if (Node* node = find(event.object)) {
      node->has_states = node->placed = node->described = false;
    } else {
      stranger(event.object);
    }
    if (Node* root = find(kRoot)) list_again(*root);
  }

  void state(const TreeEvent& event, Node* node) {
    const bool inherited = event.detail == "showing" || event.detail == "visible" || event.detail == "enabled" ||
                           event.detail == "sensitive";
    if (node == nullptr) {
      if (event.detail == "showing" && event.on != 0) stranger(event.object);
      return;
    }
    if (event.detail == "defunct" && event.on != 0)
      return removed({"RemoveAccessible", {}, 0, std::string(event.object), {}});
    node->has_states = false;
    if (!inherited) return;
    const bool appears = event.detail == "showing" && event.on != 0;
    // Apps are free to say nothing of what does not show.
    if (appears) list_again(*node);
    below(*node, [&](Node& each) {
      each.has_states = each.placed = false;
      if (appears) each.valued = each.described = false;
    });
  }

  void property(const TreeEvent& event, Node& node) {
    if (event.detail == "accessible-value") {
      node.valued = false;
      return;
    }
    if (event.detail == "accessible-parent") app_.suspicious = true;
    node.described = node.valued = false;
    // Names are made of labels inside and beside.
    const Node* at = &node;
    for (int i = 0; i < kNamedAfter; ++i) {
      Node* parent = parent_of(*at);
      if (parent == nullptr || parent->path == kRoot) return;
      parent->described = false;
      for (const std::string& child : i == 0 ? parent->children : std::vector<std::string>()) {
        if (Node* beside = find(child)) beside->described = false;
      }
      at = parent;
    }
  }

  Node* parent_of(const Node& node) {
    if (parents_.empty()) {
      for (auto& [path, each] : app_.nodes) {
        for (const std::string& child : each.children) parents_.emplace(child, path);
      }
    }
    const auto found = parents_.find(node.path);
    return found == parents_.end() ? nullptr : find(found->second);
  }

  Mirror& app_;
  std::unordered_map<std::string, std::string> parents_;  // as they were at the first question
};

}  // namespace

void hear_news(Mirror& app, TreeEvent event) {
  if (!app.met || app.said_too_much) return;
  if (app.said.size() < kMostSaid) {
    app.said.push_back(std::move(event));
    return;
  }
  app.said_too_much = true;
  app.said.clear();
}

Said take_news(Mirror& app) {
  Said said = app.said.empty() ? Said::nothing : Said::words;
  if (app.said_too_much) app.suspicious = true;
  News news(app);
  for (const TreeEvent& event : app.said) {
    if (about_shape(event)) said = Said::shape;
    news.take(event);
  }
  app.said.clear();
  app.said_too_much = false;
  return said;
}

void look_anew(Mirror& app) {
  for (auto& [path, node] : app.nodes) {
    node.placed = false;
    node.has_states = path == kRoot || (node.sparse && node.has_states);
  }
}

std::size_t disagreements(const Nodes& before, const Nodes& fresh) {
  std::size_t count = 0;
  for (const auto& [path, now] : fresh) {
    const auto found = before.find(path);
    if (found == before.end() || path == kRoot) continue;
    const Node& then = found->second;
    const bool words = then.described && now.described &&
                       (then.role != now.role || then.name != now.name || then.description != now.description);
    const bool states = then.has_states && now.has_states && then.states != now.states;
    const bool children = then.listed && now.listed && then.children != now.children;
    const bool value = then.valued && now.valued && then.value != now.value;
    if (words || states || children || value) ++count;
  }
  return count;
}

}  // namespace handrail::atspi
