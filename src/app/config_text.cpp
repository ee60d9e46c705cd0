#include "app/config_text.h"

#include <fmt/format.h>

namespace handrail::app {
namespace {

constexpr std::size_t kWide = 116;

std::string value_text(const Json& value) {
  if (value.is_array()) {
    std::string list;
    for (const Json& item : value) list += (list.empty() ? "" : ", ") + value_text(item);
    return "[" + list + "]";
  }
  // Strings, numbers and booleans are written as in JSON.
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_table(const Json& schema) { return schema.value("type", "") == "object"; }
bool is_list_of_tables(const Json& schema) { return schema.contains("items") && is_table(schema["items"]); }

std::string about(const Json& schema) {
  std::string text = schema.value("description", "");
  const Json& choices = schema.contains("items") ? schema["items"] : schema;
  if (choices.contains("enum")) {
    std::string names;
    for (const Json& name : choices["enum"]) names += (names.empty() ? "" : ", ") + name.get<std::string>();
    text += " One of " + names + ".";
  }
  std::string lines, line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && line.size() + word.size() + 1 > kWide) {
      lines += "# " + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return lines + (line.empty() ? "" : "# " + line + "\n");
}

// What stands for a setting that has no value of its own. Taken out of its comment as it is, it can be read.
Json example_of(std::string_view name, const Json& schema) {
  if (name == "app") return "org.xfce.mousepad";
  if (name == "path") return "/home/me/work";
  if (name == "region") return Json::array({0, 0, 1280, 800});
  if (schema.contains("default")) return schema["default"];
  if (schema.contains("enum")) return schema["enum"][0];
  const std::string type = schema.value("type", "");
  if (type == "array") return Json::array();
  if (type == "boolean") return false;
  if (type == "string") return "";
  return 0;
}

std::string rows(const Json& schema, const Json& values, const std::string& before, bool notes) {
  std::string text;
  for (const auto& [name, field] : schema["properties"].items()) {
    if (is_table(field) || is_list_of_tables(field)) continue;
    const bool set = values.contains(name);
    // What does not hold is not shown as if it did; in a file of comments it is an example.
    if (!set && before.empty()) continue;
    if (notes) text += about(field);
    text +=
        fmt::format("{}{} = {}\n", set ? before : "# ", name, value_text(set ? values[name] : example_of(name, field)));
    if (notes) text += "\n";
  }
  return text;
}

// The tables of an object behind its plain settings, as TOML has it; `path` is where the object stands.
std::string tables(const Json& schema, const Json& values, const std::string& path, bool commented) {
  const std::string before = commented ? "# " : "";
  std::string text;
  for (const auto& [name, field] : schema["properties"].items()) {
    if (!is_table(field) && !is_list_of_tables(field)) continue;
    const std::string place = path + name;
    if (commented) text += about(field);
    if (is_table(field)) {
      const Json own = values.value(name, Json::object());
      text += fmt::format("{}[{}]\n", commented ? "# " : "\n", place);
      text += rows(field, own, before, false);
      if (commented) text += "\n";
      text += tables(field, own, place + ".", commented);
      continue;
    }
    Json list = values.value(name, Json::array());
    if (commented && list.empty()) list.push_back(Json::object());
    for (const Json& item : list) {
      text += fmt::format("{}[[{}]]\n", commented ? "# " : "\n", place) + rows(field["items"], item, before, false);
    }
    if (commented) text += "\n";
  }
  return text;
}

}  // namespace

std::string settings_text(const Json& schema, const Json& values, bool commented) {
  return rows(schema, values, commented ? "# " : "", commented) + tables(schema, values, "", commented);
}

}  // namespace handrail::app
