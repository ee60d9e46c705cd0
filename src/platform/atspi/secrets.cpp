#include "platform/atspi/secrets.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace handrail::atspi {
namespace {

// For the whole of one question, whatever the apps do.
constexpr Millis kPatience{1500};
// For one answer of all apps together, and of those that did not answer the last time.
constexpr Millis kAnswerPatience{1000};
constexpr Millis kMutePatience{150};
// Trees are searched again after this, should an app not have said that they changed.
constexpr Millis kAudit{5000};
// An app that is new builds its tree for a while, and does not always say so.
constexpr Millis kYoung{3000};
// Between saying that a field is gone and painting over it an app needs a frame or two.
constexpr Millis kPaint{1000};
// What an app that is met for the first time has taken away just before is painted over by then.
constexpr Millis kFirstFrames{50};
constexpr int kRounds = 4;
constexpr Rect kEverywhere{-100'000, -100'000, 200'000, 200'000};

void add(std::vector<Rect>& places, const Rect& place) {
  if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
}

}  // namespace

struct AtspiSecrets::Field {
  std::string path, window;
  bool showing = false;
  bool focused = false;
  Rect at, window_at;  // as the app says
};

struct AtspiSecrets::App {
  std::string service;
  std::int64_t pid = 0;
  TimePoint met = Clock::now();
  bool searched = false;
  bool incomplete = false;  // not all of its tree was looked at
  bool answers = false;     // it has a tree
  bool answered = false;    // the last question
  bool mute = false;        // not in time
  bool restless = false;    // what it shows does not come to rest
  std::string toolkit;
  TimePoint when;  // it was searched
  std::vector<Field> fields;
  std::vector<Rect> places;  // of the last question
};

// Where a field was.
struct AtspiSecrets::Past {
  std::int64_t pid = 0;
  Rect place;
  TimePoint until;
  std::uint64_t changes = 0;  // when it went: as long as nothing was painted it is still there
};

AtspiSecrets::AtspiSecrets(BusAddress session_bus, WindowPlaces windows)
    : session_bus_(std::move(session_bus)), windows_(std::move(windows)) {}

AtspiSecrets::~AtspiSecrets() = default;

Result<std::unique_ptr<Bus>> AtspiSecrets::dial(Deadline deadline) {
  return Bus::dial_accessibility(TRY(session_bus_()), deadline);
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
    pump_ = std::make_unique<BusPump>(*bus_, mutex_);
  }
  bus_->drain();
  TRY(watch_->start(deadline));
  TRY(watch_->update(deadline));
  std::erase_if(apps_, [&](const auto& known) { return !watch_->pids().contains(known.first); });
  return true;
}

std::vector<AtspiSecrets::App*> AtspiSecrets::apps(const std::vector<std::int64_t>& pids) {
  std::vector<App*> found;
  for (const auto& [service, pid] : watch_->pids()) {
    if (std::find(pids.begin(), pids.end(), pid) == pids.end()) continue;
    App& app = apps_[service];
    app.service = service;
    app.pid = pid;
    found.push_back(&app);
  }
  return found;
}

void AtspiSecrets::ask(App& app) {
  app.answered = false;
  const auto extents = [&](const std::string& path, Rect& at) {
    Message request = bus_->call(app.service, path, "org.a11y.atspi.Component", "GetExtents");
    const std::uint32_t kind = places_on_screen(app.toolkit) ? 0 : 1;
    if (request && sd_bus_message_append(request.get(), "u", kind) < 0) request.reset();
    at = {};
    bus_->send(std::move(request), [&at](sd_bus_message* answer) {
      std::int32_t x = 0, y = 0, width = 0, height = 0;
      if (answer == nullptr || sd_bus_message_read(answer, "(iiii)", &x, &y, &width, &height) <= 0) return;
      at = {double(x), double(y), double(width), double(height)};
    });
  };
  for (Field& field : app.fields) {
    field.focused = false;
    bus_->send(bus_->call(app.service, field.path, kAccessible, "GetState"), [&app, &field](sd_bus_message* answer) {
      const std::uint64_t states = answer == nullptr ? 0 : read_states(answer);
      // GTK 4 tells only whether the object is still there.
      field.showing = tells_showing(app.toolkit) ? has(states, StateBit::showing) : answer != nullptr;
      field.focused = has(states, StateBit::focused);
    });
    extents(field.path, field.at);
    if (!field.window.empty()) extents(field.window, field.window_at);
  }
  // Behind the others: who has answered this has answered all.
  bus_->send(bus_->call(app.service, kRoot, kAccessible, "GetRole"), [this, &app](sd_bus_message* answer) {
    app.answered = answer != nullptr || !bus_->late();
    if (answer == nullptr && app.answered) app.answers = false;
  });
}

Status AtspiSecrets::ask(const std::vector<App*>& apps, Deadline deadline) {
  const auto settle = [&](Millis patience) -> Status {
    const Status settled = bus_->settle(deadline.within(patience));
    return !settled.ok() && settled.error().code != Code::timeout ? settled : Status();
  };
  // Those that are mute are asked apart, so that nobody waits for them.
  bool any_mute = false;
  for (App* app : apps) {
    if (app->mute)
      any_mute = true;
    else
      ask(*app);
  }
  TRY(settle(kAnswerPatience));
  if (any_mute) {
    for (App* app : apps) {
      if (app->mute) ask(*app);
    }
    TRY(settle(kMutePatience));
  }
  return {};
}

Status AtspiSecrets::search(App& app, Deadline deadline) {
  const AppNews news = watch_->take(app.service);
  const Result<AppTree> tree = search_app(*bus_, app.service, deadline.within(kAnswerPatience));
  if (!tree.ok()) {
    if (tree.error().code != Code::timeout) return tree.error();
    app.mute = true;
    app.searched = false;
    return {};
  }
  app.searched = true;
  app.incomplete = !tree->complete;
  app.answers = tree->answers;
  app.toolkit = tree->toolkit;
  app.when = Clock::now();
  app.fields.clear();
  for (const Found& found : tree->found) {
    if (found.role == kPasswordText) app.fields.push_back({found.path, found.window, found.showing, false, {}, {}});
  }
  return find_flashes(app, news, deadline);
}

// A password field that came and went between two questions may be on the screen still, and nobody knows where.
Status AtspiSecrets::find_flashes(App& app, const AppNews& news, Deadline deadline) {
  bool flashed = news.too_many;
  for (const std::string& path : news.flashed) {
    bus_->send(bus_->call(app.service, path, kAccessible, "GetRole"), [&flashed](sd_bus_message* answer) {
      std::uint32_t role = 0;
      if (answer != nullptr && sd_bus_message_read(answer, "u", &role) > 0 && role == kPasswordText) flashed = true;
    });
  }
  const Status settled = bus_->settle(deadline.within(kAnswerPatience));
  if (!settled.ok()) {
    if (settled.error().code != Code::timeout) return settled;
    flashed = true;
  }
  if (!flashed) return {};
  for (const Rect& place : TRY(whole(app))) past_.push_back({app.pid, place, Clock::now() + kPaint, changes()});
  return {};
}

// Searched again although it said nothing.
bool AtspiSecrets::due(const App& app) {
  const TimePoint now = Clock::now();
  return now - app.when > kAudit || now - app.met < kYoung;
}

Status AtspiSecrets::bring_up(std::vector<App*>& apps, Deadline deadline) {
  for (App* app : apps) app->restless = false;
  for (int round = 1;; ++round) {
    TRY(ask(apps, deadline));
    bool again = false;
    for (App* app : apps) {
      app->mute = !app->answered;
      const bool audit = round == 1 && (!watch_->told() || due(*app));
      const bool stale = audit || !app->searched || watch_->news(app->service).changed;
      if (app->mute || !stale) continue;
      if (round == kRounds) {
        app->restless = true;
        continue;
      }
      TRY(search(*app, deadline));
      again = true;
    }
    if (!again) return {};
  }
}

Result<std::vector<AppWindow>> AtspiSecrets::windows_of(const App& app) {
  if (!seen_) seen_ = TRY(windows_.all());
  std::vector<AppWindow> own;
  std::copy_if(seen_->begin(), seen_->end(), std::back_inserter(own),
               [&](const AppWindow& window) { return window.pid == app.pid; });
  return own;
}

Result<std::vector<Rect>> AtspiSecrets::whole(const App& app) {
  std::vector<Rect> places;
  if (!windows_.all) {
    places.push_back(kEverywhere);
    return places;
  }
  for (const AppWindow& window : TRY(windows_of(app))) {
    add(places, window.frame);
    add(places, window.whole);
  }
  return places;
}

Status AtspiSecrets::place(App& app) {
  if (app.mute && !windows_.all) return make_error(Code::timeout, "An app did not answer on the accessibility bus.");
  if (app.mute || app.restless || app.incomplete) {
    remember(app, TRY(whole(app)));
    return {};
  }
  std::vector<Rect> places;
  const auto shown = std::count_if(app.fields.begin(), app.fields.end(), [](const Field& f) { return f.showing; });
  if (shown > 0) {
    const double scale = windows_.scale ? std::max(1.0, windows_.scale()) : 1;
    const std::vector<AppWindow> windows = windows_.all ? TRY(windows_of(app)) : std::vector<AppWindow>();
    const auto points = [&](const Rect& r) {
      return Rect{r.x / scale, r.y / scale, r.width / scale, r.height / scale};
    };
    for (const Field& field : app.fields) {
      if (!field.showing) continue;
      if (!windows_.all) {
        add(places, places_on_screen(app.toolkit) && has_place(field.at) ? points(field.at) : kEverywhere);
        continue;
      }
      for (const Rect& at : field_places(app.toolkit, points(field.at), points(field.window_at), windows))
        add(places, at);
    }
  }
  remember(app, std::move(places));
  return {};
}

void AtspiSecrets::remember(App& app, std::vector<Rect> places) {
  for (const Rect& before : app.places) {
    if (std::find(places.begin(), places.end(), before) != places.end()) continue;
    past_.push_back({app.pid, before, Clock::now() + kPaint, changes()});
  }
  app.places = std::move(places);
}

std::uint64_t AtspiSecrets::changes() const {
  if (!windows_.changes) return 0;
  const auto count = windows_.changes();
  return count.ok() ? *count : 0;
}

// A bus that went away, or is out of step, is dialled anew by the next question.
template <class T>
Result<T> AtspiSecrets::forget_lost(Result<T> result) {
  const bool lost = bus_ && bus_->lost();
  if (lost || (bus_ && !result.ok() && result.error().code == Code::backend_lost)) {
    pump_.reset();
    apps_.clear();
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

Result<std::vector<Rect>> AtspiSecrets::find_fields(const std::vector<std::int64_t>& pids, Deadline deadline) {
  std::vector<Rect> places;
  if (!TRY(connect(deadline))) return places;
  const std::uint64_t changes_now = changes();
  std::vector<App*> asked = apps(pids);
  // Pixels that nobody painted since the last answer are covered by it.
  const bool quiet =
      std::none_of(asked.begin(), asked.end(), [&](const App* app) { return watch_->news(app->service).changed; });
  const bool same = last_ && changes_now != 0 && last_->changes == changes_now && last_->pids == pids;
  const bool known =
      std::all_of(asked.begin(), asked.end(), [&](const App* app) { return app->searched && !due(*app); });
  if (same && quiet && known && watch_->told()) return last_->places;
  last_.reset();
  seen_.reset();
  const bool any_new = std::any_of(asked.begin(), asked.end(), [](const App* app) { return !app->searched; });
  TRY(bring_up(asked, deadline));
  if (any_new) {
    bus_->hear_until(deadline.within(kFirstFrames));
    TRY(bring_up(asked, deadline));
  }
  seen_.reset();
  for (App* app : asked) TRY(place(*app));
  std::erase_if(past_, [&](const Past& past) {
    return Clock::now() > past.until && (changes_now == 0 || past.changes != changes_now);
  });
  for (const App* app : asked) {
    for (const Rect& at : app->places) add(places, at);
  }
  for (const Past& past : past_) {
    if (std::find(pids.begin(), pids.end(), past.pid) != pids.end()) add(places, past.place);
  }
  const bool complete =
      std::none_of(asked.begin(), asked.end(), [](const App* app) { return app->mute || app->restless; });
  if (complete) last_ = Answer{pids, places, changes_now};
  return places;
}

Result<std::optional<bool>> AtspiSecrets::focused(std::int64_t pid, Deadline deadline) {
  const std::lock_guard lock(mutex_);
  return forget_lost(find_focus(pid, deadline.within(kPatience)));
}

Result<std::optional<bool>> AtspiSecrets::find_focus(std::int64_t pid, Deadline deadline) {
  std::optional<bool> secret;
  if (!TRY(connect(deadline))) return secret;
  std::vector<App*> asked = apps({pid});
  seen_.reset();
  TRY(bring_up(asked, deadline));
  for (const App* app : asked) {
    if (app->mute || app->restless) {
      return make_error(Code::timeout, "An app did not answer on the accessibility bus in time.");
    }
    if (app->answers && !secret) secret = false;
    const bool focus = std::any_of(app->fields.begin(), app->fields.end(), [](const Field& f) { return f.focused; });
    if (app->incomplete && !focus) {
      return make_error(Code::timeout, "An app shows too much to find its password fields.");
    }
    if (focus) secret = true;
  }
  return secret;
}

}  // namespace handrail::atspi
