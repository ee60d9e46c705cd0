#include "platform/atspi/node_properties.h"

#include <string_view>

#include "platform/atspi/requests.h"
#include "platform/atspi/told_text.h"
#include "platform/atspi/tree_search.h"

namespace handrail::atspi {

Message all_properties_request(const Bus& bus, const std::string& service, const std::string& path) {
  Message all = bus.call(service, path, "org.freedesktop.DBus.Properties", "GetAll");
  if (all && sd_bus_message_append(all.get(), "s", kAccessible) < 0) all.reset();
  return all;
}

bool read_properties(sd_bus_message* answer, const std::string& service, Node& node) {
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
    } else if (name == "Parent") {
      node.parent = read_object_property(answer, service);
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

}  // namespace handrail::atspi
