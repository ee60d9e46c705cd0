// Fields that take no text by accessibility: typed into in front of all, and read back.
#pragma once

#include <string>

#include "base/result.h"
#include "model/element.h"
#include "model/outcome.h"

namespace handrail::actions {

class ActionContext;
struct SeenElement;
struct TypeInto;

// Replaces what is in the field. Nothing is typed unless the field itself has the keyboard.
Result<Outcome> type_over(ActionContext& context, const SeenElement& field, const std::string& text, Delivery delivery);

// At the end of a field that is named, has the app's focus, or was used last: with keys when the person's own focus is
// there anyway or the window is brought to the front, else by accessibility, which leaves that focus where it is.
Result<Outcome> type_into(ActionContext& context, const TypeInto& type);

bool is_secret(const Element& element);
// Why a password is not set in the background.
Error no_secrets();

}  // namespace handrail::actions
