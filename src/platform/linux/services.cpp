#include "platform/linux/services.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "platform/linux/service_bus.h"

namespace handrail::linux_ {
namespace {

// One app that does not answer must not take the time of the others.
constexpr Millis kOneApp{600};
constexpr std::size_t kMostCommands = 500;
constexpr std::string_view kPlayers = "org.mpris.MediaPlayer2.";
constexpr const char* kActions = "org.gtk.Actions";

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

// Names of the objects right below a path.
std::vector<std::string> children(ServiceBus& bus, const std::string& name, const std::string& path,
                                  Deadline deadline) {
  const auto text = bus.call({name, path, "org.freedesktop.DBus.Introspectable", "Introspect"}, deadline);
  std::vector<std::string> found;
  if (!text.ok() || text->empty() || !text->at(0).is_string()) return found;
  const std::string xml = text->at(0).get<std::string>();
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
    if (facts[2].is_array() && !facts[2].empty()) command.state = to_line(facts[2][0]);
    found.push_back(std::move(command));
  }
  return true;
}

void add_app(ServiceBus& bus, const std::string& name, Deadline deadline, std::vector<AppCommand>& found) {
  const Deadline patience = deadline.within(kOneApp);
  const std::string path = path_of(name);
  if (!add_actions(bus, name, path, "app.", patience, found)) return;
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
  if (call.offered) {
    // The name may be another's by now.
    method.start = StartService::no;
    if (TRY(bus.owner(call.destination, deadline)) != call.pid) {
      return make_error(Code::target_stale, "The app has left the message bus.").with_hint("Look again.");
    }
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
      add_app(bus, name, deadline, found);
  }
  return found;
}

}  // namespace handrail::linux_
