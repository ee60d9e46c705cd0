// Surfaces by name, and several of them as one.
#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "surface/guidance.h"
#include "surface/tool_surface.h"

namespace handrail::surface {
namespace {

class Joined : public ToolSurface {
 public:
  explicit Joined(std::vector<std::unique_ptr<ToolSurface>> parts) : parts_(std::move(parts)) {
    for (const auto& part : parts_) {
      for (const Tool& tool : part->tools()) tools_.push_back(tool);
    }
  }

  std::span<const Tool> tools() const override { return tools_; }
  Result<catalog::ActionCall> resolve(std::string_view tool, const Json& arguments) const override {
    if (const ToolSurface* part = part_of(tool)) return part->resolve(tool, arguments);
    std::vector<std::string_view> names;
    for (const Tool& each : tools_) names.push_back(each.name);
    Error error = make_error(Code::action_unknown, fmt::format("There is no tool `{}`.", shortened(tool, 60)));
    error.hint = did_you_mean(nearest_some(tool, names));
    return error;
  }
  Reply render(std::string_view tool, Result<Outcome> outcome, std::string_view nonce) const override {
    const ToolSurface* part = part_of(tool);
    return (part == nullptr ? *parts_.front() : *part).render(tool, std::move(outcome), nonce);
  }
  std::optional<Reply> answer(std::string_view tool, const Json& arguments) const override {
    const ToolSurface* part = part_of(tool);
    return part == nullptr ? std::nullopt : part->answer(tool, arguments);
  }
  // Of the one that was named first.
  std::string guidance() const override { return parts_.front()->guidance(); }
  std::vector<ToolCall> express(const catalog::ActionSpec& spec, const Json& canonical) const override {
    std::vector<ToolCall> calls;
    for (const auto& part : parts_) {
      for (ToolCall& call : part->express(spec, canonical)) calls.push_back(std::move(call));
    }
    return calls;
  }

 private:
  const ToolSurface* part_of(std::string_view tool) const {
    for (const auto& part : parts_) {
      if (std::ranges::find(part->tools(), tool, &Tool::name) != part->tools().end()) return part.get();
    }
    return nullptr;
  }

  std::vector<std::unique_ptr<ToolSurface>> parts_;
  std::vector<Tool> tools_;
};

Error refused(std::string message, std::string expected) {
  return make_error(Code::argument_invalid, std::move(message)).with_field("surface", std::move(expected));
}

}  // namespace

std::string ToolSurface::guidance() const { return std::string(surface::guidance()); }

std::unique_ptr<ToolSurface> make_surface(std::string_view name, const catalog::Catalog& catalog,
                                          SurfaceSettings settings) {
  if (name == "classic") return make_classic(catalog, settings);
  if (name == "universal") return make_universal(catalog, settings);
  if (name == "compact") return make_compact(catalog, settings);
  if (name == "layered") return make_layered(catalog, settings);
  return nullptr;
}

Result<std::unique_ptr<ToolSurface>> make_surfaces(std::string_view names, const catalog::Catalog& catalog,
                                                   SurfaceSettings settings) {
  std::vector<std::unique_ptr<ToolSurface>> parts;
  struct Owner {
    std::string tool;
    std::string_view surface;
  };
  std::vector<Owner> owners;
  for (std::string_view rest = names;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view name = rest.substr(0, comma);
    auto part = make_surface(name, catalog, settings);
    if (!part) {
      return refused(fmt::format("--surface is `{}`.", shortened(names, 60)),
                     join_or(kSurfaces) + ", or several with commas between them");
    }
    for (const Tool& tool : part->tools()) {
      const auto other = std::ranges::find(owners, tool.name, &Owner::tool);
      if (other == owners.end()) {
        owners.push_back({tool.name, name});
        continue;
      }
      if (other->surface == name) {
        return refused(fmt::format("--surface names `{}` twice.", name), "each surface once");
      }
      return refused(fmt::format("The surfaces `{}` and `{}` both have a tool `{}`.", other->surface, name, tool.name),
                     "surfaces whose tools have different names, such as universal,compact");
    }
    parts.push_back(std::move(part));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (parts.size() == 1) return std::move(parts.front());
  return std::unique_ptr<ToolSurface>(std::make_unique<Joined>(std::move(parts)));
}

}  // namespace handrail::surface
