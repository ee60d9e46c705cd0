#include "platform/atspi/tree_reader.h"

#include <algorithm>
#include <memory>

#include "platform/atspi/cache_items.h"
#include "platform/atspi/chosen.h"
#include "platform/atspi/requests.h"
#include "platform/atspi/roles.h"
#include "platform/atspi/told_text.h"

namespace handrail::atspi {
namespace {

constexpr std::size_t kInFlight = 192;
// For an app that did not answer the last time.
constexpr Millis kMutePatience{150};
// A tree that takes longer to tell at once is walked.
constexpr Millis kBulkPatience{500};

// Of Properties.GetAll; false when what is needed is not among them.
bool read_properties(sd_bus_message* answer, Node& node) {
  if (answer == nullptr || sd_bus_message_enter_container(answer, 'a', "{sv}") < 0) return false;
  bool counted = false;
  while (sd_bus_message_enter_container(answer, 'e', "sv") > 0) {
    const char *key = nullptr, *text = nullptr;
    if (sd_bus_message_read(answer, "s", &key) <= 0) return false;
    const std::string_view name = key;
    int read = 1;
    if (name == "Name") {
      read = sd_bus_message_read(answer, "v", "s", &text);
      if (read > 0) node.name = told_text(text, kLongestName);
    } else if (name == "Description") {
      read = sd_bus_message_read(answer, "v", "s", &text);
      if (read > 0) node.description = told_text(text, kLongestName);
    } else if (name == "ChildCount") {
      read = sd_bus_message_read(answer, "v", "i", &node.child_count);
      counted = read > 0;
    } else {
      read = sd_bus_message_skip(answer, "v");
    }
    if (read < 0 || sd_bus_message_exit_container(answer) < 0) return false;
  }
  return counted;
}

}  // namespace

void TreeReader::ask(Message request, Reply reply, Millis patience) {
  queue_.push_back({std::move(request), std::move(reply), patience});
}

void TreeReader::pump() {
  while (in_flight_ < kInFlight && !queue_.empty() && !bus_.lost()) {
    Request next = std::move(queue_.front());
    queue_.pop_front();
    ++in_flight_;
    auto answered = [this, reply = std::move(next.reply)](sd_bus_message* answer) {
      --in_flight_;
      if (bus_.late() || bus_.lost()) return;
      last_answer_ = Clock::now();
      reply(answer);
      work();
      pump();
      if (in_flight_ == 0 && queue_.empty()) advance();
    };
    bus_.send(std::move(next.message), std::move(answered), next.patience);
  }
}

void TreeReader::start() {
  const Millis patience = app_.mute ? kMutePatience : Millis(std::chrono::minutes(1));
  const auto ask_root = [&](const char* interface, const char* name, Reply reply) {
    ask(property_request(bus_, app_.service, kRoot, interface, name), std::move(reply), patience);
  };
  if (!app_.met || want_.anew) {
    ask_root("org.a11y.atspi.Application", "ToolkitName",
             [this](sd_bus_message* answer) { app_.toolkit = read_string_property(answer); });
    ask_root(kAccessible, "Name", [this](sd_bus_message* answer) { app_.name = read_string_property(answer); });
  }
  // Behind it, whatever the app said before is known.
  ask(
      bus_.call(app_.service, kRoot, kAccessible, "GetRole"),
      [this](sd_bus_message* answer) {
        stuck_ = answer == nullptr && bus_.gave_up();
        if (stuck_) return;
        app_.met = true;
        app_.answers = answer != nullptr;
      },
      patience);
  pump();
}

bool TreeReader::at_once() const {
  if (app_.no_bulk || too_large_) return false;
  if (app_.toolkit == "gtk" || app_.toolkit == "GTK") return true;
  // A page is long and little of it shows.
  return !want_.showing && (app_.toolkit == "Chromium" || app_.toolkit == "Gecko");
}

// Nothing is on its way: on to what comes next.
void TreeReader::advance() {
  if (stuck_) return;
  if (phase_ == Phase::greet) {
    if (!app_.answers) {
      phase_ = Phase::done;
    } else if (!app_.embedded && app_.toolkit == "GTK") {
      ask_registry();
    } else if (!want_.anew) {
      walk();
    } else if (!at_once()) {
      app_.nodes.clear();
      walk();
    } else if (app_.bulk) {
      take_all();
    } else {
      probe();
    }
  } else if (phase_ == Phase::registry) {
    phase_ = app_.embedded ? Phase::greet : Phase::done;
    return app_.embedded ? advance() : void();
  } else if (phase_ == Phase::probe) {
    if (at_once()) {
      take_all();
    } else {
      app_.nodes.clear();
      walk();
    }
  } else if (phase_ == Phase::bulk) {
    walk();
  } else if (phase_ == Phase::walk) {
    details();
  } else {
    phase_ = Phase::done;
    return;
  }
  pump();
  if (in_flight_ == 0 && queue_.empty() && phase_ != Phase::done && !bus_.lost()) advance();
}

// GTK 4 does not survive to be asked for its tree before the registry has answered it.
void TreeReader::ask_registry() {
  phase_ = Phase::registry;
  ask(bus_.call("org.a11y.atspi.Registry", kRoot, kAccessible, "GetChildren"), [this](sd_bus_message* answer) {
    if (answer == nullptr || sd_bus_message_enter_container(answer, 'a', "(so)") < 0) return;
    const char *owner = nullptr, *path = nullptr;
    while (sd_bus_message_read(answer, "(so)", &owner, &path) > 0)
      app_.embedded = app_.embedded || app_.service == owner;
  });
}

// A huge tree in one message would take longer than anybody waits. It shows near the top.
void TreeReader::probe() {
  phase_ = Phase::probe;
  const auto most = static_cast<std::int32_t>(std::min<std::size_t>(want_.most, 100'000));
  const auto count = [this, most](const std::string& path, bool down) {
    ask(property_request(bus_, app_.service, path, kAccessible, "ChildCount"), [=, this](sd_bus_message* answer) {
      const std::optional<std::int32_t> children = read_int_property(answer);
      if (!children || *children > most) too_large_ = true;
      if (!children || !down || too_large_) return;
      constexpr std::int32_t kLooked = 16;
      for (std::int32_t i = 0; i < std::min(*children, kLooked); ++i) {
        ask(child_request(bus_, app_.service, path, i), [this, most](sd_bus_message* child) {
          const std::string object = read_object(child, app_.service);
          if (object.empty()) return;
          ask(property_request(bus_, app_.service, object, kAccessible, "ChildCount"),
              [this, most](sd_bus_message* grandchildren) {
                if (read_int_property(grandchildren).value_or(0) > most) too_large_ = true;
              });
        });
      }
    });
  };
  count(kRoot, true);
}

void TreeReader::take_all() {
  phase_ = Phase::bulk;
  ask(
      bus_.call(app_.service, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems"),
      [this](sd_bus_message* answer) {
        std::optional<std::vector<CacheItem>> items;
        if (answer != nullptr) items = read_items(answer, app_.service);
        app_.bulk = items && !items->empty();
        app_.no_bulk = !app_.bulk;
        app_.nodes = app_.bulk ? join_items(std::move(*items)) : Nodes();
        // GTK 4 says that its root has no children.
        app_.nodes[kRoot].listed = false;
        app_.nodes[kRoot].child_count = -1;
      },
      kBulkPatience);
}

void TreeReader::walk() {
  phase_ = Phase::walk;
  todo_.push_back({kRoot, -1});
  work();
}

void TreeReader::work() {
  while (!todo_.empty()) {
    const Todo next = std::move(todo_.front());
    todo_.pop_front();
    visit(next);
  }
}

void TreeReader::visit(const Todo& todo) {
  // The root is not one of the elements.
  if (todo.path.empty() || visited_.size() > want_.most || !visited_.insert(todo.path).second) return;
  Node& node = app_.nodes[todo.path];
  node.path = todo.path;
  if (!node.has_states) {
    ask_state(node, todo.depth);
  } else if (!node.described && passes(node, app_.toolkit, want_.showing)) {
    describe(node, todo.depth);
  } else {
    expand(node, todo.depth);
  }
}

// Whether it shows decides whether anything else is of interest.
void TreeReader::ask_state(Node& node, int depth) {
  ask(bus_.call(app_.service, node.path, kAccessible, "GetState"), [this, &node, depth](sd_bus_message* answer) {
    if (answer == nullptr) return;
    node.states = read_states(answer);
    node.has_states = true;
    if (want_.showing && passes(node, app_.toolkit, true)) describe(node, depth);
  });
  if (!want_.showing) describe(node, depth);
}

void TreeReader::describe(Node& node, int depth) {
  const auto open = std::make_shared<int>(0);
  const auto known = std::make_shared<bool>(true);
  const auto part = [&](Message request, std::function<bool(sd_bus_message*)> take) {
    ++*open;
    ask(std::move(request), [=, this, &node](sd_bus_message* answer) {
      if (!take(answer)) *known = false;
      if (--*open > 0) return;
      node.described = *known;
      if (node.described) expand(node, depth);
    });
  };
  const auto get = [&](const char* name) { return property_request(bus_, app_.service, node.path, kAccessible, name); };
  part(bus_.call(app_.service, node.path, kAccessible, "GetRole"), [&node](sd_bus_message* answer) {
    return answer != nullptr && sd_bus_message_read(answer, "u", &node.role) > 0;
  });
  if (app_.toolkit == "Qt" || node.path == kRoot) {
    part(get("Name"), [&node](sd_bus_message* answer) {
      node.name = read_string_property(answer);
      return answer != nullptr;
    });
    part(get("Description"), [&node](sd_bus_message* answer) {
      node.description = read_string_property(answer);
      return true;
    });
    part(get("ChildCount"), [&node](sd_bus_message* answer) {
      node.child_count = read_int_property(answer).value_or(-1);
      return answer != nullptr;
    });
  } else {
    Message all = bus_.call(app_.service, node.path, "org.freedesktop.DBus.Properties", "GetAll");
    if (all && sd_bus_message_append(all.get(), "s", kAccessible) < 0) all.reset();
    part(std::move(all), [&node](sd_bus_message* answer) { return read_properties(answer, node); });
  }
}

void TreeReader::expand(Node& node, int depth) {
  if (!node.described || !passes(node, app_.toolkit, want_.showing)) return;
  if (depth + 1 >= kDeepestElement) return;
  if (has(node.states, StateBit::manages_descendants)) {
    if (node.child_count < 0) return count_rows(node, depth);
    if (node.child_count > kMostRows) return;
  }
  if (node.child_count == 0) node.listed = true;
  if (node.listed) {
    for (const std::string& child : node.children) todo_.push_back({child, depth + 1});
    return;
  }
  const std::size_t room = want_.most + 1 - std::min(want_.most + 1, visited_.size());
  if (room == 0) return;
  if (node.child_count < 0 || static_cast<std::size_t>(node.child_count) <= room) {
    list_children(node, depth);
  } else {
    list_first(node, depth, room);
  }
}

// What is told at once leaves out how many rows there are.
void TreeReader::count_rows(Node& node, int depth) {
  ask(property_request(bus_, app_.service, node.path, kAccessible, "ChildCount"),
      [this, &node, depth](sd_bus_message* answer) {
        node.child_count = std::max(0, read_int_property(answer).value_or(kMostRows + 1));
        expand(node, depth);
      });
}

void TreeReader::list_children(Node& node, int depth) {
  ask(bus_.call(app_.service, node.path, kAccessible, "GetChildren"), [this, &node, depth](sd_bus_message* answer) {
    if (answer == nullptr) return;
    const std::size_t most = want_.most + 1;
    node.children = read_object_list(answer, app_.service, most);
    node.cut = node.children.size() == most;
    node.child_count = std::max(node.cut ? node.child_count : 0, static_cast<std::int32_t>(node.children.size()));
    node.listed = true;
    for (const std::string& child : node.children) todo_.push_back({child, depth + 1});
  });
}

// More than anybody wants to know: one by one, from the first.
void TreeReader::list_first(Node& node, int depth, std::size_t room) {
  node.children.assign(room, {});
  node.listed = node.cut = true;
  for (std::size_t i = 0; i < room; ++i) {
    ask(child_request(bus_, app_.service, node.path, static_cast<std::int32_t>(i)),
        [this, &node, depth, i](sd_bus_message* answer) {
          node.children[i] = read_object(answer, app_.service);
          todo_.push_back({node.children[i], depth + 1});
        });
  }
}

// Where they are and what is in them: only of those that are wanted.
void TreeReader::details() {
  phase_ = Phase::details;
  Cut cut;
  for (const Chosen& chosen : choose(app_, want_.showing, want_.most, cut)) {
    Node& node = app_.nodes[chosen.node->path];
    const bool shows = passes(node, app_.toolkit, true);
    if (shows && (want_.places || !node.placed)) {
      ask(extents_request(bus_, app_.service, node.path, app_.toolkit), [&node](sd_bus_message* answer) {
        node.at = read_extents(answer);
        node.placed = true;
      });
    }
    node.value.clear();
    if (!want_.values || node.role == kPasswordText || !shows) continue;
    if (node.has_interfaces) {
      ask_value(node);
      continue;
    }
    ask(bus_.call(app_.service, node.path, kAccessible, "GetInterfaces"), [this, &node](sd_bus_message* answer) {
      if (answer == nullptr) return;
      node.interfaces = read_interfaces(answer);
      node.has_interfaces = true;
      ask_value(node);
    });
  }
}

void TreeReader::ask_value(Node& node) {
  if ((node.interfaces & kValue) != 0) {
    ask(property_request(bus_, app_.service, node.path, kValueInterface, "CurrentValue"),
        [&node](sd_bus_message* answer) { node.value = read_number_property(answer); });
  } else if ((node.interfaces & kText) != 0) {
    ask(property_request(bus_, app_.service, node.path, kTextInterface, "CharacterCount"),
        [this, &node](sd_bus_message* answer) {
          const std::int32_t count = read_int_property(answer).value_or(0);
          if (count <= 0) return;
          const auto most = static_cast<std::int32_t>(kLongestValue);
          ask(text_request(bus_, app_.service, node.path, std::min(count, most)), [&node](sd_bus_message* text) {
            const char* value = nullptr;
            if (text != nullptr && sd_bus_message_read(text, "s", &value) > 0) {
              node.value = told_text(value, kLongestValue, true);
            }
          });
        });
  }
}

}  // namespace handrail::atspi
