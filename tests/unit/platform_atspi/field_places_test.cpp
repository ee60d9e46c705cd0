#include "platform/atspi/field_places.h"

#include <gtest/gtest.h>

namespace handrail::atspi {
namespace {

using Places = std::vector<Rect>;

// A framed window, and one that draws its own shadow of 5 at each side.
const AppWindow kFramed{1, {300, 200, 362, 225}, {301, 220, 360, 200}, {301, 220, 360, 200}};
const AppWindow kShadow{1, {300, 200, 360, 200}, {300, 200, 360, 200}, {305, 205, 350, 190}};

struct Row {
  const char* what;
  std::string toolkit;
  Rect field, window;
  std::vector<AppWindow> windows;
  Places places;
};

TEST(FieldPlaces, AsTheToolkitsSay) {
  const std::vector<Row> rows{
      {"GTK 3 tells the frame", "gtk", {301, 266, 360, 34}, {300, 200, 362, 225}, {kFramed}, {{301, 266, 360, 34}}},
      {"Qt tells the window", "Qt", {312, 344, 338, 23}, {301, 220, 360, 200}, {kFramed}, {{312, 344, 338, 23}}},
      {"moved meanwhile", "Qt", {112, 244, 338, 23}, {101, 120, 360, 200}, {kFramed}, {{312, 344, 338, 23}}},
      {"pixels of its own", "Qt", {156, 172, 100, 10}, {150, 110, 180, 100}, {kFramed}, {{313, 344, 200, 20}}},
      {"the window with its shadow",
       "gtk",
       {305, 297, 350, 34},
       {300, 200, 360, 200},
       {kShadow},
       {{305, 297, 350, 34}}},
      {"GTK 4, framed", "GTK", {9, 47, 342, 32}, {0, 0, 360, 200}, {kFramed}, {{294, 251, 374, 64}}},
      {"GTK 4 without the shadow", "GTK", {9, 93, 332, 32}, {0, 0, 350, 190}, {kShadow}, {{298, 282, 364, 64}}},
      {"GTK 4, a shadow of unknown place",
       "GTK",
       {9, 93, 332, 32},
       {0, 0, 340, 190},
       {{1, {300, 200, 360, 200}, {300, 200, 360, 200}, {300, 200, 360, 200}}},
       {{293, 277, 384, 74}}},
      {"Firefox in its window", "Gecko", {8, 151, 300, 40}, {0, 0, 360, 200}, {kFramed}, {{309, 371, 300, 40}}},
      {"two windows of one size",
       "Gecko",
       {8, 50, 30, 40},
       {0, 0, 360, 200},
       {kFramed, {1, {0, 0, 360, 200}, {0, 0, 360, 200}, {0, 0, 360, 200}}},
       {{309, 270, 30, 40}, {8, 50, 30, 40}}},
      {"no place", "Gecko", {-1, -1, -1, -1}, {0, 0, 360, 200}, {kFramed}, {kFramed.frame, kFramed.whole}},
      {"no such window", "Qt", {5, 5, 20, 20}, {0, 0, 100, 900}, {kFramed}, {kFramed.frame, kFramed.whole}},
      {"no window told", "Qt", {5, 5, 20, 20}, {}, {kFramed}, {kFramed.frame, kFramed.whole}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(field_places(row.toolkit, row.field, row.window, row.windows), row.places) << row.what;
  }
}

}  // namespace
}  // namespace handrail::atspi
