#include "vision/encode.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "unit/vision/decode.h"
#include "unit/vision/images.h"

namespace handrail::vision {
namespace {

std::vector<std::uint8_t> rgb_of(const Frame& frame) {
  std::vector<std::uint8_t> rgb;
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; ++x) {
      const std::uint8_t* pixel = frame.row(y) + x * 4;
      rgb.insert(rgb.end(), {pixel[2], pixel[1], pixel[0]});
    }
  }
  return rgb;
}

double psnr(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  if (a.size() != b.size() || a.empty()) return 0;
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += std::pow(a[i] - b[i], 2);
  return squares == 0 ? 99 : 10 * std::log10(255.0 * 255.0 * static_cast<double>(a.size()) / squares);
}

// What libjpeg-turbo's other interface makes of the same pixels in one piece.
std::vector<std::uint8_t> whole_jpeg(const Frame& frame, int quality) {
  const std::unique_ptr<void, int (*)(void*)> handle(tjInitCompress(), &tjDestroy);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  tjCompress2(handle.get(), frame.row(0), frame.width, static_cast<int>(frame.stride), frame.height, TJPF_BGRX, &memory,
              &size, TJSAMP_420, quality, TJFLAG_ACCURATEDCT);
  std::vector<std::uint8_t> bytes(memory, memory + size);
  tjFree(memory);
  return bytes;
}

TEST(Encode, JpegStripsDecodeToTheSamePixelsAsOnePiece) {
  for (const Size size : {Size{1456, 819}, Size{1456, 816}, Size{640, 97}, Size{33, 17}, Size{16, 16}, Size{1, 1},
                          Size{7, 300}, Size{300, 3}, Size{2500, 33}}) {
    const Frame frame = screen(size);
    const auto picture = encode(frame);
    ASSERT_TRUE(picture.ok());
    const Decoded mine = decode(*picture), theirs = decode_jpeg(whole_jpeg(frame, 75));
    EXPECT_EQ(mine.size, size);
    EXPECT_TRUE(mine.rgb == theirs.rgb) << size.width << 'x' << size.height;
  }
}

TEST(Encode, JpegOfNoiseGrowsItsBuffers) {
  const Frame frame = noise({900, 700});
  const auto picture = encode(frame, {ImageFormat::jpeg, 100, 0});
  ASSERT_TRUE(picture.ok());
  EXPECT_TRUE(decode(*picture).rgb == decode_jpeg(whole_jpeg(frame, 100)).rgb);
}

TEST(Encode, JpegQualityIsUsed) {
  const Frame frame = screen({800, 600});
  EXPECT_LT(encode(frame, {ImageFormat::jpeg, 20, 0})->bytes.size(),
            encode(frame, {ImageFormat::jpeg, 90, 0})->bytes.size());
}

TEST(Encode, PngIsLossless) {
  for (const Size size :
       {Size{1456, 819}, Size{1, 1}, Size{1, 100}, Size{100, 1}, Size{3, 49}, Size{87, 48}, Size{88, 97}}) {
    for (const Frame& frame : {screen(size), noise(size), make_frame(size)}) {
      const auto picture = encode(frame, {ImageFormat::png, 75, 0});
      ASSERT_TRUE(picture.ok());
      const Decoded image = decode(*picture);
      EXPECT_EQ(image.size, size);
      EXPECT_TRUE(image.rgb == rgb_of(frame)) << size.width << 'x' << size.height;
    }
  }
}

RC_GTEST_PROP(Encode, PngOfAnyPixelsIsLossless, ()) {
  const Size size{*rc::gen::inRange(1, 300), *rc::gen::inRange(1, 110)};
  const int colours = *rc::gen::inRange(1, 40);
  Frame frame = noise(size, *rc::gen::arbitrary<unsigned>());
  std::uint8_t* pixels = writable(frame);
  // Few colours make runs and skewed code lengths; many make neither.
  for (std::size_t i = 0; i < frame.stride * static_cast<std::size_t>(size.height); ++i) {
    if (pixels[i] % 40 > colours) pixels[i] = i >= 4 ? pixels[i - 4] : std::uint8_t{0};
  }
  RC_ASSERT(decode(*encode(frame, {ImageFormat::png, 75, 0})).rgb == rgb_of(frame));
}

TEST(Encode, PngOfAScreenIsSmall) {
  const Frame frame = screen({1456, 819});
  EXPECT_LT(encode(frame, {ImageFormat::png, 75, 0})->bytes.size(), rgb_of(frame).size() / 4);
}

TEST(Encode, WebpLooksLikeTheOriginal) {
  const Frame frame = screen({640, 400});
  const auto picture = encode(frame, {ImageFormat::webp, 80, 0});
  ASSERT_TRUE(picture.ok());
  const Decoded image = decode(*picture);
  EXPECT_EQ(image.size, (Size{640, 400}));
  EXPECT_GT(psnr(image.rgb, rgb_of(frame)), 25);
}

TEST(Encode, JpegLooksLikeTheOriginal) {
  const Frame frame = screen({640, 400});
  EXPECT_GT(psnr(decode(*encode(frame)).rgb, rgb_of(frame)), 25);
}

TEST(Encode, RefusesWhatCannotBeEncoded) {
  const auto code = [](const Result<Picture>& result) { return result.ok() ? Code::internal : result.error().code; };
  EXPECT_EQ(code(encode(Frame{})), Code::argument_invalid);
  EXPECT_EQ(code(encode(screen({8, 8}), {ImageFormat::jpeg, 0, 0})), Code::argument_invalid);
  EXPECT_EQ(code(encode(screen({8, 8}), {ImageFormat::jpeg, 101, 0})), Code::argument_invalid);
}

TEST(Encode, NamesItsTypes) {
  EXPECT_EQ(mime_type(ImageFormat::jpeg), "image/jpeg");
  EXPECT_EQ(mime_type(ImageFormat::png), "image/png");
  EXPECT_EQ(mime_type(ImageFormat::webp), "image/webp");
}

}  // namespace
}  // namespace handrail::vision
