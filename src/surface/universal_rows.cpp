#include "surface/universal_rows.h"

#include <array>

namespace handrail::surface {
namespace {

constexpr std::array kCaptureParams{FlatParam{"mode", "mode"}, FlatParam{"app", "app"},
                                    FlatParam{"window_id", "window_id"}, FlatParam{"max_elements", "max_elements"},
                                    FlatParam{"since", "since"}};
constexpr std::array kCapture{FlatForm{"capture", kCaptureParams}};

constexpr std::array kClickElementParams{FlatParam{"element", "element"}, FlatParam{"button", "button"},
                                         FlatParam{"modifiers", "modifiers"}, FlatParam{"delivery", "delivery"}};
constexpr std::array kClickPointParams{FlatParam{"coordinate", "at"}, FlatParam{"button", "button"},
                                       FlatParam{"modifiers", "modifiers"}, FlatParam{"delivery", "delivery"}};
constexpr std::string_view kBackground = R"({"delivery": "background"})";
constexpr std::array kClick{FlatForm{"click_element", kClickElementParams},
                            FlatForm{"click", kClickPointParams, kBackground, true}};

constexpr std::array kOtherElementParams{FlatParam{"element", "element"}, FlatParam{"modifiers", "modifiers"},
                                         FlatParam{"delivery", "delivery"}};
constexpr std::array kOtherPointParams{FlatParam{"coordinate", "at"}, FlatParam{"modifiers", "modifiers"},
                                       FlatParam{"delivery", "delivery"}};
constexpr std::array kDouble{FlatForm{"click_element", kOtherElementParams, R"({"count": 2})"},
                             FlatForm{"click", kOtherPointParams, R"({"count": 2, "delivery": "background"})", true}};
constexpr std::array kRight{
    FlatForm{"click_element", kOtherElementParams, R"({"button": "right"})"},
    FlatForm{"click", kOtherPointParams, R"({"button": "right", "delivery": "background"})", true}};
constexpr std::array kMiddle{
    FlatForm{"click_element", kOtherElementParams, R"({"button": "middle"})"},
    FlatForm{"click", kOtherPointParams, R"({"button": "middle", "delivery": "background"})", true}};

constexpr std::array kDragElementParams{FlatParam{"from_element", "from"}, FlatParam{"to_element", "to"},
                                        FlatParam{"button", "button"}, FlatParam{"modifiers", "modifiers"},
                                        FlatParam{"delivery", "delivery"}};
constexpr std::array kDragPointParams{FlatParam{"from_coordinate", "from"}, FlatParam{"to_coordinate", "to"},
                                      FlatParam{"button", "button"}, FlatParam{"modifiers", "modifiers"},
                                      FlatParam{"delivery", "delivery"}};
constexpr std::array kDrag{FlatForm{"drag_elements", kDragElementParams},
                           FlatForm{"drag", kDragPointParams, kBackground, true}};

constexpr std::array kScrollElementParams{FlatParam{"element", "element"}, FlatParam{"direction", "direction"},
                                          FlatParam{"amount", "amount"}, FlatParam{"modifiers", "modifiers"},
                                          FlatParam{"delivery", "delivery"}};
constexpr std::array kScrollPointParams{FlatParam{"coordinate", "at"}, FlatParam{"direction", "direction"},
                                        FlatParam{"amount", "amount"}, FlatParam{"modifiers", "modifiers"},
                                        FlatParam{"delivery", "delivery"}};
constexpr std::array kScroll{FlatForm{"scroll_element", kScrollElementParams},
                             FlatForm{"scroll", kScrollPointParams, kBackground, true}};

constexpr std::array kTypeParams{FlatParam{"text", "text"}, FlatParam{"element", "element"}, FlatParam{"app", "app"},
                                 FlatParam{"delivery", "delivery"}};
constexpr std::array kType{FlatForm{"type_into", kTypeParams}};
constexpr std::array kKeyParams{FlatParam{"keys", "keys"}, FlatParam{"app", "app"}, FlatParam{"delivery", "delivery"}};
constexpr std::array kKey{FlatForm{"key_into", kKeyParams}};
constexpr std::array kSetParams{FlatParam{"element", "element"}, FlatParam{"value", "value"},
                                FlatParam{"delivery", "delivery"}};
constexpr std::array kSet{FlatForm{"set_value", kSetParams}};
constexpr std::array kWaitParams{FlatParam{"seconds", "duration", 30}};
constexpr std::array kWait{FlatForm{"wait", kWaitParams, R"({"duration": 1.0})"}};
constexpr std::array kWaitForParams{FlatParam{"text", "text"}, FlatParam{"name", "name"}, FlatParam{"role", "role"},
                                    FlatParam{"app", "app"}, FlatParam{"timeout_seconds", "timeout_seconds"}};
constexpr std::array kWaitFor{FlatForm{"wait_for", kWaitForParams}};
constexpr std::array kVerifyParams{FlatParam{"expect", "expect"}, FlatParam{"app", "app"}};
constexpr std::array kVerify{FlatForm{"verify_state", kVerifyParams}};
constexpr std::array kFocusParams{FlatParam{"app", "app"}, FlatParam{"raise_window", "raise_window"}};
constexpr std::array kFocus{FlatForm{"focus_app", kFocusParams}};
// What is in front stays there, as with everything that this tool does.
constexpr std::array kOpenParams{FlatParam{"app", "app", 0, Shape::same, true}};
constexpr std::array kOpen{FlatForm{"open_app", kOpenParams, R"({"behind": true})"}};
constexpr std::array kAccessParams{
    FlatParam{"apps", "apps"}, FlatParam{"reason", "reason"}, FlatParam{"clipboard_read", "clipboard_read"},
    FlatParam{"clipboard_write", "clipboard_write"}, FlatParam{"system_keys", "system_keys"}};
constexpr std::array kAccess{FlatForm{"request_access", kAccessParams}};
constexpr std::array kApps{FlatForm{"list_apps", {}}};
constexpr std::array kWindows{FlatForm{"list_windows", {}}};
constexpr std::array kRelease{FlatForm{"release", {}}};

constexpr std::array kActions{
    FlatAction{"capture", kCapture},
    FlatAction{"click", kClick},
    FlatAction{"double_click", kDouble},
    FlatAction{"right_click", kRight},
    FlatAction{"middle_click", kMiddle},
    FlatAction{"drag", kDrag},
    FlatAction{"scroll", kScroll},
    FlatAction{"type", kType},
    FlatAction{"key", kKey},
    FlatAction{"set_value", kSet},
    FlatAction{"wait", kWait},
    FlatAction{"wait_for", kWaitFor},
    FlatAction{"verify_state", kVerify},
    FlatAction{"list_apps", kApps},
    FlatAction{"list_windows", kWindows},
    FlatAction{"open_app", kOpen},
    FlatAction{"focus_app", kFocus},
    FlatAction{"request_access", kAccess},
    FlatAction{"release", kRelease},
};

}  // namespace

std::span<const FlatAction> universal_actions() { return kActions; }

}  // namespace handrail::surface
