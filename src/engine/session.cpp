#include "engine/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/random_id.h"
#include "policy/app_name.h"

namespace handrail::engine {
namespace {

constexpr std::size_t kStandings = 64;
constexpr std::size_t kTexts = 32;
constexpr Millis kBetweenResolving{2000};

const char* tier_name(GrantTier tier) {
  static constexpr std::array kTiers{"read", "click", "full"};
  return kTiers[static_cast<std::size_t>(tier)];
}

Json names_of(const GrantFlags& flags) {
  Json names = Json::array();
  if (flags.clipboard_read) names.push_back("clipboard_read");
  if (flags.clipboard_write) names.push_back("clipboard_write");
  if (flags.system_keys) names.push_back("system_keys");
  if (flags.files) names.push_back("files");
  if (flags.shell) names.push_back("shell");
  return names;
}

bool same_geometry(const Look& a, const Look& b) {
  return a.display == b.display && a.area == b.area && a.image == b.image && a.scale == b.scale && a.layout == b.layout;
}

Json to_json(const Grant& grant) {
  static constexpr std::array kPersist{"once", "session", "always"};
  return {{"app", grant.app},
          {"tier", tier_name(grant.tier)},
          {"persist", kPersist[static_cast<std::size_t>(grant.persist)]},
          {"source", grant.source},
          {"executable", grant.executable}};
}

// In a sentence or two; what a hint says behind that is not for every surface.
std::string told(const Error& problem) {
  const std::string_view next = problem.next_step();
  return fmt::format("{} {}", problem.message, next.substr(0, std::min(next.find(". "), next.size() - 1) + 1));
}

}  // namespace

Session::Session(Computer& computer, KillSwitch& kill_switch, SessionSettings settings, SessionParts parts)
    : computer_(computer),
      kill_switch_(kill_switch),
      settings_(std::move(settings)),
      parts_(std::move(parts)),
      id_(random_id("session-")),
      budget_(settings_.budget),
      rules_(settings_.rules),
      owner_rules_(policy::owner_rules(rules_)),
      unresolved_(settings_.rules.granted),
      tenure_({computer, parts_.lock, parts_.notify, settings_.idle}, id_) {
  access_.flags = settings_.rules.flags;
  if (parts_.store != nullptr) {
    std::string told;
    const KeptState kept = parts_.store->load(&told);
    if (!told.empty()) log(LogLevel::warning, "grants: {}", told);
    for (const Grant& grant : kept.access.grants) policy::add_grant(access_, grant);
    access_.flags = policy::either(access_.flags, kept.access.flags);
    selected_display_ = kept.selected_display;
    // Its geometry alone: nobody here has seen the picture, and when it was taken is not known.
    kept_look_ = kept.look;
    if (kept.look) last_look_ = SeenLook{*kept.look, {}, {}, {}};
  }
}

Session::~Session() { static_cast<void>(tenure_.end(Deadline::in(kBackendPatience))); }

std::optional<Look> Session::last_look() const {
  const std::lock_guard lock(mutex_);
  return last_look_ ? std::optional(last_look_->look) : std::nullopt;
}

std::optional<SeenLook> Session::seen() const {
  const std::lock_guard lock(mutex_);
  return last_look_;
}

void Session::remember(SeenLook look) {
  const Look seen = look.look;
  {
    const std::lock_guard lock(mutex_);
    last_look_ = std::move(look);
    if (kept_look_ && same_geometry(*kept_look_, seen)) return;
    kept_look_ = seen;
  }
  keep([&seen](KeptState& state) { state.look = seen; });
}

std::optional<Target> Session::target() const {
  const std::lock_guard lock(mutex_);
  return target_;
}

void Session::set_target(Target target) {
  const std::lock_guard lock(mutex_);
  target_ = std::move(target);
}

KnownElements Session::elements() const {
  const std::lock_guard lock(mutex_);
  return elements_;
}

void Session::remember_elements(KnownElements elements) {
  const std::lock_guard lock(mutex_);
  elements_ = std::move(elements);
}

int Session::selected_display() const {
  const std::lock_guard lock(mutex_);
  return selected_display_;
}

void Session::select_display(int display) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(selected_display_, display) == display) return;
  }
  keep([display](KeptState& state) { state.selected_display = display; });
}

// What cannot be kept is missing after a restart, and no more than that.
void Session::keep(const std::function<void(KeptState&)>& edit) {
  if (parts_.store == nullptr) return;
  if (const auto kept = parts_.store->change(edit); !kept.ok()) {
    log(LogLevel::warning, "state: {}", kept.error().message);
  }
}

Access Session::access() const {
  const std::lock_guard lock(mutex_);
  return access_;
}

void Session::resolve_config_grants() {
  std::vector<AppRequest> open;
  std::uint64_t revocations = 0;
  {
    const std::lock_guard lock(mutex_);
    revocations = revocations_;
    // To look through all installed apps costs more than a click.
    if (unresolved_.empty() || Clock::now() < resolve_again_) return;
    resolve_again_ = Clock::now() + kBetweenResolving;
    open = unresolved_;
  }
  Apps* apps = computer_.apps();
  if (apps == nullptr) return;
  std::vector<AppRequest> left;
  for (const AppRequest& wanted : open) {
    const auto program = apps->resolve(wanted.app, Deadline::in(kBackendPatience));
    if (!program.ok()) {
      left.push_back(wanted);
      continue;
    }
    Grant grant;
    grant.app = program->app.id.empty() ? wanted.app : program->app.id;
    grant.tier = wanted.tier;
    grant.source = "config";
    grant.executable = program->identity.executable;
    grant.file = program->identity.file;
    grant.script = program->identity.script;
    const std::lock_guard lock(mutex_);
    // What the owner took away meanwhile stays away; the rest is looked for the next time.
    if (revocations != revocations_) return;
    policy::bind_to_programs(rules_, {{wanted, *program, {}}});
    owner_rules_ = policy::owner_rules(rules_);
    if (wanted.by_category) {
      const auto& catalog = policy::AppCatalog::builtin();
      grant.tier = std::min(grant.tier, catalog.classify(program->identity, owner_rules_).most);
    }
    policy::add_grant(access_, grant);
    standings_.clear();
  }
  const std::lock_guard lock(mutex_);
  if (revocations == revocations_) unresolved_ = std::move(left);
}

std::vector<std::string> Session::unknown_grants() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const AppRequest& wanted : unresolved_) names.push_back(wanted.app);
  return names;
}

std::vector<policy::AskedApp> Session::resolve(const AccessRequest& request) {
  std::vector<policy::AskedApp> asked;
  Apps* apps = computer_.apps();
  for (const AppRequest& wanted : request.apps) {
    policy::AskedApp app{wanted, std::nullopt, "This desktop has no app launcher."};
    if (apps != nullptr) {
      auto program = apps->resolve(wanted.app, Deadline::in(kBackendPatience));
      if (program.ok())
        app.program = std::move(program).value();
      else
        app.problem = told(program.error());
    }
    asked.push_back(std::move(app));
  }
  return asked;
}

AccessReply Session::request_access(const AccessRequest& request, policy::Approver* client, std::stop_token stop) {
  // The person may take a while to answer: decide on a copy. Calls that change grants run alone.
  policy::AccessRules rules;
  std::uint64_t revocations = 0;
  {
    const std::lock_guard lock(mutex_);
    rules = rules_;
    revocations = revocations_;
  }
  policy::Decision decision = policy::decide(rules, policy::AppCatalog::builtin(), access(), request, resolve(request));
  policy::ConsentAnswer answer;
  if (!decision.question.empty()) {
    answer = ask(decision.question, client, stop);
  }
  const Access before = access();
  AccessReply reply = policy::apply(std::move(decision), answer);
  // A yes that is not written down is none.
  if (parts_.audit != nullptr && !(reply.access == before)) {
    Json grants = Json::array();
    for (const Grant& grant : reply.access.grants) {
      if (std::ranges::find(before.grants, grant) == before.grants.end()) grants.push_back(to_json(grant));
    }
    const auto written =
        parts_.audit->append("grant", {{"session", id_},
                                       {"grants", std::move(grants)},
                                       {"flags", names_of(policy::without(reply.access.flags, before.flags))},
                                       {"by", answer.by},
                                       {"shown", answer.digest}});
    if (!written.ok()) {
      for (AppAnswer& app : reply.answers) {
        if (app.granted) app.reason = "The audit log cannot be written: " + written.error().message;
        app.granted = false;
      }
      reply.access = before;
      return reply;
    }
  }
  const GrantFlags reply_flags = reply.access.flags;
  Access added;
  std::ranges::copy_if(reply.access.grants, std::back_inserter(added.grants), [&](const Grant& grant) {
    return std::ranges::find(before.grants, grant) == before.grants.end();
  });
  {
    const std::lock_guard lock(mutex_);
    // The owner took something away while the person was asked: that counts for more than this yes.
    if (revocations_ != revocations) {
      for (AppAnswer& app : reply.answers) {
        if (app.granted) app.reason = "Grants were revoked meanwhile; ask again.";
        app.granted = false;
      }
      reply.access = access_;
      return reply;
    }
    for (const Grant& grant : added.grants) policy::add_grant(access_, grant);
    access_.flags = policy::either(access_.flags, reply.access.flags);
    reply.access = access_;
    standings_.clear();
  }
  const bool for_good = answer.choice == policy::ConsentChoice::always;
  if (for_good) added.flags = policy::without(reply_flags, before.flags);
  keep_always(added);
  return reply;
}

policy::ConsentAnswer Session::ask(const policy::ConsentQuestion& question, policy::Approver* client,
                                   std::stop_token stop) {
  std::vector<policy::Approver*> approvers = settings_.approvers;
  if (client != nullptr && settings_.ask_client) approvers.insert(approvers.begin(), client);
  policy::ConsentAnswer answer = consent_.ask(approvers, question, settings_.consent_patience, stop);
  if (const Status written = record(question, answer); !written.ok()) {
    // A yes that is not written down is none.
    answer.choice = policy::ConsentChoice::deny;
    answer.reason = "The audit log cannot be written: " + written.error().message;
  }
  return answer;
}

// Who was asked about what, and what they said; the digest is of all that was shown, the agent's reason too.
Status Session::record(const policy::ConsentQuestion& question, const policy::ConsentAnswer& answer) {
  if (parts_.audit == nullptr) return {};
  Json about = Json::array();
  for (const policy::ConsentItem& item : question.items) {
    about.push_back({{"app", item.app}, {"executable", item.executable}, {"tier", tier_name(item.tier)}});
  }
  Json body{{"session", id_},
            {"about", std::move(about)},
            {"by", answer.by},
            {"answer", answer.deferred ? "deferred" : std::string(policy::name_of(answer.choice))},
            {"shown", answer.digest}};
  if (Json flags = names_of(question.flags); !flags.empty()) body["flags"] = std::move(flags);
  if (!question.deed.empty()) body["deed"] = question.deed;
  if (!answer.reason.empty()) body["reason"] = answer.reason;
  TRY(parts_.audit->append("consent", std::move(body)));
  return {};
}

void Session::keep_always(const Access& access) {
  if (parts_.store == nullptr) return;
  std::vector<Grant> always;
  std::ranges::copy_if(access.grants, std::back_inserter(always),
                       [](const Grant& grant) { return grant.persist == Persist::always; });
  if (always.empty() && access.flags == GrantFlags{}) return;
  keep([&](KeptState& state) {
    for (const Grant& grant : always) policy::add_grant(state.access, grant);
    state.access.flags = policy::either(state.access.flags, access.flags);
  });
}

bool Session::revoke_flag(const std::string& name) {
  const std::lock_guard lock(mutex_);
  ++revocations_;
  policy::revoke_flag(rules_.flags, name);
  return policy::revoke_flag(access_.flags, name);
}

std::size_t Session::reload_grants(const std::string& revoked) {
  const KeptState kept = parts_.store == nullptr ? KeptState{} : parts_.store->load(nullptr);
  const std::lock_guard lock(mutex_);
  const std::size_t before = access_.grants.size() + rules_.granted.size();
  ++revocations_;
  // Not only what was granted, also what would grant it again.
  const auto meant = [&](const AppRequest& grant) {
    return revoked == "*" || policy::folded_app_name(grant.app) == policy::folded_app_name(revoked);
  };
  if (revoked == "*") {
    access_.grants.clear();
    access_.flags = settings_.rules.flags;
    approved_.clear();
  } else if (!revoked.empty()) {
    policy::revoke(access_, revoked);
  }
  if (!revoked.empty()) {
    std::erase_if(rules_.granted, meant);
    std::erase_if(unresolved_, meant);
    owner_rules_ = policy::owner_rules(rules_);
  }
  // Only takes away: what is new in the store is for sessions that begin later.
  std::erase_if(access_.grants, [&](const Grant& grant) {
    if (grant.persist != Persist::always) return false;
    return std::ranges::none_of(kept.access.grants, [&](const Grant& still) {
      return still.file == grant.file && still.script == grant.script && still.tier >= grant.tier;
    });
  });
  standings_.clear();
  return before - access_.grants.size() - rules_.granted.size();
}

void Session::end_once() {
  const std::lock_guard lock(mutex_);
  if (std::erase_if(access_.grants, [](const Grant& grant) { return grant.persist == Persist::once; }) > 0) {
    standings_.clear();
  }
}

policy::Standing Session::standing(const Receiver& receiver) {
  const std::lock_guard lock(mutex_);
  for (const Known& known : standings_) {
    if (known.app == receiver.app && known.kind == receiver.kind && known.grabbed == receiver.grabbed) {
      return known.standing;
    }
  }
  policy::Standing found = policy::standing_of(receiver, access_, policy::AppCatalog::builtin(), owner_rules_);
  if (standings_.size() >= kStandings) standings_.clear();
  standings_.push_back({receiver.app, receiver.kind, receiver.grabbed, found});
  return found;
}

policy::Standing Session::standing_of_program(const AppIdentity& program) {
  const std::lock_guard lock(mutex_);
  return policy::standing_of(program, access_, policy::AppCatalog::builtin(), owner_rules_);
}

bool Session::approved(const std::string& deed) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::find(approved_, deed) != approved_.end();
}

void Session::approve(const std::string& deed) {
  const std::lock_guard lock(mutex_);
  approved_.push_back(deed);
}

policy::TextWindow Session::text_window(const Receiver& target) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(texts_, text_key(target), &KnownText::target);
  return found == texts_.end() ? policy::TextWindow() : found->window;
}

void Session::remember_text(const Receiver& target, policy::TextWindow window) {
  const std::lock_guard lock(mutex_);
  const TextKey key = text_key(target);
  std::erase_if(texts_, [&](const KnownText& known) { return known.target == key; });
  if (texts_.size() >= kTexts) texts_.erase(texts_.begin());
  texts_.push_back({key, std::move(window)});
}

Status Session::release_input() {
  if (Input* input = computer_.input()) return input->release_all(Deadline::in(kBackendPatience));
  return {};
}

}  // namespace handrail::engine
