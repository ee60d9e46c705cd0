// How a dialog looks: lays out its lines and buttons and paints them into memory. Knows no server and no events.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/geometry.h"
#include "platform/x11/dialog.h"

namespace handrail::x11 {

struct DialogLook {
  std::size_t focused = 0;
  int hovered = -1;
  int pressed = -1;
  bool awake = false;    // buttons look as if they can be pressed
  std::string footnote;  // beside the buttons
};

class DialogPainter {
 public:
  // `scale` is 1 on a screen of 96 dots per inch.
  DialogPainter(const DialogSpec& spec, double scale);
  ~DialogPainter();
  DialogPainter(const DialogPainter&) = delete;
  DialogPainter& operator=(const DialogPainter&) = delete;

  Size size() const { return size_; }
  const std::vector<PixelRect>& buttons() const { return buttons_; }
  // The button at a point; -1 for none.
  int button_at(int x, int y) const;

  // Rows from the top, pixels as 0x00RRGGBB.
  std::vector<std::uint32_t> paint(const DialogLook& look) const;

 private:
  struct Canvas;
  struct Fonts;
  struct Line {
    DialogPart::Kind kind;
    std::string text;
    double x, y, width, height;
  };
  struct Box {
    double x, y, width, height;
    bool warning;
  };
  void lay_out(const DialogSpec& spec);

  std::unique_ptr<Fonts> fonts_;
  double scale_;
  Size size_;
  std::vector<Line> lines_;
  std::vector<Box> boxes_;
  std::vector<std::string> labels_;
  std::vector<PixelRect> buttons_;
};

}  // namespace handrail::x11
