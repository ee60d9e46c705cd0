// JSON values to the typed values of a message and back.
#pragma once

#include <string_view>

#include "base/json.h"
#include "base/result.h"

struct sd_bus_message;

namespace handrail::linux_ {

// One value for each complete type of the signature. `argument_invalid` names what does not fit.
Status append_values(sd_bus_message* message, std::string_view signature, const Json& values);
// All that is left in the message, as a list; more than some thousand values are cut off.
Result<Json> read_values(sd_bus_message* message);

}  // namespace handrail::linux_
