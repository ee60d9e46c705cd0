#include "platform/atspi/field_places.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace handrail::atspi {
namespace {

constexpr double kNear = 2;           // of two sizes or places that are the same
constexpr double kMostShadow = 160;   // that an app draws around its window, both sides together
constexpr double kEntryPadding = 16;  // GTK 4 tells the box of the text, without padding and border

bool near(double a, double b) { return std::abs(a - b) <= kNear; }
bool same_size(const Rect& a, const Rect& b) { return near(a.width, b.width) && near(a.height, b.height); }
bool same_place(const Rect& a, const Rect& b) { return same_size(a, b) && near(a.x, b.x) && near(a.y, b.y); }

// How much larger `real` is than `told`, when it is so in both directions.
std::optional<double> ratio(const Rect& told, const Rect& real) {
  const double k = real.width / told.width;
  if (!(k >= 0.25 && k <= 4) || std::abs(real.height - told.height * k) > kNear * std::max(1.0, k)) return std::nullopt;
  return k;
}

Rect moved(const Rect& field, const Rect& from, const Rect& to, double k) {
  return {to.x + (field.x - from.x) * k, to.y + (field.y - from.y) * k, field.width * k, field.height * k};
}

void add(std::vector<Rect>& places, const Rect& place) {
  if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
}

std::vector<Rect> on_screen(const Rect& field, const Rect& window, const std::vector<AppWindow>& windows) {
  for (const AppWindow& real : windows) {
    if (same_place(window, real.whole) || same_place(window, real.content) || same_place(window, real.frame)) {
      return {field};
    }
  }
  // It moved meanwhile, or the app counts in pixels of its own.
  std::vector<Rect> places;
  for (const AppWindow& real : windows) {
    for (const Rect& box : {real.whole, real.content, real.frame}) {
      if (const auto k = ratio(window, box)) add(places, moved(field, window, box, *k));
    }
  }
  return places;
}

std::vector<Rect> in_window(const Rect& field, const Rect& window, const std::vector<AppWindow>& windows) {
  std::vector<Rect> exact, loose;
  for (const AppWindow& real : windows) {
    const double wide = real.whole.width - window.width, high = real.whole.height - window.height;
    if (same_size(window, real.content)) {
      add(exact, moved(field, window, real.content, 1));
    } else if (wide >= 0 && high >= 0 && wide <= kMostShadow && high <= kMostShadow) {
      // The shadow is somewhere around it.
      Rect place = moved(field, window, real.whole, 1);
      add(loose, {place.x, place.y, place.width + wide, place.height + high});
    } else if (const auto k = ratio(window, real.content)) {
      add(loose, moved(field, window, real.content, *k));
    } else if (const auto whole = ratio(window, real.whole)) {
      add(loose, moved(field, window, real.whole, *whole));
    }
  }
  return exact.empty() ? loose : exact;
}

}  // namespace

bool has_place(const Rect& extents) {
  constexpr double kFarthest = 100'000;
  return extents.width > 0 && extents.height > 0 && std::abs(extents.x) < kFarthest && std::abs(extents.y) < kFarthest;
}

bool places_on_screen(const std::string& toolkit) {
  constexpr std::array<std::string_view, 3> kTrue{"gtk", "Qt", "Chromium"};
  return std::find(kTrue.begin(), kTrue.end(), toolkit) != kTrue.end();
}

std::vector<Rect> field_places(const std::string& toolkit, const Rect& field, const Rect& window,
                               const std::vector<AppWindow>& windows) {
  std::vector<Rect> places;
  if (has_place(field) && has_place(window)) {
    places = places_on_screen(toolkit) ? on_screen(field, window, windows) : in_window(field, window, windows);
  }
  if (toolkit == "GTK") {
    for (Rect& place : places) {
      place = {place.x - kEntryPadding, place.y - kEntryPadding, place.width + 2 * kEntryPadding,
               place.height + 2 * kEntryPadding};
    }
  }
  if (places.empty()) {
    for (const AppWindow& real : windows) {
      add(places, real.frame);
      add(places, real.whole);
    }
  }
  return places;
}

}  // namespace handrail::atspi
