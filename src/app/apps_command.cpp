#include "app/apps_command.h"

#include <fmt/format.h>

#include <charconv>

#include "app/commands.h"
#include "app/config.h"
#include "app/desk.h"
#include "front/cli/options.h"
#include "platform/linux/app_launcher.h"
#include "platform/linux/app_program.h"
#include "platform/linux/identity.h"

namespace handrail::app {
namespace {

std::string_view name(policy::Sentinel sentinel) {
  switch (sentinel) {
    case policy::Sentinel::none: return "none";
    case policy::Sentinel::shell: return "as good as a shell";
    case policy::Sentinel::filesystem: return "reaches files";
    case policy::Sentinel::system_settings: return "changes system settings";
    case policy::Sentinel::secrets: return "holds secrets";
    case policy::Sentinel::other_desktop: return "shows another desktop";
  }
  return "none";
}

std::string_view name(GrantTier tier) {
  switch (tier) {
    case GrantTier::read: return "read";
    case GrantTier::click: return "click";
    case GrantTier::full: return "full";
  }
  return "read";
}

// A whole number, decimal or with 0x; nothing for other words.
std::optional<std::uint64_t> number(std::string_view word, int base) {
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (word.empty() || parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) return {};
  return value;
}

Result<AppIdentity> identity_of(const std::string& word, const std::string& desktop) {
  const Environment environment = linux_::session_desktop(current_environment()).environment;
  if (word.starts_with("0x") || word.starts_with("0X")) {
    const auto window = number(std::string_view(word).substr(2), 16);
    if (!window) return make_error(Code::argument_invalid, fmt::format("{} is no window id.", word));
    const Desk desk = TRY(open_desk({desktop, DeskRequest::Otherwise::running}));
    Targets* targets = desk.computer->targets();
    if (!targets) {
      return make_error(Code::capability_unsupported, "This desktop does not tell who owns a window.")
          .with_hint("Name the app or its process instead.");
    }
    const Receiver receiver = TRY(targets->of(static_cast<WindowId>(*window), Deadline::in(kBackendPatience)));
    return receiver.app;
  }
  if (const auto pid = number(word, 10)) {
    linux_::Identities identities(environment);
    const AppIdentity identity = identities.identify(static_cast<std::int64_t>(*pid));
    if (identity.pid == 0) {
      return make_error(Code::not_found, fmt::format("There is no process {} that can be looked at.", word))
          .with_hint("Name the number of a process of yours that runs.");
    }
    return identity;
  }
  return TRY(linux_::resolve_program(word, environment)).identity;
}

}  // namespace

std::string explain_app(const AppIdentity& identity, const policy::AppClass& app,
                        const std::vector<policy::OwnerRule>& rules) {
  std::string out;
  const auto line = [&](std::string_view label, std::string_view value) {
    if (!value.empty()) out += fmt::format("{:<12} {}\n", label, value);
  };
  line("app", app.name);
  if (identity.pid > 0) line("process", fmt::format("{}", identity.pid));
  line("executable", identity.executable + (identity.replaced ? " (replaced since it was started)" : ""));
  line("script", identity.script);
  line("desktop id", identity.desktop_id);
  line("flatpak", identity.flatpak);
  line("snap", identity.snap);
  line("class", identity.claimed_class);
  if (!identity.file.known()) line("identity", "unknown, so it is never granted");
  if (identity.own) line("identity", "Handrail's own, so it is never granted");
  line("category", app.category.empty() ? "none" : app.category);
  line("at most", app.denied ? "denied" : name(app.most));
  line("warning", name(app.sentinel));
  for (const std::string& why : app.why) line("because", why);
  if (rules.empty()) line("owner's rule", "none");
  for (const policy::OwnerRule& rule : rules) {
    line("owner's rule", fmt::format("{}: {}", rule.app, rule.deny ? "denied" : name(rule.most)));
  }
  return out;
}

namespace {

Result<int> classify(const cli::Parsed& parsed) {
  if (parsed.words.size() != 1) {
    return make_error(Code::argument_invalid, "It takes one app, window or process.")
        .with_hint("Try: handrail apps classify org.gnome.gedit");
  }
  const Config config = TRY(load_config(config_path()));
  const AppIdentity identity = TRY(identity_of(parsed.words[0], parsed.value("desktop")));

  const policy::AppCatalog& catalog = policy::AppCatalog::builtin();
  const policy::AppClass app = catalog.classify(identity, owner_rules(config));
  // A rule had a say when the answer would be another one with it alone than without any.
  std::vector<policy::OwnerRule> matching;
  const policy::AppClass bare = catalog.classify(identity, {});
  const std::vector<policy::OwnerRule> rules = owner_rules(config);
  for (const policy::OwnerRule& rule : rules) {
    if (catalog.classify(identity, {rule}) != bare) matching.push_back(rule);
  }
  fmt::print("{}", explain_app(identity, app, matching));
  return 0;
}

}  // namespace

Verbs apps_verbs() {
  static const std::vector<Verb> all{
      {"classify",
       "classify APP|WINDOW|PID [options]",
       "Which kind of app it is, the most an agent can be granted of it, and why.",
       {{"desktop", "WHICH", "The desktop of the window: a display such as :0, or the name of an embedded desktop.",
         "name"}},
       "  handrail apps classify org.gnome.gedit     a desktop id, a name, or the path of an executable\n"
       "  handrail apps classify 0x1e00007           the id of a window\n"
       "  handrail apps classify 4711                the number of a process\n",
       classify,
       cli::kAnyWords},
  };
  return all;
}

int apps_command(std::span<const std::string> arguments) {
  const std::string help = verb_help("apps", "what an agent can be granted of an app.", apps_verbs());
  return run_verb("apps", apps_verbs(), help, arguments);
}

}  // namespace handrail::app
