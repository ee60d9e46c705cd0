// Asks the person at the controlling terminal. Without a terminal, without an answer in time, and on
// anything but a plain yes, the answer is no.
#pragma once

#include "policy/grants.h"

namespace handrail::app {

policy::Answer ask_on_terminal(const AccessRequest& request, std::stop_token stop);

}  // namespace handrail::app
