#include "front/cli/contract.h"

#include <fmt/format.h>

#include "surface/guidance.h"

namespace handrail::cli {

Json catalog_export(const catalog::Catalog& catalog) {
  Json actions = Json::array();
  for (const catalog::ActionSpec* spec : catalog.all()) {
    Json examples = Json::array();
    for (const catalog::Example& example : spec->examples) {
      examples.push_back({{"says", example.says}, {"params", parse_json(example.params).value()}});
    }
    actions.push_back({{"name", spec->name},
                       {"summary", spec->summary},
                       {"category", describe::name_of(spec->category)},
                       {"touches", describe::name_of(spec->touches)},
                       {"tier", describe::name_of(spec->tier)},
                       {"capability", describe::name_of(spec->capability)},
                       {"params", spec->params_schema()},
                       {"result", spec->result_schema()},
                       {"examples", std::move(examples)}});
  }
  return {{"actions", std::move(actions)}};
}

Json errors_export() {
  Json errors = Json::array();
  for (const ErrorRow& error : error_table()) {
    errors.push_back({{"code", error.name},
                      {"retry", name(error.retry)},
                      {"cli_exit", error.cli_exit},
                      {"http_status", error.http_status},
                      {"hint", error.hint}});
  }
  return {{"errors", std::move(errors)}};
}

Json tools_export(const surface::ToolSurface& surface) {
  Json tools = Json::array();
  for (const surface::Tool& tool : surface.tools()) tools.push_back(surface::to_json(tool));
  return {{"tools", std::move(tools)}};
}

std::map<std::string, std::string> contract_files(const catalog::Catalog& catalog, const Json& config_schema) {
  std::map<std::string, std::string> files{{"actions.json", to_pretty(catalog_export(catalog))},
                                           {"errors.json", to_pretty(errors_export())},
                                           {"config.schema.json", to_pretty(config_schema)}};
  Json budgets = Json::object();
  for (const std::string_view name : surface::kSurfaces) {
    const auto surface = surface::make_surface(name, catalog, {});
    const Json tools = tools_export(*surface);
    std::size_t inputs = 0;
    for (const surface::Tool& tool : surface->tools()) {
      inputs += tool.name.size() + tool.description.size() + to_line(tool.input_schema).size();
    }
    // Four characters to a token, as a rule of thumb; what a model is shown is name, text and input.
    budgets[std::string(name)] = {{"tools", surface->tools().size()},
                                  {"shown_tokens", (inputs + 3) / 4},
                                  {"list_tokens", (to_line(tools).size() + 3) / 4}};
    if (name == "compact") {
      // Its ceiling is in characters: description and schema together.
      const surface::Tool& tool = surface->tools().front();
      budgets["compact"]["shown_chars"] = tool.description.size() + to_line(tool.input_schema).size();
      const auto told = surface->answer(tool.name, {{"action", "discover"}, {"category", "all"}});
      budgets["compact"]["discover_all_tokens"] = told ? (told->text.size() + 3) / 4 : 0;
    }
    files[fmt::format("tools.{}.json", name)] = to_pretty(tools);
  }
  files["skill.md"] = surface::skill_document();
  files["budgets.json"] = to_pretty(budgets);
  return files;
}

}  // namespace handrail::cli
