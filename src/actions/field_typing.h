// Fields that take no text by accessibility: typed into in front of all, and read back.
#pragma once

#include <string>

#include "base/result.h"
#include "model/outcome.h"

namespace handrail::actions {

class ActionContext;
struct SeenElement;

// Replaces what is in the field. Nothing is typed unless the field itself has the keyboard.
Result<Outcome> type_over(ActionContext& context, const SeenElement& field, const std::string& text);

}  // namespace handrail::actions
