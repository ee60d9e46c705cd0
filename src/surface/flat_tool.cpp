#include "surface/flat_tool.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "describe/codec.h"
#include "describe/model_names.h"
#include "surface/modifiers.h"

namespace handrail::surface {
namespace {

constexpr double kMostSettle = 3000;
constexpr double kMostImage = 32000;
constexpr double kNormal = 1000;

bool takes(const std::vector<FlatParam>& params, std::string_view name) {
  return std::ranges::find(params, name, &FlatParam::name) != params.end();
}

Result<bool> take_flag(Json& arguments, std::string_view name) {
  const auto found = arguments.find(name);
  if (found == arguments.end()) return false;
  if (!found->is_boolean()) {
    return make_error(Code::argument_invalid, fmt::format("`{}` is neither true nor false.", name))
        .with_field(std::string(name), "true or false");
  }
  const bool set = found->get<bool>();
  arguments.erase(found);
  return set;
}

// Nothing when it is not there.
Result<std::optional<int>> take_number(Json& arguments, std::string_view name, double least, double most) {
  std::optional<int> number;
  const auto found = arguments.find(name);
  if (found == arguments.end()) return number;
  number = TRY(describe::read_int(*found, std::string(name), describe::between(least, most)));
  arguments.erase(found);
  return number;
}

// The picture that coordinates are pixels of, when the caller says which.
Result<std::optional<Size>> take_image(Json& arguments) {
  const auto width = TRY(take_number(arguments, kImageWidth, 1, kMostImage));
  const auto height = TRY(take_number(arguments, kImageHeight, 1, kMostImage));
  std::optional<Size> size;
  if (width.has_value() != height.has_value()) {
    const std::string missing(width ? kImageHeight : kImageWidth);
    return make_error(Code::argument_invalid, fmt::format("`{}` is missing.", missing))
        .with_field(missing, "both sides of the picture, or neither");
  }
  if (width) size = Size{*width, *height};
  return size;
}

// A call by number may say whose element it means: it is refused when the last capture was of another.
Result<Json> take_owner(const std::vector<FlatParam>& params, Json& own) {
  Json owner = Json::object();
  if (takes(params, "app") || (!takes(params, "element") && !takes(params, "from_element"))) return owner;
  if (const auto app = own.find("app"); app != own.end()) {
    owner["app"] = TRY(describe::read_text(*app, "app", describe::between(1, 200)));
    own.erase("app");
  }
  if (const auto window = own.find("window_id"); window != own.end()) {
    if (!window->is_number_integer() || window->get<std::int64_t>() < 1) {
      return make_error(Code::argument_invalid, "`window_id` is no window.")
          .with_field("window_id", "a number of list_windows");
    }
    owner["window"] = *window;
    own.erase("window_id");
  }
  return owner;
}

// A number between 0 and the side of the picture, as a thousandth of it. The far edge of a region is inside.
Result<Json> in_thousandths(const Json& value, const std::string& place, int side, bool closed) {
  const double number = TRY(describe::read_number(value, place, {}));
  if (number >= 0 && (number < side || (closed && number <= side))) return Json(number * kNormal / side);
  return make_error(Code::argument_invalid, fmt::format("`{}` is {:g}, outside the picture.", place, number))
      .with_field(place, fmt::format("a number from 0 to {}{}", closed ? "" : "below ", side));
}

// A value of the tool as the one of the field.
Result<Json> read_value(const Json& value, const FlatParam& param, const std::optional<Size>& image) {
  const std::string place(param.name);
  switch (param.shape) {
    case Shape::same:
    case Shape::chooses: break;
    case Shape::modifiers: return modifier_list(value, param.name);
    case Shape::x:
    case Shape::y:
      if (!image) return Json(TRY(describe::read_number(value, place, {})));
      return in_thousandths(value, place, param.shape == Shape::x ? image->width : image->height, false);
    case Shape::region:
      if (!image || !value.is_array() || value.size() != 4) break;
      Json region = Json::array();
      for (std::size_t i = 0; i < 4; ++i) {
        const int side = i % 2 == 0 ? image->width : image->height;
        region.push_back(TRY(in_thousandths(value[i], fmt::format("{}[{}]", place, i), side, true)));
      }
      return region;
  }
  return value;
}

}  // namespace

FlatTool::FlatTool(const catalog::Catalog& catalog, std::span<const FlatAction> rows, FlatRules rules)
    : catalog_(catalog), rules_(rules) {
  for (const FlatAction& row : rows) {
    Action action{row.name, {}};
    for (const FlatForm& each : row.forms) {
      const auto spec = catalog.find(each.action);
      if (!spec.ok()) continue;
      Form form{*spec,
                {each.params.begin(), each.params.end()},
                parse_json(each.presets).value(),
                each.has_basis,
                (*spec)->params_schema(),
                Json::object()};
      for (const auto& [field, property] : form.schema["properties"].items()) {
        if (property.contains("default")) form.defaults[field] = property["default"];
      }
      const Json required = form.schema.value("required", Json::array());
      for (const FlatParam& param : form.params) {
        const bool needed = param.needed || std::find(required.begin(), required.end(), param.field) != required.end();
        if (needed && !form.presets.contains(param.field)) form.needed.push_back(param.name);
      }
      action.forms.push_back(std::move(form));
    }
    for (Form& form : action.forms) {
      for (const FlatParam& param : form.params) {
        const auto elsewhere = [&](const Form& other) { return &other != &form && takes(other.params, param.name); };
        if (std::ranges::none_of(action.forms, elsewhere)) form.own.push_back(param.name);
      }
    }
    if (action.forms.empty()) continue;
    actions_.push_back(std::move(action));
    names_.push_back(row.name);
  }
}

const FlatTool::Action* FlatTool::find(std::string_view name) const {
  const auto found = std::ranges::find(actions_, name, &Action::name);
  return found == actions_.end() ? nullptr : &*found;
}

const catalog::ActionSpec* FlatTool::spec_of(std::string_view name) const {
  const Action* action = find(name);
  return action == nullptr ? nullptr : action->forms.front().spec;
}

// Of all its forms together.
std::vector<std::string_view> FlatTool::fields_of(const Action& action) const {
  std::vector<std::string_view> names;
  for (const Form& form : action.forms) {
    for (const FlatParam& param : form.params) {
      if (std::ranges::find(names, param.name) == names.end()) names.push_back(param.name);
    }
  }
  if (rules_.owners) names.insert(names.end(), {"app", "window_id"});
  names.push_back(kDryRun);
  return names;
}

// The form whose own parameters are there; several ways at once, or none, is told with all of them.
Result<const FlatTool::Form*> FlatTool::form_of(const Action& action, const Json& arguments) const {
  if (action.forms.size() == 1) return &action.forms.front();
  std::vector<const Form*> meant;
  std::vector<const Form*> plain;
  std::vector<std::string> ways;
  for (const Form& form : action.forms) {
    const auto is_own = [&](std::string_view name) { return std::ranges::find(form.own, name) != form.own.end(); };
    if (std::ranges::none_of(form.needed, is_own)) plain.push_back(&form);
    if (!form.own.empty()) ways.push_back(fmt::format("`{}`", fmt::join(form.own, "` and `")));
    if (std::ranges::any_of(form.own, [&](std::string_view name) { return arguments.contains(name); }))
      meant.push_back(&form);
  }
  if (meant.size() == 1) return meant.front();
  // The last one is the plain one: what comes before it asks for more.
  if (meant.empty() && !plain.empty()) return plain.back();
  const std::vector<std::string_view>& needed = action.forms.front().needed;
  return make_error(Code::argument_invalid, fmt::format("`{}` needs {}{}.", action.name, fmt::join(ways, " or "),
                                                        meant.empty() ? "" : ", not both"))
      .with_field(std::string(needed.empty() ? action.forms.front().own.front() : needed.front()),
                  fmt::format("{}", fmt::join(ways, " or ")));
}

Result<Json> FlatTool::read_params(const Form& form, const Json& own, const std::optional<Size>& image) const {
  Json params = form.presets;
  for (const FlatParam& param : form.params) {
    const auto given = own.find(param.name);
    if (given == own.end()) continue;
    if (param.most > 0 && given->is_number() && given->get<double>() > param.most) {
      return make_error(Code::argument_invalid, fmt::format("`{}` is more than {:g}.", param.name, param.most))
          .with_field(std::string(param.name), fmt::format("a number from 0 to {:g}", param.most));
    }
    if (param.shape == Shape::chooses) continue;
    Json value = TRY(read_value(*given, param, image));
    Json& field = params[std::string(param.field)];
    if (!is_half(param)) {
      field = std::move(value);
      continue;
    }
    if (field.is_null()) field = Json::array({nullptr, nullptr});
    field[half_of(param)] = std::move(value);
  }
  for (const FlatParam& param : form.params) {
    if (!is_half(param)) continue;
    const auto point = params.find(param.field);
    if (point == params.end() || !(*point)[half_of(param)].is_null()) continue;
    return make_error(Code::argument_invalid, fmt::format("`{}` is missing.", param.name))
        .with_field(std::string(param.name), "both numbers of a point");
  }
  if (form.has_basis) params["basis"] = std::string(describe::name_of(image ? Basis::normalized_0_1000 : rules_.basis));
  return params;
}

Result<catalog::ActionCall> FlatTool::read_call(const Action& action, Json own) const {
  const bool capture_after = rules_.capture_after && TRY(take_flag(own, kCaptureAfter));
  for (const Form& form : action.forms) {
    for (const FlatParam& param : form.params) {
      // False chooses nothing.
      if (param.shape == Shape::chooses && TRY(take_flag(own, param.name))) own[std::string(param.name)] = true;
    }
  }
  const auto meant = form_of(action, own);
  // A field that no form has is more likely the mistake than a field that is missing.
  if (!meant.ok()) TRY(describe::check_object(own, {}, fields_of(action), {}));
  const Form& form = *TRY(meant);
  const bool dry_run = form.spec->acts() && TRY(take_flag(own, kDryRun));
  std::optional<int> settle;
  if (rules_.settle && form.spec->acts()) settle = TRY(take_number(own, kSettle, 0, kMostSettle));
  std::optional<Size> image;
  if (rules_.image_size && form.has_basis) image = TRY(take_image(own));
  const Json numbers_of = rules_.owners ? TRY(take_owner(form.params, own)) : Json::object();
  std::vector<std::string_view> allowed;
  for (const FlatParam& param : form.params) allowed.push_back(param.name);
  TRY(describe::check_object(own, {}, allowed, form.needed));
  auto call = catalog_.call(form.spec->name, TRY(read_params(form, own, image)));
  if (!call.ok()) return in_words(form, std::move(call).error());
  call->dry_run = dry_run;
  if (!numbers_of.empty()) call->arguments["numbers_of"] = numbers_of;
  call->capture_after = capture_after;
  call->settle_ms = settle.value_or(0);
  return call;
}

Result<catalog::ActionCall> FlatTool::resolve(const Json& arguments) const {
  const std::string expected = fmt::format("one of: {}", fmt::join(names_, ", "));
  if (!arguments.is_object() || !arguments.contains("action")) {
    return make_error(Code::argument_invalid, "`action` is missing.").with_field("action", expected);
  }
  const std::string name = TRY(describe::read_text(arguments["action"], "action", describe::between(1, 60)));
  const Action* found = find(name);
  if (found == nullptr) {
    Error error = make_error(Code::argument_invalid, fmt::format("There is no action `{}`.", shortened(name, 60)))
                      .with_field("action", expected);
    if (const auto close = nearest(name, names_); !close.empty()) error.hint = fmt::format("Did you mean `{}`?", close);
    return error;
  }
  Json own = arguments;
  own.erase("action");
  return read_call(*found, std::move(own));
}

Error FlatTool::in_words(const Form& form, Error error) {
  if (error.expected.starts_with("only ")) return error;
  for (const FlatParam& param : form.params) {
    if (param.field.empty() || param.name == param.field || param.shape == Shape::y) continue;
    if (!error.field.starts_with(param.field)) continue;
    const std::string_view rest = std::string_view(error.field).substr(param.field.size());
    if (!rest.empty() && rest.front() != '[' && rest.front() != '.') continue;
    const std::string quoted = fmt::format("`{}", param.field);
    if (const std::size_t at = error.message.find(quoted); at != std::string::npos) {
      error.message.replace(at + 1, param.field.size(), param.name);
    }
    error.field = std::string(param.name) + std::string(rest);
    break;
  }
  return error;
}

}  // namespace handrail::surface
