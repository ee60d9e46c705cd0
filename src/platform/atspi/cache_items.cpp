#include "platform/atspi/cache_items.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "platform/atspi/told_text.h"
#include "platform/atspi/tree_search.h"

namespace handrail::atspi {
namespace {

constexpr const char* kItem = "(so)(so)(so)iiassusau";
constexpr std::size_t kMostItems = 200'000;

bool read_item(sd_bus_message* answer, const std::string& service, CacheItem& item, bool& own) {
  const char *owner = nullptr, *path = nullptr, *app = nullptr, *app_path = nullptr;
  const char *parent_owner = nullptr, *parent = nullptr;
  Node& node = item.node;
  if (sd_bus_message_read(answer, "(so)(so)(so)ii", &owner, &path, &app, &app_path, &parent_owner, &parent, &item.place,
                          &node.child_count) <= 0) {
    return false;
  }
  own = service == owner;
  node.path = path;
  if (service == parent_owner) node.parent = parent;
  node.interfaces = read_interfaces(answer);
  const char *name = nullptr, *description = nullptr;
  if (sd_bus_message_read(answer, "sus", &name, &node.role, &description) <= 0) return false;
  node.name = told_text(name, kLongestName);
  node.description = told_text(description, kLongestName);
  node.states = read_states(answer);
  node.has_states = node.described = node.has_interfaces = true;
  return true;
}

}  // namespace

std::uint32_t interface_bit(const char* name) {
  constexpr std::array<std::pair<const char*, Interface>, 7> kNames{{{"Text", kText},
                                                                     {"EditableText", kEditableText},
                                                                     {"Value", kValue},
                                                                     {"Action", kAction},
                                                                     {"Selection", kSelection},
                                                                     {"Component", kComponent},
                                                                     {"Table", kTable}}};
  constexpr std::string_view kPrefix = "org.a11y.atspi.";
  if (std::strncmp(name, kPrefix.data(), kPrefix.size()) != 0) return 0;
  for (const auto& [known, bit] : kNames) {
    if (std::strcmp(name + kPrefix.size(), known) == 0) return bit;
  }
  return 0;
}

std::uint32_t read_interfaces(sd_bus_message* answer) {
  std::uint32_t bits = 0;
  if (sd_bus_message_enter_container(answer, 'a', "s") < 0) return bits;
  const char* name = nullptr;
  while (sd_bus_message_read(answer, "s", &name) > 0) bits |= interface_bit(name);
  sd_bus_message_exit_container(answer);
  return bits;
}

std::optional<std::vector<CacheItem>> read_items(sd_bus_message* answer, const std::string& service) {
  if (sd_bus_message_enter_container(answer, 'a', "((so)(so)(so)iiassusau)") < 0) return std::nullopt;
  std::vector<CacheItem> items;
  while (items.size() < kMostItems && sd_bus_message_enter_container(answer, 'r', kItem) > 0) {
    CacheItem item;
    bool own = false;
    if (!read_item(answer, service, item, own) || sd_bus_message_exit_container(answer) < 0) return std::nullopt;
    if (own) items.push_back(std::move(item));
  }
  return items;
}

Nodes join_items(std::vector<CacheItem> items) {
  struct Child {
    std::string parent, path;
    std::int32_t place;
  };
  std::vector<Child> children;
  Nodes nodes;
  nodes.reserve(items.size());
  for (CacheItem& item : items) {
    Child child{item.node.parent, item.node.path, item.place};
    std::string path = item.node.path;
    // Who is told twice is taken once.
    if (!nodes.try_emplace(std::move(path), std::move(item.node)).second) continue;
    children.push_back(std::move(child));
  }
  std::stable_sort(children.begin(), children.end(), [](const Child& a, const Child& b) {
    return std::tie(a.parent, a.place) < std::tie(b.parent, b.place);
  });
  for (auto first = children.begin(); first != children.end();) {
    const auto last =
        std::find_if(first, children.end(), [&](const Child& child) { return child.parent != first->parent; });
    const auto parent = nodes.find(first->parent);
    if (parent != nodes.end() && parent->second.child_count == last - first) {
      bool in_order = true;
      for (auto child = first; child != last; ++child) in_order = in_order && child->place == child - first;
      parent->second.listed = in_order;
      for (auto child = first; in_order && child != last; ++child) parent->second.children.push_back(child->path);
    }
    first = last;
  }
  // GTK 4 remembers of an app what it had before its first window came.
  for (auto& [path, node] : nodes) {
    if (node.child_count != 0) continue;
    if (path == kRoot) {
      node.child_count = -1;
    } else {
      node.listed = true;
    }
  }
  return nodes;
}

}  // namespace handrail::atspi
