// The reference pages leave nothing out: every action, field, example, error, setting and capability is there.
#include "front/cli/reference.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "actions/all.h"
#include "front/cli/do_command.h"

namespace handrail::cli {
namespace {

struct Limits {
  int most = 3;
  std::string name;
};
struct Settings {
  bool enabled = true;
  Limits limits;
  std::vector<Limits> rows;
};

}  // namespace
}  // namespace handrail::cli

namespace handrail::describe {
template <>
struct Fields<cli::Limits> {
  static constexpr std::tuple list{field("most", &cli::Limits::most, "How many | at most.", between(1, 9)),
                                   needed("name", &cli::Limits::name, "Of what.", between(1, 20))};
};
template <>
struct Fields<cli::Settings> {
  static constexpr std::tuple list{field("enabled", &cli::Settings::enabled, "On or off."),
                                   field("limits", &cli::Settings::limits, "Limits."),
                                   field("rows", &cli::Settings::rows, "More limits.", between(0, 5))};
};
}  // namespace handrail::describe

namespace handrail::cli {
namespace {

std::string page(const std::string& name) {
  return reference_pages(actions::all_actions(), describe::schema<Settings>()).at(name);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Reference, HasEveryActionWithItsFieldsAndExamples) {
  const std::string text = page("actions.md");
  for (const catalog::ActionSpec* spec : actions::all_actions().all()) {
    EXPECT_TRUE(has(text, fmt::format("\n### {}\n\n{}\n", spec->name, spec->summary))) << spec->name;
    EXPECT_TRUE(has(text, fmt::format(" [`{0}`](#{0})", spec->name))) << spec->name;
    for (const describe::Flag& flag : spec->flags()) {
      EXPECT_TRUE(has(text, fmt::format("| `{}` |", flag.field))) << spec->name << " " << flag.field;
    }
    for (const catalog::Example& example : spec->examples) {
      EXPECT_TRUE(has(text, fmt::format("```\n{}\n{}\n```", example_line(*spec, example), example.params)))
          << spec->name << ": " << example.says;
    }
  }
}

// As a shell takes words apart, of which the lines use single quotes and escaped ones only.
std::vector<std::string> shell_words(const std::string& line) {
  std::vector<std::string> words;
  bool quoted = false, open = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      open = false;
      continue;
    }
    if (!open) words.emplace_back();
    open = true;
    if (c == '\'') continue;
    words.back() += c == '\\' && !quoted ? line[++i] : c;
  }
  return words;
}

// Fields are the same in any order.
nlohmann::json in_any_order(const Json& value) { return nlohmann::json::parse(to_line(value)); }

TEST(Reference, ExamplesAsCommandsSayTheSameAsTheirJson) {
  for (const catalog::ActionSpec* spec : actions::all_actions().all()) {
    for (const catalog::Example& example : spec->examples) {
      const std::string line = example_line(*spec, example);
      const std::vector<std::string> words = shell_words(line);
      ASSERT_GT(words.size(), 2U);
      const auto parsed = parse_do(actions::all_actions(), std::span(words).subspan(2));
      ASSERT_TRUE(parsed.ok()) << line << ": " << to_text(parsed.error());
      const auto meant = actions::all_actions().call(spec->name, parse_json(example.params).value());
      ASSERT_TRUE(meant.ok()) << line;
      EXPECT_EQ(in_any_order(parsed->request.call.arguments), in_any_order(meant->arguments)) << line;
    }
  }
}

TEST(Reference, ExamplesAreQuotedForAShell) {
  const catalog::ActionSpec& type = *actions::all_actions().find("type").value();
  EXPECT_EQ(example_line(type, {"", R"({"text": "It's $5 * 2"})"}), R"(handrail do type --text 'It'\''s $5 * 2')");
  EXPECT_EQ(example_line(type, {"", R"({"text": "Grüße"})"}), "handrail do type --text Grüße");
  EXPECT_EQ(example_line(type, {"", R"({"text": ""})"}), "handrail do type --text ''");
  const catalog::ActionSpec& shot = *actions::all_actions().find("screenshot").value();
  EXPECT_EQ(example_line(shot, {"", R"({"show_cursor": false})"}), "handrail do screenshot --show-cursor=false");
}

TEST(Reference, HasEveryError) {
  const std::string text = page("errors.md");
  for (const ErrorRow& error : error_table()) {
    EXPECT_TRUE(has(text, fmt::format("| `{}` | {} | `{}` | {} | {} | {} |\n", error.name, meaning_of(error.code),
                                      name(error.retry), error.cli_exit, error.http_status, error.hint)));
    EXPECT_FALSE(meaning_of(error.code).empty()) << error.name;
    EXPECT_TRUE(has(text, fmt::format("| `{}` | {} |\n", name(error.retry), meaning_of(error.retry))));
  }
}

TEST(Reference, HasEverySettingOfEveryDepth) {
  const std::string text = page("config.md");
  EXPECT_TRUE(has(text, "| `enabled` | boolean | `true` |  | On or off. |\n"));
  EXPECT_TRUE(has(text, "| `limits` | object |  |  | Limits. |\n"));
  EXPECT_TRUE(has(text, "| `limits.most` | integer | `3` | 1 to 9 | How many \\| at most. |\n"));
  EXPECT_TRUE(has(text, "| `rows` | list of object |  | at most 5 entries | More limits. |\n")) << text;
  EXPECT_TRUE(has(text, "| `rows[].name` | string | required | 1 to 20 characters | Of what. |\n"));
}

TEST(Reference, HasEveryCapabilityWithItsActions) {
  const std::string text = page("capabilities.md");
  for (const auto& capability : describe::Names<Capability>::list) {
    if (capability.value == Capability::none) continue;
    const CapabilityWords words = words_of(capability.value);
    EXPECT_TRUE(has(text, fmt::format("\n## {}\n\n{}\n", capability.text, words.what))) << capability.text;
    EXPECT_TRUE(has(text, fmt::format("- When it is missing: {}\n", words.fix))) << capability.text;
  }
  for (const catalog::ActionSpec* spec : actions::all_actions().all()) {
    if (spec->capability == Capability::none) continue;
    EXPECT_TRUE(has(text, fmt::format(" [`{0}`](actions.md#{0})", spec->name))) << spec->name;
  }
}

}  // namespace
}  // namespace handrail::cli
