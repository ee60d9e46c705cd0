// What the numbers of the accessibility bus mean in words of the model. Pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/element.h"
#include "platform/atspi/tree_search.h"

namespace handrail::atspi {

// Of AtspiRole, those that are looked for.
enum RoleNumber : std::uint32_t {
  kAlert = 2,
  kCheckBox = 7,
  kCheckMenuItem = 8,
  kComboBox = 11,
  kDialog = 16,
  kInternalFrame = 28,
  kListRole = 31,
  kMenu = 33,
  kPopupMenu = 41,
  kRadioButton = 44,
  kRadioMenuItem = 45,
  kRootPane = 46,
  kScrollPane = 49,
  kTableRole = 55,
  kToolTip = 64,
  kTreeRole = 65,
  kTreeTableRole = 66,
  kViewport = 68,
  kWindow = 69,
  kApplicationRole = 75,
  kDocumentFrame = 82,
  kDocumentWeb = 95,
};

// As the toolkits call it: "push button".
std::string_view role_name(std::uint32_t role);

// Without `showing`, which depends on where the element is.
ElementStates states_of(std::uint32_t role, std::uint64_t bits);

}  // namespace handrail::atspi
