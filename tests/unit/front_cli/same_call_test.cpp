// The same example on each surface, on the command line and in native form is the same call.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "actions/all.h"
#include "front/cli/do_command.h"
#include "surface/native.h"
#include "surface/tool_surface.h"

namespace handrail {
namespace {

using catalog::ActionSpec;

// Actions that no surface has, and why.
const std::map<std::string_view, std::string_view> kOnNoSurface{
    {"batch", "classic has it as computer_batch, whose steps are tools and not actions"},
};

struct Sample {
  const ActionSpec* spec;
  Json params;     // as the example says
  Json canonical;  // whole
};

std::vector<Sample> samples() {
  std::vector<Sample> all;
  for (const ActionSpec* spec : actions::all_actions().all()) {
    for (const catalog::Example& example : spec->examples) {
      Json params = parse_json(example.params).value();
      const auto decoded = spec->decode(params);
      EXPECT_TRUE(decoded.ok()) << spec->name << " " << example.params;
      if (decoded.ok()) all.push_back({spec, std::move(params), spec->encode(*decoded)});
    }
  }
  return all;
}

// Coordinates are in each surface's own units, so the units themselves are not part of what must be the same.
Json without_units(Json canonical) {
  canonical.erase("basis");
  return canonical;
}

void expect_same(const Sample& sample, const Result<catalog::ActionCall>& call, const std::string& said) {
  ASSERT_TRUE(call.ok()) << said << ": " << to_text(call.error());
  EXPECT_EQ(call->spec->name, sample.spec->name) << said;
  EXPECT_EQ(without_units(call->spec->encode(call->params)), without_units(sample.canonical)) << said;
}

TEST(SameCall, on_each_surface) {
  std::map<std::string_view, std::set<std::string_view>> on;
  for (const std::string_view name : surface::kSurfaces) {
    const auto surface = surface::make_surface(name, actions::all_actions(), {});
    for (const Sample& sample : samples()) {
      for (const surface::ToolCall& said : surface->express(*sample.spec, sample.canonical)) {
        on[sample.spec->name].insert(name);
        expect_same(sample, surface->resolve(said.tool, said.arguments),
                    std::string(name) + " " + said.tool + " " + to_line(said.arguments));
      }
    }
  }
  std::vector<std::string> nowhere;
  for (const ActionSpec* spec : actions::all_actions().all()) {
    if (on[spec->name].empty() && !kOnNoSurface.contains(spec->name)) nowhere.emplace_back(spec->name);
    EXPECT_FALSE(kOnNoSurface.contains(spec->name) && !on[spec->name].empty()) << spec->name << " is on a surface now";
  }
  EXPECT_EQ(nowhere, std::vector<std::string>{}) << "put each on a surface, or say why it is on none";
  // What the tables of the surfaces are for.
  EXPECT_TRUE(on["click"].contains("classic") && on["click"].contains("universal") && on["click"].contains("compact") &&
              on["click"].contains("layered"));
}

TEST(SameCall, every_example_can_be_said_somewhere) {
  for (const Sample& sample : samples()) {
    if (kOnNoSurface.contains(sample.spec->name)) continue;
    std::size_t ways = 0;
    for (const std::string_view name : surface::kSurfaces) {
      ways += surface::make_surface(name, actions::all_actions(), {})->express(*sample.spec, sample.canonical).size();
    }
    EXPECT_GT(ways, 0U) << sample.spec->name << " " << sample.params;
  }
}

TEST(SameCall, on_the_command_line) {
  for (const Sample& sample : samples()) {
    const std::vector<std::string> words = cli::do_words(*sample.spec, sample.params);
    const auto parsed = cli::parse_do(actions::all_actions(), words);
    ASSERT_TRUE(parsed.ok()) << sample.spec->name << ": " << to_text(parsed.error());
    EXPECT_EQ(parsed->request.call.spec, sample.spec);
    EXPECT_EQ(sample.spec->encode(parsed->request.call.params), sample.canonical) << sample.spec->name;
  }
}

TEST(SameCall, in_native_form) {
  std::set<std::string_view> said;
  for (const Sample& sample : samples()) {
    for (const Json& call : surface::express_anthropic(actions::all_actions(), *sample.spec, sample.canonical)) {
      said.insert(sample.spec->name);
      expect_same(sample, surface::resolve_native(actions::all_actions(), surface::Vendor::anthropic, call),
                  to_line(call));
    }
  }
  for (const char* name :
       {"click", "drag", "move", "scroll", "type", "key", "hold_key", "wait", "screenshot", "zoom"}) {
    EXPECT_TRUE(said.contains(name)) << name;
  }
}

TEST(SameCall, takes_a_models_own_call_from_the_command_line) {
  const std::vector<std::string> words{"--as", "anthropic", R"({"action": "left_click", "coordinate": [1, 2]})",
                                       "--dry-run"};
  const auto parsed = cli::parse_do(actions::all_actions(), words);
  ASSERT_TRUE(parsed.ok()) << to_text(parsed.error());
  EXPECT_EQ(parsed->request.call.spec->name, "click");
  EXPECT_TRUE(parsed->request.call.dry_run);
  const auto refused = [](std::vector<std::string> given) {
    return cli::parse_do(actions::all_actions(), given).error().field;
  };
  EXPECT_EQ(refused({"--as", "acme", "{}"}), "as");
  EXPECT_EQ(refused({"--as", "openai"}), "call");
}

TEST(CommandLine, tells_mistakes_in_its_own_words) {
  const std::vector<cli::Option> beside{{"grant", "APP", "Grant it."}};
  const auto refused = [&](std::vector<std::string> given) {
    const Error error = cli::parse_do(actions::all_actions(), given, beside).error();
    EXPECT_EQ(error.code, Code::argument_invalid);
    return error;
  };
  EXPECT_EQ(refused({"click"}).message, "--at X,Y is missing.");
  EXPECT_EQ(refused({"click", "--grnt", "x"}).hint, "Did you mean --grant?");
  EXPECT_EQ(refused({"--grnt", "x", "click"}).hint, "Did you mean --grant?");
  EXPECT_EQ(refused({"wait_for", "--timeout", "3"}).hint, "Did you mean --timeout-seconds?");
  EXPECT_EQ(refused({"click", "--params", "{at: 1}"}).field, "params");
  EXPECT_EQ(refused({"click", "--params", "[]"}).field, "params");
  EXPECT_NE(refused({"request_access", "--apps", "galculator"}).expected.find("such as --apps '["), std::string::npos);
  EXPECT_EQ(refused({"screenshot", "--save", "x.jpg", "--format", "png"}).field, "save");
  const std::vector<std::string> named{"screenshot", "--save", "x.png"};
  const auto parsed = cli::parse_do(actions::all_actions(), named);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->request.call.spec->encode(parsed->request.call.params)["format"], "png");
}

TEST(CommandLine, takes_no_word_that_it_does_not_know) {
  const std::vector<cli::Option> options{{"name", "NAME", "Which.", "desktop"}};
  const auto parsed = [&](std::vector<std::string> words) { return cli::parse_options(words, options).value(); };
  EXPECT_TRUE(cli::check_words(parsed({"a"}), 1, "x [NAME]").ok());
  const Status told = cli::check_words(parsed({"a", "b"}), 1, "x [NAME]");
  ASSERT_FALSE(told.ok());
  EXPECT_EQ(told.error().message, "`b` is not expected here.");
  EXPECT_EQ(told.error().hint, "Usage: handrail x [NAME]");
  EXPECT_EQ(parsed({"--desktop=shop"}).value("name"), "shop");
  EXPECT_EQ(parsed({"shop", "--", "ls", "-l"}).dashes, std::optional<std::size_t>(1));
}

// Whatever stands in a field, it is read or refused, in every way to call.
TEST(SameCall, survives_values_of_any_type) {
  const auto values =
      parse_json(
          R"([null, true, -1, 1e300, "", "x", [], [1], [[]], [1, "2"], {}, {"x": null}, [{"message": 1}], {"decision": 1},
                                  {"decision": "require_confirmation", "explanation": []}])")
          .value();
  const auto expect_told = [](const Result<catalog::ActionCall>& call, const Json& given) {
    if (call.ok()) return;
    EXPECT_TRUE(call.error().code == Code::argument_invalid || call.error().code == Code::capability_unsupported ||
                call.error().code == Code::access_denied)
        << given << " " << to_text(call.error());
    EXPECT_FALSE(call.error().message.empty()) << given;
  };
  const auto each_changed = [&](const Json& arguments, const auto& resolve) {
    for (const auto& [name, was] : arguments.items()) {
      for (const Json& value : values) {
        Json changed = arguments;
        changed[name] = value;
        resolve(changed);
      }
    }
  };
  for (const std::string_view name : surface::kSurfaces) {
    const auto surface = surface::make_surface(name, actions::all_actions(), {});
    for (const Sample& sample : samples()) {
      for (const surface::ToolCall& said : surface->express(*sample.spec, sample.canonical)) {
        each_changed(said.arguments, [&](const Json& changed) {
          expect_told(surface->resolve(said.tool, changed), changed);
          static_cast<void>(surface->answer(said.tool, changed));
        });
      }
    }
  }
  using surface::Vendor;
  const std::pair<Vendor, const char*> native[] = {
      {Vendor::anthropic, R"({"action": "left_click", "coordinate": [1, 2], "text": "ctrl"})"},
      {Vendor::anthropic, R"({"input": {"action": "wait", "duration": 1}})"},
      {Vendor::openai, R"({"type": "click", "x": 1, "y": 2, "button": "left", "keys": ["CTRL"]})"},
      {Vendor::openai, R"({"type": "drag", "path": [[1, 2], {"x": 3, "y": 4}], "keys": null})"},
      {Vendor::openai, R"({"type": "keypress", "keys": ["A"]})"},
      {Vendor::openai, R"({"type": "scroll", "x": 1, "y": 2, "scroll_x": 1, "scroll_y": 1})"},
      {Vendor::openai, R"({"action": {"type": "wait"}, "pending_safety_checks": []})"},
      {Vendor::openai, R"({"actions": [{"type": "wait"}]})"},
      {Vendor::gemini, R"({"name": "click_at", "args": {"x": 1, "y": 2}})"},
      {Vendor::gemini, R"({"function_call": {"name": "wait", "args": {}}, "name": "wait"})"},
  };
  for (const auto& [vendor, call] : native) {
    const Vendor whose = vendor;
    const auto resolve = [&](const Json& changed) {
      expect_told(surface::resolve_native(actions::all_actions(), whose, changed), changed);
    };
    const Json whole = parse_json(call).value();
    each_changed(whole, resolve);
    if (!whole.contains("args")) continue;
    for (const char* field : {"x", "y", "safety_decision"}) {
      for (const Json& value : values) {
        Json changed = whole;
        changed["args"][field] = value;
        resolve(changed);
      }
    }
  }
}

}  // namespace
}  // namespace handrail
