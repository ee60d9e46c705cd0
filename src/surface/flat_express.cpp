// The other direction of a flat tool: a call as arguments, and what the tool takes as schemas.
#include <algorithm>

#include "surface/flat_tool.h"
#include "surface/modifiers.h"

namespace handrail::surface {
namespace {

Json whole_number(const char* description) { return {{"type", "integer"}, {"description", description}}; }

}  // namespace

std::optional<Json> FlatTool::express(const Form& form, const Json& canonical) const {
  Json arguments = Json::object();
  // What stands in a call when the tool is given nothing for the field.
  const auto unsaid = [&](const std::string& field) {
    if (form.presets.contains(field)) return form.presets[field];
    return form.defaults.contains(field) ? form.defaults[field] : Json();
  };
  const auto empty = [](const Json& value) {
    return value.is_null() || value == "" || (value.is_array() && value.empty()) || value == false;
  };
  for (const auto& [field, value] : canonical.items()) {
    if (field == "basis" && (form.has_basis || form.presets.contains(field))) continue;
    const Json initial = unsaid(field);
    if (value == initial || (initial.is_null() && empty(value))) {
      const Json required = form.schema.value("required", Json::array());
      const bool needed = std::find(required.begin(), required.end(), field) != required.end();
      if (!needed || form.presets.contains(field)) continue;
    }
    bool said = false;
    for (const FlatParam& param : form.params) {
      if (param.field != field) continue;
      if (param.most > 0 && value.is_number() && value.get<double>() > param.most) return std::nullopt;
      said = true;
      arguments[std::string(param.name)] = is_half(param)                    ? value[half_of(param)]
                                           : param.shape == Shape::modifiers ? Json(modifier_text(value))
                                                                             : value;
    }
    if (!said) return std::nullopt;
  }
  for (const FlatParam& param : form.params) {
    if (param.shape == Shape::chooses) arguments[std::string(param.name)] = true;
    if (param.needed && !arguments.contains(param.name)) return std::nullopt;
  }
  return arguments;
}

std::vector<Json> FlatTool::express(const catalog::ActionSpec& spec, const Json& canonical) const {
  std::vector<Json> ways;
  for (const Action& action : actions_) {
    for (const Form& form : action.forms) {
      if (form.spec != &spec) continue;
      const auto arguments = express(form, canonical);
      if (!arguments) continue;
      Json whole{{"action", std::string(action.name)}};
      whole.update(*arguments);
      // Another form may be meant when nothing of this one's own is said.
      const auto chosen = form_of(action, *arguments);
      if (chosen.ok() && *chosen == &form) ways.push_back(std::move(whole));
    }
  }
  return ways;
}

Json FlatTool::schema_of(const Form& form, const FlatParam& param) {
  if (is_half(param)) return {{"type", "number"}};
  if (param.shape == Shape::chooses) return {{"type", "boolean"}};
  if (param.shape == Shape::modifiers) return {{"type", "string"}};
  return form.schema["properties"][std::string(param.field)];
}

Json FlatTool::properties() const {
  Json properties = Json::object();
  for (const Action& action : actions_) {
    for (const Form& form : action.forms) {
      for (const FlatParam& param : form.params) {
        Json& property = properties[std::string(param.name)];
        if (!property.is_null()) continue;
        property = schema_of(form, param);
        // Defaults differ between actions, and lengths are told when they are passed.
        for (const char* detail : {"default", "maxLength", "minLength"}) property.erase(detail);
        if (param.most > 0) property["maximum"] = param.most;
      }
    }
  }
  if (rules_.image_size) {
    properties[std::string(kImageWidth)] = whole_number("Width of the picture that the coordinates are pixels of.");
    properties[std::string(kImageHeight)] = whole_number("Its height. Without them: logical desktop points.");
  }
  if (rules_.settle)
    properties[std::string(kSettle)] = whole_number("Wait for the screen to come to rest, at most so long.");
  if (rules_.capture_after) {
    properties[std::string(kCaptureAfter)] = {{"type", "boolean"},
                                              {"description", "Capture again once the screen is still."}};
  }
  const auto acts = [](const Action& action) {
    return std::ranges::any_of(action.forms, [](const Form& form) { return form.spec->acts(); });
  };
  if (std::ranges::any_of(actions_, acts))
    properties[std::string(kDryRun)] = {{"type", "boolean"}, {"description", "Judge and tell; do nothing."}};
  return properties;
}

Json FlatTool::params_of(std::string_view name) const {
  Json all = Json::object();
  const Action* action = find(name);
  if (action == nullptr) return all;
  for (const Form& form : action->forms) {
    for (const FlatParam& param : form.params) {
      Json& property = all[std::string(param.name)];
      if (!property.is_null()) continue;
      property = schema_of(form, param);
      const bool needed = std::ranges::find(form.needed, param.name) != form.needed.end();
      if (form.presets.contains(param.field)) property["default"] = form.presets[std::string(param.field)];
      // Of several ways each needs what is its own.
      property["required"] =
          needed && (action->forms.size() == 1 || std::ranges::find(form.own, param.name) == form.own.end());
      if (needed && !property["required"].get<bool>()) property["one_way"] = true;
    }
  }
  return all;
}

}  // namespace handrail::surface
