// Whether an app is the one that a client names. Pure.
#pragma once

#include <string>

#include "model/identity.h"

namespace handrail::engine {

// How well a name that a client gave fits an app: 3 exact, 2 as another name of it, 1 as a part, 0 not at all.
int fit_of_name(const std::string& asked, const std::string& window_class, const AppIdentity& app,
                const std::string& name);

}  // namespace handrail::engine
