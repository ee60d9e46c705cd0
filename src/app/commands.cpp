#include "app/commands.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

#include "actions/all.h"
#include "app/colour.h"
#include "app/config.h"
#include "app/desk.h"
#include "app/visit.h"
#include "base/log.h"
#include "base/nearest.h"
#include "base/signals.h"
#include "front/cli/contract.h"
#include "front/cli/do_command.h"
#include "front/cli/options.h"
#include "front/cli/reference.h"
#include "front/mcp/stdio.h"
#include "surface/native.h"
#include "vision/sizing.h"

namespace handrail::app {

Options do_options() {
  static const std::vector<cli::Option> options{
      {"desktop", "WHICH", "embedded (a new one), the name of a running one, or an X display such as :0.", "name"},
      {"size", "WxH", "Size of a new embedded desktop. Default 1280x800."},
      {"grant", "APP[:TIER]",
       "Grant an app, or files, shell, clipboard_read, clipboard_write or system_keys; again for more."},
      {"log-level", "LEVEL", "error, warning, info or debug, on standard error."},
  };
  return options;
}

Options mcp_options() {
  static const std::vector<cli::Option> options = [] {
    std::vector<cli::Option> all{
        {"surface", "NAME,NAME",
         "Which sets of tools: universal (the one tool computer_use, the default), compact (one tool computer), "
         "layered (8 tools) or classic (24 tools)."},
        {"coordinates", "UNITS", "pixels, normalized_0_100 or normalized_0_1000."},
    };
    all.insert(all.end(), do_options().begin(), do_options().end());
    return all;
  }();
  return options;
}

namespace {

Status apply_log_level(const cli::Parsed& parsed) {
  static constexpr std::array<std::string_view, 4> kLevels{"error", "warning", "info", "debug"};
  const std::string wanted = parsed.value("log-level", "warning");
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (kLevels[i] == wanted) {
      set_log_level(static_cast<LogLevel>(i));
      return {};
    }
  }
  return make_error(Code::argument_invalid, fmt::format("--log-level is `{}`.", wanted))
      .with_field("log-level", join_or(kLevels));
}

Result<AppRequest> parse_grant(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  Json row{{"app", text.substr(0, colon)}};
  if (colon != std::string::npos) row["tier"] = text.substr(colon + 1);
  AppRequest grant = TRY(describe::decode<AppRequest>(row, "grant"));
  grant.by_category = colon == std::string::npos;
  return grant;
}

// `--grant files` and the like; false for what is an app's name.
bool allow_flag(const std::string& name, Config& config) {
  if (name == "files") return config.files.allow = true;
  if (name == "shell") return config.programs.allow = true;
  if (name == "clipboard_read") return config.clipboard_read = true;
  if (name == "clipboard_write") return config.clipboard_write = true;
  if (name == "system_keys") return config.system_keys = true;
  return false;
}

// Settings of one run: the config file, then the command line on top.
Result<VisitRequest> visit_from(const cli::Parsed& parsed, DeskRequest::Otherwise otherwise) {
  VisitRequest request;
  request.config = TRY(load_config(config_path()));
  Config& config = request.config;
  if (parsed.has("coordinates")) {
    config.coordinates = TRY(describe::decode<CoordinateUnits>(parsed.value("coordinates"), "coordinates"));
  }
  for (const std::string& text : parsed.values("grant")) {
    if (!allow_flag(text, config)) request.grants.push_back(TRY(parse_grant(text)));
  }
  request.desk = {parsed.value("desktop"), otherwise, parsed.value("size", config.desktop.size)};
  return request;
}

Result<std::unique_ptr<surface::ToolSurface>> surface_from(const cli::Parsed& parsed, Basis coordinates) {
  const std::string name = parsed.value("surface", std::string(surface::kDefaultSurface));
  return surface::make_surfaces(name, actions::all_actions(), {coordinates});
}

// The picture is what a screenshot of such a display would be, within what the vendor takes.
Result<Json> declaration_for(const cli::Parsed& parsed) {
  const auto vendor = surface::vendor_named(parsed.value("for"));
  if (!vendor) {
    return make_error(Code::argument_invalid, fmt::format("--for is `{}`.", parsed.value("for")))
        .with_field("for", join_or(surface::kVendors));
  }
  const Config config = TRY(load_config(config_path()));
  const std::string text = parsed.value("size", config.desktop.size);
  Size display;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%5dx%5d%c", &display.width, &display.height, &rest) != 2 || display.empty()) {
    return make_error(Code::argument_invalid, fmt::format("--size is `{}`.", text))
        .with_field("size", "WIDTHxHEIGHT in pixels, such as 1280x800");
  }
  const Size most = surface::native_image(*vendor, display);
  const Size image = vision::fit(display, config.images, {most.width, most.height});
  return surface::native_declaration(*vendor, image);
}

Status serve(const cli::Parsed& parsed, int protocol_out, int ending_fd) {
  TRY(apply_log_level(parsed));
  VisitRequest request = TRY(visit_from(parsed, DeskRequest::Otherwise::embedded));
  const auto surface = TRY(surface_from(parsed, basis_of(request.config.coordinates)));
  const std::unique_ptr<Visit> visit = TRY(Visit::open(std::move(request)));
  log(LogLevel::info, "serving {}", visit->told());
  mcp::serve_stdio(visit->runner(), *surface, protocol_out, ending_fd);
  return {};
}

Status write_files(const std::filesystem::path& folder, const std::map<std::string, std::string>& files) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  for (const auto& [name, content] : files) {
    std::ofstream file(folder / name, std::ios::trunc);
    file << content;
    file.close();
    if (!file.good()) return make_error(Code::io_error, "Cannot write " + (folder / name).string() + ".");
  }
  return {};
}

constexpr std::string_view kMcpHelp =
    "handrail mcp [options]: an MCP server on standard input and output.\n"
    "\n"
    "Without --desktop it serves $DISPLAY when that is set, else a new embedded desktop.\n"
    "\nOptions:\n";
constexpr std::string_view kMcpExamples =
    "\nExamples:\n"
    "  claude mcp add handrail -- handrail mcp --desktop embedded\n"
    "  handrail mcp --desktop :0 --grant org.xfce.mousepad:full\n"
    "  {\"mcpServers\": {\"handrail\": {\"command\": \"handrail\", \"args\": [\"mcp\"]}}}\n";

}  // namespace

int fail(const Error& error) {
  fmt::print(stderr, "{} {}\n", coloured("handrail:", Colour::red, stderr), error.message);
  if (!error.expected.empty()) fmt::print(stderr, "  expected {}\n", error.expected);
  fmt::print(stderr, "  {}\n", error.next_step());
  return row(error.code).cli_exit;
}

int mcp_command(std::span<const std::string> arguments) {
  const auto parsed = cli::parse_options(arguments, mcp_options());
  if (!parsed.ok()) return fail(parsed.error());
  if (parsed->has("help")) {
    fmt::print("{}{}{}", kMcpHelp, cli::option_help(mcp_options()), kMcpExamples);
    return 0;
  }
  if (const Status known = cli::check_words(*parsed, 0, "mcp [options]"); !known.ok()) return fail(known.error());
  const TerminationSignals signals;
  const int protocol_out = mcp::claim_stdout();
  const Status served = serve(*parsed, protocol_out, signals.fd());
  return served.ok() ? 0 : fail(served.error());
}

namespace {

// The desk's options may stand before the action's name, and between its own.
struct DoWords {
  std::vector<std::string> desk;
  std::vector<std::string> action;
};

DoWords split_do(std::span<const std::string> arguments) {
  // Some actions have a --name of their own.
  bool named = false;
  for (const std::string& word : arguments) {
    const auto spec = actions::all_actions().find(word);
    if (!spec.ok()) continue;
    named = std::ranges::any_of((*spec)->flags(), [](const describe::Flag& flag) { return flag.name == "name"; });
    break;
  }
  DoWords words;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string name = arguments[i].substr(0, arguments[i].find('='));
    const bool desk = std::ranges::any_of(do_options(), [&](const cli::Option& option) {
      return name == "--" + option.name || (!named && !option.also.empty() && name == "--" + option.also);
    });
    (desk ? words.desk : words.action).push_back(arguments[i]);
    if (desk && arguments[i] == name && i + 1 < arguments.size()) words.desk.push_back(arguments[++i]);
  }
  return words;
}

Result<int> run_action(std::span<const std::string> arguments) {
  const DoWords words = split_do(arguments);
  const cli::Parsed parsed = TRY(cli::parse_options(words.desk, do_options()));
  TRY(apply_log_level(parsed));
  const cli::DoParsed asked = TRY(cli::parse_do(actions::all_actions(), words.action, do_options()));
  if (!asked.help.empty()) {
    fmt::print("{}\nWhich desktop:\n{}", asked.help, cli::option_help(do_options()));
    return 0;
  }
  const TerminationSignals signals;
  VisitRequest request = TRY(visit_from(parsed, DeskRequest::Otherwise::running));
  const std::unique_ptr<Visit> visit = TRY(Visit::open(std::move(request)));
  // Ctrl-C ends the action between two events and lets go of what it held.
  std::stop_source stop;
  const std::jthread watcher([&stop, fd = signals.fd()](const std::stop_token& done) {
    while (!done.stop_requested()) {
      pollfd waiting{fd, POLLIN, 0};
      if (::poll(&waiting, 1, 100) > 0) {
        stop.request_stop();
        return;
      }
    }
  });
  return cli::run_do(visit->runner(), asked.request, stop.get_token());
}

}  // namespace

int do_command(std::span<const std::string> arguments) {
  const Result<int> code = run_action(arguments);
  if (code.ok()) return *code;
  // A script that reads JSON reads mistakes as JSON too.
  const bool json = std::ranges::find(arguments, "--json") != arguments.end();
  return json ? cli::print_failure(code.error()) : fail(code.error());
}

namespace {

Result<Json> express(const surface::ToolSurface& surface, const std::string& text) {
  const Json asked = TRY(parse_json(text));
  const auto call = TRY(actions::all_actions().call(asked.value("action", ""), asked.value("params", Json::object())));
  Json calls = Json::array();
  for (const surface::ToolCall& each : surface.express(*call.spec, call.spec->encode(call.params))) {
    calls.push_back({{"tool", each.tool}, {"arguments", each.arguments}});
  }
  return calls;
}

}  // namespace

Options schema_options() {
  static const std::vector<cli::Option> options{
      {"surface", "NAME,NAME", "The tools of a surface: universal, compact, layered or classic; or of several."},
      {"actions", "", "Every action of the catalog."},
      {"errors", "", "The error table."},
      {"config", "", "The settings of the config file."},
      {"for", "VENDOR", "The computer tool of a model's vendor: anthropic, openai or gemini."},
      {"size", "WxH", "With --for: the size of the display. Default: that of a new embedded desktop."},
      {"express", "JSON",
       "How the surface says {\"action\": …, \"params\": {…}}: every tool call that means it. -: one a line, read from "
       "standard input."},
      {"export", "FOLDER", "Write all of it as the files of contract/."},
      {"docs", "FOLDER", "Write the pages of docs/reference/."},
  };
  return options;
}

int schema_command(std::span<const std::string> arguments) {
  Options options = schema_options();
  const auto parsed = cli::parse_options(arguments, options);
  if (!parsed.ok()) return fail(parsed.error());
  if (parsed->has("help")) {
    fmt::print(
        "handrail schema [options]: what the program offers, as JSON.\n\nOptions:\n{}\nExamples:\n"
        "  handrail schema --surface universal\n  handrail schema --for anthropic --size 1920x1080\n"
        "  handrail schema --export contract --docs docs/reference\n",
        cli::option_help(options));
    return 0;
  }
  if (const Status known = cli::check_words(*parsed, 0, "schema [options]"); !known.ok()) return fail(known.error());
  if (parsed->has("for")) {
    const auto declared = declaration_for(*parsed);
    if (!declared.ok()) return fail(declared.error());
    fmt::print("{}", to_pretty(*declared));
    return 0;
  }
  const auto surface = surface_from(*parsed, Basis::pixels);
  if (!surface.ok()) return fail(surface.error());
  const auto& catalog = actions::all_actions();
  if (parsed->has("express")) {
    const bool many = parsed->value("express") == "-";
    std::string line = parsed->value("express");
    while (!many || std::getline(std::cin, line)) {
      const auto calls = express(**surface, line);
      if (!calls.ok()) return fail(calls.error());
      fmt::print("{}\n", to_line(*calls));
      std::fflush(stdout);
      if (!many) break;
    }
    return 0;
  }
  if (parsed->has("export") || parsed->has("docs")) {
    Status written;
    if (parsed->has("export")) {
      written = write_files(parsed->value("export"), cli::contract_files(catalog, config_schema()));
    }
    if (written.ok() && parsed->has("docs")) {
      written = write_files(parsed->value("docs"), cli::reference_pages(catalog, config_schema()));
    }
    return written.ok() ? 0 : fail(written.error());
  }
  if (parsed->has("actions"))
    fmt::print("{}", to_pretty(cli::catalog_export(catalog)));
  else if (parsed->has("errors"))
    fmt::print("{}", to_pretty(cli::errors_export()));
  else if (parsed->has("config"))
    fmt::print("{}", to_pretty(config_schema()));
  else
    fmt::print("{}", to_pretty(cli::tools_export(**surface)));
  return 0;
}

}  // namespace handrail::app
