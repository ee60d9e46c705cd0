#include "app/grants_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "app/commands.h"
#include "base/nearest.h"
#include "engine/audit_log.h"
#include "engine/grant_store.h"
#include "front/cli/options.h"
#include "platform/linux/control_socket.h"
#include "platform/linux/runtime_folder.h"
#include "policy/grants.h"

namespace handrail::app {
namespace {

constexpr Millis kPatience{1900};
constexpr std::array<std::string_view, 3> kTiers{"read", "click", "full"};

std::string escaped(const Json& value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return value.is_string() ? text.substr(1, text.size() - 2) : text;
}

Json to_json(const Grant& grant) {
  return {{"app", grant.app},
          {"tier", kTiers[static_cast<std::size_t>(grant.tier)]},
          {"source", grant.source},
          {"executable", grant.executable},
          {"script", grant.script}};
}

Json to_json(const GrantFlags& flags) {
  return {{"clipboard_read", flags.clipboard_read},
          {"clipboard_write", flags.clipboard_write},
          {"system_keys", flags.system_keys},
          {"files", flags.files},
          {"shell", flags.shell}};
}

Result<int> list(const cli::Parsed& parsed) {
  const linux_::StatePaths paths = TRY(linux_::state_paths());
  const auto store = TRY(engine::GrantStore::open(
      {paths.folder, paths.key_file, [&paths] { return engine::newest_state_in(paths.audit, paths.key_file); }, {}}));
  std::string told;
  const engine::KeptState kept = store->load(&told);
  if (parsed.has("json")) {
    Json grants = Json::array();
    for (const Grant& grant : kept.access.grants) grants.push_back(to_json(grant));
    Json all{{"grants", std::move(grants)}, {"flags", to_json(kept.access.flags)}};
    if (!told.empty()) all["refused"] = told;
    fmt::print("{}\n", all.dump(-1, ' ', true, Json::error_handler_t::replace));
    return 0;
  }
  if (!told.empty()) fmt::print(stderr, "handrail: {} They count as revoked.\n", escaped(Json(told)));
  if (kept.access.grants.empty()) fmt::print("Nothing is granted beyond a session.\n");
  for (const Grant& grant : kept.access.grants) {
    fmt::print("{:<32} {:<6} {} {}\n", escaped(Json(grant.app)), kTiers[static_cast<std::size_t>(grant.tier)],
               escaped(Json(grant.executable)), escaped(Json(grant.script)));
  }
  const Json flags = to_json(kept.access.flags);
  for (const auto& [name, value] : flags.items()) {
    if (value == true) fmt::print("{:<32} allowed\n", name);
  }
  return 0;
}

// Taking away must work whatever else does not: a log that cannot be written is told, and keeps nobody's grant alive.
class Revocation {
 public:
  explicit Revocation(const cli::Parsed& parsed)
      : flag_(parsed.value("flag")), app_(parsed.has("all") || !flag_.empty() ? "*" : parsed.words[0]) {}

  // As servers are told.
  std::string detail() const { return flag_.empty() ? app_ : std::string(linux_::kRevokedFlag) + flag_; }
  // One app or flag, which may not be there.
  bool one() const { return app_ != "*" || !flag_.empty(); }
  Error nothing(const std::vector<std::string>& apps) const {
    if (!flag_.empty()) return make_error(Code::not_found, fmt::format("The flag {} is not granted.", flag_));
    Error error = make_error(Code::not_found, fmt::format("No app called {} is granted.", shortened(app_, 80)));
    const std::vector<std::string_view> names(apps.begin(), apps.end());
    error.hint = did_you_mean(nearest_some(app_, names));
    if (error.hint.empty() && !names.empty())
      error.hint = fmt::format("These are granted: {}.", fmt::join(names, ", "));
    if (names.empty()) error.hint = "No app is granted at all.";
    return error;
  }

  // How many there were in the store. `apps`: all that are granted there.
  Result<std::size_t> run(const linux_::StatePaths& paths, std::vector<std::string>& apps) const {
    auto audit = engine::AuditLog::open({.folder = paths.audit, .key_file = paths.key_file});
    engine::GrantStore::Settings settings{
        paths.folder, paths.key_file, [&paths] { return engine::newest_state_in(paths.audit, paths.key_file); }, {}};
    if (audit.ok()) {
      settings = engine::GrantStore::settings_with(paths.folder, paths.key_file, **audit);
      tell((*audit)->append("revoke", record()));
      settings.changed = [record = settings.changed](std::uint64_t counter) -> Status {
        tell(record(counter));
        return {};
      };
    } else {
      tell(audit);
    }
    const auto store = TRY(engine::GrantStore::open(settings));
    std::size_t count = 0;
    const auto changed = store->change([&](engine::KeptState& kept) {
      for (const Grant& grant : kept.access.grants) apps.push_back(grant.app);
      if (!flag_.empty()) {
        count = policy::revoke_flag(kept.access.flags, flag_) ? 1 : 0;
        return;
      }
      if (app_ != "*") {
        count = policy::revoke(kept.access, app_);
        return;
      }
      count = kept.access.grants.size();
      kept.access = {};
    });
    if (changed.ok()) return count;
    // Nothing can be written: no file is no grant.
    if (app_ == "*" && ::unlink((paths.folder + "/grants.json").c_str()) == 0) return count;
    return changed.error();
  }

 private:
  Json record() const {
    if (!flag_.empty()) return {{"flag", flag_}, {"by", "owner"}};
    return {{"app", app_}, {"by", "owner"}};
  }
  template <class T>
  static void tell(const Result<T>& result) {
    if (!result.ok()) fmt::print(stderr, "handrail: not recorded: {}\n", result.error().message);
  }

  std::string flag_;
  std::string app_;
};

Status check_words(const cli::Parsed& parsed) {
  const std::string flag = parsed.value("flag");
  const std::size_t given = parsed.words.size() + (parsed.has("all") ? 1 : 0) + (parsed.has("flag") ? 1 : 0);
  if (given != 1) {
    return make_error(Code::argument_invalid, "It is not clear what to revoke.")
        .with_hint("Name one app as `handrail grants list` shows it, or give --flag NAME, or --all.");
  }
  const auto names = policy::flag_names();
  if (!parsed.has("flag") || std::ranges::find(names, flag) != names.end()) return {};
  return make_error(Code::argument_invalid, fmt::format("There is no flag {}.", shortened(flag, 60)))
      .with_field("flag", "one of " + join_or(names))
      .with_hint(did_you_mean(nearest_some(flag, names)));
}

// What the servers had, added to what the store had.
std::size_t count_of(const std::vector<linux_::ControlAnswer>& answers, std::vector<std::string>& apps) {
  std::size_t count = 0;
  for (const linux_::ControlAnswer& answer : answers) {
    const Json told = answer.reply.is_object() ? answer.reply.value("reloaded", Json::object()) : Json::object();
    if (!told.is_object()) continue;
    if (const Json revoked = told.value("revoked", Json(0)); revoked.is_number_unsigned()) {
      count += revoked.get<std::size_t>();
    }
    for (const Json& app : told.value("apps", Json::array())) {
      if (app.is_string() && std::ranges::find(apps, app.get<std::string>()) == apps.end()) apps.push_back(app);
    }
  }
  return count;
}

Result<int> revoke(const cli::Parsed& parsed) {
  TRY(check_words(parsed));
  const Revocation revocation(parsed);
  const linux_::StatePaths paths = TRY(linux_::state_paths());
  std::vector<std::string> apps;
  const std::size_t count = TRY(revocation.run(paths, apps));
  const std::string folder = TRY(linux_::runtime_folder());
  const auto answers = TRY(linux_::tell_servers(folder, linux_::ControlCommand::reload_grants, revocation.detail(),
                                                Deadline::in(kPatience)));
  const std::size_t in_servers = count_of(answers, apps);
  const bool all_told = std::ranges::all_of(answers, &linux_::ControlAnswer::ok);
  if (revocation.one() && count == 0 && in_servers == 0 && all_told) return revocation.nothing(apps);
  int code = 0;
  Json servers = Json::array();
  for (const linux_::ControlAnswer& answer : answers) {
    servers.push_back({{"pid", answer.pid}, {"ok", answer.ok()}});
    if (answer.ok()) continue;
    code = row(Code::timeout).cli_exit;
    fmt::print(stderr, "handrail: process {} was not reached: {}\n", answer.pid, escaped(Json(answer.error)));
  }
  if (parsed.has("json")) {
    fmt::print("{}\n", to_line(Json{{"revoked", count}, {"servers", std::move(servers)}}));
  } else {
    fmt::print("{} kept {} revoked; {} running {} told.\n", count, count == 1 ? "grant" : "grants", answers.size(),
               answers.size() == 1 ? "server" : "servers");
  }
  return code;
}

}  // namespace

Verbs grants_verbs() {
  static const cli::Option json{"json", "", "Print as JSON."};
  static const std::vector<Verb> all{
      {"list",
       "list [options]",
       "What is granted until it is revoked.",
       {json},
       "  handrail grants list\n  handrail grants list --json\n",
       list},
      {"revoke",
       "revoke APP|--flag NAME|--all [options]",
       "Take grants back, also in servers that run.",
       {{"all", "", "Revoke everything, flags too."},
        {"flag", "NAME", "Revoke one flag only, such as clipboard_read."},
        json},
       "  handrail grants revoke org.xfce.mousepad\n"
       "  handrail grants revoke --flag clipboard_read\n"
       "  handrail grants revoke --all\n",
       revoke,
       cli::kAnyWords},
  };
  return all;
}

int grants_command(std::span<const std::string> arguments) {
  const std::string help = verb_help("grants", "what was granted until it is revoked.", grants_verbs());
  return run_verb("grants", grants_verbs(), help, arguments);
}

}  // namespace handrail::app
