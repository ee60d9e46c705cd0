// The text of data/apps.json, compiled in.
#pragma once

#include <string_view>

namespace handrail::policy {

std::string_view app_data();

}  // namespace handrail::policy
