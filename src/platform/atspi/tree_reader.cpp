#include "platform/atspi/tree_reader.h"

#include <algorithm>

#include "platform/atspi/cache_items.h"
#include "platform/atspi/requests.h"
#include "platform/atspi/tree_search.h"

namespace handrail::atspi {
namespace {

constexpr std::size_t kInFlight = 192;
// For an app that did not answer the last time.
constexpr Millis kMutePatience{150};
// A tree that takes longer to tell at once is walked. All of it, also what does not show, takes as long to walk.
constexpr Millis kBulkPatience{500};
constexpr Millis kWholePatience{1200};

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
    ask_root(kAccessible, "ChildCount", [this](sd_bus_message* answer) { root_count_ = read_int_property(answer); });
  }
  // Behind it, whatever the app said before is known.
  ask(
      bus_.call(app_.service, kRoot, kAccessible, "GetRole"),
      [this](sd_bus_message* answer) {
        stuck_ = answer == nullptr && bus_.gave_up();
        if (stuck_) return;
        app_.met = true;
        app_.answers = answer != nullptr && sd_bus_message_read(answer, "u", &root_role_) > 0;
      },
      patience);
  pump();
}

bool TreeReader::at_once() const {
  if (app_.no_bulk || too_large_) return false;
  if (app_.toolkit == "gtk" || app_.toolkit == "GTK") return true;
  // A page is long and little of it shows.
  return !want_.showing && is_browser(app_.toolkit);
}

// Nothing is on its way: on to what comes next.
void TreeReader::advance() {
  if (stuck_) return;
  if (phase_ == Phase::greet) {
    if (!app_.answers) {
      phase_ = Phase::done;
    } else if (!app_.embedded && app_.toolkit == "GTK") {
      ask_registry();
    } else if (can_search() && (want_.anew || want_.shown)) {
      if (want_.anew) forget_all();
      search_shown();
    } else if (!want_.anew) {
      walk();
    } else if (!at_once()) {
      forget_all();
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
      forget_all();
      walk();
    }
  } else if (phase_ == Phase::search) {
    if (!link_shown()) {
      // It is walked from now on.
      app_.no_search = true;
      app_.nodes.clear();
    }
    walk();
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
  too_large_ = !root_count_ || *root_count_ > most;
  if (too_large_) return;
  const auto count = [this, most](const std::string& object) {
    if (object.empty()) return;
    ask(property_request(bus_, app_.service, object, kAccessible, "ChildCount"), [this, most](sd_bus_message* answer) {
      if (read_int_property(answer).value_or(0) > most) too_large_ = true;
    });
  };
  constexpr std::int32_t kLooked = 16;
  if (*root_count_ <= kLooked) return ask_windows(count);
  for (std::int32_t i = 0; i < kLooked; ++i) {
    ask(child_request(bus_, app_.service, kRoot, i),
        [this, count](sd_bus_message* child) { count(read_object(child, app_.service)); });
  }
}

void TreeReader::ask_windows(std::function<void(const std::string& window)> each) {
  ask(bus_.call(app_.service, kRoot, kAccessible, "GetChildren"), [this, each](sd_bus_message* answer) {
    if (answer != nullptr) windows_ = read_object_list(answer, app_.service, want_.most + 1);
    for (const std::string& window : windows_) each(window);
  });
}

// What was told in the greeting is not asked for again.
void TreeReader::greet_root() {
  Node& root = app_.nodes[kRoot];
  if (root.described) return;
  root.path = kRoot;
  root.name = app_.name;
  root.role = root_role_;
  root.has_states = root.described = true;
  // What it says of their number is not always true.
  const bool wide = root_count_ && *root_count_ > 0 && static_cast<std::size_t>(*root_count_) > want_.most;
  root.child_count = wide ? *root_count_ : -1;
}

void TreeReader::forget_all() {
  if (want_.keep) before_ = std::move(app_.nodes);
  app_.nodes.clear();
}

void TreeReader::take_all() {
  phase_ = Phase::bulk;
  if (windows_.empty() && root_count_ && *root_count_ <= static_cast<std::int32_t>(want_.most)) {
    ask_windows([](const std::string&) {});
  }
  ask(
      bus_.call(app_.service, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems"),
      [this](sd_bus_message* answer) {
        std::optional<std::vector<CacheItem>> items;
        if (answer != nullptr) items = read_items(answer, app_.service);
        app_.bulk = items && !items->empty();
        app_.no_bulk = !app_.bulk;
        forget_all();
        if (app_.bulk) app_.nodes = join_items(std::move(*items));
        // GTK 4 says that its root has no children.
        Node& root = app_.nodes[kRoot];
        root.listed = !windows_.empty();
        root.children = windows_;
        root.child_count = root.listed ? static_cast<std::int32_t>(windows_.size()) : -1;
      },
      want_.showing ? kBulkPatience : kWholePatience);
}

}  // namespace handrail::atspi
