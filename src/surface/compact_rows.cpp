#include "surface/compact_rows.h"

#include <algorithm>
#include <array>

namespace handrail::surface {
namespace {

constexpr std::array<std::string_view, 12> kCategories{"observe",   "mouse", "keyboard",  "ax",     "windows", "apps",
                                                       "clipboard", "files", "scripting", "system", "setup",   "flow"};

// Names that the tool has for actions of the catalog.
constexpr std::array kNames{
    CompactName{"ui_tree", "ui"},
    CompactName{"cursor_position", "cursor"},
    CompactName{"click_element", "press"},
    CompactName{"click_named", "press_named"},
    CompactName{"value_named", "get_value_named"},
    CompactName{"minimise_window", "minimize_window"},
    CompactName{"maximise_window", "maximize_window"},
    CompactName{"read_clipboard", "get_clipboard"},
    CompactName{"write_clipboard", "set_clipboard"},
};

// Numbers elements in pixels, which this tool does not speak of; and steps by the catalog's names.
constexpr std::array<std::string_view, 2> kLeftOut{"capture", "batch"};

// More ways to call an action, told by what they set.
struct Way {
  std::string_view action;
  std::string_view name;
  std::string_view presets;
  std::string_view needed = {};
};
constexpr std::array kWays{
    Way{"screenshot", "window_screenshot", "{}", "window"},
    Way{"click", "double_click", R"({"count": 2})"},
    Way{"click", "right_click", R"({"button": "right"})"},
};

// Fields whose names would mean something else beside others, or that only cost room.
struct Field {
  std::string_view action;  // empty: of every action
  std::string_view field;
  std::string_view name;  // empty: left out
};
constexpr std::array kFields{
    // What an element or an app calls its own action.
    Field{"", "action", "verb"},
    Field{"", "timeout_seconds", "timeout"},
    Field{"drag_elements", "from", "from_element"},
    Field{"drag_elements", "to", "to_element"},
    Field{"select_menu", "path", "menu"},
    Field{"drag", "path", ""},
    Field{"ui_tree", "max_elements", "most"},
    Field{"focus_app", "raise_window", "raise"},
    Field{"audit", "form", "mode"},
    Field{"open_app", "file", "path"},
    Field{"move_file", "to", "new_path"},
    Field{"move_file", "replace", "force"},
    Field{"delete_file", "recursive", "force"},
    Field{"read_file", "encoding", "format"},
    Field{"write_clipboard", "files", "paths"},
    Field{"write_clipboard", "image", "base64"},
    Field{"shell", "command", "script"},
    Field{"app_action", "parameter", "value"},
    Field{"set_brightness", "percent", "amount"},
    Field{"screenshot", "format", ""},
    Field{"zoom", "format", ""},
    Field{"", "basis", ""},
    Field{"", "quality", ""},
    Field{"", "max_bytes", ""},
    Field{"", "max_width", ""},
    Field{"", "max_height", ""},
    Field{"", "selection", ""},
    Field{"", "show_cursor", ""},
    Field{"", "repeat", ""},
};

// What an action's summary says about pixels is not for those who speak of points.
constexpr std::array kSays{
    CompactName{"screenshot", "Take a picture of a display; its text says how pixels become points."},
    CompactName{"window_screenshot", "Take a picture of one window, also when others cover it."},
    CompactName{"zoom", "See a part of the screen in full resolution."},
    CompactName{"double_click", "Click twice at a point."},
    CompactName{"right_click", "Click with the right button at a point, which opens a context menu in most apps."},
};

// Groups that differ from the catalog's.
constexpr std::array kGroups{
    CompactName{"wait_for", "scripting"}, CompactName{"verify_state", "scripting"},  CompactName{"release", "setup"},
    CompactName{"audit", "system"},       CompactName{"check_permissions", "setup"}, CompactName{"setup", "setup"},
};

std::string_view field_name(std::string_view action, std::string_view field) {
  for (const Field& each : kFields) {
    if (each.field == field && (each.action == action || each.action.empty())) return each.name;
  }
  return field;
}

std::string_view group_of(const catalog::ActionSpec& spec) {
  const auto found = std::ranges::find(kGroups, spec.name, &CompactName::action);
  if (found != kGroups.end()) return found->name;
  return spec.category == catalog::Category::permission ? "setup" : describe::name_of(spec.category);
}

std::string_view name_of(const catalog::ActionSpec& spec) {
  const auto found = std::ranges::find(kNames, spec.name, &CompactName::action);
  return found == kNames.end() ? spec.name : found->name;
}

}  // namespace

void CompactRows::add(std::string_view name, const catalog::ActionSpec& spec, std::string_view category,
                      std::string_view presets, std::string_view needed) {
  std::vector<FlatParam>& params = params_.emplace_back();
  const Json preset = parse_json(presets).value();
  const Json schema = spec.params_schema();
  bool pixels = false;
  for (const auto& [field, property] : schema["properties"].items()) {
    // Boxes and places are told in points, whatever the action does by itself.
    if (field == "basis") pixels = property.value("default", std::string()) != "points";
    const std::string_view own = field_name(spec.name, field);
    if (own.empty() || preset.contains(field)) continue;
    const std::string& kept = texts_.emplace_back(field);
    params.push_back({own == field ? std::string_view(kept) : own, kept, 0, Shape::same, kept == needed});
  }
  forms_.push_back({FlatForm{spec.name, params, pixels ? R"({"basis": "points"})" : presets}});
  const auto says = std::ranges::find(kSays, name, &CompactName::action);
  rows_.push_back({{name, forms_.back()}, category, says == kSays.end() ? std::string_view() : says->name});
}

CompactRows::CompactRows(const catalog::Catalog& catalog) {
  for (const std::string_view category : kCategories) {
    for (const catalog::ActionSpec* spec : catalog.all()) {
      if (group_of(*spec) != category || std::ranges::find(kLeftOut, spec->name) != kLeftOut.end()) continue;
      add(name_of(*spec), *spec, category, "{}", {});
      for (const Way& way : kWays) {
        if (way.action == spec->name) add(way.name, *spec, category, way.presets, way.needed);
      }
    }
  }
}

std::vector<FlatAction> CompactRows::actions() const {
  std::vector<FlatAction> actions;
  for (const CompactRow& row : rows_) actions.push_back(row.action);
  return actions;
}

std::span<const CompactName> compact_names() { return kNames; }

std::span<const std::string_view> compact_categories() { return kCategories; }

}  // namespace handrail::surface
