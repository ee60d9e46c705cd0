#include "platform/atspi/secrets.h"

#include <algorithm>
#include <string_view>

namespace handrail::atspi {
namespace {

// For the whole of one question, whatever the apps do.
constexpr Millis kPatience{1500};
// What an app that is met for the first time has taken away just before is painted over by then.
constexpr Millis kFirstFrames{50};
// An app that starts says when its tree comes, but not always.
constexpr Millis kAskAgain{50};

// Where the accessibility bus is.
struct Accessibility {
  std::string address;    // empty when nobody has started it
  bool may_come = false;  // somebody can
};

Result<Accessibility> find_accessibility(const std::string& session_bus, Deadline deadline) {
  constexpr const char* kName = "org.a11y.Bus";
  constexpr const char* kDaemon = "org.freedesktop.DBus";
  const std::unique_ptr<Bus> bus = TRY(Bus::connect(session_bus, deadline));
  Accessibility found;
  bus->send(bus->call(kName, "/org/a11y/bus", kName, "GetAddress"), [&](sd_bus_message* answer) {
    const char* text = nullptr;
    if (answer != nullptr && sd_bus_message_read(answer, "s", &text) > 0) found.address = text;
  });
  bus->send(bus->call(kDaemon, "/org/freedesktop/DBus", kDaemon, "ListActivatableNames"), [&](sd_bus_message* answer) {
    if (answer == nullptr || sd_bus_message_enter_container(answer, 'a', "s") < 0) return;
    const char* name = nullptr;
    while (sd_bus_message_read(answer, "s", &name) > 0) found.may_come |= std::string_view(name) == kName;
  });
  TRY(bus->settle(deadline));
  return found;
}

}  // namespace

AtspiSecrets::AtspiSecrets(BusAddress session_bus, WindowPlaces windows)
    : session_bus_(std::move(session_bus)), places_(std::move(windows)) {}

AtspiSecrets::~AtspiSecrets() = default;

Result<std::unique_ptr<Bus>> AtspiSecrets::dial(Deadline deadline) {
  may_come_ = false;
  const std::string session_bus = TRY(session_bus_());
  if (session_bus.empty()) return std::unique_ptr<Bus>();
  const Accessibility found = TRY(find_accessibility(session_bus, deadline));
  may_come_ = found.may_come;
  if (found.address.empty()) return std::unique_ptr<Bus>();
  return Bus::connect(found.address, deadline);
}

Result<bool> AtspiSecrets::connect(Deadline deadline) {
  if (!bus_) {
    auto dialled = dial(deadline);
    // One that was there and is not: what apps show is not known any more.
    if (had_bus_ && (!dialled.ok() || *dialled == nullptr)) {
      return make_error(Code::backend_error,
                        "The accessibility bus is gone, so nobody says where password fields are.");
    }
    if (!dialled.ok()) return dialled.error();
    if (*dialled == nullptr) return false;
    bus_ = std::move(*dialled);
    had_bus_ = true;
    watch_ = std::make_unique<AppWatch>(*bus_);
    trees_ = std::make_unique<AppTrees>(*bus_, *watch_);
    pump_ = std::make_unique<BusPump>(*bus_, mutex_);
  }
  bus_->drain();
  TRY(watch_->start(deadline));
  TRY(watch_->update(deadline));
  return true;
}

// A bus that went away, or is out of step, is dialled anew by the next question.
template <class T>
Result<T> AtspiSecrets::forget_lost(Result<T> result) {
  const bool lost = bus_ && bus_->lost();
  if (lost || (bus_ && !result.ok() && result.error().code == Code::backend_lost)) {
    pump_.reset();
    trees_.reset();
    last_.reset();
    watch_.reset();
    bus_.reset();
  }
  // What was not answered for lack of a bus is no answer.
  if (lost && result.ok()) return make_error(Code::backend_lost, "The accessibility bus went away.");
  return result;
}

Result<std::vector<Rect>> AtspiSecrets::fields(const std::vector<std::int64_t>& pids, Deadline deadline) {
  const std::lock_guard lock(mutex_);
  return forget_lost(find_fields(pids, deadline.within(kPatience)));
}

Result<std::vector<std::int64_t>> AtspiSecrets::unbuilt(const std::vector<std::int64_t>& pids,
                                                        const std::vector<App*>& apps) {
  std::vector<std::int64_t> found;
  for (const std::int64_t pid : pids) {
    std::size_t trees = 0;
    bool grown = false;
    for (const App* app : apps) {
      if (app->pid != pid) continue;
      trees += app->answers ? app->windows : 0;
      grown = grown || app->grown;
    }
    if (grown) continue;
    if (!newcomers_.is_new(pid)) {
      // A connection is never that of another process.
      for (App* app : apps) app->grown = app->grown || app->pid == pid;
      continue;
    }
    const auto shown = TRY(places_.window_count(pid));
    if (trees == 0 || (shown && *shown > trees)) found.push_back(pid);
  }
  return found;
}

Result<std::vector<Rect>> AtspiSecrets::find_fields(const std::vector<std::int64_t>& pids, Deadline deadline) {
  places_.look_again();
  const bool there = TRY(connect(deadline));
  if (!there && !may_come_) return std::vector<Rect>();
  const std::uint64_t changes = places_.changes();
  const std::vector<App*> asked = there ? trees_->of(pids) : std::vector<App*>();
  // Pixels that nobody painted since the last answer are covered by it.
  const bool same = there && last_ && changes != 0 && last_->changes == changes && last_->pids == pids;
  if (same && std::all_of(asked.begin(), asked.end(), [&](const App* app) { return trees_->is_fresh(*app); })) {
    return last_->places;
  }
  last_.reset();
  const bool any_new = std::any_of(asked.begin(), asked.end(), [](const App* app) { return !app->searched; });
  if (there) TRY(trees_->bring_up(asked, deadline));
  if (any_new) {
    bus_->hear_until(deadline.within(kFirstFrames));
    TRY(trees_->bring_up(asked, deadline));
  }
  std::vector<Rect> places;
  for (App* app : asked) {
    TRY(places_.place(*app));
    for (const Rect& at : app->places) add_place(places, at);
  }
  for (const Rect& at : places_.past(pids, changes)) add_place(places, at);
  const std::vector<std::int64_t> starting = TRY(unbuilt(pids, asked));
  for (const std::int64_t pid : starting) {
    for (const Rect& at : TRY(places_.whole(pid))) add_place(places, at);
  }
  const bool known = std::all_of(asked.begin(), asked.end(), [](const App* app) { return app->known(); });
  if (there && known && starting.empty()) last_ = Answer{pids, places, changes};
  return places;
}

Result<std::optional<bool>> AtspiSecrets::focused(std::int64_t pid, Deadline deadline) {
  const std::lock_guard lock(mutex_);
  return forget_lost(find_focus(pid, deadline.within(kPatience)));
}

Result<std::vector<App*>> AtspiSecrets::built(std::int64_t pid, Deadline deadline) {
  for (;;) {
    places_.look_again();
    const bool there = TRY(connect(deadline));
    std::vector<App*> asked;
    if (!there && !may_come_) return asked;
    if (there) {
      asked = trees_->of({pid});
      TRY(trees_->bring_up(asked, deadline));
    }
    if (TRY(unbuilt({pid}, asked)).empty()) return asked;
    if (!there || deadline.passed()) {
      return make_error(Code::timeout, "An app has just started and does not say yet what it shows.");
    }
    bus_->hear_some(deadline.within(kAskAgain));
  }
}

std::vector<App*> AtspiSecrets::with_field(std::int64_t pid) {
  std::vector<App*> apps = trees_ ? trees_->of({pid}) : std::vector<App*>();
  std::erase_if(apps, [](const App* app) {
    return std::none_of(app->fields.begin(), app->fields.end(), [](const SecretField& field) { return field.showing; });
  });
  return apps;
}

// The keyboard may be the app's before the app has heard of it, and then its password field has no focus yet.
Result<std::optional<bool>> AtspiSecrets::find_focus(std::int64_t pid, Deadline deadline) {
  for (;;) {
    const std::optional<bool> secret = TRY(read_focus(pid, deadline));
    if (secret.value_or(false)) return secret;
    const std::vector<App*> apps = with_field(pid);
    bool told = apps.empty();
    if (told) return secret;
    for (const App* app : apps) told = told || TRY(has_active_window(*bus_, app->service, deadline));
    // What is read after it was told is of the time since.
    if (told) return read_focus(pid, deadline);
    if (deadline.passed()) {
      return make_error(Code::timeout, "An app with a password field does not say that it has the keyboard.");
    }
    bus_->hear_some(deadline.within(kAskAgain));
  }
}

Result<std::optional<bool>> AtspiSecrets::read_focus(std::int64_t pid, Deadline deadline) {
  std::optional<bool> secret;
  for (const App* app : TRY(built(pid, deadline))) {
    if (!app->known()) {
      return make_error(Code::timeout, "An app did not answer on the accessibility bus in time.");
    }
    if (app->answers && !secret) secret = false;
    const bool focus =
        std::any_of(app->fields.begin(), app->fields.end(), [](const SecretField& field) { return field.focused; });
    if (app->incomplete && !focus) {
      return make_error(Code::timeout, "An app shows too much to find its password fields.");
    }
    if (focus) secret = true;
  }
  return secret;
}

}  // namespace handrail::atspi
