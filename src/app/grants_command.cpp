#include "app/grants_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "app/commands.h"
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
  static Result<std::size_t> run(const linux_::StatePaths& paths, const std::string& app) {
    auto audit = engine::AuditLog::open({.folder = paths.audit, .key_file = paths.key_file});
    engine::GrantStore::Settings settings{
        paths.folder, paths.key_file, [&paths] { return engine::newest_state_in(paths.audit, paths.key_file); }, {}};
    if (audit.ok()) {
      settings = engine::GrantStore::settings_with(paths.folder, paths.key_file, **audit);
      tell((*audit)->append("revoke", {{"app", app}, {"by", "owner"}}));
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
      if (app != "*") {
        count = policy::revoke(kept.access, app);
        return;
      }
      count = kept.access.grants.size();
      kept.access = {};
    });
    if (changed.ok()) return count;
    // Nothing can be written: no file is no grant.
    if (app == "*" && ::unlink((paths.folder + "/grants.json").c_str()) == 0) return count;
    return changed.error();
  }

 private:
  template <class T>
  static void tell(const Result<T>& result) {
    if (!result.ok()) fmt::print(stderr, "handrail: not recorded: {}\n", result.error().message);
  }
};

Result<int> revoke(const cli::Parsed& parsed) {
  const bool all = parsed.has("all");
  if (all ? !parsed.words.empty() : parsed.words.size() != 1) {
    return make_error(Code::argument_invalid, "It is not clear what to revoke.")
        .with_hint("Name one app as `handrail grants list` shows it, or give --all.");
  }
  const std::string app = all ? "*" : parsed.words[0];
  const linux_::StatePaths paths = TRY(linux_::state_paths());
  const std::size_t count = TRY(Revocation::run(paths, app));
  const std::string folder = TRY(linux_::runtime_folder());
  const auto answers =
      TRY(linux_::tell_servers(folder, linux_::ControlCommand::reload_grants, app, Deadline::in(kPatience)));
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
    fmt::print("{} kept grants revoked; {} running servers told.\n", count, answers.size());
  }
  return code;
}

}  // namespace

int grants_command(std::span<const std::string> arguments) {
  static const std::vector<cli::Option> options{{"all", "", "Revoke everything, flags too."},
                                                {"json", "", "Print as JSON."}};
  const std::string verb = arguments.empty() ? "--help" : arguments[0];
  const Result<cli::Parsed> parsed =
      cli::parse_options(arguments.subspan(arguments.empty() || verb == "--help" ? 0 : 1), options);
  if (!parsed.ok()) return fail(parsed.error());
  if (arguments.empty() || parsed->has("help") || verb == "-h" || verb == "help") {
    fmt::print(
        "handrail grants list [--json]: what is granted until it is revoked.\n"
        "handrail grants revoke APP [--json]: take an app's grants back, also in running servers.\n"
        "handrail grants revoke --all [--json]: take all of them back.\n\nOptions:\n{}",
        cli::option_help(options));
    return 0;
  }
  if (verb != "list" && verb != "revoke") {
    return fail(make_error(Code::argument_invalid, fmt::format("There is no `handrail grants {}`.", verb))
                    .with_hint("See handrail grants --help."));
  }
  const Result<int> code = verb == "list" ? list(*parsed) : revoke(*parsed);
  return code.ok() ? *code : fail(code.error());
}

}  // namespace handrail::app
