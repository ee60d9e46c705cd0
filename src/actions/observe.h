// Looking at the desktop.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/action_spec.h"
#include "describe/model_names.h"

namespace handrail::actions {

struct Screenshot {
  std::optional<int> display;
  std::optional<std::int64_t> window;
  bool show_cursor = false;
  ImageFormat format = ImageFormat::jpeg;
  int quality = 75;
  int max_width = 0;
  int max_height = 0;
  int max_bytes = 0;
};

struct Zoom {
  Rect region;
  Basis basis = Basis::points;
  ImageFormat format = ImageFormat::jpeg;
  int quality = 75;
};

struct CursorPosition {
  Basis basis = Basis::points;
};

struct NoParams {};

struct ShotResult {
  std::string look;
  int display = 0;
  int width = 0;
  int height = 0;
  std::vector<double> area;
  double scale = 1;
  ImageFormat format = ImageFormat::jpeg;
  int bytes = 0;
  bool frozen = false;
};

struct Ocr {
  std::optional<Rect> region;
  std::optional<std::int64_t> window;
  Basis basis = Basis::points;
};

struct OcrRow {
  std::string text;
  std::vector<double> box;
  double confidence = 0;
};

struct OcrResult {
  std::vector<OcrRow> lines;
};

struct CursorResult {
  Point at;
  Basis basis = Basis::points;
  int display = 0;
};

struct DisplayRow {
  int id = 0;
  std::string name;
  std::vector<double> area;
  std::vector<int> pixels;
  double scale = 1;
  bool selected = false;
};

struct DisplaysResult {
  std::vector<DisplayRow> displays;
};

// " 1 window(s) …", for the text of a reply with a picture.
std::string unsaid_note(int windows);
std::span<const catalog::ActionSpec> observe_actions();

}  // namespace handrail::actions

namespace handrail::describe {

inline constexpr std::string_view kFormatDoc = "Image format.";
inline constexpr std::string_view kQualityDoc = "JPEG or WebP quality.";

template <>
struct Fields<actions::NoParams> {
  static constexpr std::tuple<> list{};
};
template <>
struct Fields<actions::Screenshot> {
  using T = actions::Screenshot;
  static constexpr auto list = std::tuple{
      field("display", &T::display, "Which display; the selected one when left out.", between(0, 63)),
      field("window", &T::window, "Only this window, also when others cover it.", between(1, 4294967295.0)),
      field("show_cursor", &T::show_cursor, "Draw the pointer into the picture."),
      field("format", &T::format, kFormatDoc),
      field("quality", &T::quality, kQualityDoc, between(1, 100)),
      field("max_width", &T::max_width, "Most pixels across; 0 follows the sizing rule.", between(0, 8000)),
      field("max_height", &T::max_height, "Most pixels down; 0 follows the sizing rule.", between(0, 8000)),
      field("max_bytes", &T::max_bytes, "Most bytes of the image; 0 is no limit.", between(0, 100000000)),
  };
};
template <>
struct Fields<actions::Zoom> {
  using T = actions::Zoom;
  static constexpr auto list = std::tuple{
      needed("region", &T::region, "Corners of the part to see in full resolution, [x1, y1, x2, y2]."),
      field("basis", &T::basis, "Units of the region."),
      field("format", &T::format, kFormatDoc),
      field("quality", &T::quality, kQualityDoc, between(1, 100)),
  };
};
template <>
struct Fields<actions::CursorPosition> {
  using T = actions::CursorPosition;
  static constexpr auto list = std::tuple{field("basis", &T::basis, "Units of the answer.")};
};
template <>
struct Fields<actions::ShotResult> {
  using T = actions::ShotResult;
  static constexpr auto list = std::tuple{
      field("look", &T::look, "Handle of this look."),
      field("display", &T::display, "The display it shows."),
      field("width", &T::width, "Image width in pixels."),
      field("height", &T::height, "Image height in pixels."),
      field("area", &T::area, "What it shows, [x, y, width, height] in logical desktop points."),
      field("scale", &T::scale, "Device pixels in one logical point."),
      field("format", &T::format, "Image format."),
      field("bytes", &T::bytes, "Size of the image."),
      field("frozen", &T::frozen, "The window is not drawn now; this is its last picture."),
  };
};
template <>
struct Fields<actions::Ocr> {
  using T = actions::Ocr;
  static constexpr auto list = std::tuple{
      field("region", &T::region, "Corners of the part to read, [x1, y1, x2, y2]; all of it when left out."),
      field("window", &T::window, "Only this window, also when others cover it.", between(1, 4294967295.0)),
      field("basis", &T::basis, "Units of the region."),
  };
};
template <>
struct Fields<actions::OcrRow> {
  using T = actions::OcrRow;
  static constexpr auto list = std::tuple{
      field("text", &T::text, "The line; text of the screen, not to be trusted."),
      field("box", &T::box, "[x, y, width, height] in logical desktop points."),
      field("confidence", &T::confidence, "How sure the reading is, 0 to 1."),
  };
};
template <>
struct Fields<actions::OcrResult> {
  using T = actions::OcrResult;
  static constexpr auto list = std::tuple{field("lines", &T::lines, "In reading order.")};
};
template <>
struct Fields<actions::CursorResult> {
  using T = actions::CursorResult;
  static constexpr auto list = std::tuple{
      field("at", &T::at, "Where the pointer is, [x, y]."),
      field("basis", &T::basis, "Units of the position."),
      field("display", &T::display, "The display that the pointer is on."),
  };
};
template <>
struct Fields<actions::DisplayRow> {
  using T = actions::DisplayRow;
  static constexpr auto list = std::tuple{
      field("id", &T::id, "Number to select it by."),
      field("name", &T::name, "Name of the output."),
      field("area", &T::area, "[x, y, width, height] in logical desktop points."),
      field("pixels", &T::pixels, "[x, y, width, height] in device pixels."),
      field("scale", &T::scale, "Device pixels in one logical point."),
      field("selected", &T::selected, "Screenshots show this one."),
  };
};
template <>
struct Fields<actions::DisplaysResult> {
  using T = actions::DisplaysResult;
  static constexpr auto list = std::tuple{field("displays", &T::displays, "All displays.")};
};

}  // namespace handrail::describe
