#include "front/cli/reference.h"

#include <fmt/format.h>

#include <vector>

#include "front/cli/do_command.h"

namespace handrail::cli {
namespace {

constexpr std::string_view kMade = "Made by `handrail schema --docs`; do not edit.\n";

// A text inside a cell of a table.
std::string cell(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

std::string code(std::string_view text) { return fmt::format("`{}`", cell(text)); }

std::string type_text(const Json& schema) {
  if (schema.contains("enum")) {
    std::string names;
    for (const auto& name : schema["enum"]) names += (names.empty() ? "" : ", ") + code(name.get<std::string>());
    return names;
  }
  const std::string type = schema.value("type", std::string("any"));
  if (type != "array" || !schema.contains("items")) return type;
  const std::string inner = type_text(schema["items"]);
  if (schema.contains("minItems") && schema["minItems"] == schema.value("maxItems", Json())) {
    return fmt::format("{} × {}", to_line(schema["minItems"]), inner);
  }
  return "list of " + inner;
}

std::string limit(const Json& schema, const char* least, const char* most, std::string_view unit) {
  const bool from = schema.contains(least), to = schema.contains(most);
  if (!from && !to) return {};
  const std::string after = unit.empty() ? "" : fmt::format(" {}", unit);
  if (!from) return fmt::format("at most {}{}", to_line(schema[most]), after);
  if (!to) return fmt::format("at least {}{}", to_line(schema[least]), after);
  if (schema[least] == schema[most]) return fmt::format("{}{}", to_line(schema[least]), after);
  return fmt::format("{} to {}{}", to_line(schema[least]), to_line(schema[most]), after);
}

std::string limits_text(const Json& schema) {
  std::string text = limit(schema, "minimum", "maximum", "");
  text += limit(schema, "minLength", "maxLength", "characters");
  if (schema.value("minItems", Json(-1)) != schema.value("maxItems", Json(-2))) {
    text += limit(schema, "minItems", "maxItems", "entries");
  }
  return text;
}

bool is_required(const Json& object, const std::string& name) {
  if (!object.contains("required")) return false;
  for (const auto& one : object["required"]) {
    if (one == name) return true;
  }
  return false;
}

struct Row {
  std::string name, type, initial, limits, doc;
};

// Every field of an object, those of nested objects under their path: `apps[].tier`.
void add_rows(const Json& object, const std::string& prefix, std::vector<Row>& rows) {
  if (!object.contains("properties")) return;
  for (const auto& [name, schema] : object["properties"].items()) {
    std::string path = prefix + name;
    const bool nested = schema.contains("properties");
    std::string initial;
    if (is_required(object, name))
      initial = "required";
    else if (!nested && schema.contains("default"))
      initial = code(to_line(schema["default"]));
    rows.push_back(
        {path, type_text(schema), std::move(initial), limits_text(schema), schema.value("description", std::string())});
    const Json* inner = &schema;
    for (; inner->contains("items"); inner = &(*inner)["items"]) path += "[]";
    add_rows(*inner, path + ".", rows);
  }
}

std::vector<Row> rows_of(const Json& object) {
  std::vector<Row> rows;
  add_rows(object, "", rows);
  return rows;
}

std::string field_table(const std::vector<Row>& rows) {
  std::string text = "| name | type | default | limits | meaning |\n|---|---|---|---|---|\n";
  for (const Row& row : rows) {
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", row.name, row.type, row.initial, row.limits, cell(row.doc));
  }
  return text;
}

std::string result_table(const std::vector<Row>& rows) {
  std::string text = "| result | type | meaning |\n|---|---|---|\n";
  for (const Row& row : rows) text += fmt::format("| `{}` | {} | {} |\n", row.name, row.type, cell(row.doc));
  return text;
}

std::string action_text(const catalog::ActionSpec& spec) {
  std::string text = fmt::format("\n### {}\n\n{}\n\n", spec.name, spec.summary);
  text +=
      fmt::format("Tier `{}` · touches `{}` · needs ", describe::name_of(spec.tier), describe::name_of(spec.touches));
  const std::string_view capability = describe::name_of(spec.capability);
  text += spec.capability == Capability::none ? "nothing of the desktop"
                                              : fmt::format("[`{0}`](capabilities.md#{0})", capability);
  text += spec.acts() ? " · takes `dry_run`\n" : "\n";
  if (const auto rows = rows_of(spec.params_schema()); !rows.empty()) text += "\n" + field_table(rows);
  if (const auto rows = rows_of(spec.result_schema()); !rows.empty()) text += "\n" + result_table(rows);
  for (const catalog::Example& example : spec.examples) {
    text += fmt::format("\n{}\n\n```\n{}\n{}\n```\n", example.says, example_line(spec, example), example.params);
  }
  return text;
}

std::string actions_page(const catalog::Catalog& catalog) {
  std::string contents, body;
  for (const auto& category : describe::Names<catalog::Category>::list) {
    std::string names, texts;
    for (const catalog::ActionSpec* spec : catalog.all()) {
      if (spec->category != category.value) continue;
      names += fmt::format(" [`{0}`](#{0})", spec->name);
      texts += action_text(*spec);
    }
    if (names.empty()) continue;
    contents += fmt::format("| {} |{} |\n", title_of(category.value), names);
    body += fmt::format("\n## {}\n{}", title_of(category.value), texts);
  }
  return fmt::format(
      "# Actions\n\n{}\n"
      "Every action is one row of the catalog. `handrail do ACTION` runs it from the command line, the tools of\n"
      "[contract/](../../contract/) offer it to agents, and both pass the same gates. Examples are shown as a command\n"
      "and as the JSON of the same call; a number of an element comes from the last capture of the same session.\n\n"
      "| | |\n|---|---|\n{}{}",
      kMade, contents, body);
}

std::string errors_page() {
  std::string text = fmt::format(
      "# Errors\n\n{}\n"
      "A failed call has one of these codes, a message, a next step, and `side_effects`: `none` means that nothing "
      "was\n"
      "touched, `partial` that some of it was done, `possible` that nobody can tell.\n\n"
      "| code | meaning | retry | exit code | HTTP status | next step |\n|---|---|---|---|---|---|\n",
      kMade);
  for (const ErrorRow& error : error_table()) {
    text += fmt::format("| `{}` | {} | `{}` | {} | {} | {} |\n", error.name, meaning_of(error.code), name(error.retry),
                        error.cli_exit, error.http_status, cell(error.hint));
  }
  text += "\nWhat the retry classes mean:\n\n| retry | meaning |\n|---|---|\n";
  for (const Retry retry :
       {Retry::never, Retry::fix_arguments, Retry::look_again, Retry::later, Retry::after_fix, Retry::ask_person}) {
    text += fmt::format("| `{}` | {} |\n", name(retry), meaning_of(retry));
  }
  return text +
         "\n`handrail do` ends with 0 when it was done, and `handrail do verify_state` with 1 when something is "
         "not so.\n";
}

std::string config_page(const Json& schema) {
  return fmt::format(
      "# Settings\n\n{}\n"
      "`~/.config/handrail/config.toml`, or the file that `$HANDRAIL_CONFIG` names. Everything is optional. A mistake\n"
      "stops the program and names the place. A name with a dot is a key of a table (`[budget]`), one with `[]` a key\n"
      "of each row of a list (`[[grants]]`).\n\n{}",
      kMade, field_table(rows_of(schema)));
}

std::string capabilities_page(const catalog::Catalog& catalog) {
  std::string text = fmt::format(
      "# Capabilities\n\n{}\n"
      "What a desktop can do. `handrail doctor` says which of these work here; an action that needs a missing one is\n"
      "refused with `capability_unsupported` or `permission_missing` before anything is done.\n",
      kMade);
  for (const auto& capability : describe::Names<Capability>::list) {
    if (capability.value == Capability::none) continue;
    std::string names;
    for (const catalog::ActionSpec* spec : catalog.all()) {
      if (spec->capability == capability.value) names += fmt::format(" [`{0}`](actions.md#{0})", spec->name);
    }
    const CapabilityWords words = words_of(capability.value);
    text += fmt::format("\n## {}\n\n{}\n\n- Needs: {}.\n- When it is missing: {}\n- Actions:{}\n", capability.text,
                        words.what, words.needs, words.fix, names.empty() ? " none" : names);
  }
  return text;
}

}  // namespace

std::map<std::string, std::string> reference_pages(const catalog::Catalog& catalog, const Json& config_schema) {
  return {{"actions.md", actions_page(catalog)},
          {"errors.md", errors_page()},
          {"config.md", config_page(config_schema)},
          {"capabilities.md", capabilities_page(catalog)}};
}

}  // namespace handrail::cli
