#include "surface/native.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "surface/flat_tool.h"
#include "surface/native_steps.h"

namespace handrail::surface {
namespace {

// ---- Anthropic's tool is flat, so it is a table like those of the surfaces.

constexpr FlatParam kAt{"coordinate", "at"};
constexpr FlatParam kHeld{"text", "modifiers", 0, Shape::modifiers};
constexpr std::array kClickParams{kAt, kHeld};
constexpr std::array kMoveParams{kAt};
constexpr std::array kDragParams{FlatParam{"start_coordinate", "from"}, FlatParam{"coordinate", "to"}, kHeld};
constexpr std::array kScrollParams{kAt, FlatParam{"scroll_direction", "direction"},
                                   FlatParam{"scroll_amount", "amount"}, kHeld};
constexpr std::array kTypeParams{FlatParam{"text", "text"}};
constexpr std::array kKeyParams{FlatParam{"text", "keys"}, FlatParam{"repeat", "repeat"}};
constexpr std::array kHoldParams{FlatParam{"text", "keys"}, FlatParam{"duration", "duration"}};
constexpr std::array kWaitParams{FlatParam{"duration", "duration"}};
constexpr std::array kZoomParams{FlatParam{"region", "region"}};
constexpr std::array kLeft{FlatForm{"click", kClickParams, "{}", true}};
constexpr std::array kDouble{FlatForm{"click", kClickParams, R"({"count": 2})", true}};
constexpr std::array kTriple{FlatForm{"click", kClickParams, R"({"count": 3})", true}};
constexpr std::array kRight{FlatForm{"click", kClickParams, R"({"button": "right"})", true}};
constexpr std::array kMiddle{FlatForm{"click", kClickParams, R"({"button": "middle"})", true}};
constexpr std::array kDrag{FlatForm{"drag", kDragParams, "{}", true}};
constexpr std::array kMove{FlatForm{"move", kMoveParams, "{}", true}};
constexpr std::array kScroll{FlatForm{"scroll", kScrollParams, "{}", true}};
constexpr std::array kDown{FlatForm{"button_down", {}}};
constexpr std::array kUp{FlatForm{"button_up", {}}};
constexpr std::array kCursor{FlatForm{"cursor_position", {}, "{}", true}};
constexpr std::array kType{FlatForm{"type", kTypeParams}};
constexpr std::array kKey{FlatForm{"key", kKeyParams}};
constexpr std::array kHold{FlatForm{"hold_key", kHoldParams}};
constexpr std::array kWait{FlatForm{"wait", kWaitParams}};
constexpr std::array kShot{FlatForm{"screenshot", {}}};
constexpr std::array kZoom{FlatForm{"zoom", kZoomParams, "{}", true}};
constexpr std::array kAnthropic{
    FlatAction{"screenshot", kShot},
    FlatAction{"left_click", kLeft},
    FlatAction{"double_click", kDouble},
    FlatAction{"triple_click", kTriple},
    FlatAction{"right_click", kRight},
    FlatAction{"middle_click", kMiddle},
    FlatAction{"left_click_drag", kDrag},
    FlatAction{"mouse_move", kMove},
    FlatAction{"scroll", kScroll},
    FlatAction{"left_mouse_down", kDown},
    FlatAction{"left_mouse_up", kUp},
    FlatAction{"cursor_position", kCursor},
    FlatAction{"type", kType},
    FlatAction{"key", kKey},
    FlatAction{"hold_key", kHold},
    FlatAction{"wait", kWait},
    FlatAction{"zoom", kZoom},
};

FlatTool anthropic(const catalog::Catalog& catalog) { return {catalog, kAnthropic, {}}; }

Result<catalog::ActionCall> in_one_call(const catalog::Catalog& catalog, NativeSteps steps) {
  if (steps.size() == 1) return catalog.call(steps.front().action, std::move(steps.front().params));
  Json list = Json::array();
  for (NativeStep& step : steps) {
    // Each is decoded here, so that the error is about its own field.
    TRY(catalog.call(step.action, step.params));
    list.push_back({{"action", std::string(step.action)}, {"params", std::move(step.params)}});
  }
  return catalog.call("batch", {{"steps", std::move(list)}});
}

// ---- Declarations.

// The largest picture that is not scaled again on the vendor's side, or the size that the vendor recommends.
struct Limit {
  int long_edge;
  double pixels;
};
Limit limit_of(Vendor vendor) {
  switch (vendor) {
    case Vendor::anthropic: return {1568, 1.15e6};
    case Vendor::openai: return {6000, 10.24e6};
    case Vendor::gemini: break;
  }
  return {1440, 1440.0 * 900};
}

Json sized(Json tool, const char* width, const char* height, Size image) {
  tool[width] = image.width;
  tool[height] = image.height;
  return tool;
}

Json names(std::span<const std::string_view> list) {
  Json out = Json::array();
  for (const std::string_view name : list) out.push_back(std::string(name));
  return out;
}

}  // namespace

std::optional<Vendor> vendor_named(std::string_view name) {
  const auto found = std::ranges::find(kVendors, name);
  if (found == kVendors.end()) return std::nullopt;
  return static_cast<Vendor>(found - kVendors.begin());
}

std::span<const std::string_view> anthropic_calls() {
  static const std::vector<std::string_view> calls = [] {
    std::vector<std::string_view> list;
    for (const FlatAction& action : kAnthropic) list.push_back(action.name);
    return list;
  }();
  return calls;
}

Size native_image(Vendor vendor, Size display) {
  if (display.empty()) return display;
  const Limit limit = limit_of(vendor);
  const double edge = std::max(display.width, display.height);
  const double area = static_cast<double>(display.width) * display.height;
  const double scale = std::min({1.0, limit.long_edge / edge, std::sqrt(limit.pixels / area)});
  const auto side = [&](int length) { return std::max(1, static_cast<int>(std::floor(length * scale))); };
  return {side(display.width), side(display.height)};
}

Json native_declaration(Vendor vendor, Size image) {
  Json out{{"vendor", std::string(kVendors[static_cast<std::size_t>(vendor)])},
           {"image", {{"width", image.width}, {"height", image.height}}}};
  switch (vendor) {
    case Vendor::anthropic: {
      const Json tool =
          sized({{"type", "computer_20251124"}, {"name", "computer"}}, "display_width_px", "display_height_px", image);
      Json newer = tool;
      newer["enable_zoom"] = true;
      Json older = tool;
      older["type"] = "computer_20250124";
      out["tools"] = Json::array({std::move(newer)});
      out["or"] = Json::array({std::move(older)});
      out["coordinates"] = "Pixels of a screenshot of exactly this size.";
      out["calls"] = names(anthropic_calls());
      break;
    }
    case Vendor::openai:
      out["tools"] = Json::array({{{"type", "computer"}}});
      out["or"] = Json::array({sized({{"type", "computer_use_preview"}, {"environment", "linux"}}, "display_width",
                                     "display_height", image)});
      out["coordinates"] = "Pixels of the screenshot that was sent, unscaled (detail: original).";
      out["calls"] = names(openai_calls());
      break;
    case Vendor::gemini:
      out["tools"] = Json::array({{{"computer_use", {{"environment", "ENVIRONMENT_DESKTOP"}}}}});
      out["or"] = Json::array(
          {{{"type", "computer_use"}, {"environment", "desktop"}},
           {{"computer_use",
             {{"environment", "ENVIRONMENT_BROWSER"}, {"excluded_predefined_functions", names(gemini_elsewhere())}}}}});
      out["coordinates"] = "0 to 999 across and down, whatever the size of the screenshot.";
      out["calls"] = names(gemini_calls());
      out["not_here"] = names(gemini_elsewhere());
      break;
  }
  return out;
}

Result<catalog::ActionCall> resolve_native(const catalog::Catalog& catalog, Vendor vendor, const Json& call) {
  if (!call.is_object()) {
    return make_error(Code::argument_invalid, "The call is no object.")
        .with_field("call", "the JSON object that the model's call is");
  }
  switch (vendor) {
    case Vendor::anthropic: {
      const auto input = call.find("input");
      return anthropic(catalog).resolve(input != call.end() ? *input : call);
    }
    case Vendor::openai: return in_one_call(catalog, TRY(openai_steps(call)));
    case Vendor::gemini: break;
  }
  return in_one_call(catalog, TRY(gemini_steps(call)));
}

std::vector<Json> express_anthropic(const catalog::Catalog& catalog, const catalog::ActionSpec& spec,
                                    const Json& canonical) {
  return anthropic(catalog).express(spec, canonical);
}

}  // namespace handrail::surface
