// The rows of the compact tool. Every action of the catalog is in it under its own name and with its own parameters;
// this table says only what is different: other names, what is left out, and more ways to call an action.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "surface/flat_rows.h"

namespace handrail::surface {

struct CompactRow {
  FlatAction action;
  std::string_view category;
  std::string_view says = {};  // in place of the action's summary
};

// The rows over one catalog; they point into it.
class CompactRows {
 public:
  explicit CompactRows(const catalog::Catalog& catalog);
  CompactRows(const CompactRows&) = delete;
  CompactRows& operator=(const CompactRows&) = delete;

  const std::vector<CompactRow>& all() const { return rows_; }
  std::vector<FlatAction> actions() const;

 private:
  void add(std::string_view name, const catalog::ActionSpec& spec, std::string_view category, std::string_view presets,
           std::string_view needed);

  std::deque<std::string> texts_;
  std::deque<std::vector<FlatParam>> params_;
  std::deque<std::vector<FlatForm>> forms_;
  std::vector<CompactRow> rows_;
};

// How the catalog's names read here, for hints.
struct CompactName {
  std::string_view action;
  std::string_view name;
};
std::span<const CompactName> compact_names();

// In the order in which they are told, without `all`.
std::span<const std::string_view> compact_categories();

}  // namespace handrail::surface
