// A surface is how one kind of client sees the catalog: its tools, the call a tool call stands for, and
// the reply an outcome becomes. Pure: it cannot reach the engine or a computer.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "model/look.h"

namespace handrail::surface {

struct Tool {
  std::string name;
  std::string title;
  std::string description;
  Json input_schema;
  Json output_schema;
  Json annotations;
};

// As MCP's tools/list shows it.
Json to_json(const Tool& tool);

// What goes back to the client. Pictures become image blocks of their own.
struct Reply {
  bool is_error = false;
  std::string text;
  Json structured = Json::object();
  std::vector<Picture> pictures;
};

// A call as a client of the surface would make it.
struct ToolCall {
  std::string tool;
  Json arguments = Json::object();
};

// The settings of a session that change how calls are read.
struct SurfaceSettings {
  Basis coordinates = Basis::pixels;
};

class ToolSurface {
 public:
  virtual ~ToolSurface() = default;

  // In a fixed order.
  virtual std::span<const Tool> tools() const = 0;
  // `action_unknown` when there is no such tool; `argument_invalid` in the tool's own words.
  virtual Result<catalog::ActionCall> resolve(std::string_view tool, const Json& arguments) const = 0;
  // What `tool` came to; errors name the tool's own parameters. `nonce` marks off text that came from the
  // desktop; a new one for every reply.
  virtual Reply render(std::string_view tool, Result<Outcome> outcome, std::string_view nonce) const = 0;
  // The operating rules, in the words of its tools.
  virtual std::string guidance() const;
  // What the surface tells about itself, which is no call of any action. Nothing for all the rest.
  virtual std::optional<Reply> answer(std::string_view, const Json&) const { return std::nullopt; }
  // The tool calls that stand for a call of the action, in each way that the surface has to say it; none when it
  // cannot. `canonical` is the whole of the params; coordinates are taken to be in the surface's own units.
  virtual std::vector<ToolCall> express(const catalog::ActionSpec& spec, const Json& canonical) const = 0;
};

std::unique_ptr<ToolSurface> make_classic(const catalog::Catalog& catalog, SurfaceSettings settings);
std::unique_ptr<ToolSurface> make_universal(const catalog::Catalog& catalog, SurfaceSettings settings);

std::unique_ptr<ToolSurface> make_compact(const catalog::Catalog& catalog, SurfaceSettings settings);
std::unique_ptr<ToolSurface> make_layered(const catalog::Catalog& catalog, SurfaceSettings settings);

inline constexpr std::array<std::string_view, 4> kSurfaces{"classic", "universal", "compact", "layered"};
inline constexpr std::string_view kDefaultSurface = "universal";
// By name; null when there is none of that name.
std::unique_ptr<ToolSurface> make_surface(std::string_view name, const catalog::Catalog& catalog,
                                          SurfaceSettings settings);
// One or several, by names with commas between them, as one list of tools. `argument_invalid` when a name is unknown,
// comes twice, or when two of them have a tool of the same name.
Result<std::unique_ptr<ToolSurface>> make_surfaces(std::string_view names, const catalog::Catalog& catalog,
                                                   SurfaceSettings settings);

}  // namespace handrail::surface
