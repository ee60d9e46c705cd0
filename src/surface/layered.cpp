// The layered surface: eight tools, each read from its part of the table in layered_rows.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "describe/codec.h"
#include "surface/flat_tool.h"
#include "surface/guidance.h"
#include "surface/layered_rows.h"
#include "surface/reply.h"
#include "surface/tool_surface.h"
#include "surface/words.h"

namespace handrail::surface {
namespace {

// A tool where it is an action of its own, else the tool and what it does.
constexpr std::array kActionWords{
    Renamed{"request_access", "app request_access"},
    Renamed{"open_app", "app open"},
    Renamed{"focus_app", "app focus"},
    Renamed{"list_apps", "app list"},
    Renamed{"ui_tree", "ui get_tree"},
    Renamed{"find_element", "ui find"},
    Renamed{"get_value", "ui get_value"},
    Renamed{"set_value", "ui set_value"},
    Renamed{"select_menu", "ui click_menu"},
    Renamed{"key_into", "ui press_key"},
    Renamed{"hold_key", "keyboard hold"},
    Renamed{"cursor_position", "mouse position"},
    Renamed{"capture", "screenshot"},
};
constexpr std::array kFieldWords{Renamed{"at", "x"}, Renamed{"from", "x"}, Renamed{"to", "end_x"},
                                 Renamed{"name", "title"}, Renamed{"duration", "seconds"}};

struct Part {
  const LayeredTool* row;
  FlatTool flat;
};

class Layered : public ToolSurface {
 public:
  explicit Layered(const catalog::Catalog& catalog) : words_{&catalog, kActionWords, kFieldWords, {}} {
    for (const LayeredTool& row : layered_tools()) {
      parts_.push_back({&row, FlatTool(catalog, row.actions, rules_of(row))});
      words_.names.push_back(row.name);
      tools_.push_back(describe_tool(parts_.back()));
    }
  }

  std::string guidance() const override { return layered_guidance(); }
  std::span<const Tool> tools() const override { return tools_; }
  Result<catalog::ActionCall> resolve(std::string_view tool, const Json& arguments) const override;
  Reply render(std::string_view, Result<Outcome> outcome, std::string_view nonce) const override;
  std::vector<ToolCall> express(const catalog::ActionSpec& spec, const Json& canonical) const override;

 private:
  static FlatRules rules_of(const LayeredTool& row) {
    const bool hand = row.name == "mouse" || row.name == "keyboard";
    const bool places = row.name == "mouse" || row.name == "screenshot" || row.name == "ocr";
    return {Basis::points, false, false, hand || row.name == "ui", places};
  }
  Tool describe_tool(const Part& part) const;

  std::vector<Part> parts_;
  Words words_;
  std::vector<Tool> tools_;
};

Result<catalog::ActionCall> Layered::resolve(std::string_view tool, const Json& arguments) const {
  const auto part = std::ranges::find_if(parts_, [&](const Part& each) { return each.row->name == tool; });
  if (part == parts_.end()) {
    Error error = make_error(Code::action_unknown, fmt::format("There is no tool `{}`.", shortened(tool, 60)));
    error.hint = did_you_mean(nearest_some(tool, words_.names));
    return error;
  }
  if (part->row->implied.empty() || !arguments.is_object()) return part->flat.resolve(arguments);
  Json whole = arguments;
  if (whole.contains("action")) {
    return make_error(Code::argument_invalid, "`action` is not a field here.")
        .with_field("action", "no action: this tool does one thing");
  }
  whole["action"] = std::string(part->row->implied);
  return part->flat.resolve(whole);
}

Reply Layered::render(std::string_view tool, Result<Outcome> outcome, std::string_view nonce) const {
  if (tool == "screenshot" && outcome.ok() && outcome->data.contains("width")) {
    outcome->text += fmt::format(" With pixels of it give image_width {} and image_height {}.",
                                 to_line(outcome->data["width"]), to_line(outcome->data["height"]));
  }
  return make_reply(in_words_of(std::move(outcome), words_), nonce);
}

std::vector<ToolCall> Layered::express(const catalog::ActionSpec& spec, const Json& canonical) const {
  std::vector<ToolCall> calls;
  for (const Part& part : parts_) {
    for (ToolCall& call : calls_of(part.row->name, part.flat.express(spec, canonical))) {
      if (!part.row->implied.empty()) call.arguments.erase("action");
      calls.push_back(std::move(call));
    }
  }
  return calls;
}

Tool Layered::describe_tool(const Part& part) const {
  Json properties = Json::object();
  if (part.row->implied.empty()) properties["action"] = describe::choice_schema(part.flat.names());
  properties.update(part.flat.properties());
  const std::vector<std::string_view> needed =
      part.row->implied.empty() ? std::vector<std::string_view>{"action"} : std::vector<std::string_view>{};
  const auto looks = [&](std::string_view name) { return !part.flat.spec_of(name)->acts(); };
  const bool read_only = std::ranges::all_of(part.flat.names(), looks);
  Json notes = any_annotations(part.row->title);
  if (read_only) notes = {{"title", part.row->title}, {"readOnlyHint", true}, {"openWorldHint", true}};
  return {std::string(part.row->name),
          std::string(part.row->title),
          std::string(part.row->description),
          describe::object_schema(std::move(properties), needed),
          open_output_schema(),
          std::move(notes)};
}

}  // namespace

std::unique_ptr<ToolSurface> make_layered(const catalog::Catalog& catalog, SurfaceSettings) {
  return std::make_unique<Layered>(catalog);
}

}  // namespace handrail::surface
