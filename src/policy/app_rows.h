// The rows of data/apps.json in tables by id, all in lower case. Looked up, never judged, here.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "policy/app_catalog.h"

namespace handrail::policy {

struct AppRow {
  std::string name;
  std::string category;
  bool denied = false;
  GrantTier most = GrantTier::full;
  Sentinel sentinel = Sentinel::none;
  std::vector<std::string> ids;  // all of them and the name, folded: what an owner may call it
};

// Of two, the one that allows less.
bool stricter(bool denied_a, GrantTier a, bool denied_b, GrantTier b);

class AppRows {
 public:
  // An error when the text is not a list of apps, or holds a word that is not known.
  static Result<AppRows> parse(std::string_view text);

  const AppRow* executable(std::string_view name) const { return find(executables_, name); }
  const AppRow* desktop(std::string_view id) const { return find(desktops_, id); }
  const AppRow* window_class(std::string_view name) const { return find(classes_, name); }
  const AppRow* flatpak(std::string_view id) const { return find(flatpaks_, id); }
  const AppRow* snap(std::string_view name) const { return find(snaps_, name); }
  const AppRow* windows(std::string_view name) const { return find(windows_, name); }
  std::size_t size() const { return rows_.size(); }

 private:
  using Table = std::unordered_map<std::string, std::size_t>;
  const AppRow* find(const Table& table, std::string_view id) const;
  void enter(Table& table, std::string id, std::size_t row);

  std::vector<AppRow> rows_;
  Table executables_, desktops_, classes_, flatpaks_, snaps_, windows_;
};

}  // namespace handrail::policy
