#include "vision/picture.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <thread>

#include "unit/vision/decode.h"
#include "unit/vision/images.h"
#include "vision/scale.h"

namespace handrail::vision {
namespace {

Frame scaled(const Frame& source, Size target) {
  Frame out = make_frame(target);
  Scaler::Scratch scratch;
  Scaler(source.size(), target).rows(source, 0, target.height, writable(out), out.stride, scratch);
  return out;
}

TEST(Picture, IsTheScaledFrameEncoded) {
  const Frame frame = screen({1920, 1080});
  const Size target{1456, 819};
  for (const ImageFormat format : {ImageFormat::jpeg, ImageFormat::png, ImageFormat::webp}) {
    const auto picture = picture_of(frame, target, {format, 75, 0});
    ASSERT_TRUE(picture.ok());
    EXPECT_EQ(picture->size, target);
    EXPECT_EQ(picture->format, format);
    EXPECT_EQ(decode(*picture).size, target);
    EXPECT_TRUE(picture->bytes == encode(scaled(frame, target), {format, 75, 0})->bytes);
  }
}

TEST(Picture, LeavesTheSizedPixels) {
  const Frame frame = screen({500, 300});
  for (const Size target : {Size{375, 225}, Size{500, 300}}) {
    Frame sized;
    ASSERT_TRUE(picture_of(frame, target, {}, &sized).ok());
    const Frame wanted = scaled(frame, target);
    ASSERT_EQ(sized.size(), target);
    for (int y = 0; y < target.height; ++y) {
      ASSERT_EQ(std::memcmp(sized.row(y), wanted.row(y), static_cast<std::size_t>(target.width) * 4), 0) << y;
    }
  }
}

TEST(Picture, ReusesTheSizedMemoryOnlyWhenNobodyElseHoldsIt) {
  const Frame frame = screen({500, 300});
  Frame sized;
  ASSERT_TRUE(picture_of(frame, {375, 225}, {}, &sized).ok());
  const std::uint8_t* memory = sized.pixels.get();
  ASSERT_TRUE(picture_of(frame, {375, 225}, {}, &sized).ok());
  EXPECT_EQ(sized.pixels.get(), memory);
  const Frame held = sized;
  ASSERT_TRUE(picture_of(frame, {375, 225}, {}, &sized).ok());
  EXPECT_NE(sized.pixels.get(), memory);
}

TEST(Picture, AByteCapLowersTheQualityFirst) {
  const Frame frame = screen({800, 600});
  const std::size_t full = picture_of(frame, {800, 600})->bytes.size();
  const auto capped = picture_of(frame, {800, 600}, {ImageFormat::jpeg, 75, full - 1});
  ASSERT_TRUE(capped.ok());
  EXPECT_LT(capped->bytes.size(), full);
  EXPECT_EQ(capped->size, (Size{800, 600}));
  EXPECT_EQ(decode(*capped).size, capped->size);
}

TEST(Picture, AByteCapThenShrinks) {
  const Frame frame = noise({800, 600});
  for (const ImageFormat format : {ImageFormat::jpeg, ImageFormat::png, ImageFormat::webp}) {
    const auto capped = picture_of(frame, {800, 600}, {format, 75, 20000});
    ASSERT_TRUE(capped.ok());
    EXPECT_LE(capped->bytes.size(), 20000U);
    EXPECT_LT(capped->size.width, 800);
    EXPECT_EQ(decode(*capped).size, capped->size);
  }
}

TEST(Picture, ACapThatNothingFitsIsTooLarge) {
  const auto result = picture_of(screen({800, 600}), {800, 600}, {ImageFormat::jpeg, 75, 10});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, Code::too_large);
}

TEST(Picture, RefusesImpossibleTargets) {
  const Frame frame = screen({64, 64});
  for (const Size bad : {Size{0, 10}, Size{10, -1}, Size{20000, 10}}) {
    const auto result = picture_of(frame, bad);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, Code::argument_invalid);
  }
}

TEST(Picture, CallersAtTheSameTimeGetTheirOwnPictures) {
  const Frame frames[] = {screen({900, 500}), noise({800, 640})};
  const std::vector<std::uint8_t> wanted[] = {picture_of(frames[0], {700, 400})->bytes,
                                              picture_of(frames[1], {320, 256})->bytes};
  int wrong[4] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 40; ++i) {
        const Size target = t % 2 == 0 ? Size{700, 400} : Size{320, 256};
        if (picture_of(frames[t % 2], target)->bytes != wanted[t % 2]) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : wrong) EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace handrail::vision
