#include "platform/atspi/act_calls.h"

#include <climits>

#include "platform/atspi/cache_items.h"
#include "platform/atspi/requests.h"
#include "platform/atspi/roles.h"
#include "platform/atspi/told_text.h"

namespace handrail::atspi {
namespace {

// A request that opens a dialog may be answered only when the dialog is closed.
constexpr Millis kActPatience{300};
constexpr std::int32_t kMostActions = 100;

constexpr const char* kActionInterface = "org.a11y.atspi.Action";
constexpr const char* kSelectionInterface = "org.a11y.atspi.Selection";
constexpr const char* kTableInterface = "org.a11y.atspi.Table";

// Bits of AtspiStateType.
constexpr unsigned kEditableBit = 7, kEnabledBit = 8, kSelectableBit = 22, kSelectedBit = 23, kSensitiveBit = 24;

bool bit(std::uint64_t states, unsigned number) { return (states >> number & 1) != 0; }

}  // namespace

bool Thing::is(std::string_view role_word) const { return role_name(role) == role_word; }
bool Thing::enabled() const { return bit(states, kEnabledBit) || bit(states, kSensitiveBit); }
bool Thing::field() const { return can(kEditableText) && bit(states, kEditableBit); }
bool Thing::selectable() const { return bit(states, kSelectableBit); }
bool Thing::selected() const { return bit(states, kSelectedBit); }

Message AppCalls::call(const std::string& path, const char* interface, const char* method) const {
  return bus_.call(service_, path, interface, method);
}

void AppCalls::describe(Thing& thing) {
  bus_.send(call(thing.path, kAccessible, "GetRole"), [&thing](sd_bus_message* answer) {
    thing.known = answer != nullptr && sd_bus_message_read(answer, "u", &thing.role) > 0;
  });
  bus_.send(call(thing.path, kAccessible, "GetState"), [&thing](sd_bus_message* answer) {
    if (answer != nullptr) thing.states = read_states(answer);
  });
  bus_.send(call(thing.path, kAccessible, "GetInterfaces"), [&thing](sd_bus_message* answer) {
    if (answer != nullptr) thing.interfaces = read_interfaces(answer);
  });
  bus_.send(call(thing.path, kAccessible, "GetIndexInParent"), [&thing](sd_bus_message* answer) {
    if (answer != nullptr && thing.place < 0) sd_bus_message_read(answer, "i", &thing.place);
  });
  bus_.send(property_request(bus_, service_, thing.path, kAccessible, "Name"),
            [&thing](sd_bus_message* answer) { thing.name = read_string_property(answer); });
  bus_.send(property_request(bus_, service_, thing.path, kAccessible, "Parent"),
            [this, &thing](sd_bus_message* answer) { thing.parent = read_object_property(answer, service_); });
}

void AppCalls::look_ahead(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (path == kRoot) continue;
    Thing& thing = ahead_[path];
    thing.path = path;
    describe(thing);
  }
}

Result<Thing> AppCalls::look(const std::string& path) {
  // Once: later it may be another.
  if (auto known = ahead_.extract(path); known && known.mapped().known) return std::move(known.mapped());
  Thing thing;
  thing.path = path;
  describe(thing);
  TRY(bus_.settle(deadline_));
  return thing;
}

Result<std::vector<std::vector<Thing>>> AppCalls::children(const std::vector<std::string>& paths) {
  std::vector<std::optional<std::int32_t>> counts(paths.size());
  std::vector<std::vector<Thing>> found(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) count_children(paths[i], counts[i]);
  TRY(bus_.settle(deadline_));
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (counts[i].value_or(0) <= 0 || *counts[i] > kMostChildren) continue;
    bus_.send(call(paths[i], kAccessible, "GetChildren"), [this, &found, i](sd_bus_message* answer) {
      for (std::string& path : read_object_list(answer, service_, kMostChildren)) {
        Thing child;
        child.place = static_cast<std::int32_t>(found[i].size());
        child.path = std::move(path);
        found[i].push_back(std::move(child));
      }
    });
  }
  TRY(bus_.settle(deadline_));
  for (std::vector<Thing>& list : found) {
    for (Thing& child : list) {
      if (!child.path.empty()) describe(child);
    }
  }
  TRY(bus_.settle(deadline_));
  return found;
}

void AppCalls::count_children(const std::string& path, std::optional<std::int32_t>& count) {
  bus_.send(property_request(bus_, service_, path, kAccessible, "ChildCount"),
            [&count](sd_bus_message* answer) { count = read_int_property(answer).value_or(0); });
}

Result<std::vector<std::uint32_t>> AppCalls::child_roles(const std::string& path) {
  std::optional<std::int32_t> count;
  if (auto known = counts_ahead_.extract(path)) count = known.mapped();
  if (!count) {
    count_children(path, count);
    TRY(bus_.settle(deadline_));
  }
  std::vector<std::uint32_t> roles;
  if (count.value_or(0) <= 0 || *count > kMostChildren) return roles;
  std::vector<std::string> paths;
  bus_.send(call(path, kAccessible, "GetChildren"),
            [this, &paths](sd_bus_message* answer) { paths = read_object_list(answer, service_, kMostChildren); });
  TRY(bus_.settle(deadline_));
  roles.assign(paths.size(), 0);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].empty()) continue;
    bus_.send(call(paths[i], kAccessible, "GetRole"), [&roles, i](sd_bus_message* answer) {
      if (answer != nullptr) sd_bus_message_read(answer, "u", &roles[i]);
    });
  }
  TRY(bus_.settle(deadline_));
  return roles;
}

Result<std::vector<Thing>> AppCalls::children(const std::string& path) {
  std::vector<std::vector<Thing>> found = TRY(children(std::vector<std::string>{path}));
  return std::move(found.front());
}

void AppCalls::count_actions(const std::string& path, Actions& actions) {
  bus_.send(property_request(bus_, service_, path, kActionInterface, "NActions"),
            [&actions](sd_bus_message* answer) { actions.count = read_int_property(answer).value_or(0); });
}

void AppCalls::name_action(const std::string& path, Actions& actions, std::size_t which) {
  if (actions.names.size() <= which) actions.names.resize(which + 1);
  bus_.send(with(call(path, kActionInterface, "GetName"), "i", static_cast<std::int32_t>(which)),
            [&actions, which](sd_bus_message* answer) {
              const char* name = nullptr;
              if (answer == nullptr || sd_bus_message_read(answer, "s", &name) <= 0) return;
              actions.names[which] = told_text(name, kLongestName);
            });
}

// Most things have one action.
void AppCalls::press_ahead(const std::string& path) {
  Actions& actions = actions_ahead_[path];
  count_actions(path, actions);
  name_action(path, actions, 0);
  count_children(path, counts_ahead_[path]);
}

Result<std::vector<std::string>> AppCalls::actions(const std::string& path) {
  Actions actions;
  if (auto known = actions_ahead_.extract(path)) actions = std::move(known.mapped());
  if (actions.count < 0) {
    count_actions(path, actions);
    TRY(bus_.settle(deadline_));
  }
  const auto count = static_cast<std::size_t>(std::clamp(actions.count, 0, kMostActions));
  actions.names.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!actions.names[i]) name_action(path, actions, i);
  }
  TRY(bus_.settle(deadline_));
  std::vector<std::string> names;
  for (const auto& name : actions.names) names.push_back(name.value_or(""));
  return names;
}

Result<std::optional<double>> AppCalls::number(const std::string& path, const char* property) {
  std::optional<double> number;
  bus_.send(property_request(bus_, service_, path, kValueInterface, property), [&number](sd_bus_message* answer) {
    double value = 0;
    if (answer != nullptr && sd_bus_message_read(answer, "v", "d", &value) > 0) number = value;
  });
  TRY(bus_.settle(deadline_));
  return number;
}

Result<std::string> AppCalls::text(const std::string& path) {
  std::string text;
  std::int32_t count = 0;
  bus_.send(property_request(bus_, service_, path, kTextInterface, "CharacterCount"),
            [&count](sd_bus_message* answer) { count = read_int_property(answer).value_or(0); });
  TRY(bus_.settle(deadline_));
  if (count <= 0) return text;
  bus_.send(text_request(bus_, service_, path, count), [&text](sd_bus_message* answer) {
    const char* bytes = nullptr;
    if (answer != nullptr && sd_bus_message_read(answer, "s", &bytes) > 0) text = bytes;
  });
  TRY(bus_.settle(deadline_));
  return text;
}

Result<std::int32_t> AppCalls::caret(const std::string& path) {
  std::int32_t at = 0;
  bus_.send(property_request(bus_, service_, path, kTextInterface, "CaretOffset"),
            [&at](sd_bus_message* answer) { at = read_int_property(answer).value_or(0); });
  TRY(bus_.settle(deadline_));
  return std::max(0, at);
}

Result<std::optional<Thing>> AppCalls::chosen(const std::string& holder) {
  std::string path;
  bus_.send(with(call(holder, kSelectionInterface, "GetSelectedChild"), "i", 0),
            [this, &path](sd_bus_message* answer) { path = read_object(answer, service_); });
  TRY(bus_.settle(deadline_));
  std::optional<Thing> found;
  if (!path.empty()) {
    found = TRY(look(path));
    return found;
  }
  // GTK 4 says how many are selected, and not which.
  for (const Thing& child : TRY(children(holder))) {
    if (child.selected()) found = child;
  }
  return found;
}

Result<std::optional<std::int32_t>> AppCalls::row_of(const std::string& path, int place) {
  std::optional<std::int32_t> row;
  bus_.send(with(call(path, kTableInterface, "GetRowAtIndex"), "i", place), [&row](sd_bus_message* answer) {
    std::int32_t told = -1;
    if (answer != nullptr && sd_bus_message_read(answer, "i", &told) > 0 && told >= 0) row = told;
  });
  TRY(bus_.settle(deadline_));
  return row;
}

Result<std::vector<std::int32_t>> AppCalls::selected_rows(const std::string& path) {
  std::vector<std::int32_t> rows;
  bus_.send(call(path, kTableInterface, "GetSelectedRows"), [&rows](sd_bus_message* answer) {
    const void* numbers = nullptr;
    std::size_t bytes = 0;
    if (answer == nullptr || sd_bus_message_read_array(answer, 'i', &numbers, &bytes) < 0) return;
    const auto* first = static_cast<const std::int32_t*>(numbers);
    rows.assign(first, first + bytes / sizeof(std::int32_t));
  });
  TRY(bus_.settle(deadline_));
  return rows;
}

Result<std::int32_t> AppCalls::selected_children(const std::string& path) {
  std::int32_t count = 0;
  bus_.send(property_request(bus_, service_, path, kSelectionInterface, "NSelectedChildren"),
            [&count](sd_bus_message* answer) { count = read_int_property(answer).value_or(0); });
  TRY(bus_.settle(deadline_));
  return count;
}

Told AppCalls::ask(Message request) {
  Told told = Told::late;
  bus_.send(std::move(request), [this, &told](sd_bus_message* answer) {
    if (answer == nullptr) {
      told = bus_.late() || bus_.gave_up() ? Told::late : Told::refused;
      return;
    }
    // Some answer with nothing at all.
    int yes = 1;
    char type = 0;
    if (sd_bus_message_peek_type(answer, &type, nullptr) > 0 && type == 'b') sd_bus_message_read(answer, "b", &yes);
    told = yes != 0 ? Told::yes : Told::no;
  });
  // That nothing came in time is told by `told`.
  [[maybe_unused]] const Status settled = bus_.settle(deadline_.within(kActPatience));
  return told;
}

}  // namespace handrail::atspi
