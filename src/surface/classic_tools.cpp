#include "surface/classic_tools.h"

#include <array>

namespace handrail::surface {
namespace {

constexpr std::array kAccess{Param{"apps", "apps"}, Param{"reason", "reason"},
                             Param{"clipboard_read", "clipboard_read"}, Param{"clipboard_write", "clipboard_write"},
                             Param{"system_keys", "system_keys"}};
constexpr std::array kShot{Param{"format", "format"}, Param{"show_cursor", "show_cursor"}};
constexpr std::array kZoom{Param{"region", "region"}};
constexpr std::array kClick{Param{"coordinate", "at"}, Param{"text", "modifiers", Shape::modifiers}};
constexpr std::array kDrag{Param{"start_coordinate", "from"}, Param{"coordinate", "to"}, Param{"path", "path"},
                           Param{"text", "modifiers", Shape::modifiers}};
constexpr std::array kMove{Param{"coordinate", "at"}};
constexpr std::array kScroll{Param{"coordinate", "at"}, Param{"scroll_direction", "direction"},
                             Param{"scroll_amount", "amount"}, Param{"text", "modifiers", Shape::modifiers}};
constexpr std::array kType{Param{"text", "text"}};
constexpr std::array kKey{Param{"text", "keys"}, Param{"repeat", "repeat"}};
constexpr std::array kHold{Param{"text", "keys"}, Param{"duration", "duration"}};
constexpr std::array kOpen{Param{"app", "app", Shape::same, true}};
constexpr std::array kWrite{Param{"text", "text", Shape::same, true}};
constexpr std::array kDisplay{Param{"display", "display"}};
constexpr std::array kWait{Param{"duration", "duration"}};
constexpr std::array kBatch{Param{"actions", "steps"}};
constexpr std::span<const Param> kNone{};

constexpr std::array kClassicTools{
    ClassicTool{"request_access", "Request access", "request_access", kAccess},
    ClassicTool{"list_granted_applications", "List granted applications", "list_grants", kNone},
    ClassicTool{"screenshot", "Screenshot", "screenshot", kShot, "{}", false,
                "Take a picture of the selected display; later coordinates refer to it."},
    ClassicTool{"zoom", "Zoom", "zoom", kZoom, "{}", true},
    ClassicTool{"left_click", "Left click", "click", kClick, R"({"button": "left", "count": 1})", true,
                "Click at a point."},
    ClassicTool{"double_click", "Double click", "click", kClick, R"({"button": "left", "count": 2})", true,
                "Double click at a point."},
    ClassicTool{"triple_click", "Triple click", "click", kClick, R"({"button": "left", "count": 3})", true,
                "Triple click at a point, which selects a line or a paragraph in most apps."},
    ClassicTool{"right_click", "Right click", "click", kClick, R"({"button": "right", "count": 1})", true,
                "Click with the right button, which opens a context menu in most apps."},
    ClassicTool{"middle_click", "Middle click", "click", kClick, R"({"button": "middle", "count": 1})", true,
                "Click with the middle button."},
    ClassicTool{"left_click_drag", "Drag", "drag", kDrag, R"({"button": "left"})", true},
    ClassicTool{"mouse_move", "Move the pointer", "move", kMove, "{}", true},
    ClassicTool{"cursor_position", "Pointer position", "cursor_position", kNone, "{}", true},
    ClassicTool{"scroll", "Scroll", "scroll", kScroll, "{}", true},
    ClassicTool{"left_mouse_down", "Press the left button", "button_down", kNone, R"({"button": "left"})", false,
                "Press the left button where the pointer is and keep it down until left_mouse_up."},
    ClassicTool{"left_mouse_up", "Release the left button", "button_up", kNone, R"({"button": "left"})", false,
                "Release the left button."},
    ClassicTool{"type", "Type text", "type", kType},
    ClassicTool{"key", "Press keys", "key", kKey},
    ClassicTool{"hold_key", "Hold keys", "hold_key", kHold},
    ClassicTool{"open_application", "Open an application", "open_app", kOpen, "{}", false,
                "Open an app, or bring it to the front when it is running."},
    ClassicTool{"switch_display", "Switch display", "switch_display", kDisplay},
    ClassicTool{"read_clipboard", "Read the clipboard", "read_clipboard", kNone, "{}", false,
                "Read the text on the clipboard."},
    ClassicTool{"write_clipboard", "Write the clipboard", "write_clipboard", kWrite},
    ClassicTool{"computer_batch", "Batch", "batch", kBatch, "{}", false,
                "Run several of these tools in order in one call: all are checked first, the first failure stops."},
    ClassicTool{"wait", "Wait", "wait", kWait},
};
static_assert(kClassicTools.size() == 24);

}  // namespace

std::span<const ClassicTool> classic_tools() { return kClassicTools; }

}  // namespace handrail::surface
