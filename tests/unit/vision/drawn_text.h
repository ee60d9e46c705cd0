// Text drawn by Pango, with the places of its words as Pango knows them.
#pragma once

#include <pango/pangocairo.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "model/frame.h"

namespace handrail::vision {

struct Colours {
  double ink[3];
  double ground[3];
};
inline constexpr Colours kLight{{0.1, 0.1, 0.1}, {1, 1, 1}};
inline constexpr Colours kDark{{0.9, 0.9, 0.9}, {0.13, 0.13, 0.16}};

class Drawing {
 public:
  Drawing(Size size, const Colours& colours) : frame_(make_frame(size)), colours_(colours) {
    surface_ = cairo_image_surface_create_for_data(writable(frame_), CAIRO_FORMAT_RGB24, size.width, size.height,
                                                   static_cast<int>(frame_.stride));
    cairo_ = cairo_create(surface_);
    cairo_set_source_rgb(cairo_, colours.ground[0], colours.ground[1], colours.ground[2]);
    cairo_paint(cairo_);
  }
  ~Drawing() {
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
  }
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  // The words of a line that begins at the point, each with the box around its ink.
  std::vector<std::pair<std::string, PixelRect>> line(int x, int y, const std::string& text, double points,
                                                      const char* family = "DejaVu Sans") {
    std::vector<std::pair<std::string, PixelRect>> words;
    PangoLayout* layout = pango_cairo_create_layout(cairo_);
    PangoFontDescription* font = pango_font_description_from_string(family);
    pango_font_description_set_absolute_size(font, points * 96 / 72 * PANGO_SCALE);
    pango_layout_set_font_description(layout, font);
    cairo_set_source_rgb(cairo_, colours_.ink[0], colours_.ink[1], colours_.ink[2]);
    double at = x;
    for (std::size_t from = 0; from < text.size();) {
      std::size_t to = text.find(' ', from);
      if (to == std::string::npos) to = text.size();
      const std::string word = text.substr(from, to - from);
      pango_layout_set_text(layout, (word + " ").c_str(), -1);
      PangoRectangle advance{}, ink{};
      pango_layout_get_pixel_extents(layout, &ink, &advance);
      cairo_move_to(cairo_, at, y);
      pango_cairo_show_layout(cairo_, layout);
      words.emplace_back(word, PixelRect{static_cast<int>(at) + ink.x, y + ink.y, ink.width, ink.height});
      at += advance.width;
      from = to + 1;
    }
    pango_font_description_free(font);
    g_object_unref(layout);
    cairo_surface_flush(surface_);
    return words;
  }

  // A thin line below words of a line, as links have it.
  void underline(const std::vector<std::pair<std::string, PixelRect>>& words) {
    const PixelRect &first = words.front().second, &last = words.back().second;
    cairo_set_source_rgb(cairo_, colours_.ink[0], colours_.ink[1], colours_.ink[2]);
    cairo_rectangle(cairo_, first.x, last.y + last.height + 1, last.x + last.width - first.x, 1);
    cairo_fill(cairo_);
    cairo_surface_flush(surface_);
  }

  const Frame& frame() const { return frame_; }

 private:
  Frame frame_;
  Colours colours_;
  cairo_surface_t* surface_ = nullptr;
  cairo_t* cairo_ = nullptr;
};

}  // namespace handrail::vision
