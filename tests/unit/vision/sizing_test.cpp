#include "vision/sizing.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace handrail::vision {
namespace {

struct Row {
  Size source;
  Size wanted;
};

constexpr Row kStandard[] = {
    {{3456, 2234}, {1372, 887}}, {{2560, 1600}, {1389, 868}}, {{1920, 1080}, {1456, 819}}, {{3840, 2160}, {1456, 819}},
    {{2560, 1440}, {1456, 819}}, {{1512, 982}, {1372, 891}},  {{1440, 900}, {1389, 868}},  {{1600, 1200}, {1270, 952}},
    {{1280, 800}, {1280, 800}},  {{1366, 768}, {1366, 768}},  {{1024, 768}, {1024, 768}},  {{5120, 1440}, {1568, 441}},
    {{1080, 2400}, {706, 1568}}, {{1075, 1520}, {924, 1307}},
};

constexpr Row kHighResolution[] = {{{3840, 2160}, {2576, 1449}}, {{2560, 1440}, {2560, 1440}}};

TEST(Sizing, TheTablesOfTheRule) {
  for (const Row& row : kStandard)
    EXPECT_EQ(fit(row.source), row.wanted) << row.source.width << 'x' << row.source.height;
  for (const Row& row : kHighResolution) {
    EXPECT_EQ(fit(row.source, Tier::high_resolution), row.wanted) << row.source.width << 'x' << row.source.height;
  }
}

TEST(Sizing, TokensCountStartedPatches) {
  EXPECT_EQ(image_tokens({28, 28}), 1);
  EXPECT_EQ(image_tokens({29, 28}), 2);
  EXPECT_EQ(image_tokens({1456, 819}), 52 * 30);
}

TEST(Sizing, BelowEightPixelsIsNotShown) {
  EXPECT_TRUE(too_small_to_show({7, 100}));
  EXPECT_TRUE(too_small_to_show({100, 7}));
  EXPECT_FALSE(too_small_to_show({8, 8}));
}

TEST(Sizing, CallerLimitsKeepTheAspect) {
  EXPECT_EQ(fit({1920, 1080}, Tier::standard, {960, 0}), (Size{960, 540}));
  EXPECT_EQ(fit({1920, 1080}, Tier::standard, {0, 540}), (Size{960, 540}));
  EXPECT_EQ(fit({1000, 500}, Tier::standard, {2000, 2000}), (Size{1000, 500}));
  EXPECT_EQ(fit({1000, 500}, Tier::standard, {1, 1}), (Size{1, 1}));
}

TEST(Sizing, AnEmptySourceStaysEmpty) { EXPECT_EQ(fit({0, 0}), (Size{0, 0})); }

RC_GTEST_PROP(Sizing, IsTheLargestThatFitsWithTheSameAspect, ()) {
  const Size source{*rc::gen::inRange(1, 20000), *rc::gen::inRange(1, 20000)};
  const Tier tier = *rc::gen::element(Tier::standard, Tier::high_resolution);
  const SizeLimits limits{*rc::gen::element(0, 300, 1024, 9000), *rc::gen::element(0, 200, 768, 9000)};
  const Size size = fit(source, tier, limits);
  RC_ASSERT(size.width >= 1 && size.height >= 1);
  RC_ASSERT(size.width <= source.width && size.height <= source.height);
  if (fits(source, tier, limits)) {
    RC_ASSERT(size == source);
    return;
  }
  RC_ASSERT(fits(size, tier, limits));
  const bool wide = source.width >= source.height;
  const int long_edge = wide ? size.width : size.height, short_edge = wide ? size.height : size.width;
  const double ratio = wide ? 1.0 * source.height / source.width : 1.0 * source.width / source.height;
  RC_ASSERT(std::abs(std::max(1.0, long_edge * ratio) - short_edge) <= 0.5 + 1e-9);
  // nearbyint rounds halves to even, as the rule says.
  const int next_short = std::max(1, static_cast<int>(std::nearbyint((long_edge + 1) * ratio)));
  const Size next = wide ? Size{long_edge + 1, next_short} : Size{next_short, long_edge + 1};
  RC_ASSERT(!fits(next, tier, limits));
}

}  // namespace
}  // namespace handrail::vision
