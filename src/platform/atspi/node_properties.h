// All properties of an accessible object in one answer, which Qt does not give.
#pragma once

#include <string>

#include "platform/atspi/bus.h"
#include "platform/atspi/mirror.h"

namespace handrail::atspi {

Message all_properties_request(const Bus& bus, const std::string& service, const std::string& path);
// False when what is needed is not among them.
bool read_properties(sd_bus_message* answer, const std::string& service, Node& node);

}  // namespace handrail::atspi
