#include "platform/atspi/roles.h"

#include <array>

namespace handrail::atspi {
namespace {

// In the order of AtspiRole.
constexpr std::array<std::string_view, 130> kRoles{"invalid",
                                                   "accelerator label",
                                                   "alert",
                                                   "animation",
                                                   "arrow",
                                                   "calendar",
                                                   "canvas",
                                                   "check box",
                                                   "check menu item",
                                                   "color chooser",
                                                   "column header",
                                                   "combo box",
                                                   "date editor",
                                                   "desktop icon",
                                                   "desktop frame",
                                                   "dial",
                                                   "dialog",
                                                   "directory pane",
                                                   "drawing area",
                                                   "file chooser",
                                                   "filler",
                                                   "focus traversable",
                                                   "font chooser",
                                                   "frame",
                                                   "glass pane",
                                                   "html container",
                                                   "icon",
                                                   "image",
                                                   "internal frame",
                                                   "label",
                                                   "layered pane",
                                                   "list",
                                                   "list item",
                                                   "menu",
                                                   "menu bar",
                                                   "menu item",
                                                   "option pane",
                                                   "page tab",
                                                   "page tab list",
                                                   "panel",
                                                   "password text",
                                                   "popup menu",
                                                   "progress bar",
                                                   "push button",
                                                   "radio button",
                                                   "radio menu item",
                                                   "root pane",
                                                   "row header",
                                                   "scroll bar",
                                                   "scroll pane",
                                                   "separator",
                                                   "slider",
                                                   "spin button",
                                                   "split pane",
                                                   "status bar",
                                                   "table",
                                                   "table cell",
                                                   "table column header",
                                                   "table row header",
                                                   "tearoff menu item",
                                                   "terminal",
                                                   "text",
                                                   "toggle button",
                                                   "tool bar",
                                                   "tool tip",
                                                   "tree",
                                                   "tree table",
                                                   "unknown",
                                                   "viewport",
                                                   "window",
                                                   "extended",
                                                   "header",
                                                   "footer",
                                                   "paragraph",
                                                   "ruler",
                                                   "application",
                                                   "autocomplete",
                                                   "editbar",
                                                   "embedded",
                                                   "entry",
                                                   "chart",
                                                   "caption",
                                                   "document frame",
                                                   "heading",
                                                   "page",
                                                   "section",
                                                   "redundant object",
                                                   "form",
                                                   "link",
                                                   "input method window",
                                                   "table row",
                                                   "tree item",
                                                   "document spreadsheet",
                                                   "document presentation",
                                                   "document text",
                                                   "document web",
                                                   "document email",
                                                   "comment",
                                                   "list box",
                                                   "grouping",
                                                   "image map",
                                                   "notification",
                                                   "info bar",
                                                   "level bar",
                                                   "title bar",
                                                   "block quote",
                                                   "audio",
                                                   "video",
                                                   "definition",
                                                   "article",
                                                   "landmark",
                                                   "log",
                                                   "marquee",
                                                   "math",
                                                   "rating",
                                                   "timer",
                                                   "static",
                                                   "math fraction",
                                                   "math root",
                                                   "subscript",
                                                   "superscript",
                                                   "description list",
                                                   "description term",
                                                   "description value",
                                                   "footnote",
                                                   "content deletion",
                                                   "content insertion",
                                                   "mark",
                                                   "suggestion",
                                                   "push button menu"};

struct Meaning {
  int bit;  // of AtspiStateType
  ElementState state;
};
constexpr Meaning kStates[]{
    {1, ElementState::active},         {4, ElementState::checked},     {7, ElementState::editable},
    {8, ElementState::enabled},        {24, ElementState::enabled},    {9, ElementState::expandable},
    {10, ElementState::expanded},      {11, ElementState::focusable},  {12, ElementState::focused},
    {16, ElementState::modal},         {17, ElementState::multi_line}, {20, ElementState::pressed},
    {22, ElementState::selectable},    {23, ElementState::selected},   {31, ElementState::unbounded},
    {32, ElementState::indeterminate}, {41, ElementState::checkable}};

}  // namespace

std::string_view role_name(std::uint32_t role) { return role < kRoles.size() ? kRoles[role] : "unknown"; }

ElementStates states_of(std::uint32_t role, std::uint64_t bits) {
  ElementStates states;
  for (const Meaning& meaning : kStates) {
    if ((bits >> static_cast<unsigned>(meaning.bit) & 1) != 0) states.set(meaning.state);
  }
  const bool two_ways = role == kCheckBox || role == kCheckMenuItem || role == kRadioButton || role == kRadioMenuItem;
  if (two_ways) states.set(ElementState::checkable);
  if (role == kPasswordText) states.set(ElementState::secret);
  return states;
}

}  // namespace handrail::atspi
