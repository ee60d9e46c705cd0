#include "platform/atspi/tree_search.h"

#include <algorithm>
#include <set>

#include "platform/atspi/requests.h"

namespace handrail::atspi {
namespace {

constexpr std::size_t kMostNodes = 4000;
constexpr std::size_t kMostMatches = 256;
constexpr std::size_t kAtOnce = 96;
constexpr std::int32_t kWidest = 500;  // children that are looked at; lists and tables have more
constexpr std::uint32_t kApplication = 75;
constexpr int kDeepest = 64;

struct Node {
  std::string path;
  std::string window;
  std::uint32_t role = 0;
  std::uint64_t states = 0;
  std::int32_t children = 0;
  bool known = false;  // it said its role
};

// Objects of the same app; what another one shows inside is that one's to tell.
std::vector<std::string> read_objects(sd_bus_message* answer, const std::string& service, std::size_t most) {
  std::vector<std::string> paths;
  if (sd_bus_message_enter_container(answer, 'a', "(so)") < 0) return paths;
  const char *owner = nullptr, *path = nullptr;
  while (paths.size() < most && sd_bus_message_read(answer, "(so)", &owner, &path) > 0) {
    if (service == owner) paths.emplace_back(path);
  }
  return paths;
}

Message get_property(Bus& bus, const std::string& service, const std::string& path, const char* interface,
                     const char* name) {
  Message request = bus.call(service, path, "org.freedesktop.DBus.Properties", "Get");
  if (request && sd_bus_message_append(request.get(), "ss", interface, name) < 0) request.reset();
  return request;
}

class Search {
 public:
  Search(Bus& bus, std::string service, Deadline deadline)
      : bus_(bus), service_(std::move(service)), deadline_(deadline) {}

  Result<AppTree> below(const std::string& toolkit, const std::set<std::string>& objects) {
    tree_.toolkit = toolkit;
    tree_.answers = true;
    TRY(describe({objects.begin(), objects.end()}));
    for (const Node& node : nodes_) tree_.complete = tree_.complete && node.known;
    seen_ = objects;
    std::vector<Node> level = described(std::vector<std::string>(nodes_.size()));
    while (!level.empty()) level = TRY(descend(level));
    std::erase_if(tree_.found, [](const Found& found) { return found.role != kPasswordText; });
    TRY(find_windows());
    return std::move(tree_);
  }

  Result<AppTree> run() {
    TRY(describe({kRoot}));
    std::vector<Node> level = std::move(nodes_);
    if (level.empty() || !level.front().known) return std::move(tree_);
    tree_.answers = true;
    tree_.windows = static_cast<std::size_t>(std::max(0, level.front().children));
    bus_.send(get_property(bus_, service_, kRoot, "org.a11y.atspi.Application", "ToolkitName"),
              [this](sd_bus_message* answer) {
                const char* name = nullptr;
                if (answer != nullptr && sd_bus_message_read(answer, "v", "s", &name) > 0) tree_.toolkit = name;
              });
    // LibreOffice would go through the billions of cells of a sheet, and answer nobody meanwhile.
    bool can_match = true;
    bus_.send(get_property(bus_, service_, kRoot, kAccessible, "Name"), [&can_match](sd_bus_message* answer) {
      const char* name = nullptr;
      if (answer != nullptr && sd_bus_message_read(answer, "v", "s", &name) > 0) {
        can_match = std::string_view(name) != "soffice";
      }
    });
    TRY(bus_.settle(deadline_));
    if (can_match && TRY(by_matching())) return std::move(tree_);
    seen_.insert(kRoot);
    while (!level.empty()) level = TRY(descend(level));
    return std::move(tree_);
  }

 private:
  // Role, states and number of children of each, into nodes_.
  Status describe(const std::vector<std::string>& paths) {
    nodes_.assign(paths.size(), {});
    for (std::size_t first = 0; first < paths.size(); first += kAtOnce) {
      for (std::size_t i = first; i < std::min(paths.size(), first + kAtOnce); ++i) {
        Node& node = nodes_[i];
        node.path = paths[i];
        bus_.send(bus_.call(service_, node.path, kAccessible, "GetRole"), [&node](sd_bus_message* answer) {
          node.known = answer != nullptr && sd_bus_message_read(answer, "u", &node.role) > 0;
        });
        bus_.send(bus_.call(service_, node.path, kAccessible, "GetState"), [&node](sd_bus_message* answer) {
          if (answer != nullptr) node.states = read_states(answer);
        });
        bus_.send(get_property(bus_, service_, node.path, kAccessible, "ChildCount"), [&node](sd_bus_message* answer) {
          if (answer != nullptr) sd_bus_message_read(answer, "v", "i", &node.children);
        });
      }
      TRY(bus_.settle(deadline_));
    }
    return {};
  }

  void take(const Node& node) {
    const bool focused = has(node.states, StateBit::focused);
    const bool showing = has(node.states, StateBit::showing) || !tells_showing(tree_.toolkit);
    if (node.role == kPasswordText || focused) {
      tree_.found.push_back({node.path, node.window, node.role, focused, showing});
    }
  }

  // Lets the app search by itself, where it can: true when it did.
  Result<bool> by_matching() {
    std::set<std::string> paths;
    bool able = true;
    bus_.send(matches_request(bus_, service_, kRoot, 0, 1U << (kPasswordText - 32), kMostMatches),
              [&](sd_bus_message* answer) {
                able = answer != nullptr;
                if (!able) return;
                for (std::string& path : read_objects(answer, service_, kMostMatches)) paths.insert(std::move(path));
              });
    TRY(bus_.settle(deadline_));
    if (!able) return false;
    TRY(describe({paths.begin(), paths.end()}));
    for (const Node& node : nodes_) take(node);
    TRY(find_windows());
    tree_.by_itself = true;
    return true;
  }

  // Up from each field to the child of the root.
  Status find_windows() {
    std::vector<std::string> at;
    for (const Found& found : tree_.found) at.push_back(found.path);
    for (int depth = 0; depth < kDeepest; ++depth) {
      bool more = false;
      for (std::size_t i = 0; i < at.size(); ++i) {
        if (at[i].empty()) continue;
        more = true;
        bus_.send(get_property(bus_, service_, at[i], kAccessible, "Parent"), [this, &at, i](sd_bus_message* answer) {
          const char *owner = nullptr, *path = nullptr;
          const bool told =
              answer != nullptr && sd_bus_message_read(answer, "v", "(so)", &owner, &path) > 0 && service_ == owner;
          if (told && std::string_view(path) == kRoot) tree_.found[i].window = at[i];
          at[i] = told && std::string_view(path) != kRoot ? path : "";
        });
      }
      if (!more) break;
      TRY(bus_.settle(deadline_));
    }
    return {};
  }

  Result<std::vector<Node>> descend(const std::vector<Node>& parents) {
    std::vector<std::string> paths, windows;
    for (std::size_t first = 0; first < parents.size(); first += kAtOnce) {
      for (std::size_t i = first; i < std::min(parents.size(), first + kAtOnce); ++i) {
        bus_.send(bus_.call(service_, parents[i].path, kAccessible, "GetChildren"), [&, i](sd_bus_message* answer) {
          if (answer == nullptr) return;
          for (std::string& path : read_objects(answer, service_, kWidest)) {
            if (seen_.size() >= kMostNodes) tree_.complete = false;
            if (seen_.size() >= kMostNodes || !seen_.insert(path).second) continue;
            windows.push_back(parents[i].path == kRoot ? path : parents[i].window);
            paths.push_back(std::move(path));
          }
        });
      }
      TRY(bus_.settle(deadline_));
    }
    TRY(describe(paths));
    return described(std::move(windows));
  }

  // Takes what matters of nodes_, which are in these windows. Returns those that may have more below them.
  std::vector<Node> described(std::vector<std::string> windows) {
    std::vector<Node> next;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Node& node = nodes_[i];
      if (!node.known) continue;
      node.window = std::move(windows[i]);
      take(node);
      const bool shows =
          node.role == kApplication || has(node.states, StateBit::showing) || !tells_showing(tree_.toolkit);
      if (!shows || has(node.states, StateBit::manages_descendants) || node.children <= 0) continue;
      if (node.children > kWidest) tree_.complete = false;
      next.push_back(std::move(node));
    }
    return next;
  }

  Bus& bus_;
  std::string service_;
  Deadline deadline_;
  AppTree tree_;
  std::vector<Node> nodes_;
  std::set<std::string> seen_;
};

}  // namespace

std::uint64_t read_states(sd_bus_message* answer) {
  const void* words = nullptr;
  std::size_t bytes = 0;
  if (sd_bus_message_read_array(answer, 'u', &words, &bytes) < 0) return 0;
  const auto* word = static_cast<const std::uint32_t*>(words);
  std::uint64_t states = bytes >= 4 ? word[0] : 0;
  if (bytes >= 8) states |= std::uint64_t{word[1]} << 32;
  return states;
}

bool tells_showing(const std::string& toolkit) { return toolkit != "GTK"; }

bool is_browser(const std::string& toolkit) { return toolkit == "Chromium" || toolkit == "Gecko"; }

Result<bool> has_active_window(Bus& bus, const std::string& service, Deadline deadline) {
  std::vector<std::string> windows;
  bus.send(bus.call(service, kRoot, kAccessible, "GetChildren"), [&](sd_bus_message* answer) {
    if (answer != nullptr) windows = read_objects(answer, service, kWidest);
  });
  TRY(bus.settle(deadline));
  bool active = false;
  for (const std::string& window : windows) {
    bus.send(bus.call(service, window, kAccessible, "GetState"), [&active](sd_bus_message* answer) {
      active = active || (answer != nullptr && has(read_states(answer), StateBit::active));
    });
  }
  TRY(bus.settle(deadline));
  return active;
}

Result<AppTree> search_app(Bus& bus, const std::string& service, Deadline deadline) {
  return Search(bus, service, deadline).run();
}

Result<AppTree> search_below(Bus& bus, const std::string& service, const std::string& toolkit,
                             const std::set<std::string>& objects, Deadline deadline) {
  return Search(bus, service, deadline).below(toolkit, objects);
}

}  // namespace handrail::atspi
