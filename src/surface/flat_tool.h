// One flat tool, `{action, …}`, read from its table in both directions: arguments to a call, and a call back to
// arguments. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "model/look.h"
#include "surface/flat_rows.h"

namespace handrail::surface {

// What every action of the tool takes beside its own parameters.
struct FlatRules {
  Basis basis = Basis::pixels;  // of forms that have one
  bool capture_after = false;
  bool owners = false;      // calls by number may say whose element it is
  bool settle = false;      // `settle_ms`
  bool image_size = false;  // `image_width` and `image_height` say what the coordinates are pixels of
};

class FlatTool {
 public:
  // Rows of actions that the catalog does not have are left out.
  FlatTool(const catalog::Catalog& catalog, std::span<const FlatAction> rows, FlatRules rules);

  const std::vector<std::string_view>& names() const { return names_; }
  // The first action of the catalog behind an action of the tool; null when there is none of that name.
  const catalog::ActionSpec* spec_of(std::string_view name) const;
  // `argument_invalid` in the tool's own words.
  Result<catalog::ActionCall> resolve(const Json& arguments) const;
  // The arguments that stand for a call of the action, in each way that the tool has for it. `canonical` is the whole
  // of its params; coordinates are taken to be in the tool's own units.
  std::vector<Json> express(const catalog::ActionSpec& spec, const Json& canonical) const;
  // One property for each parameter of all actions, without limits and defaults, which differ between actions.
  Json properties() const;
  // What one action takes, as JSON Schema properties with limits and defaults, `required` among them.
  Json params_of(std::string_view name) const;

 private:
  struct Form {
    const catalog::ActionSpec* spec = nullptr;
    std::vector<FlatParam> params;
    Json presets;
    bool has_basis = false;
    Json schema;
    Json defaults;                           // of what an action takes by default
    std::vector<std::string_view> needed{};  // by the tool's names
    std::vector<std::string_view> own{};     // that no other form of the action has
  };
  struct Action {
    std::string_view name;
    std::vector<Form> forms;
  };

  const Action* find(std::string_view name) const;
  // An error about a field of the action, in the tool's own words.
  static Error in_words(const Form& form, Error error);
  Result<const Form*> form_of(const Action& action, const Json& arguments) const;
  Result<Json> read_params(const Form& form, const Json& own, const std::optional<Size>& image) const;
  Result<catalog::ActionCall> read_call(const Action& action, Json own) const;
  std::optional<Json> express(const Form& form, const Json& canonical) const;
  std::vector<std::string_view> fields_of(const Action& action) const;
  static Json schema_of(const Form& form, const FlatParam& param);

  const catalog::Catalog& catalog_;
  FlatRules rules_;
  std::vector<Action> actions_;
  std::vector<std::string_view> names_;
};

}  // namespace handrail::surface
