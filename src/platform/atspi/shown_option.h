// Which option a closed combo box shows: by its selection, that of the list in it, or its name.
#pragma once

#include <string>

#include "platform/atspi/act_calls.h"

namespace handrail::atspi {

// Empty when none of them tells it, as in GTK 4, which has a label there.
Result<std::string> shown_option(AppCalls& app, const Thing& combo);

}  // namespace handrail::atspi
