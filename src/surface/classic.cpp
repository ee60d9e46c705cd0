// The classic surface: reads the table in classic_tools.cpp in both directions.
#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "describe/codec.h"
#include "describe/model_names.h"
#include "surface/classic_tools.h"
#include "surface/modifiers.h"
#include "surface/reply.h"

namespace handrail::surface {
namespace {

constexpr std::string_view kBatchTool = "computer_batch";
// Every tool that acts takes it beside its own parameters.
constexpr std::string_view kDryRun = "dry_run";

// Takes `dry_run` out of the arguments.
Result<bool> take_dry_run(const catalog::ActionSpec& spec, Json& arguments) {
  const auto found = arguments.find(kDryRun);
  if (!spec.acts() || found == arguments.end()) return false;
  if (!found->is_boolean()) {
    return make_error(Code::argument_invalid, "`dry_run` is neither true nor false.")
        .with_field(std::string(kDryRun), "true or false");
  }
  const bool dry = found->get<bool>();
  arguments.erase(found);
  return dry;
}

// An error about an action's field, in the tool's own words.
Error in_words_of(const ClassicTool& tool, Error error) {
  // A field that there is not has the name that the caller gave it.
  if (error.expected.starts_with("only ")) return error;
  for (const Param& param : tool.params) {
    if (param.name == param.field || !error.field.starts_with(param.field)) continue;
    const std::string_view rest = std::string_view(error.field).substr(param.field.size());
    if (!rest.empty() && rest.front() != '[' && rest.front() != '.') continue;
    const std::string quoted = "`" + std::string(param.field);
    if (const std::size_t at = error.message.find(quoted); at != std::string::npos) {
      error.message.replace(at + 1, param.field.size(), param.name);
    }
    error.field = std::string(param.name) + std::string(rest);
    break;
  }
  return error;
}

// Hints name actions in backticks, as the command line has them. A tool has its own name, and a sentence about an
// action that is no tool here is left out. Argument errors speak of values, which may be called like an action.
std::string hint_for_tools(std::string_view hint, const catalog::Catalog& catalog) {
  std::string kept;
  while (!hint.empty()) {
    const std::size_t end = std::min(hint.find(". "), hint.size());
    std::string_view rest = hint.substr(0, std::min(end + 2, hint.size()));
    hint.remove_prefix(rest.size());
    std::string sentence;
    bool known = true;
    for (std::size_t open = rest.find('`'); open != std::string_view::npos; open = rest.find('`')) {
      const std::size_t close = std::min(rest.find('`', open + 1), rest.size());
      const std::string_view name = rest.substr(open + 1, close - open - 1);
      const auto tool = std::ranges::find(classic_tools(), name, &ClassicTool::action);
      const bool is_tool = tool != classic_tools().end();
      known = known && (is_tool || !catalog.find(name).ok());
      sentence += fmt::format("{}`{}`", rest.substr(0, open), is_tool ? tool->name : name);
      rest.remove_prefix(std::min(close + 1, rest.size()));
    }
    if (known) kept += sentence + std::string(rest);
  }
  while (kept.ends_with(' ')) kept.pop_back();
  return kept;
}

Json param_schema(const Json& action_schema, const Param& param) {
  if (param.shape == Shape::modifiers) {
    return {{"type", "string"},
            {"maxLength", 60},
            {"description", "Modifier keys held meanwhile, joined by +: ctrl, shift, alt, super."}};
  }
  return action_schema["properties"][std::string(param.field)];
}

Json dry_run_schema() { return {{"type", "boolean"}, {"description", "Judge and tell; do nothing."}}; }

// What an action takes when nothing is said, and what stands for nothing.
bool is_unsaid(const Json& action_schema, const std::string& field, const Json& value) {
  const Json& property = action_schema["properties"][field];
  if (property.contains("default")) return property["default"] == value;
  return value == "" || value == false || (value.is_array() && value.empty());
}

// The params as this tool would be called, when the tool can say them.
std::optional<Json> example_for(const ClassicTool& tool, const Json& presets, const Json& action_schema, Json example) {
  for (const auto& [name, value] : presets.items()) {
    if (example.contains(name) ? example[name] != value : !is_unsaid(action_schema, name, value)) return std::nullopt;
    example.erase(name);
  }
  if (tool.has_basis) example.erase("basis");
  Json arguments = Json::object();
  for (const Param& param : tool.params) {
    const auto found = example.find(param.field);
    if (found == example.end()) continue;
    if (param.shape == Shape::modifiers) {
      arguments[std::string(param.name)] = modifier_text(*found);
    } else {
      arguments[std::string(param.name)] = *found;
    }
    example.erase(std::string(param.field));
  }
  for (const auto& [name, value] : example.items()) {
    if (!is_unsaid(action_schema, name, value)) return std::nullopt;
  }
  return arguments;
}

// A row of the table with what follows from the action behind it, worked out once.
struct Row {
  const ClassicTool* tool = nullptr;
  const catalog::ActionSpec* spec = nullptr;
  Json presets;
  Json action_schema;
  Json input_schema;
  std::vector<std::string_view> names;
  std::vector<std::string_view> needed;
};

Row make_row(const catalog::Catalog& catalog, const ClassicTool& tool) {
  Row row{&tool, catalog.find(tool.action).value(), parse_json(tool.presets).value(), {}, {}, {}, {}};
  row.action_schema = row.spec->params_schema();
  const Json required = row.action_schema.value("required", Json::array());
  for (const Param& param : tool.params) {
    row.names.push_back(param.name);
    const bool needed = param.needed || std::find(required.begin(), required.end(), param.field) != required.end();
    if (needed) row.needed.push_back(param.name);
  }
  return row;
}

class Classic : public ToolSurface {
 public:
  Classic(const catalog::Catalog& catalog, SurfaceSettings settings) : catalog_(catalog), settings_(settings) {
    for (const ClassicTool& tool : classic_tools()) rows_.push_back(make_row(catalog, tool));
    for (Row& row : rows_) {
      row.input_schema = input_schema(row);
      tools_.push_back(describe_tool(row));
    }
  }

  std::span<const Tool> tools() const override { return tools_; }
  Result<catalog::ActionCall> resolve(std::string_view tool, const Json& arguments) const override;
  Reply render(std::string_view tool, Result<Outcome> outcome, std::string_view nonce) const override;
  std::vector<ToolCall> express(const catalog::ActionSpec& spec, const Json& canonical) const override;

 private:
  Tool describe_tool(const Row& row) const;
  Json input_schema(const Row& row) const;
  Json batch_schema() const;
  Result<const Row*> find(std::string_view name) const;
  Result<catalog::ActionCall> read_call(const Row& row, const Json& arguments) const;
  Result<Json> action_params(const Row& row, const Json& arguments) const;
  Result<Json> batch_params(const Json& arguments) const;
  void name_step(Outcome& outcome) const;
  void name_tools(Error& error) const;

  const catalog::Catalog& catalog_;
  SurfaceSettings settings_;
  std::vector<Row> rows_;
  std::vector<Tool> tools_;
};

Result<const Row*> Classic::find(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const Row& row : rows_) {
    if (row.tool->name == name) return &row;
    names.push_back(row.tool->name);
  }
  Error error = make_error(Code::action_unknown, fmt::format("There is no tool `{}`.", shortened(name, 60)));
  error.hint = did_you_mean(nearest_some(name, names));
  return error;
}

Result<Json> Classic::action_params(const Row& row, const Json& arguments) const {
  TRY(describe::check_object(arguments, {}, row.names, row.needed));
  Json params = row.presets;
  for (const Param& param : row.tool->params) {
    const auto found = arguments.find(param.name);
    if (found == arguments.end()) continue;
    params[std::string(param.field)] =
        param.shape == Shape::modifiers ? TRY(modifier_list(*found, param.name)) : *found;
  }
  if (row.tool->has_basis) params["basis"] = std::string(describe::name_of(settings_.coordinates));
  return params;
}

Result<Json> Classic::batch_params(const Json& arguments) const {
  TRY(describe::check_object(arguments, {}, {"actions"}, {"actions"}));
  const Json& actions = arguments["actions"];
  TRY(describe::check_list(actions, "actions", describe::between(1, 20)));
  Json steps = Json::array();
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const std::string place = fmt::format("actions[{}]", i);
    const auto placed = [&place](Error error) {
      error.field = error.field.empty() ? place : place + "." + error.field;
      error.message = fmt::format("In `{}`: {} Nothing was done.", place, error.message);
      return error;
    };
    if (!actions[i].is_object() || !actions[i].contains("action")) {
      return placed(
          make_error(Code::argument_invalid, "`action` is missing.").with_field("action", "the name of a tool"));
    }
    Json rest = actions[i];
    rest.erase("action");
    const auto name = describe::read_text(actions[i]["action"], "action", {});
    if (!name.ok()) return placed(name.error());
    if (*name == kBatchTool) return placed(make_error(Code::argument_invalid, "A batch cannot hold a batch."));
    auto call = resolve(*name, rest);
    if (!call.ok()) {
      Error error = std::move(call).error();
      if (error.code == Code::action_unknown) {
        error.code = Code::argument_invalid;
        error.field = "action";
      }
      return placed(std::move(error));
    }
    if (call->dry_run) {
      return placed(make_error(Code::argument_invalid, "`dry_run` is for a whole batch.")
                        .with_field(std::string(kDryRun), "beside `actions`, not in a step"));
    }
    steps.push_back({{"action", call->spec->name}, {"params", std::move(call->arguments)}, {"label", *name}});
  }
  return Json{{"steps", std::move(steps)}};
}

Result<catalog::ActionCall> Classic::resolve(std::string_view name, const Json& arguments) const {
  const Row& row = *TRY(find(name));
  auto call = read_call(row, arguments);
  if (call.ok() || call.error().code != Code::argument_invalid || !call.error().hint.empty()) return call;
  const auto examples = row.input_schema.find("examples");
  if (examples == row.input_schema.end() || examples->empty()) return call;
  return std::move(call).error().with_hint("Correct the named field and call again, for example with " +
                                           to_line(examples->front()) + ".");
}

Result<catalog::ActionCall> Classic::read_call(const Row& row, const Json& arguments) const {
  Json own = arguments;
  const bool dry_run = own.is_object() && TRY(take_dry_run(*row.spec, own));
  Json params = TRY(row.tool->name == kBatchTool ? batch_params(own) : action_params(row, own));
  auto call = catalog_.call(row.tool->action, std::move(params));
  if (!call.ok()) return in_words_of(*row.tool, std::move(call).error());
  call->dry_run = dry_run;
  return call;
}

Reply Classic::render(std::string_view name, Result<Outcome> outcome, std::string_view nonce) const {
  const auto tool = find(name);
  if (!outcome.ok() && tool.ok()) outcome = in_words_of(*(*tool)->tool, std::move(outcome).error());
  if (!outcome.ok()) name_tools(outcome.error());
  if (outcome.ok() && outcome->failure && name == kBatchTool) name_step(*outcome);
  return make_reply(std::move(outcome), nonce);
}

void Classic::name_tools(Error& error) const {
  if (error.code == Code::argument_invalid || error.code == Code::action_unknown) return;
  error.hint = hint_for_tools(error.hint, catalog_);
}

// The step that failed, by its place in `actions` and in the words of its own tool.
void Classic::name_step(Outcome& outcome) const {
  Json& step = outcome.data["steps"].back();
  const auto tool = find(step["action"].get<std::string>());
  if (!tool.ok()) return;
  const Error before = *outcome.failure;
  Error error = in_words_of(*(*tool)->tool, std::move(*outcome.failure));
  name_tools(error);
  const auto reword = [&](std::string text) {
    for (const auto& [old, now] : {std::pair(before.message, error.message),
                                   std::pair(std::string(before.next_step()), std::string(error.next_step()))}) {
      if (const std::size_t at = text.find(old); at != std::string::npos) text.replace(at, old.size(), now);
    }
    return text;
  };
  outcome.text = reword(std::move(outcome.text));
  step["text"] = reword(step["text"].get<std::string>());
  if (!error.field.empty()) error.field = fmt::format("actions[{}].{}", step["step"].get<int>(), error.field);
  outcome.failure = std::move(error);
}

Json Classic::input_schema(const Row& row) const {
  if (row.tool->name == kBatchTool) return batch_schema();
  Json properties = Json::object();
  for (const Param& param : row.tool->params) {
    properties[std::string(param.name)] = param_schema(row.action_schema, param);
  }
  if (row.spec->acts()) properties[std::string(kDryRun)] = dry_run_schema();
  Json schema = describe::object_schema(std::move(properties), row.needed);
  Json examples = Json::array();
  for (const catalog::Example& example : row.spec->examples) {
    auto arguments = example_for(*row.tool, row.presets, row.action_schema, parse_json(example.params).value());
    if (arguments) examples.push_back(std::move(*arguments));
  }
  schema["examples"] = std::move(examples);
  return schema;
}

std::vector<ToolCall> Classic::express(const catalog::ActionSpec& spec, const Json& canonical) const {
  std::vector<ToolCall> calls;
  for (const Row& row : rows_) {
    // The steps of a batch are tools, and are told apart by their names.
    if (row.spec != &spec || row.tool->name == kBatchTool) continue;
    const Json required = row.action_schema.value("required", Json::array());
    Json said = Json::object();
    for (const auto& [name, value] : canonical.items()) {
      const bool needed = std::find(required.begin(), required.end(), name) != required.end();
      if (needed || !is_unsaid(row.action_schema, name, value)) said[name] = value;
    }
    auto arguments = example_for(*row.tool, row.presets, row.action_schema, std::move(said));
    if (arguments) calls.push_back({std::string(row.tool->name), std::move(*arguments)});
  }
  return calls;
}

// One flat object for every kind of step: clients that are strict about schemas take no alternatives.
Json Classic::batch_schema() const {
  Json properties = Json::object();
  std::vector<std::string_view> names;
  for (const Row& row : rows_) {
    if (row.tool->name != kBatchTool) names.push_back(row.tool->name);
  }
  properties["action"] = describe::choice_schema(names);
  properties["action"]["description"] = "Which tool; its own parameters stand beside it.";
  for (const Row& row : rows_) {
    if (row.tool->name == kBatchTool) continue;
    for (const Param& param : row.tool->params) {
      Json& property = properties[std::string(param.name)];
      if (!property.is_null()) continue;
      property = param_schema(row.action_schema, param);
      property.erase("default");
      if (param.name == "text") property = {{"type", "string"}, {"description", "As in the tool of that name."}};
    }
  }
  Json steps =
      describe::list_schema(describe::object_schema(std::move(properties), {"action"}), describe::between(1, 20));
  steps["description"] = "Steps in order.";
  Json schema =
      describe::object_schema({{"actions", std::move(steps)}, {std::string(kDryRun), dry_run_schema()}}, {"actions"});
  schema["examples"] = Json::array({{{"actions",
                                      {{{"action", "left_click"}, {"coordinate", {640, 400}}},
                                       {{"action", "type"}, {"text", "done"}},
                                       {{"action", "key"}, {"text", "ctrl+s"}}}}}});
  return schema;
}

Tool Classic::describe_tool(const Row& row) const {
  return {std::string(row.tool->name),
          std::string(row.tool->title),
          std::string(row.tool->description.empty() ? row.spec->summary : row.tool->description),
          row.input_schema,
          output_schema(row.spec->result_schema()),
          annotations(*row.spec, row.tool->title)};
}

}  // namespace

std::unique_ptr<ToolSurface> make_classic(const catalog::Catalog& catalog, SurfaceSettings settings) {
  return std::make_unique<Classic>(catalog, settings);
}

}  // namespace handrail::surface
