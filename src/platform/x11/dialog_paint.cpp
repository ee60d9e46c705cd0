#include "platform/x11/dialog_paint.h"

#include <pango/pangocairo.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace handrail::x11 {
namespace {

using Kind = DialogPart::Kind;

// In pixels at 96 dots per inch.
constexpr double kWidth = 540, kMargin = 24, kCardPad = 14, kGap = 12, kLineGap = 3;
constexpr double kMark = 40;  // the sign beside the heading
constexpr double kButtonHeight = 36, kButtonPad = 18, kButtonGap = 8;

struct Colour {
  double r, g, b;
};
constexpr Colour rgb(std::uint32_t value) {
  return {(value >> 16 & 255) / 255.0, (value >> 8 & 255) / 255.0, (value & 255) / 255.0};
}
constexpr Colour kPaper = rgb(0xffffff), kInk = rgb(0x1b1f24), kSoftInk = rgb(0x57606a), kCard = rgb(0xf6f8fa),
                 kEdge = rgb(0xd0d7de), kAlarm = rgb(0xfff4d6), kAlarmEdge = rgb(0xd9a514), kAlarmInk = rgb(0x5c3d00),
                 kBrand = rgb(0x1f5fbf), kFoot = rgb(0xf1f3f5), kPressed = rgb(0xdde3ea), kHover = rgb(0xeef2f6),
                 kPale = rgb(0x9aa3ad);

struct Style {
  double px;
  bool bold;
  bool italic;
  Colour colour;
};
Style style_of(Kind kind) {
  switch (kind) {
    case Kind::heading: return {17, true, false, kInk};
    case Kind::item: return {14, true, false, kInk};
    case Kind::detail: return {13, false, false, kSoftInk};
    case Kind::warning: return {13, false, false, kAlarmInk};
    case Kind::quote: return {13, false, true, kInk};
    case Kind::note: return {13, false, false, kSoftInk};
  }
  return {13, false, false, kInk};
}
constexpr Style kLabel{14, true, false, kInk};
constexpr Style kFootnote{12, false, false, kSoftInk};

void set(cairo_t* cairo, Colour c) { cairo_set_source_rgb(cairo, c.r, c.g, c.b); }

void rounded(cairo_t* cairo, double x, double y, double w, double h, double r) {
  constexpr double kQuarter = std::numbers::pi / 2;
  cairo_new_sub_path(cairo);
  cairo_arc(cairo, x + w - r, y + r, r, -kQuarter, 0);
  cairo_arc(cairo, x + w - r, y + h - r, r, 0, kQuarter);
  cairo_arc(cairo, x + r, y + h - r, r, kQuarter, 2 * kQuarter);
  cairo_arc(cairo, x + r, y + r, r, 2 * kQuarter, 3 * kQuarter);
  cairo_close_path(cairo);
}

void box(cairo_t* cairo, double x, double y, double w, double h, double r, Colour fill, Colour edge) {
  rounded(cairo, x + 0.5, y + 0.5, w - 1, h - 1, r);
  set(cairo, fill);
  cairo_fill_preserve(cairo);
  set(cairo, edge);
  cairo_set_line_width(cairo, 1);
  cairo_stroke(cairo);
}

class Text {
 public:
  Text(PangoContext* context, cairo_t* cairo, const std::string& text, const Style& style, double width)
      : cairo_(cairo) {
    pango_cairo_update_context(cairo, context);
    layout_ = pango_layout_new(context);
    PangoFontDescription* font = pango_font_description_from_string("Sans");
    pango_font_description_set_absolute_size(font, style.px * PANGO_SCALE);
    if (style.bold) pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD);
    if (style.italic) pango_font_description_set_style(font, PANGO_STYLE_ITALIC);
    pango_layout_set_font_description(layout_, font);
    pango_font_description_free(font);
    // What an agent wrote does not choose the side that its line starts from.
    pango_layout_set_auto_dir(layout_, FALSE);
    pango_layout_set_wrap(layout_, PANGO_WRAP_WORD_CHAR);
    if (width > 0) pango_layout_set_width(layout_, static_cast<int>(width * PANGO_SCALE));
    pango_layout_set_text(layout_, text.data(), static_cast<int>(text.size()));
    pango_layout_get_pixel_size(layout_, &width_, &height_);
  }
  ~Text() { g_object_unref(layout_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  int width() const { return width_; }
  int height() const { return height_; }
  void draw(double x, double y, Colour colour) const {
    set(cairo_, colour);
    cairo_move_to(cairo_, x, y);
    pango_cairo_show_layout(cairo_, layout_);
  }

 private:
  cairo_t* cairo_;
  PangoLayout* layout_;
  int width_ = 0, height_ = 0;
};

// A rail on two posts.
void draw_mark(cairo_t* cairo, double x, double y) {
  rounded(cairo, x, y, kMark, kMark, 9);
  set(cairo, kBrand);
  cairo_fill(cairo);
  set(cairo, kPaper);
  cairo_set_line_width(cairo, 3.6);
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
  cairo_move_to(cairo, x + 9, y + 15);
  cairo_line_to(cairo, x + 31, y + 15);
  for (const double post : {14.0, 26.0}) {
    cairo_move_to(cairo, x + post, y + 15);
    cairo_line_to(cairo, x + post, y + 29);
  }
  cairo_stroke(cairo);
}

}  // namespace

struct DialogPainter::Canvas {
  Canvas(int width, int height, double scale)
      : surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)), cairo(cairo_create(surface)) {
    cairo_scale(cairo, scale, scale);
  }
  ~Canvas() {
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
  }
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  cairo_surface_t* surface;
  cairo_t* cairo;
};

// Its own, so that nothing of it is left behind with the thread that painted.
struct DialogPainter::Fonts {
  Fonts() : map(pango_cairo_font_map_new()), context(pango_font_map_create_context(map)) {
    // Sizes are ours; the screen's own dots per inch would apply a second time.
    pango_cairo_context_set_resolution(context, 96);
  }
  ~Fonts() {
    g_object_unref(context);
    g_object_unref(map);
  }
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;
  PangoFontMap* map;
  PangoContext* context;
};

DialogPainter::DialogPainter(const DialogSpec& spec, double scale)
    : fonts_(std::make_unique<Fonts>()), scale_(scale), labels_(spec.buttons) {
  lay_out(spec);
}

DialogPainter::~DialogPainter() = default;

void DialogPainter::lay_out(const DialogSpec& spec) {
  Canvas canvas(1, 1, scale_);
  double y = kMargin;
  std::size_t card = 0;  // of the open one, counted from 1
  double card_top = 0;
  const auto close_card = [&] {
    if (card == 0) return;
    boxes_[card - 1].height = y + kCardPad - kLineGap - card_top;
    y += kCardPad + kGap;
    card = 0;
  };
  for (const DialogPart& part : spec.parts) {
    const Style style = style_of(part.kind);
    double x = kMargin, width = kWidth - 2 * kMargin;
    switch (part.kind) {
      case Kind::heading: x += kMark + 14, width -= kMark + 14; break;
      case Kind::item:
        close_card();
        card_top = y;
        boxes_.push_back({kMargin, y, kWidth - 2 * kMargin, 0, false});
        card = boxes_.size();
        y += kCardPad;
        break;
      case Kind::quote: close_card(), x += 14, width -= 14; break;
      case Kind::note: close_card(); break;
      case Kind::detail:
      case Kind::warning: break;
    }
    if (card != 0) x += kCardPad, width -= 2 * kCardPad;
    if (part.kind == Kind::warning) {
      y += 5;
      const Text text(fonts_->context, canvas.cairo, part.text, style, width - 44);
      boxes_.push_back({x, y, width, text.height() + 16.0, true});
      lines_.push_back({part.kind, part.text, x + 34, y + 8, width - 44, static_cast<double>(text.height())});
      y += text.height() + 16 + kLineGap + 3;
      continue;
    }
    const Text text(fonts_->context, canvas.cairo, part.text, style, width);
    double top = y;
    if (part.kind == Kind::heading) top += std::max(0.0, (kMark - text.height()) / 2);
    lines_.push_back({part.kind, part.text, x, top, width, static_cast<double>(text.height())});
    y += part.kind == Kind::heading ? std::max<double>(kMark, text.height()) + 18 : text.height() + kLineGap;
    if (part.kind == Kind::quote || part.kind == Kind::note) y += kGap - kLineGap;
  }
  close_card();
  y += 4;
  const double foot = y + 14;
  double right = kWidth - kMargin;
  buttons_.resize(labels_.size());
  for (std::size_t i = labels_.size(); i-- > 0;) {
    const Text label(fonts_->context, canvas.cairo, labels_[i], kLabel, 0);
    const double width = std::max(76.0, label.width() + 2 * kButtonPad);
    right -= width;
    buttons_[i] = {static_cast<int>(std::lround(right * scale_)), static_cast<int>(std::lround(foot * scale_)),
                   static_cast<int>(std::lround(width * scale_)),
                   static_cast<int>(std::lround(kButtonHeight * scale_))};
    right -= kButtonGap;
  }
  size_ = {static_cast<int>(std::lround(kWidth * scale_)),
           static_cast<int>(std::lround((foot + kButtonHeight + 14) * scale_))};
}

int DialogPainter::button_at(int x, int y) const {
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    const PixelRect& b = buttons_[i];
    if (x >= b.x && y >= b.y && x < b.x + b.width && y < b.y + b.height) return static_cast<int>(i);
  }
  return -1;
}

std::vector<std::uint32_t> DialogPainter::paint(const DialogLook& look) const {
  Canvas canvas(size_.width, size_.height, scale_);
  cairo_t* cairo = canvas.cairo;
  set(cairo, kPaper);
  cairo_paint(cairo);
  draw_mark(cairo, kMargin, kMargin);
  for (const Box& b : boxes_) {
    box(cairo, b.x, b.y, b.width, b.height, 7, b.warning ? kAlarm : kCard, b.warning ? kAlarmEdge : kEdge);
    if (!b.warning) continue;
    // A triangle with a stroke in it, beside the first line.
    const double x = b.x + 11, y = b.y + 8;
    cairo_move_to(cairo, x + 7.5, y + 1);
    cairo_line_to(cairo, x + 15, y + 14.5);
    cairo_line_to(cairo, x, y + 14.5);
    cairo_close_path(cairo);
    set(cairo, kAlarmEdge);
    cairo_fill(cairo);
    set(cairo, kPaper);
    cairo_rectangle(cairo, x + 6.75, y + 5.5, 1.6, 4.6);
    cairo_rectangle(cairo, x + 6.75, y + 11.2, 1.6, 1.6);
    cairo_fill(cairo);
  }
  for (const Line& line : lines_) {
    const Style style = style_of(line.kind);
    if (line.kind == Kind::quote) {
      set(cairo, kEdge);
      cairo_rectangle(cairo, kMargin, line.y, 3, line.height);
      cairo_fill(cairo);
    }
    Text(fonts_->context, cairo, line.text, style, line.width).draw(line.x, line.y, style.colour);
  }

  const double foot = buttons_.empty() ? 0 : buttons_[0].y / scale_ - 14;
  set(cairo, kFoot);
  cairo_rectangle(cairo, 0, foot, kWidth, size_.height / scale_ - foot);
  cairo_fill(cairo);
  set(cairo, kEdge);
  cairo_rectangle(cairo, 0, foot, kWidth, 1);
  cairo_fill(cairo);
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    const double x = buttons_[i].x / scale_, y = buttons_[i].y / scale_, w = buttons_[i].width / scale_;
    const int place = static_cast<int>(i);
    const Colour face = look.pressed == place ? kPressed : look.hovered == place && look.awake ? kHover : kPaper;
    box(cairo, x, y, w, kButtonHeight, 7, face, kEdge);
    if (look.focused == i) {
      rounded(cairo, x + 1, y + 1, w - 2, kButtonHeight - 2, 6);
      set(cairo, kBrand);
      cairo_set_line_width(cairo, 2);
      cairo_stroke(cairo);
    }
    const Text label(fonts_->context, cairo, labels_[i], kLabel, 0);
    label.draw(x + (w - label.width()) / 2, y + (kButtonHeight - label.height()) / 2, look.awake ? kInk : kPale);
  }
  if (!look.footnote.empty() && !buttons_.empty()) {
    const double width = buttons_[0].x / scale_ - kMargin - 10;
    const Text note(fonts_->context, cairo, look.footnote, kFootnote, width);
    note.draw(kMargin, foot + 14 + (kButtonHeight - note.height()) / 2, kFootnote.colour);
  }

  cairo_surface_flush(canvas.surface);
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height));
  const unsigned char* data = cairo_image_surface_get_data(canvas.surface);
  if (data == nullptr) return pixels;
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(canvas.surface));
  const auto width = static_cast<std::size_t>(size_.width);
  for (std::size_t row = 0; row < static_cast<std::size_t>(size_.height); ++row) {
    std::memcpy(&pixels[row * width], data + row * stride, width * sizeof(std::uint32_t));
  }
  return pixels;
}

}  // namespace handrail::x11
