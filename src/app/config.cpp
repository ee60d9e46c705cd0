#include "app/config.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <toml++/toml.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/fd.h"

namespace handrail::app {

std::vector<policy::OwnerRule> owner_rules(const Config& config) {
  std::vector<policy::OwnerRule> rules;
  for (const AppRule& rule : config.apps) rules.push_back({rule.app, rule.deny, rule.most});
  for (const std::string& app : config.deny) rules.push_back({app, true, GrantTier::read});
  return rules;
}

namespace {

constexpr std::size_t kMaxConfigBytes = 1u << 20;

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
    return in_file(make_error(Code::argument_invalid,
                              fmt::format("line {}: {}.", error.source().begin.line, std::string(error.description()))),
                   path);
  }
  const Json given = to_json(table);
  auto config = describe::decode<Config>(given);
  if (!config.ok()) return in_file(std::move(config).error(), path);
  for (std::size_t i = 0; i < config->grants.size(); ++i) {
    config->grants[i].by_category = !given["grants"][i].contains("tier");
  }
  return config;
}

Result<Config> load_config(const std::string& path) {
  // Not blocking: opening a pipe would wait for its writer for ever.
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const bool named = !environment("HANDRAIL_CONFIG").empty();
  if (!file.valid() && errno == ENOENT && !named) return Config{};
  const auto unreadable = [&path](std::string_view why) {
    return make_error(Code::io_error, fmt::format("The config file {} cannot be read: {}.", path, why));
  };
  if (!file.valid()) return unreadable(std::strerror(errno));
  struct stat about {};
  if (::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return unreadable("it is not a file");
  std::string text;
  char part[4096];
  ssize_t got = 0;
  while ((got = ::read(file.get(), part, sizeof part)) > 0 && text.size() < kMaxConfigBytes) {
    text.append(part, static_cast<std::size_t>(got));
  }
  if (got < 0) return unreadable(std::strerror(errno));
  if (text.size() >= kMaxConfigBytes) return unreadable("it is too large");
  return parse_config(text, path);
}

Json config_schema() {
  Json schema = describe::schema<Config>();
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  return schema;
}

std::string off_by_settings(const Config& config) {
  if (!config.enabled) return "`enabled` is false in " + config_path();
  const char* disabled = std::getenv("HANDRAIL_DISABLED");
  const bool set = disabled != nullptr && *disabled != '\0' && std::string_view(disabled) != "0";
  return set ? "HANDRAIL_DISABLED is set" : "";
}

}  // namespace handrail::app
