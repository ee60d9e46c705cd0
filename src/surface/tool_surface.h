// A surface is how one kind of client sees the catalog: its tools, the call a tool call stands for, and
// the reply an outcome becomes. Pure: it cannot reach the engine or a computer.
#pragma once

#include <array>
#include <memory>
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
};

std::unique_ptr<ToolSurface> make_classic(const catalog::Catalog& catalog, SurfaceSettings settings);
std::unique_ptr<ToolSurface> make_universal(const catalog::Catalog& catalog, SurfaceSettings settings);

inline constexpr std::array<std::string_view, 2> kSurfaces{"classic", "universal"};
inline constexpr std::string_view kDefaultSurface = "universal";
// By name; null when there is none of that name.
std::unique_ptr<ToolSurface> make_surface(std::string_view name, const catalog::Catalog& catalog,
                                          SurfaceSettings settings);

}  // namespace handrail::surface
