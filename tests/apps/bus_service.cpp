// A service on the session bus that logs every call: bus_service NAME LOG [mute]. It answers what notification
// services, screen savers and players are asked, `Echo` with what it got, and never answers `Never`; with `mute` it
// answers nothing at all.
#include <systemd/sd-bus.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "event_log.h"

namespace {

fixture::EventLog journal;
bool locked = false, mute = false;
std::uint32_t shown = 0;
std::string wanted;

int on_message(sd_bus_message* message, void*, sd_bus_error*) {
  std::uint8_t type = 0;
  sd_bus_message_get_type(message, &type);
  if (type == SD_BUS_MESSAGE_SIGNAL && std::strcmp(sd_bus_message_get_member(message), "NameAcquired") == 0) {
    const char* name = nullptr;
    if (sd_bus_message_read(message, "s", &name) >= 0 && wanted == name) journal.write("ready");
  }
  if (type != SD_BUS_MESSAGE_METHOD_CALL) return 0;
  const std::string member = sd_bus_message_get_member(message);
  const char* interface = sd_bus_message_get_interface(message);
  std::string title, text;
  if (member == "Notify") {
    const char *app = nullptr, *icon = nullptr, *first = nullptr, *second = nullptr;
    std::uint32_t replaces = 0;
    if (sd_bus_message_read(message, "susss", &app, &replaces, &icon, &first, &second) >= 0) {
      title = first;
      text = second;
    }
  } else if (member == "Echo") {
    const char* said = nullptr;
    if (sd_bus_message_read(message, "s", &said) >= 0) text = said;
  }
  journal.write("call", {{"member", member},
                         {"interface", std::string(interface == nullptr ? "" : interface)},
                         {"path", std::string(sd_bus_message_get_path(message))},
                         {"title", title},
                         {"text", text}});
  if (mute || member == "Never") return 1;
  if (member == "Lock") locked = true;
  if (member == "Notify") return sd_bus_reply_method_return(message, "u", ++shown);
  if (member == "GetActive") return sd_bus_reply_method_return(message, "b", locked ? 1 : 0);
  if (member == "Echo") return sd_bus_reply_method_return(message, "s", text.c_str());
  if (member == "Many") {
    const std::string big(100000, 'x');
    return sd_bus_reply_method_return(message, "s", big.c_str());
  }
  if (member == "Fail") return sd_bus_reply_method_errorf(message, "org.example.Failed", "it does not work");
  return sd_bus_reply_method_return(message, "");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  journal.open(argv[2]);
  mute = argc > 3 && std::strcmp(argv[3], "mute") == 0;
  sd_bus* bus = nullptr;
  if (sd_bus_open_user(&bus) < 0) return 1;
  sd_bus_add_filter(bus, nullptr, on_message, nullptr);
  // "ready" once the name is ours: whoever has it now may have to end first.
  wanted = argv[1];
  if (sd_bus_request_name(bus, argv[1], SD_BUS_NAME_QUEUE) < 0) return 1;
  for (;;) {
    if (sd_bus_process(bus, nullptr) == 0) sd_bus_wait(bus, UINT64_MAX);
    if (sd_bus_is_open(bus) <= 0) return 0;
  }
}
