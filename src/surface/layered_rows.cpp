#include "surface/layered_rows.h"

#include <array>

namespace handrail::surface {
namespace {

constexpr std::string_view kPoints = R"({"basis": "points"})";

constexpr std::array kRegionParams{FlatParam{"region", "region", 0, Shape::region}};
constexpr std::array kMarksParams{FlatParam{"marks", "", 0, Shape::chooses, true}, FlatParam{"app", "app"}};
constexpr std::array kSaveParams{FlatParam{"save_path", "path"}, FlatParam{"app", "app"}};
constexpr std::array kShotParams{FlatParam{"show_cursor", "show_cursor"}, FlatParam{"display", "display"}};
constexpr std::array kShot{FlatForm{"zoom", kRegionParams, "{}", true},
                           FlatForm{"capture", kMarksParams, R"({"mode": "som"})"},
                           FlatForm{"save_screenshot", kSaveParams}, FlatForm{"screenshot", kShotParams}};
constexpr std::array kScreenshot{FlatAction{"screenshot", kShot}};

constexpr FlatParam kX{"x", "at", 0, Shape::x};
constexpr FlatParam kY{"y", "at", 0, Shape::y};
constexpr FlatParam kModifiers{"modifiers", "modifiers"};
constexpr std::array kPointParams{kX, kY};
constexpr std::array kClickParams{kX, kY, kModifiers};
constexpr std::array kDragParams{FlatParam{"x", "from", 0, Shape::x}, FlatParam{"y", "from", 0, Shape::y},
                                 FlatParam{"end_x", "to", 0, Shape::x}, FlatParam{"end_y", "to", 0, Shape::y},
                                 kModifiers};
constexpr std::array kScrollParams{kX, kY, FlatParam{"direction", "direction"}, FlatParam{"amount", "amount"},
                                   kModifiers};
constexpr std::array kMove{FlatForm{"move", kPointParams, "{}", true}};
constexpr std::array kClick{FlatForm{"click", kClickParams, "{}", true}};
constexpr std::array kDouble{FlatForm{"click", kClickParams, R"({"count": 2})", true}};
constexpr std::array kTriple{FlatForm{"click", kClickParams, R"({"count": 3})", true}};
constexpr std::array kRight{FlatForm{"click", kClickParams, R"({"button": "right"})", true}};
constexpr std::array kMiddle{FlatForm{"click", kClickParams, R"({"button": "middle"})", true}};
constexpr std::array kDrag{FlatForm{"drag", kDragParams, "{}", true}};
constexpr std::array kScroll{FlatForm{"scroll", kScrollParams, "{}", true}};
constexpr std::array kDown{FlatForm{"button_down", {}}};
constexpr std::array kUp{FlatForm{"button_up", {}}};
constexpr std::array kPosition{FlatForm{"cursor_position", {}}};
constexpr std::array kMouse{
    FlatAction{"move", kMove},           FlatAction{"click", kClick},
    FlatAction{"double_click", kDouble}, FlatAction{"triple_click", kTriple},
    FlatAction{"right_click", kRight},   FlatAction{"middle_click", kMiddle},
    FlatAction{"drag", kDrag},           FlatAction{"scroll", kScroll},
    FlatAction{"down", kDown},           FlatAction{"up", kUp},
    FlatAction{"position", kPosition},
};

constexpr std::array kTextParams{FlatParam{"text", "text"}};
constexpr std::array kPressParams{FlatParam{"key", "keys"}, FlatParam{"repeat", "repeat"}};
constexpr std::array kHotkeyParams{FlatParam{"keys", "keys"}};
constexpr std::array kHoldParams{FlatParam{"keys", "keys"}, FlatParam{"seconds", "duration"}};
constexpr std::array kType{FlatForm{"type", kTextParams}};
constexpr std::array kPress{FlatForm{"key", kPressParams}};
constexpr std::array kHotkey{FlatForm{"key", kHotkeyParams}};
constexpr std::array kHold{FlatForm{"hold_key", kHoldParams}};
constexpr std::array kKeyDown{FlatForm{"key_down", kHotkeyParams}};
constexpr std::array kKeyUp{FlatForm{"key_up", kHotkeyParams}};
constexpr std::array kKeyboard{
    FlatAction{"type", kType}, FlatAction{"press", kPress},  FlatAction{"hotkey", kHotkey},
    FlatAction{"hold", kHold}, FlatAction{"down", kKeyDown}, FlatAction{"up", kKeyUp},
};

constexpr FlatParam kApp{"app", "app"};
constexpr FlatParam kTitle{"title", "name"};
constexpr FlatParam kRole{"role", "role"};
constexpr FlatParam kElement{"element", "element"};
constexpr FlatParam kDelivery{"delivery", "delivery"};
constexpr std::array kTreeParams{kApp, FlatParam{"max_elements", "max_elements"}};
constexpr std::array kFindParams{kApp, kTitle, kRole, FlatParam{"max_elements", "most"}};
constexpr std::array kClickNamedParams{kApp, kTitle, kRole, kDelivery};
constexpr std::array kClickElementParams{kElement, kDelivery};
constexpr std::array kMenuParams{kApp, FlatParam{"menu", "path"}};
constexpr std::array kTypeNamedParams{kApp, kTitle, kRole, FlatParam{"text", "text"}, kDelivery};
constexpr std::array kTypeElementParams{kElement, FlatParam{"text", "text"}, kDelivery};
constexpr std::array kSetParams{kElement, FlatParam{"value", "value"}, kDelivery};
constexpr std::array kKeyIntoParams{kApp, FlatParam{"key", "keys"}, kDelivery};
constexpr std::array kValueNamedParams{kApp, kTitle, kRole};
constexpr std::array kValueParams{kElement};
constexpr std::array kTree{FlatForm{"ui_tree", kTreeParams}};
constexpr std::array kFind{FlatForm{"find_element", kFindParams, kPoints}};
constexpr std::array kUiClick{FlatForm{"click_element", kClickElementParams},
                              FlatForm{"click_named", kClickNamedParams}};
constexpr std::array kUiMenu{FlatForm{"select_menu", kMenuParams}};
constexpr std::array kUiType{FlatForm{"type_into", kTypeElementParams}, FlatForm{"type_named", kTypeNamedParams}};
constexpr std::array kUiSet{FlatForm{"set_value", kSetParams}};
constexpr std::array kUiKey{FlatForm{"key_into", kKeyIntoParams}};
constexpr std::array kUiValue{FlatForm{"get_value", kValueParams}, FlatForm{"value_named", kValueNamedParams}};
constexpr std::array kUi{
    FlatAction{"get_tree", kTree},     FlatAction{"find", kFind},         FlatAction{"click", kUiClick},
    FlatAction{"click_menu", kUiMenu}, FlatAction{"type", kUiType},       FlatAction{"set_value", kUiSet},
    FlatAction{"press_key", kUiKey},   FlatAction{"get_value", kUiValue},
};

constexpr std::array kOpenParams{kApp};
constexpr std::array kFocusParams{kApp, FlatParam{"raise_window", "raise_window"}};
constexpr std::array kAccessParams{FlatParam{"apps", "apps"}, FlatParam{"reason", "reason"}};
constexpr std::array kOpen{FlatForm{"open_app", kOpenParams}};
constexpr std::array kClose{FlatForm{"quit_app", kOpenParams}};
constexpr std::array kFocus{FlatForm{"focus_app", kFocusParams}};
constexpr std::array kList{FlatForm{"list_apps", {}}};
constexpr std::array kAccess{FlatForm{"request_access", kAccessParams}};
constexpr std::array kRelease{FlatForm{"release", {}}};
constexpr std::array kApps{
    FlatAction{"open", kOpen}, FlatAction{"close", kClose},           FlatAction{"focus", kFocus},
    FlatAction{"list", kList}, FlatAction{"request_access", kAccess}, FlatAction{"release", kRelease}};

constexpr std::array kRead{FlatForm{"read_clipboard", {}}};
constexpr std::array kWrite{FlatForm{"write_clipboard", kTextParams}};
constexpr std::array kClipboard{FlatAction{"read", kRead}, FlatAction{"write", kWrite}};

constexpr std::array kOcrParams{FlatParam{"region", "region", 0, Shape::region}};
constexpr std::array kOcr{FlatForm{"ocr", kOcrParams, "{}", true}};
constexpr std::array kOcrActions{FlatAction{"ocr", kOcr}};

constexpr std::array kFullParams{FlatParam{"most", "most"}};
constexpr std::array kSummary{FlatForm{"audit", {}, R"({"form": "summary"})"}};
constexpr std::array kFull{FlatForm{"audit", kFullParams, R"({"form": "full"})"}};
constexpr std::array kAudit{FlatAction{"summary", kSummary}, FlatAction{"full", kFull}};

constexpr std::array kTools{
    LayeredTool{"screenshot", "Screenshot",
                "Take a picture of the screen. `region` shows a part in full resolution; `marks` numbers what can be "
                "acted on, for the `element` of ui; `save_path` writes it into a granted folder instead.",
                kScreenshot, "screenshot"},
    LayeredTool{"mouse", "Mouse",
                "Use the pointer. Give image_width and image_height of the screenshot when x and y are its pixels; "
                "without them they are logical desktop points.",
                kMouse},
    LayeredTool{"keyboard", "Keyboard", "Type text and press keys where the keyboard focus is.", kKeyboard},
    LayeredTool{"ui", "Elements",
                "Read and use the elements of an app in the background, by `title` and `role` or by the number of an "
                "`element`. The best fit is meant; several equal ones are told instead of guessed.",
                kUi},
    LayeredTool{"app", "Apps", "Open, choose and list apps, ask for access to them, and give the desktop back.", kApps},
    LayeredTool{"clipboard", "Clipboard", "Read or write the text on the clipboard.", kClipboard},
    LayeredTool{"ocr", "Read the screen", "Read the text of the screen, or of a part of it, by its pixels.",
                kOcrActions, "ocr"},
    LayeredTool{"audit", "Audit", "Tell what this session has done so far: counted, or call by call.", kAudit},
};

}  // namespace

std::span<const LayeredTool> layered_tools() { return kTools; }

}  // namespace handrail::surface
