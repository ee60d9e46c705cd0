#include "policy/app_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "policy/app_data.h"
#include "policy/app_matches.h"
#include "policy/app_name.h"
#include "policy/app_rows.h"

namespace handrail::policy {

struct AppCatalog::Tables {
  std::optional<AppRows> rows;
  std::string problem;
};

namespace {

std::string_view word(bool denied, GrantTier most) {
  if (denied) return "denied";
  switch (most) {
    case GrantTier::read: return "at most read";
    case GrantTier::click: return "at most click";
    case GrantTier::full: return "up to full";
  }
  return "denied";
}

// How much a warning says; the gravest is shown.
int gravity(Sentinel sentinel) {
  switch (sentinel) {
    case Sentinel::none: return 0;
    case Sentinel::filesystem: return 1;
    case Sentinel::system_settings: return 2;
    case Sentinel::other_desktop: return 3;
    case Sentinel::shell: return 4;
    case Sentinel::secrets: return 5;
  }
  return 5;
}

void tighten(AppClass& app, const AppMatch& match) {
  app.for_good = app.for_good || match.for_good;
  if (gravity(match.sentinel) > gravity(app.sentinel)) app.sentinel = match.sentinel;
  if (stricter(match.denied, match.most, app.denied, app.most)) {
    app.denied = match.denied;
    app.most = match.most;
    app.category = match.category;
  } else if (app.category.empty() && !match.claimed) {
    app.category = match.category;
  }
  app.why.push_back(fmt::format("{} is {}: {}.", match.by, match.says, word(match.denied, match.most)));
}

// How well a name that the owner wrote fits a program.
enum class Fit { none, maybe, sure };

// A grant is for one program: an interpreter's name is not that of what it runs. A rule may be for all of it.
enum class Meant { one_program, any };

Fit fit_of(std::string_view written, const AppIdentity& identity, const AppMatches& matches, Meant meant) {
  const std::string name = folded_app_name(written);
  if (name.empty()) return Fit::none;
  for (const std::string& id : {identity.desktop_id, identity.flatpak, identity.snap}) {
    if (!id.empty() && folded_app_name(id) == name) return Fit::sure;
  }
  if (!identity.snap.empty() && lower(identity.snap.substr(0, identity.snap.find_first_of("_."))) == name)
    return Fit::sure;
  const Fit by_executable = meant == Meant::one_program && matches.runs_others ? Fit::maybe : Fit::sure;
  if (name.find('/') != std::string::npos) {
    // Files have a case: without it, it only lowers.
    const std::string exact = clean_app_name(written);
    if (exact == identity.script) return Fit::sure;
    if (exact == identity.executable) return by_executable;
    if (name == lower(identity.executable) || name == lower(identity.script)) return Fit::maybe;
    return Fit::none;
  }
  Fit best = Fit::none;
  for (const AppMatch& match : matches.all) {
    if (match.row == nullptr) continue;
    const auto& ids = match.row->ids;
    if (std::find(ids.begin(), ids.end(), name) == ids.end()) continue;
    best = std::max(best, match.sure && !match.claimed ? Fit::sure : Fit::maybe);
  }
  if (lower(base_name(identity.executable)) == name) {
    best = std::max(best, in_system_folder(identity.executable) ? by_executable : Fit::maybe);
  }
  if (!identity.claimed_class.empty() && lower(identity.claimed_class) == name) best = std::max(best, Fit::maybe);
  if (!identity.script.empty() && lower(base_name(identity.script)) == name) best = std::max(best, Fit::maybe);
  return best;
}

void set(AppClass& app, bool denied, GrantTier most, const std::string& rule) {
  app.denied = denied;
  app.most = denied ? GrantTier::read : most;
  app.why.push_back(fmt::format("The owner's rule for `{}` decides: {}.", rule, word(denied, most)));
}

void apply_rules(AppClass& app, const AppIdentity& identity, const AppMatches& matches,
                 const std::vector<OwnerRule>& rules) {
  const OwnerRule* decides = nullptr;
  const OwnerRule* raises = nullptr;
  std::vector<const OwnerRule*> maybes;
  for (const OwnerRule& rule : rules) {
    const Fit fit = fit_of(rule.app, identity, matches, rule.only_raises ? Meant::one_program : Meant::any);
    if (fit == Fit::none || (fit == Fit::maybe && rule.only_raises)) continue;
    if (fit == Fit::maybe) {
      maybes.push_back(&rule);
    } else if (rule.only_raises) {
      if (raises == nullptr || rule.most > raises->most) raises = &rule;
    } else if (decides == nullptr || stricter(rule.deny, rule.most, decides->deny, decides->most)) {
      decides = &rule;
    }
  }
  if (app.for_good) return;
  if (decides != nullptr) {
    set(app, decides->deny, decides->most, decides->app);
  } else if (raises != nullptr && stricter(app.denied, app.most, false, raises->most)) {
    set(app, false, raises->most, raises->app);
  }
  for (const OwnerRule* rule : maybes) {
    if (stricter(rule->deny, rule->most, app.denied, app.most)) set(app, rule->deny, rule->most, rule->app);
  }
}

std::string name_of(const AppIdentity& identity, const AppMatches& matches) {
  // What it claims to be names nothing.
  const AppMatch* best = nullptr;
  for (const AppMatch& match : matches.all) {
    if (match.row == nullptr || match.claimed) continue;
    if (best == nullptr || stricter(match.denied, match.most, best->denied, best->most)) best = &match;
  }
  if (best != nullptr) return best->row->name;
  if (!identity.desktop_id.empty()) return identity.desktop_id;
  if (!identity.flatpak.empty()) return identity.flatpak;
  const std::string_view file = base_name(identity.executable);
  return file.empty() ? "a program without a name" : std::string(file);
}

}  // namespace

AppCatalog::AppCatalog() {
  // Kept until the end of the program: calls may outlive every other object.
  auto* tables = new Tables;
  if (auto rows = AppRows::parse(app_data()); rows.ok())
    tables->rows = std::move(rows).value();
  else
    tables->problem = rows.error().message;
  tables_ = tables;
}

const AppCatalog& AppCatalog::builtin() {
  static const AppCatalog catalog;
  return catalog;
}

std::size_t AppCatalog::size() const { return tables_->rows ? tables_->rows->size() : 0; }

AppClass AppCatalog::classify(const AppIdentity& identity, const std::vector<OwnerRule>& rules) const {
  AppClass app;
  if (!tables_->rows) {
    app.name = name_of(identity, {});
    app.denied = app.for_good = true;
    app.most = GrantTier::read;
    app.why.push_back(tables_->problem);
    return app;
  }
  const AppMatches matches = matches_of(identity, *tables_->rows);
  app.name = name_of(identity, matches);
  app.runs_others = matches.runs_others;
  for (const AppMatch& match : matches.all) {
    // Claims come last, so that they find what the system says already there.
    if (!match.claimed) tighten(app, match);
  }
  for (const AppMatch& match : matches.all) {
    if (match.claimed && (stricter(match.denied, match.most, app.denied, app.most) ||
                          gravity(match.sentinel) > gravity(app.sentinel) || (match.for_good && !app.for_good))) {
      tighten(app, match);
    }
  }
  if (identity.own) {
    app.denied = app.for_good = true;
    app.most = GrantTier::read;
    app.category = "handrail";
    app.why.push_back("It is a part of Handrail: denied.");
  }
  apply_rules(app, identity, matches, rules);
  return app;
}

bool AppCatalog::means(std::string_view app, const AppIdentity& identity) const {
  if (!tables_->rows) return false;
  return fit_of(app, identity, matches_of(identity, *tables_->rows), Meant::one_program) == Fit::sure;
}

std::string app_id(const AppIdentity& identity) {
  if (!identity.desktop_id.empty()) return identity.desktop_id;
  if (!identity.flatpak.empty()) return identity.flatpak;
  if (!identity.script.empty()) return identity.script;
  return identity.executable;
}

}  // namespace handrail::policy
