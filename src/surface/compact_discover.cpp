#include "surface/compact_discover.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/nearest.h"

namespace handrail::surface {
namespace {

constexpr std::string_view kPolicy =
    "Prefer what works in the background: find an element with ui or find_element, then press, set_value, type_into or "
    "select_menu. Use the pointer and the keyboard of the person only for what has no element, and do the least that "
    "is visible. Every action that changes something takes dry_run. Coordinates and boxes are logical desktop points.";

std::string type_of(const Json& schema) {
  if (schema.contains("enum")) {
    std::string choices;
    for (const auto& choice : schema["enum"]) choices += (choices.empty() ? "" : "|") + choice.get<std::string>();
    return choices;
  }
  const std::string type = schema.value("type", "any");
  if (type == "array") {
    const Json& items = schema["items"];
    const bool fixed = schema.contains("minItems") && schema["minItems"] == schema.value("maxItems", Json());
    if (fixed && schema["minItems"] == 2) return "[x,y]";
    if (fixed && schema["minItems"] == 4) return "[x1,y1,x2,y2]";
    return "[" + type_of(items) + "…]";
  }
  if (type == "object") {
    std::string fields;
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [name, property] : properties.items()) {
      fields += fmt::format("{}{}: {}", fields.empty() ? "" : ", ", name, type_of(property));
    }
    return "{" + fields + "}";
  }
  if ((type == "integer" || type == "number") && schema.contains("minimum")) {
    // Ids of windows go up to whatever they go to.
    const double most = schema["maximum"].get<double>();
    return most >= 100000 ? type : fmt::format("{}..{}", to_line(schema["minimum"]), to_line(schema["maximum"]));
  }
  return type == "string" ? "text" : type;
}

// 640 rather than 640.0.
Json whole_numbers(const Json& value) {
  if (value.is_number_float() && value.get<double>() == std::floor(value.get<double>()))
    return static_cast<std::int64_t>(value.get<double>());
  if (!value.is_structured()) return value;
  Json out = value;
  for (auto& item : out) item = whole_numbers(item);
  return out;
}

std::string signature(std::string_view name, const FlatTool& tool) {
  std::string params;
  const Json all = tool.params_of(name);
  for (const auto& [param, schema] : all.items()) {
    const bool needed = schema.value("required", false);
    params += fmt::format("{}{}{}: {}", params.empty() ? "" : ", ", param, needed ? "" : "?", type_of(schema));
    const Json initial = schema.value("default", Json());
    if (!initial.is_null() && initial != false)
      params +=
          fmt::format(" = {}", initial.is_string() ? initial.get<std::string>() : to_line(whole_numbers(initial)));
  }
  return fmt::format("{}({})", name, params);
}

// The first example of the action that this name can say.
std::string example_of(std::string_view name, const catalog::ActionSpec& spec, const FlatTool& tool) {
  for (const catalog::Example& example : spec.examples) {
    const auto params = parse_json(example.params);
    if (!params.ok()) continue;
    const auto decoded = spec.decode(*params);
    if (!decoded.ok()) continue;
    for (const Json& way : tool.express(spec, spec.encode(*decoded))) {
      if (way["action"] == name) return to_line(whole_numbers(way));
    }
  }
  return {};
}

}  // namespace

Result<std::string> discover(std::string_view category, const CompactRows& rows, const FlatTool& tool) {
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(rows.all(), [&](const CompactRow& row) { return row.category == name; });
  };
  std::vector<std::string_view> known;
  std::ranges::copy_if(compact_categories(), std::back_inserter(known), has);
  known.push_back("all");
  if (std::ranges::find(known, category) == known.end()) {
    Error error = make_error(Code::argument_invalid, fmt::format("There is no category `{}`.", shortened(category, 60)))
                      .with_field("category", "one of: " + join_or(known));
    error.hint = did_you_mean(nearest_some(category, known));
    return error;
  }
  const bool all = category == "all";
  std::string text(kPolicy);
  std::string_view group;
  for (const CompactRow& row : rows.all()) {
    if (!all && row.category != category) continue;
    if (row.category != group) text += fmt::format("\n\n{}", row.category);
    group = row.category;
    const catalog::ActionSpec& spec = *tool.spec_of(row.action.name);
    text += "\n" + signature(row.action.name, tool);
    if (all) continue;
    text += fmt::format("\n  {}", row.says.empty() ? spec.summary : row.says);
    if (const std::string example = example_of(row.action.name, spec, tool); !example.empty())
      text += fmt::format("\n  {}", example);
  }
  return text;
}

}  // namespace handrail::surface
