#include "platform/atspi/secret_places.h"

#include <algorithm>
#include <iterator>

namespace handrail::atspi {
namespace {

// Between saying that a field is gone and painting over it an app needs a frame or two.
constexpr Millis kPaint{1000};
constexpr Rect kEverywhere{-100'000, -100'000, 200'000, 200'000};

}  // namespace

void add_place(std::vector<Rect>& places, const Rect& place) {
  if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
}

std::uint64_t SecretPlaces::changes() const {
  if (!windows_.changes) return 0;
  const auto count = windows_.changes();
  return count.ok() ? *count : 0;
}

Result<std::vector<AppWindow>> SecretPlaces::windows_of(std::int64_t pid) {
  if (!seen_) seen_ = TRY(windows_.all());
  std::vector<AppWindow> own;
  std::copy_if(seen_->begin(), seen_->end(), std::back_inserter(own),
               [&](const AppWindow& window) { return window.pid == pid; });
  return own;
}

Result<std::optional<std::size_t>> SecretPlaces::window_count(std::int64_t pid) {
  std::optional<std::size_t> count;
  if (!windows_.all) return count;
  const std::vector<AppWindow> own = TRY(windows_of(pid));
  count = static_cast<std::size_t>(
      std::count_if(own.begin(), own.end(), [](const AppWindow& each) { return !each.is_hint; }));
  return count;
}

Result<std::vector<Rect>> SecretPlaces::whole(std::int64_t pid) {
  std::vector<Rect> places;
  if (!windows_.all) {
    places.push_back(kEverywhere);
    return places;
  }
  for (const AppWindow& window : TRY(windows_of(pid))) {
    add_place(places, window.frame);
    add_place(places, window.whole);
  }
  return places;
}

// Of its fields that show.
Result<std::vector<Rect>> SecretPlaces::shown(const App& app) {
  std::vector<Rect> places;
  if (std::none_of(app.fields.begin(), app.fields.end(), [](const SecretField& field) { return field.showing; })) {
    return places;
  }
  const double scale = windows_.scale ? std::max(1.0, windows_.scale()) : 1;
  const std::vector<AppWindow> windows = windows_.all ? TRY(windows_of(app.pid)) : std::vector<AppWindow>();
  const auto points = [&](const Rect& r) { return Rect{r.x / scale, r.y / scale, r.width / scale, r.height / scale}; };
  for (const SecretField& field : app.fields) {
    if (!field.showing) continue;
    if (!windows_.all) {
      add_place(places, places_on_screen(app.toolkit) && has_place(field.at) ? points(field.at) : kEverywhere);
      continue;
    }
    for (const Rect& at : field_places(app.toolkit, points(field.at), points(field.window_at), windows)) {
      add_place(places, at);
    }
  }
  return places;
}

void SecretPlaces::keep(std::int64_t pid, const Rect& place) {
  past_.push_back({pid, place, Clock::now() + kPaint, changes()});
}

Status SecretPlaces::place(App& app) {
  if (app.flashed) {
    for (const Rect& at : TRY(whole(app.pid))) keep(app.pid, at);
    app.flashed = false;
  }
  if (app.mute && !windows_.all) return make_error(Code::timeout, "An app did not answer on the accessibility bus.");
  std::vector<Rect> places = app.known() && !app.incomplete ? TRY(shown(app)) : TRY(whole(app.pid));
  for (const Rect& before : app.places) {
    if (std::find(places.begin(), places.end(), before) == places.end()) keep(app.pid, before);
  }
  app.places = std::move(places);
  return {};
}

std::vector<Rect> SecretPlaces::past(const std::vector<std::int64_t>& pids, std::uint64_t changes) {
  std::erase_if(
      past_, [&](const Past& past) { return Clock::now() > past.until && (changes == 0 || past.changes != changes); });
  std::vector<Rect> places;
  for (const Past& past : past_) {
    if (std::find(pids.begin(), pids.end(), past.pid) != pids.end()) add_place(places, past.place);
  }
  return places;
}

}  // namespace handrail::atspi
