#include "front/cli/do_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <utility>

#include "base/nearest.h"
#include "front/cli/command_hints.h"
#include "front/cli/options.h"
#include "surface/reply.h"

namespace handrail::cli {
namespace {

const std::vector<Option>& common_options() {
  static const std::vector<Option> options{
      {"json", "", "Print the outcome as JSON."},
      {"dry-run", "", "Judge it and say what would be done; do nothing."},
      {"save", "FILE", "Write the picture to a file."},
      {"params", "JSON", "All parameters as one JSON object instead of flags."},
  };
  return options;
}

std::string value_name(const describe::Flag& flag) {
  using describe::Kind;
  switch (flag.kind) {
    case Kind::boolean: return "";
    case Kind::integer: return "N";
    case Kind::number: return "NUMBER";
    case Kind::text: return "TEXT";
    case Kind::list: return flag.choices.empty() ? "A,B" : "NAME,NAME";
    case Kind::point: return "X,Y";
    case Kind::points: return "\"X,Y X,Y\"";
    case Kind::region: return "X1,Y1,X2,Y2";
    case Kind::json: return "JSON";
    case Kind::choice: break;
  }
  return "NAME";
}

std::vector<Option> options_of(const catalog::ActionSpec& spec) {
  std::vector<Option> options;
  for (const describe::Flag& flag : spec.flags()) {
    std::string doc = flag.doc;
    if (!flag.choices.empty()) {
      std::string names;
      for (const auto choice : flag.choices) names += (names.empty() ? "" : ", ") + std::string(choice);
      doc += " (" + names + ")";
    }
    if (flag.presence == describe::Presence::required)
      doc += " Required.";
    else if (!flag.initial.empty())
      doc += fmt::format(" Default {}.", flag.initial);
    options.push_back({flag.name, value_name(flag), std::move(doc)});
  }
  return options;
}

std::string joined(const Json& list) {
  std::string text;
  for (const auto& item : list) {
    text += (text.empty() ? "" : ",") + (item.is_string() ? item.get<std::string>() : to_line(item));
  }
  return text;
}

// One word of a shell, quoted where it must be.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain = "_-.,:+/@%=";
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [&](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 0x80 || kPlain.find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// A value as it is written after its flag.
std::string flag_word(const describe::Flag& flag, const Json& value) {
  using describe::Kind;
  std::string text;
  switch (flag.kind) {
    case Kind::list:
    case Kind::point:
    case Kind::region: text = joined(value); break;
    case Kind::points:
      for (const auto& point : value) text += (text.empty() ? "" : " ") + joined(point);
      break;
    default: text = value.is_string() ? value.get<std::string>() : to_line(value);
  }
  return text;
}

// The same quoted for a shell, where it must be.
std::string shell_value(const describe::Flag& flag, const Json& value) { return shell_word(flag_word(flag, value)); }

std::string action_help(const catalog::ActionSpec& spec) {
  std::string text = fmt::format("handrail do {}: {}\n\n", spec.name, spec.summary);
  if (const auto options = options_of(spec); !options.empty()) text += "Flags:\n" + option_help(options) + "\n";
  text += "With any action:\n" + option_help(common_options()) + "\nExamples:\n";
  for (const catalog::Example& example : spec.examples) {
    text += fmt::format("  # {}\n  {}\n", example.says, example_line(spec, example));
  }
  return text;
}

// JSON that was written by hand is a mistake of the command line, and not of a protocol.
Result<Json> json_of(const std::string& option, const std::string& text, std::string expected) {
  auto value = parse_json(text);
  if (value.ok() && value->is_object()) return value;
  const std::string why = value.ok() ? fmt::format("--{} is no JSON object.", option)
                                     : fmt::format("--{}: {}", option, value.error().message);
  return make_error(Code::argument_invalid, why)
      .with_field(option, std::move(expected))
      .with_hint("Put it in single quotes, and names and texts inside it in double quotes.");
}

// How a flag is written in the examples of the action; empty when none has it.
std::string example_of(const catalog::ActionSpec& spec, const describe::Flag& flag) {
  for (const catalog::Example& example : spec.examples) {
    const auto params = parse_json(example.params);
    if (params.ok() && params->contains(flag.field)) {
      return fmt::format("--{} {}", flag.name, shell_value(flag, (*params)[flag.field]));
    }
  }
  return {};
}

Result<Json> params_from(const catalog::ActionSpec& spec, const Parsed& parsed) {
  Json params = Json::object();
  if (parsed.has("params")) {
    const std::string such = spec.examples.empty() ? "{}" : std::string(spec.examples.front().params);
    params = TRY(json_of("params", parsed.value("params"), "a JSON object such as '" + such + "'"));
  }
  for (const describe::Flag& flag : spec.flags()) {
    if (!parsed.has(flag.name)) continue;
    auto value = describe::flag_value(flag, parsed.value(flag.name));
    if (!value.ok()) {
      Error error = value.error();
      const std::string such = example_of(spec, flag);
      if (!such.empty()) error.expected += ", such as " + such;
      error.hint = fmt::format("See handrail do {} --help.", spec.name);
      return error;
    }
    params[flag.field] = std::move(value).value();
  }
  return params;
}

// The catalog speaks of fields; who typed flags reads of flags.
Error in_flags(const catalog::ActionSpec& spec, const Json& params, Error error) {
  for (const describe::Flag& flag : spec.flags()) {
    const bool needed = flag.presence == describe::Presence::required;
    if (!needed || error.field != flag.field || params.contains(flag.field)) continue;
    const std::string value = value_name(flag);
    const std::string such = example_of(spec, flag);
    error.message = fmt::format("--{}{}{} is missing.", flag.name, value.empty() ? "" : " ", value);
    error.expected = such.empty() ? "" : such + ", for one";
    error.hint = fmt::format("See handrail do {} --help.", spec.name);
  }
  return error;
}

// A picture is saved as what its name says.
Status take_format_from_name(const catalog::ActionSpec& spec, const std::string& path, Json& params) {
  // What the clipboard holds is of its own format.
  if (path.empty() || spec.capability == Capability::clipboard) return {};
  const auto flags = spec.flags();
  const auto takes = [&](std::string_view field) {
    return std::any_of(flags.begin(), flags.end(), [&](const auto& flag) { return flag.field == field; });
  };
  if (!takes("format")) {
    // Captures are JPEG; a batch may bring any.
    const bool other = path.ends_with(".png") || path.ends_with(".webp");
    if (takes("mode") && other) {
      return make_error(Code::argument_invalid, fmt::format("--save is `{}`, but {} gives a JPEG.", path, spec.name))
          .with_field("save", "a name that ends in .jpg");
    }
    if (takes("mode") || takes("capture_after") || takes("steps")) return {};
    return make_error(Code::argument_invalid, fmt::format("{} gives no picture to save.", spec.name))
        .with_hint("Leave out --save.");
  }
  for (const auto& [ending, format] :
       {std::pair{".jpg", "jpeg"}, {".jpeg", "jpeg"}, {".png", "png"}, {".webp", "webp"}}) {
    if (!path.ends_with(ending)) continue;
    if (params.contains("format") && params["format"] != format) {
      return make_error(Code::argument_invalid,
                        fmt::format("--save is `{}`, but --format is {}.", path, describe::flag_text(params["format"])))
          .with_field("save",
                      fmt::format("a name with the ending of that format, or no --format: {} is {}", ending, format));
    }
    params["format"] = format;
    return {};
  }
  if (params.contains("format")) return {};
  return make_error(Code::argument_invalid, fmt::format("--save is `{}`.", path))
      .with_field("save", "a name that ends in .jpg, .png or .webp, or --format beside it");
}

constexpr int kAnsweredNo = 1;

// `--as VENDOR CALL`: a call as a model made it with its vendor's own tool.
Result<DoParsed> parse_native(const catalog::Catalog& catalog, std::span<const std::string> arguments) {
  std::vector<Option> options = common_options();
  options.erase(options.end() - 1);  // the call has its parameters in it
  options.push_back({"as", "VENDOR", "Whose tool the call is for: anthropic, openai or gemini."});
  const Parsed parsed = TRY(parse_options(arguments, options));
  DoParsed result;
  if (parsed.has("help")) {
    result.help = fmt::format(
        "handrail do --as VENDOR CALL: what a model's own computer tool asks for.\n\nOptions:\n{}\nExamples:\n"
        "  handrail do --as anthropic '{{\"action\": \"left_click\", \"coordinate\": [640, 400]}}' --dry-run\n"
        "  handrail do --as openai '{{\"type\": \"keypress\", \"keys\": [\"CTRL\", \"S\"]}}' --dry-run\n"
        "  handrail do --as gemini '{{\"name\": \"click_at\", \"args\": {{\"x\": 500, \"y\": 500}}}}' --dry-run\n",
        option_help(options));
    return result;
  }
  result.request.as = surface::vendor_named(parsed.value("as"));
  if (!result.request.as) {
    return make_error(Code::argument_invalid, fmt::format("--as is `{}`.", parsed.value("as")))
        .with_field("as", join_or(surface::kVendors));
  }
  if (parsed.words.size() != 1) {
    return make_error(Code::argument_invalid, "The call of the model is missing, or there are several.")
        .with_field("call", "one JSON object after --as VENDOR");
  }
  auto read = parse_json(parsed.words.front());
  if (!read.ok()) {
    return make_error(Code::argument_invalid, read.error().message)
        .with_field("call", "one JSON object after --as VENDOR")
        .with_hint("Put it in single quotes; see handrail do --as VENDOR --help.");
  }
  const Json call = std::move(read).value();
  result.request.call = TRY(surface::resolve_native(catalog, *result.request.as, call));
  result.request.call.dry_run = parsed.has("dry-run") && result.request.call.spec->acts();
  result.request.json = parsed.has("json");
  result.request.save = parsed.value("save");
  return result;
}

// The screenshot that the coordinates of a model's call are of.
Status look_as(engine::ActionRunner& runner, surface::Vendor vendor, const std::stop_token& stop) {
  const auto run = [&](std::string_view action, Json params) -> Result<Outcome> {
    const catalog::ActionCall call = TRY(runner.catalog().call(action, std::move(params)));
    return runner.run(call, runner.take_turn(call), {stop, nullptr});
  };
  Size limit{};
  const Outcome displays = TRY(run("displays", Json::object()));
  for (const auto& display : displays.data["displays"]) {
    if (limit.empty() || display.value("selected", false))
      limit = surface::native_image(vendor, {display["pixels"][2].get<int>(), display["pixels"][3].get<int>()});
  }
  TRY(run("screenshot", {{"max_width", limit.width}, {"max_height", limit.height}}));
  return {};
}

bool save(const Picture& picture, const std::string& path) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(picture.bytes.data()), static_cast<std::streamsize>(picture.bytes.size()));
  return file.good();
}

}  // namespace

std::vector<Option> do_options_of(const catalog::ActionSpec& spec) {
  std::vector<Option> options = options_of(spec);
  options.insert(options.end(), common_options().begin(), common_options().end());
  return options;
}

std::string example_line(const catalog::ActionSpec& spec, const catalog::Example& example) {
  std::string line = fmt::format("handrail do {}", spec.name);
  const auto params = parse_json(example.params);
  for (const describe::Flag& flag : spec.flags()) {
    if (!params.ok() || !params->contains(flag.field)) continue;
    const Json& value = (*params)[flag.field];
    line += " --" + flag.name;
    if (flag.kind == describe::Kind::boolean)
      line += value == true ? "" : "=false";
    else
      line += " " + shell_value(flag, value);
  }
  return line;
}

Result<DoParsed> parse_do(const catalog::Catalog& catalog, std::span<const std::string> arguments,
                          std::span<const Option> beside) {
  DoParsed result;
  if (arguments.empty() || arguments.front() == "--help" || arguments.front() == "-h") {
    result.help = do_help(catalog);
    return result;
  }
  if (arguments.front().starts_with("--as")) return parse_native(catalog, arguments);
  // Switches may stand before the action, as the desk's options may.
  std::vector<std::string> words(arguments.begin(), arguments.end());
  const auto action = std::ranges::find_if(words, [](const std::string& word) { return !word.starts_with("-"); });
  const bool before = std::all_of(words.begin(), action, [](const std::string& word) {
    return word == "--json" || word == "--dry-run" || word == "--help" || word == "-h";
  });
  if (before && action != words.end()) std::rotate(words.begin(), action, action + 1);
  if (words.front().starts_with("--")) {
    std::vector<Option> known = common_options();
    known.insert(known.end(), beside.begin(), beside.end());
    const std::string name = words.front().substr(2, words.front().find('=') - 2);
    if (std::ranges::find(known, name, &Option::name) == known.end()) return unknown_option(name, known);
    return make_error(Code::argument_invalid, fmt::format("There is no action before --{}.", name))
        .with_hint(fmt::format("Name the action first: handrail do ACTION --{}; handrail do --help lists them.", name));
  }
  const catalog::ActionSpec& spec = *TRY(catalog.find(words.front()));
  std::vector<Option> options = do_options_of(spec);
  options.insert(options.end(), beside.begin(), beside.end());
  const Parsed parsed = TRY(parse_options(std::span(words).subspan(1), options));
  if (parsed.has("help")) {
    result.help = action_help(spec);
    return result;
  }
  if (!parsed.words.empty()) {
    return make_error(Code::argument_invalid, fmt::format("`{}` stands alone.", parsed.words.front()))
        .with_hint(fmt::format("Give values by flags; see handrail do {} --help.", spec.name));
  }
  Json params = TRY(params_from(spec, parsed));
  TRY(take_format_from_name(spec, parsed.value("save"), params));
  auto call = catalog.call(spec.name, params);
  if (!call.ok()) return in_flags(spec, params, call.error());
  result.request.call = std::move(call).value();
  result.request.call.dry_run = parsed.has("dry-run");
  result.request.json = parsed.has("json");
  result.request.save = parsed.value("save");
  return result;
}

int print_failure(const Error& error) {
  std::fputs(to_pretty(surface::make_reply(error, "desktop").structured).c_str(), stdout);
  return row(error.code).cli_exit;
}

int run_do(engine::ActionRunner& runner, const DoRequest& request, std::stop_token stop) {
  const bool looks = request.call.spec->name == "screenshot";
  const Status seen = request.as && !looks ? look_as(runner, *request.as, stop) : Status();
  Result<Outcome> outcome =
      seen.ok() ? runner.run(request.call, runner.take_turn(request.call), {stop, nullptr}) : seen.error();
  std::optional<Error> failure;
  if (!outcome.ok()) {
    failure = for_command_line(outcome.error(), *request.call.spec, runner.session());
    outcome = *failure;
  } else if (outcome->failure) {
    failure = for_command_line(*outcome->failure, *request.call.spec, runner.session());
    outcome->failure = failure;
  }
  // Models read the tree as text; a script has nothing but the JSON.
  const std::string tree = outcome.ok() && request.call.spec->name == "ui_tree" ? outcome->untrusted : std::string();
  surface::Reply reply = surface::make_reply(std::move(outcome), "desktop");
  if (!tree.empty()) reply.structured["tree"] = tree;
  if (!reply.pictures.empty() && !request.save.empty()) {
    if (save(reply.pictures.front(), request.save)) {
      reply.text += " Saved to " + request.save + ".";
      reply.structured["saved"] = request.save;
    } else {
      failure = make_error(Code::io_error, "The picture could not be written to " + request.save + ".");
      reply.text = to_text(*failure);
    }
  } else if (!reply.pictures.empty() && !request.json) {
    reply.text += " Add --save FILE to keep the picture.";
  } else if (!request.save.empty() && !failure) {
    reply.text += " It brought no picture, so nothing was saved.";
  }
  Input* input = runner.session().computer().input();
  if (input != nullptr && !(input->held_buttons().empty() && input->held_keys().empty())) {
    reply.text += " It is let go now: a command holds nothing down after its end.";
  }
  if (!failure && request.call.spec->name == "request_access") {
    reply.text += " It ends with this command: add --grant to those that need it.";
  }
  if (!failure && request.call.spec->touches == catalog::Touches::clipboard) {
    reply.text += " Nobody holds it once this command has ended; in an MCP session it stays.";
  }
  if (request.json)
    std::fputs(to_pretty(reply.structured).c_str(), stdout);
  else
    std::fprintf(failure ? stderr : stdout, "%s\n", reply.text.c_str());
  if (failure) return row(failure->code).cli_exit;
  // A question that was answered with no is no failure, and yet no success for a script.
  const bool asks = request.call.spec->name == "verify_state";
  return asks && reply.structured.value("state", std::string()) != "satisfied" ? kAnsweredNo : 0;
}

std::vector<std::string> do_words(const catalog::ActionSpec& spec, const Json& params) {
  std::vector<std::string> words{std::string(spec.name)};
  Json rest = Json::object();
  for (const describe::Flag& flag : spec.flags()) {
    const auto value = params.find(flag.field);
    if (value == params.end()) continue;
    std::string word = flag_word(flag, *value);
    const auto read = describe::flag_value(flag, word);
    // An item of a list that has a comma in it, for one.
    if (read.ok() && *read == *value)
      words.push_back(fmt::format("--{}={}", flag.name, word));
    else
      rest[flag.field] = *value;
  }
  if (!rest.empty()) words.push_back("--params=" + to_line(rest));
  return words;
}

std::string do_help(const catalog::Catalog& catalog) {
  std::string text = "handrail do ACTION [flags]: one action on the desktop.\n";
  for (const auto& category : describe::Names<catalog::Category>::list) {
    text += fmt::format("\n{}\n", category.text);
    for (const catalog::ActionSpec* spec : catalog.all()) {
      if (spec->category == category.value) text += fmt::format("  {:<18} {}\n", spec->name, spec->summary);
    }
  }
  return text + "\nWith any action:\n" + option_help(common_options()) +
         "\nhandrail do ACTION --help shows its flags and examples. Coordinates are logical desktop points.\n"
         "handrail do --as anthropic|openai|gemini CALL takes a call of a model's own computer tool.\n"
         "\nExamples:\n"
         "  handrail do screenshot --save screen.jpg\n"
         "  handrail do click --at 640,400\n"
         "  handrail do type --text 'Grüße'\n";
}

}  // namespace handrail::cli
