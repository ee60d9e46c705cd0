#include "app/commands.h"

#include <fmt/format.h>
#include <poll.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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
#include "front/mcp/stdio.h"

namespace handrail::app {

Options do_options() {
  static const std::vector<cli::Option> options{
      {"desktop", "WHICH", "embedded (a new one), the name of a running one, or an X display such as :0."},
      {"size", "WxH", "Size of a new embedded desktop. Default 1280x800."},
      {"grant", "APP[:TIER]", "Grant an app beforehand; may be given several times."},
      {"log-level", "LEVEL", "error, warning, info or debug, on standard error."},
  };
  return options;
}

Options mcp_options() {
  static const std::vector<cli::Option> options = [] {
    std::vector<cli::Option> all{
        {"surface", "NAME",
         "Which set of tools: universal (the one tool computer_use, the default) or classic (24 tools)."},
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
  return describe::decode<AppRequest>(row, "grant");
}

// Settings of one run: the config file, then the command line on top.
Result<VisitRequest> visit_from(const cli::Parsed& parsed, DeskRequest::Otherwise otherwise) {
  VisitRequest request;
  request.config = TRY(load_config(config_path()));
  Config& config = request.config;
  if (parsed.has("coordinates")) {
    config.coordinates = TRY(describe::decode<Basis>(parsed.value("coordinates"), "coordinates"));
    if (config.coordinates == Basis::points) {
      return make_error(Code::argument_invalid, "--coordinates is `points`, which the classic tools do not take.")
          .with_field("coordinates", "pixels, normalized_0_100 or normalized_0_1000");
    }
  }
  for (const std::string& text : parsed.values("grant")) request.grants.push_back(TRY(parse_grant(text)));
  request.desk = {parsed.value("desktop"), otherwise, parsed.value("size", config.desktop.size)};
  return request;
}

Result<std::unique_ptr<surface::ToolSurface>> surface_from(const cli::Parsed& parsed, Basis coordinates) {
  const std::string name = parsed.value("surface", std::string(surface::kDefaultSurface));
  auto surface = surface::make_surface(name, actions::all_actions(), {coordinates});
  if (surface) return surface;
  return make_error(Code::argument_invalid, fmt::format("--surface is `{}`.", name))
      .with_field("surface", join_or(surface::kSurfaces));
}

Status serve(const cli::Parsed& parsed, int protocol_out, int ending_fd) {
  TRY(apply_log_level(parsed));
  VisitRequest request = TRY(visit_from(parsed, DeskRequest::Otherwise::embedded));
  const auto surface = TRY(surface_from(parsed, request.config.coordinates));
  const std::unique_ptr<Visit> visit = TRY(Visit::open(std::move(request)));
  log(LogLevel::info, "serving {}", visit->told());
  mcp::serve_stdio(visit->runner(), *surface, protocol_out, ending_fd);
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
  const TerminationSignals signals;
  const int protocol_out = mcp::claim_stdout();
  const Status served = serve(*parsed, protocol_out, signals.fd());
  return served.ok() ? 0 : fail(served.error());
}

int do_command(std::span<const std::string> arguments) {
  // The desk's options may stand before the action's name.
  std::vector<std::string> desk_words, action_words;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string name = arguments[i].substr(0, arguments[i].find('='));
    const bool desk = name == "--desktop" || name == "--size" || name == "--log-level" || name == "--grant";
    (desk ? desk_words : action_words).push_back(arguments[i]);
    if (desk && arguments[i] == name && i + 1 < arguments.size()) desk_words.push_back(arguments[++i]);
  }
  const auto parsed = cli::parse_options(desk_words, do_options());
  if (!parsed.ok()) return fail(parsed.error());
  if (const Status level = apply_log_level(*parsed); !level.ok()) return fail(level.error());
  auto asked = cli::parse_do(actions::all_actions(), action_words);
  if (!asked.ok()) return fail(asked.error());
  if (!asked->help.empty()) {
    fmt::print("{}\nWhich desktop:\n{}", asked->help, cli::option_help(do_options()));
    return 0;
  }
  const TerminationSignals signals;
  auto request = visit_from(*parsed, DeskRequest::Otherwise::running);
  if (!request.ok()) return fail(request.error());
  auto visit = Visit::open(std::move(request).value());
  if (!visit.ok()) return fail(visit.error());
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
  return cli::run_do((*visit)->runner(), asked->request, stop.get_token());
}

Options schema_options() {
  static const std::vector<cli::Option> options{
      {"surface", "NAME", "The tools of a surface: classic or universal."},
      {"actions", "", "Every action of the catalog."},
      {"errors", "", "The error table."},
      {"config", "", "The settings of the config file."},
      {"export", "FOLDER", "Write all of it as the files of contract/."},
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
        "  handrail schema --surface universal\n  handrail schema --export contract\n",
        cli::option_help(options));
    return 0;
  }
  const auto surface = surface_from(*parsed, Basis::pixels);
  if (!surface.ok()) return fail(surface.error());
  const auto& catalog = actions::all_actions();
  if (parsed->has("export")) {
    const std::filesystem::path folder = parsed->value("export");
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    for (const auto& [name, content] : cli::contract_files(catalog, config_schema())) {
      std::ofstream file(folder / name, std::ios::trunc);
      file << content;
      if (!file.good()) return fail(make_error(Code::io_error, "Cannot write " + (folder / name).string() + "."));
    }
    return 0;
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
