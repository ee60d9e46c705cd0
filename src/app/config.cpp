#include "app/config.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <toml++/toml.h>

namespace handrail::app {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Json to_json(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    Json object = Json::object();
    for (const auto& [key, value] : *table) object[std::string(key.str())] = to_json(value);
    return object;
  }
  if (const auto* array = node.as_array()) {
    Json list = Json::array();
    for (const auto& value : *array) list.push_back(to_json(value));
    return list;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* flag = node.as_boolean()) return flag->get();
  return nullptr;  // dates: no setting is one, so the decoder refuses it with its name
}

Error in_file(Error error, const std::string& path) {
  error.message = fmt::format("{}: {}", path, error.message);
  if (error.hint.empty()) error.hint = "Correct the config file; Handrail does not start with settings it cannot read.";
  return error;
}

}  // namespace

std::string config_path() {
  if (const std::string path = environment("HANDRAIL_CONFIG"); !path.empty()) return path;
  std::string folder = environment("XDG_CONFIG_HOME");
  if (folder.empty()) folder = environment("HOME") + "/.config";
  return folder + "/handrail/config.toml";
}

Result<Config> parse_config(std::string_view text, const std::string& path) {
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    return in_file(make_error(Code::argument_invalid, fmt::format("line {}: {}.", error.source().begin.line,
                                                                  std::string(error.description()))),
                   path);
  }
  auto config = describe::decode<Config>(to_json(table));
  if (!config.ok()) return in_file(std::move(config).error(), path);
  return config;
}

Result<Config> load_config(const std::string& path) {
  std::error_code missing;
  if (!std::filesystem::exists(path, missing)) return Config{};
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file.good()) return make_error(Code::io_error, fmt::format("{} cannot be read.", path));
  return parse_config(text.str(), path);
}

Json config_schema() {
  Json schema = describe::schema<Config>();
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  return schema;
}

}  // namespace handrail::app
