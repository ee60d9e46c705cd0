#include "app/config.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/fd.h"
#include "base/nearest.h"
#include "base/process.h"
#include "model/key.h"
#include "platform/linux/app_launcher.h"
#include "platform/linux/app_program.h"
#include "policy/app_name.h"

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
  if (error.hint.empty() && error.field.starts_with("files.roots")) {
    error.hint = "Write a line [[files.roots]], and below it path = \"/home/me/work\" and access = \"read\".";
  }
  if (error.hint.empty()) error.hint = "Correct the config file; Handrail does not start with settings it cannot read.";
  return error;
}

// The next step for a line that is no TOML: mostly a text without its quotes.
std::string quotes_hint(std::string_view text, std::size_t number) {
  for (; number > 1; --number) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos || equals == 0) return "";
  const std::size_t begin = line.find_first_not_of(" \t", equals + 1);
  if (begin == std::string_view::npos || std::isalpha(static_cast<unsigned char>(line[begin])) == 0) return "";
  const std::string_view word = line.substr(begin, line.find_first_of(" \t\r#", begin) - begin);
  const std::string_view name = line.substr(0, line.find_last_not_of(" \t", equals - 1) + 1);
  if (word == "True" || word == "False" || word == "TRUE" || word == "FALSE") return "Write true or false.";
  return fmt::format("Text needs quotes: {} = \"{}\".", shortened(name, 60), shortened(word, 60));
}

Error unusable(const std::string& field, const std::string& value, const std::string& expected) {
  return make_error(Code::argument_invalid, fmt::format("`{}` is `{}`.", field, value)).with_field(field, expected);
}

// What can be decoded and yet cannot work, so that it is told here and not by the first call that needs it.
Status check_usable(const Config& config) {
  if (!config.panic_chord.empty()) {
    if (const auto chord = parse_chord(config.panic_chord); !chord.ok()) {
      return unusable("panic_chord", config.panic_chord, "keys such as ctrl+alt+Escape, or an empty text for none")
          .with_hint(chord.error().message);
    }
  }
  if (const auto size = parse_desktop_size(config.desktop.size, "desktop.size"); !size.ok()) return size.error();
  if (config.region && (config.region->size() != 4 || (*config.region)[2] <= 0 || (*config.region)[3] <= 0)) {
    return make_error(Code::argument_invalid, "`region` is no rectangle.")
        .with_field("region", "x, y, a positive width and a positive height");
  }
  for (std::size_t i = 0; i < config.files.roots.size(); ++i) {
    const std::string& path = config.files.roots[i].path;
    if (path.starts_with('/')) continue;
    return unusable(fmt::format("files.roots[{}].path", i), path, "an absolute path such as /home/me/work")
        .with_hint("Write the whole path, from / on; ~ and variables are not replaced.");
  }
  return {};
}

bool same_app(const std::string& a, const std::string& b) {
  return policy::folded_app_name(a) == policy::folded_app_name(b);
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
    const auto line = error.source().begin.line;
    return in_file(make_error(Code::argument_invalid, fmt::format("line {}: {}.", line, error.description()))
                       .with_hint(quotes_hint(text, line)),
                   path);
  }
  const Json given = to_json(table);
  auto config = describe::decode<Config>(given);
  if (!config.ok()) return in_file(std::move(config).error(), path);
  for (std::size_t i = 0; i < config->grants.size(); ++i) {
    config->grants[i].by_category = !given["grants"][i].contains("tier");
  }
  if (const Status usable = check_usable(*config); !usable.ok()) return in_file(usable.error(), path);
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

Result<Size> parse_desktop_size(const std::string& text, const std::string& field) {
  Size size;
  int used = 0;
  const bool read = std::sscanf(text.c_str(), "%5dx%5d%n", &size.width, &size.height, &used) == 2;
  if (read && static_cast<std::size_t>(used) == text.size() && size.width >= 160 && size.height >= 120 &&
      size.width <= 8192 && size.height <= 8192) {
    return size;
  }
  return unusable(field, text, "WIDTHxHEIGHT from 160x120 to 8192x8192, such as 1280x800");
}

std::vector<std::string> config_doubts(const Config& config) {
  std::vector<std::string> doubts;
  for (const FileRootSetting& root : config.files.roots) {
    std::error_code failed;
    if (!std::filesystem::is_directory(root.path, failed)) {
      doubts.push_back(fmt::format("`files.roots`: there is no folder {}.", root.path));
    }
    const bool everything = std::filesystem::path(root.path).lexically_normal() == "/";
    if (everything && root.access == RootAccess::write) {
      doubts.push_back("`files.roots`: with write access to / every file of yours can be changed.");
    }
  }
  const Environment environment = linux_::session_desktop(current_environment()).environment;
  const auto known = [&](const char* setting, const std::string& app) {
    if (linux_::resolve_program(app, environment).ok()) return;
    doubts.push_back(fmt::format("`{}`: no installed app is called {}.", setting, app));
  };
  for (const AppRequest& grant : config.grants) {
    known("grants", grant.app);
    const bool denied = std::ranges::any_of(
        owner_rules(config), [&](const policy::OwnerRule& rule) { return rule.deny && same_app(rule.app, grant.app); });
    if (denied) doubts.push_back(fmt::format("`grants`: {} is denied as well, and that wins.", grant.app));
  }
  for (const AppRule& rule : config.apps) known("apps", rule.app);
  for (const std::string& app : config.deny) known("deny", app);
  return doubts;
}

std::string off_by_settings(const Config& config) {
  if (!config.enabled) return "`enabled` is false in " + config_path();
  const char* disabled = std::getenv("HANDRAIL_DISABLED");
  const bool set = disabled != nullptr && *disabled != '\0' && std::string_view(disabled) != "0";
  return set ? "HANDRAIL_DISABLED is set" : "";
}

}  // namespace handrail::app
