// Pictures of a window that are compared with later ones.
#pragma once

#include <optional>

#include "computer/computer.h"

namespace handrail::engine {

// Nothing when it cannot be had. May be a lease of a buffer that the next capture writes to.
std::optional<Capture> picture_of(Computer& computer, std::optional<WindowId> window);
Capture own_copy(const Capture& taken);

bool same_picture(const Capture& before, const Capture& now);

// Of one process, in order; none when nobody tells.
std::vector<WindowId> windows_of(Computer& computer, std::int64_t pid);

}  // namespace handrail::engine
