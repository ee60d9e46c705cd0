// Settings as a TOML file for people: each with what it means.
#pragma once

#include <string>

#include "base/json.h"

namespace handrail::app {

// `schema` is an object's JSON schema, `values` an object of that form. Commented: every setting is a comment, so that
// the file changes nothing until a line is uncommented.
std::string settings_text(const Json& schema, const Json& values, bool commented);

}  // namespace handrail::app
