#include "platform/atspi/app_trees.h"

#include <algorithm>

#include "platform/atspi/field_places.h"

namespace handrail::atspi {
namespace {

// For one answer of all apps together, and of those that did not answer the last time.
constexpr Millis kAnswerPatience{1000};
constexpr Millis kMutePatience{150};
// Trees are searched again after this, should an app not have said that they changed.
constexpr Millis kAudit{5000};
// An app that is new builds its tree for a while, and does not always say so.
constexpr Millis kYoung{3000};
// For one question: searches of a whole tree, and all searches. Who says something new after each does not come to
// rest.
constexpr int kMostSearches = 3;
constexpr int kMostRounds = 24;

// Searched again although it said nothing.
bool due(const App& app) {
  const TimePoint now = Clock::now();
  return now - app.when > kAudit || now - app.met < kYoung || !app.grown;
}

}  // namespace

std::vector<App*> AppTrees::of(const std::vector<std::int64_t>& pids) {
  std::erase_if(apps_, [&](const auto& known) { return !watch_.pids().contains(known.first); });
  std::vector<App*> found;
  for (const auto& [service, pid] : watch_.pids()) {
    if (std::find(pids.begin(), pids.end(), pid) == pids.end()) continue;
    App& app = apps_[service];
    app.service = service;
    app.pid = pid;
    found.push_back(&app);
  }
  return found;
}

bool AppTrees::is_fresh(const App& app) {
  return watch_.told() && app.searched && !due(app) && !watch_.news(app.service).changed;
}

void AppTrees::ask(App& app) {
  app.answered = false;
  const auto extents = [&](const std::string& path, Rect& at) {
    Message request = bus_.call(app.service, path, "org.a11y.atspi.Component", "GetExtents");
    const std::uint32_t kind = places_on_screen(app.toolkit) ? 0 : 1;
    if (request && sd_bus_message_append(request.get(), "u", kind) < 0) request.reset();
    at = {};
    bus_.send(std::move(request), [&at](sd_bus_message* answer) {
      std::int32_t x = 0, y = 0, width = 0, height = 0;
      if (answer == nullptr || sd_bus_message_read(answer, "(iiii)", &x, &y, &width, &height) <= 0) return;
      at = {double(x), double(y), double(width), double(height)};
    });
  };
  for (SecretField& field : app.fields) {
    field.focused = false;
    bus_.send(bus_.call(app.service, field.path, kAccessible, "GetState"), [&app, &field](sd_bus_message* answer) {
      const std::uint64_t states = answer == nullptr ? 0 : read_states(answer);
      // GTK 4 tells only whether the object is still there.
      field.showing = tells_showing(app.toolkit) ? has(states, StateBit::showing) : answer != nullptr;
      field.focused = has(states, StateBit::focused);
    });
    extents(field.path, field.at);
    if (!field.window.empty()) extents(field.window, field.window_at);
  }
  // Behind the others: who has answered this has answered all.
  bus_.send(bus_.call(app.service, kRoot, kAccessible, "GetRole"), [this, &app](sd_bus_message* answer) {
    app.answered = answer != nullptr || !bus_.late();
    if (answer == nullptr && app.answered) app.answers = false;
  });
}

Status AppTrees::ask(const std::vector<App*>& apps, Deadline deadline) {
  const auto settle = [&](Millis patience) -> Status {
    const Status settled = bus_.settle(deadline.within(patience));
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

Status AppTrees::not_in_time(App& app, const Error& error) {
  if (error.code != Code::timeout) return error;
  app.mute = true;
  app.searched = false;
  return {};
}

Status AppTrees::search(App& app, Deadline deadline) {
  const AppNews news = watch_.take(app.service);
  const Result<AppTree> tree = search_app(bus_, app.service, deadline.within(kAnswerPatience));
  if (!tree.ok()) return not_in_time(app, tree.error());
  app.searched = true;
  app.by_itself = tree->by_itself;
  app.incomplete = !tree->complete;
  app.answers = tree->answers;
  app.windows = tree->windows;
  app.toolkit = tree->toolkit;
  app.when = Clock::now();
  app.fields.clear();
  for (const Found& found : tree->found) {
    if (found.role == kPasswordText) app.fields.push_back({found.path, found.window, found.showing, false, {}, {}});
  }
  return find_flashes(app, news, deadline);
}

Result<bool> AppTrees::search_news(App& app, Deadline deadline) {
  const bool known = app.searched && app.answers && !app.incomplete;
  const AppNews& said = watch_.news(app.service);
  // Those that search by themselves do it at once, whatever the size of their trees.
  if (!known || app.by_itself || said.unclear || said.too_many) return false;
  const AppNews news = watch_.take(app.service);
  const Result<AppTree> tree =
      search_below(bus_, app.service, app.toolkit, news.came, deadline.within(kAnswerPatience));
  if (!tree.ok()) {
    TRY(not_in_time(app, tree.error()));
    return true;
  }
  for (const Found& found : tree->found) {
    const bool old = std::any_of(app.fields.begin(), app.fields.end(),
                                 [&](const SecretField& field) { return field.path == found.path; });
    if (!old) app.fields.push_back({found.path, found.window, found.showing, false, {}, {}});
  }
  TRY(find_flashes(app, news, deadline));
  app.searched = tree->complete;
  return tree->complete;
}

// A password field that came and went between two questions may be on the screen still.
Status AppTrees::find_flashes(App& app, const AppNews& news, Deadline deadline) {
  bool flashed = news.too_many;
  for (const std::string& path : news.flashed) {
    bus_.send(bus_.call(app.service, path, kAccessible, "GetRole"), [&flashed](sd_bus_message* answer) {
      std::uint32_t role = 0;
      if (answer != nullptr && sd_bus_message_read(answer, "u", &role) > 0 && role == kPasswordText) flashed = true;
    });
  }
  const Status settled = bus_.settle(deadline.within(kAnswerPatience));
  if (!settled.ok()) {
    if (settled.error().code != Code::timeout) return settled;
    flashed = true;
  }
  app.flashed = app.flashed || flashed;
  return {};
}

Status AppTrees::bring_up(const std::vector<App*>& apps, Deadline deadline) {
  for (App* app : apps) {
    app->restless = false;
    app->searches = 0;
  }
  for (int round = 1;; ++round) {
    TRY(ask(apps, deadline));
    bool again = false;
    for (App* app : apps) {
      app->mute = !app->answered;
      const bool audit = round == 1 && (!watch_.told() || due(*app));
      const bool stale = audit || !app->searched || watch_.news(app->service).changed;
      if (app->mute || !stale) continue;
      app->restless = round == kMostRounds;
      bool done = app->restless;
      if (!done && !audit) done = TRY(search_news(*app, deadline));
      if (!done && app->searches == kMostSearches) app->restless = done = true;
      if (!done) {
        ++app->searches;
        TRY(search(*app, deadline));
      }
      again = again || !app->restless;
    }
    if (!again) return {};
  }
}

}  // namespace handrail::atspi
