#include "policy/app_rows.h"

#include <fmt/format.h>

#include "base/json.h"
#include "policy/app_name.h"

namespace handrail::policy {
namespace {

Error bad(std::string what) {
  return make_error(Code::internal, "The list of apps is damaged: " + std::move(what) + ".");
}

Result<std::string> text_of(const Json& row, const char* key) {
  const auto found = row.find(key);
  if (found == row.end() || !found->is_string()) return bad(fmt::format("a row without `{}`", key));
  return found->get<std::string>();
}

// Absent is an empty list.
Result<std::vector<std::string>> list_of(const Json& row, const char* key) {
  std::vector<std::string> items;
  const auto found = row.find(key);
  if (found == row.end()) return items;
  if (!found->is_array()) return bad(fmt::format("`{}` is not a list", key));
  for (const Json& item : *found) {
    if (!item.is_string()) return bad(fmt::format("`{}` holds something that is not text", key));
    items.push_back(item.get<std::string>());
  }
  return items;
}

Status read_tier(const std::string& tier, AppRow& row) {
  if (tier == "deny") {
    row.denied = true;
    row.most = GrantTier::read;
  } else if (tier == "read") {
    row.most = GrantTier::read;
  } else if (tier == "click") {
    row.most = GrantTier::click;
  } else if (tier != "full") {
    return bad("tier `" + tier + "`");
  }
  return {};
}

Status read_sentinel(const Json& json, AppRow& row) {
  if (!json.contains("sentinel")) return {};
  const std::string name = TRY(text_of(json, "sentinel"));
  if (name == "shell") {
    row.sentinel = Sentinel::shell;
  } else if (name == "filesystem") {
    row.sentinel = Sentinel::filesystem;
  } else if (name == "system_settings") {
    row.sentinel = Sentinel::system_settings;
  } else if (name == "secrets") {
    row.sentinel = Sentinel::secrets;
  } else {
    return bad("sentinel `" + name + "`");
  }
  return {};
}

}  // namespace

bool stricter(bool denied_a, GrantTier a, bool denied_b, GrantTier b) {
  if (denied_a != denied_b) return denied_a;
  return !denied_a && a < b;
}

const AppRow* AppRows::find(const Table& table, std::string_view id) const {
  const auto found = table.find(lower(id));
  return found == table.end() ? nullptr : &rows_[found->second];
}

void AppRows::enter(Table& table, std::string id, std::size_t row) {
  rows_[row].ids.push_back(id);
  const auto [place, fresh] = table.emplace(std::move(id), row);
  const AppRow& now = rows_[row];
  const AppRow& before = rows_[place->second];
  if (!fresh && stricter(now.denied, now.most, before.denied, before.most)) place->second = row;
}

Result<AppRows> AppRows::parse(std::string_view text) {
  const Json list = TRY(parse_json(text));
  if (!list.is_array()) return bad("it is not a list");
  AppRows rows;
  for (const Json& json : list) {
    if (!json.is_object()) return bad("a row is not an object");
    AppRow row;
    row.name = TRY(text_of(json, "name"));
    row.category = TRY(text_of(json, "category"));
    const std::string tier = TRY(text_of(json, "tier"));
    TRY(read_tier(tier, row));
    TRY(read_sentinel(json, row));
    row.ids.push_back(folded_app_name(row.name));
    rows.rows_.push_back(std::move(row));
    const std::size_t place = rows.rows_.size() - 1;
    const auto on_linux = json.find("linux");
    if (on_linux == json.end() || !on_linux->is_object()) return bad("a row without `linux`");
    struct Column {
      const Json& from;
      const char* key;
      Table& table;
    };
    // Names on macOS are looked up like desktop ids: many are the same, and none is another app's.
    for (const Column& column :
         {Column{*on_linux, "desktop", rows.desktops_}, Column{json, "macos", rows.desktops_},
          Column{*on_linux, "wm_class", rows.classes_}, Column{*on_linux, "exec", rows.executables_},
          Column{*on_linux, "flatpak", rows.flatpaks_}, Column{*on_linux, "snap", rows.snaps_},
          Column{json, "windows", rows.windows_}}) {
      const std::vector<std::string> ids = TRY(list_of(column.from, column.key));
      for (const std::string& id : ids) rows.enter(column.table, folded_app_name(id), place);
    }
  }
  return rows;
}

}  // namespace handrail::policy
