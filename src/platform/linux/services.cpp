#include "platform/linux/services.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/nearest.h"
#include "platform/linux/service_bus.h"

namespace handrail::linux_ {
namespace {

// One app that does not answer must not take the time of the others.
constexpr Millis kOneApp{600};
constexpr std::size_t kMostCommands = 500;
constexpr std::string_view kPlayers = "org.mpris.MediaPlayer2.";
constexpr const char* kActions = "org.gtk.Actions";
constexpr const char* kApplication = "org.freedesktop.Application";
// An app may keep anything as the state of an action.
constexpr std::size_t kMostState = 300;

// /org/gnome/TextEditor for org.gnome.TextEditor, as GApplication has it.
std::string path_of(const std::string& name) {
  std::string path = "/" + name;
  std::ranges::replace(path, '.', '/');
  std::ranges::replace(path, '-', '_');
  return path;
}

void add_player(const std::string& name, std::vector<AppCommand>& found) {
  constexpr std::array<const char*, 6> kMethods{"Play", "Pause", "PlayPause", "Stop", "Next", "Previous"};
  for (const char* method : kMethods) {
    found.push_back({method, name, "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player", {}, true, {}});
  }
}

// What an object says of itself, as XML.
std::string introspected(ServiceBus& bus, const std::string& name, const std::string& path, Deadline deadline) {
  const auto text = bus.call({name, path, "org.freedesktop.DBus.Introspectable", "Introspect"}, deadline);
  if (!text.ok() || text->empty() || !text->at(0).is_string()) return "";
  return text->at(0).get<std::string>();
}

// Names of the objects right below a path.
std::vector<std::string> children(ServiceBus& bus, const std::string& name, const std::string& path,
                                  Deadline deadline) {
  std::vector<std::string> found;
  const std::string xml = introspected(bus, name, path, deadline);
  constexpr std::string_view kNode = "<node name=\"";
  for (std::size_t at = xml.find(kNode); at != std::string::npos; at = xml.find(kNode, at + 1)) {
    const std::size_t start = at + kNode.size();
    const std::string child = xml.substr(start, xml.find('"', start) - start);
    const bool plain = !child.empty() && child.find_first_not_of("0123456789") == std::string::npos;
    if (plain) found.push_back(child);
  }
  return found;
}

// name -> (enabled, type of the parameter, [state])
bool add_actions(ServiceBus& bus, const std::string& name, const std::string& path, const std::string& prefix,
                 Deadline deadline, std::vector<AppCommand>& found) {
  const auto told = bus.call({name, path, kActions, "DescribeAll"}, deadline);
  if (!told.ok() || told->empty() || !told->at(0).is_object()) return false;
  for (const auto& [action, facts] : told->at(0).items()) {
    if (!facts.is_array() || facts.size() != 3 || found.size() >= kMostCommands) continue;
    AppCommand command{prefix + action, name, path, kActions, {}, true, {}};
    if (facts[0].is_boolean()) command.enabled = facts[0].get<bool>();
    if (facts[1].is_string()) command.parameter = facts[1].get<std::string>();
    if (facts[2].is_array() && !facts[2].empty()) command.state = shortened(to_line(facts[2][0]), kMostState);
    found.push_back(std::move(command));
  }
  return true;
}

// Those of its desktop entry, which such an app does without telling which there are.
void add_entry_actions(ServiceBus& bus, const std::string& name, const std::string& path, const std::string& listed,
                       Deadline deadline, std::vector<AppCommand>& found) {
  const std::string offer = std::string("<interface name=\"") + kApplication + "\"";
  if (listed.empty() || introspected(bus, name, path, deadline).find(offer) == std::string::npos) return;
  for (std::size_t at = 0; at < listed.size();) {
    const std::size_t end = std::min(listed.find(';', at), listed.size());
    const std::string action = listed.substr(at, end - at);
    if (!action.empty()) found.push_back({"app." + action, name, path, kApplication, {}, true, {}});
    at = end + 1;
  }
}

void add_app(ServiceBus& bus, const std::string& name, const EntryActions& entries, Deadline deadline,
             std::vector<AppCommand>& found) {
  const Deadline patience = deadline.within(kOneApp);
  const std::string path = path_of(name);
  if (!add_actions(bus, name, path, "app.", patience, found)) {
    if (entries) add_entry_actions(bus, name, path, entries(name), patience, found);
    return;
  }
  const std::vector<std::string> windows = children(bus, name, path + "/window", patience);
  // Which window is meant by an action is said by nobody; with several of them none of these is offered.
  if (windows.size() == 1) add_actions(bus, name, path + "/window/" + windows[0], "win.", patience, found);
}

}  // namespace

Result<std::string> BusServices::call(const CallService& call, Permit permit, Deadline deadline) {
  const Permit spent(std::move(permit));
  const std::string address = TRY(address_());
  ServiceBus bus = TRY(ServiceBus::connect(address, deadline));
  BusMethod method{call.destination, call.path, call.interface, call.method, call.signature, {}, StartService::yes};
  method.arguments = TRY(parse_json(call.arguments));
  if (call.offered) method.start = StartService::no;
  // The name may be another's by now.
  if (TRY(bus.owner(call.destination, deadline)) != call.pid) {
    return make_error(Code::target_stale, "Another program has the name on the message bus by now.")
        .with_hint("Look again.");
  }
  return to_line(TRY(bus.call(method, deadline)));
}

Result<std::int64_t> BusServices::owner(const std::string& name, Deadline deadline) {
  const std::string address = TRY(address_());
  ServiceBus bus = TRY(ServiceBus::connect(address, deadline));
  return bus.owner(name, deadline);
}

Result<std::vector<AppCommand>> BusServices::commands(const std::vector<std::int64_t>& pids, Deadline deadline) {
  const std::string address = TRY(address_());
  ServiceBus bus = TRY(ServiceBus::connect(address, deadline));
  std::vector<AppCommand> found;
  for (const std::string& name : TRY(bus.names(deadline))) {
    const auto pid = bus.owner(name, deadline);
    if (!pid.ok() || std::ranges::find(pids, *pid) == pids.end()) continue;
    if (name.starts_with(kPlayers))
      add_player(name, found);
    else
      add_app(bus, name, entries_, deadline, found);
  }
  return found;
}

}  // namespace handrail::linux_
