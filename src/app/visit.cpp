#include "app/visit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "actions/all.h"
#include "base/log.h"
#include "model/key.h"

namespace handrail::app {
namespace {

// What a stop waits for events that are being sent; a display that hangs gets none anyway.
constexpr Millis kLastEvents{200};

// load_config saw to it that it is a rectangle.
std::optional<Rect> region_of(const Config& config) {
  if (!config.region) return std::nullopt;
  const std::vector<double>& r = *config.region;
  return Rect{r[0], r[1], r[2], r[3]};
}

// Handrail's own folders are nobody's to use, whatever the owner granted around them.
Result<linux_::FileReach> reach_of(const Config& config, const std::string& state, const std::string& runtime) {
  linux_::FileReach reach;
  for (const FileRootSetting& root : config.files.roots) {
    reach.roots.push_back({root.path, root.access == RootAccess::write});
  }
  const std::filesystem::path settings = config_path();
  reach.hidden = {state, runtime, settings.string(), linux_::executable_of(::getpid())};
  if (settings.parent_path().filename() == "handrail") reach.hidden.push_back(settings.parent_path().string());
  reach.quota = static_cast<std::int64_t>(config.files.write_quota_mb) * 1'000'000;
  return linux_::resolved(std::move(reach));
}

engine::SessionSettings settings_of(const VisitRequest& request, bool nobodys_desktop) {
  const Config& config = request.config;
  engine::SessionSettings settings;
  settings.rules.granted = config.grants;
  settings.rules.granted.insert(settings.rules.granted.end(), request.grants.begin(), request.grants.end());
  settings.rules.apps = owner_rules(config);
  settings.rules.flags.clipboard_read = config.clipboard_read;
  settings.rules.flags.clipboard_write = config.clipboard_write;
  settings.rules.flags.system_keys = config.system_keys;
  settings.rules.flags.files = config.files.allow;
  settings.rules.flags.shell = config.programs.allow;
  settings.rules.nobodys_desktop = nobodys_desktop;
  // Its private home is as much nobody's as the desktop; folders that the owner named are not.
  settings.rules.of_the_desktop.files = config.files.roots.empty();
  settings.image_tier = config.images;
  settings.stale_pixels = config.stale_pixels;
  settings.isolation =
      config.isolation == IsolationSetting::hide ? engine::IsolationMode::hide : engine::IsolationMode::mask;
  settings.person_pause = Millis(config.person_pause_ms);
  settings.consent_patience = std::chrono::seconds(config.consent_seconds);
  settings.idle = std::chrono::seconds(config.idle_seconds);
  const BudgetSettings& budget = config.budget;
  settings.budget = {budget.calls, budget.keystrokes, budget.seconds, budget.calls_per_minute};
  return settings;
}

}  // namespace

Result<std::unique_ptr<Visit>> Visit::open(VisitRequest request) {
  std::unique_ptr<Visit> visit(new Visit);
  visit->off_by_settings_ = off_by_settings(request.config);
  if (!visit->off_by_settings_.empty()) visit->kill_switch_.stop(visit->off_by_settings_);
  visit->paths_ = TRY(linux_::state_paths());
  visit->runtime_folder_ = TRY(linux_::runtime_folder());
  request.desk.reach = TRY(reach_of(request.config, visit->paths_.folder, visit->runtime_folder_));
  request.desk.network = request.config.programs.network;
  visit->desk_ = TRY(open_desk(request.desk));
  TRY(visit->open_state());
  const Config config = request.config;
  TRY(visit->open_session(std::move(request)));
  TRY(visit->listen(config));
  return visit;
}

Visit::~Visit() {
  // Whoever listens from outside is gone before what it would reach.
  control_.reset();
  if (!desk_.people) return;
  desk_.people->on_panic({}, nullptr);
  desk_.people->on_person(nullptr);
}

Status Visit::open_state() {
  // A server whose attempts cannot be written down runs, and says so at every call that would act.
  auto audit = engine::AuditLog::open({.folder = paths_.audit, .key_file = paths_.key_file});
  if (!audit.ok()) {
    log(LogLevel::error, "audit: {}", audit.error().message);
    return {};
  }
  audit_ = std::move(audit).value();
  auto store = engine::GrantStore::open(engine::GrantStore::settings_with(paths_.folder, paths_.key_file, *audit_));
  if (store.ok())
    store_ = std::move(store).value();
  else
    log(LogLevel::warning, "grants will not outlive this session: {}", store.error().message);
  return {};
}

Status Visit::open_session(VisitRequest request) {
  lock_ = std::make_unique<SessionLock>(
      runtime_folder_, [where = desk_.where]() -> Result<std::string> { return TRY(where()).name; }, desk_.claim);
  engine::SessionSettings settings = settings_of(request, desk_.nobodys_desktop);
  settings.region = region_of(request.config);
  dialog_ = std::make_unique<DialogApprover>(
      [where = desk_.where, nobody = desk_.nobodys_desktop || desk_.on_no_screen]() -> std::optional<DialogPlace> {
        if (nobody) return std::nullopt;
        const auto place = where();
        if (!place.ok()) return std::nullopt;
        return DialogPlace{place->name, place->xauthority};
      });
  terminal_ = std::make_unique<TerminalApprover>();
  const auto asks = [&](AskBy way) {
    return std::ranges::find(request.config.ask_by, way) != request.config.ask_by.end();
  };
  if (asks(AskBy::dialog)) settings.approvers.push_back(dialog_.get());
  if (asks(AskBy::terminal)) settings.approvers.push_back(terminal_.get());
  settings.ask_client = asks(AskBy::client);
  engine::SessionParts parts;
  parts.custody = desk_.guardian.get();
  parts.lock = lock_.get();
  parts.audit = audit_.get();
  parts.store = store_.get();
  // On a desktop of nobody's there is nobody to tell.
  if (!desk_.nobodys_desktop) {
    const auto bus = desk_.session_bus();
    notifier_ = linux_::Notifier::start(bus.ok() ? *bus : "");
  }
  parts.notify = [this](engine::Taking what) {
    // A display server that was not there before, or is a new one now.
    if (what == engine::Taking::taken) static_cast<void>(desk_.people->listen(Deadline::in(kBackendPatience)));
    if (!notifier_) return;
    if (what == engine::Taking::taken)
      notifier_->agent_came(session_->id());
    else
      notifier_->agent_left();
  };
  // A server that starts again after it switched itself off is off as well.
  parts.keep_off = [marker = paths_.stop_marker](const std::string& because) {
    if (const Status marked = linux_::mark_stopped(marker, because); !marked.ok()) {
      log(LogLevel::error, "a server that starts anew will not know that this one is off: {}", marked.error().message);
    }
  };
  session_ = std::make_unique<engine::Session>(*desk_.computer, kill_switch_, std::move(settings), std::move(parts));
  runner_ = std::make_unique<engine::ActionRunner>(actions::all_actions(), *session_);
  return {};
}

Status Visit::listen(const Config& config) {
  linux_::ControlSocket::Handlers handlers;
  handlers.on_stop = [this](const std::string& reason) {
    kill_switch_.stop(reason);
    // What was on its way is out before this is answered: the owner may rely on the quiet.
    const auto& connection = desk_.backend.connection;
    if (!connection->connected()) return;
    static_cast<void>(connection->call<x11::Unit>(Deadline::in(kLastEvents),
                                                  [](x11::Server&) -> Result<x11::Unit> { return x11::Unit{}; }));
  };
  handlers.on_resume = [this] {
    if (off_by_settings_.empty()) kill_switch_.resume();
  };
  handlers.status = [this] { return status(); };
  handlers.on_reload = [this](const std::string& revoked) -> Result<Json> {
    Json apps = Json::array();
    for (const Grant& grant : session_->access().grants) apps.push_back(grant.app);
    if (!revoked.starts_with(linux_::kRevokedFlag)) {
      return Json{{"apps", std::move(apps)}, {"revoked", session_->reload_grants(revoked)}};
    }
    const bool was = session_->revoke_flag(revoked.substr(linux_::kRevokedFlag.size()));
    return Json{{"apps", std::move(apps)}, {"revoked", was ? 1 : 0}};
  };
  auto control = linux_::ControlSocket::listen(runtime_folder_, std::move(handlers));
  // Without it the owner could not stop us: then nothing may be done.
  if (control.ok())
    control_ = std::move(control).value();
  else
    kill_switch_.stop("the control socket cannot be made: " + control.error().message);
  // After listening: a stop that comes in between reaches us by one way or the other.
  if (const auto reason = linux_::stopped_reason(paths_.stop_marker)) kill_switch_.stop(*reason);
  if (!config.panic_chord.empty()) {
    const Chord chord = TRY(parse_chord(config.panic_chord));
    std::vector<std::uint32_t> keysyms;
    for (const Key key : chord.keys) keysyms.push_back(key.keysym);
    desk_.people->on_panic(std::move(keysyms), [this] {
      const std::string why = "a person pressed the panic chord";
      kill_switch_.stop(why);
      // Also for servers that start later, as `handrail stop` does.
      static_cast<void>(linux_::mark_stopped(paths_.stop_marker, why));
    });
  }
  if (config.person_pause_ms > 0) desk_.people->on_person([this] { session_->tenure().person_came(); });
  // Not waited for: a display that hangs must not hold up the first answer.
  listener_ =
      std::jthread([people = desk_.people] { static_cast<void>(people->listen(Deadline::in(kBackendPatience))); });
  return {};
}

Json Visit::status() const {
  return {{"pid", ::getpid()},
          {"session", session_->id()},
          {"desktop", desk_.told},
          {"stopped", kill_switch_.stopped()},
          {"because", kill_switch_.because()},
          {"grants", session_->access().grants.size()}};
}

}  // namespace handrail::app
