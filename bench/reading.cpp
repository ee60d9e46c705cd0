// Reads text from a drawn screen of about 900 words and draws marks on it. Writes the screen as a PPM file for others
// to read, then answers each line of standard input with the milliseconds of one round as JSON.
#include <pango/pangocairo.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "vision/marks.h"
#include "vision/ocr.h"
#include "vision/picture.h"
#include "vision/sizing.h"

namespace {

using namespace handrail;

constexpr Size kScreen{1920, 1080};
constexpr const char* kWords[] = {"window",   "the",    "garden",  "open",    "settings", "file",
                                  "which",    "before", "network", "account", "between",  "morning",
                                  "report",   "season", "people",  "under",   "language", "simple",
                                  "question", "answer", "please",  "return",  "another",  "number"};

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Three columns of lines; the words of one line depend on `variant`.
Frame draw(int variant, std::multiset<std::string>* words) {
  Frame frame = make_frame(kScreen);
  cairo_surface_t* surface = cairo_image_surface_create_for_data(writable(frame), CAIRO_FORMAT_RGB24, kScreen.width,
                                                                 kScreen.height, static_cast<int>(frame.stride));
  cairo_t* cairo = cairo_create(surface);
  cairo_set_source_rgb(cairo, 1, 1, 1);
  cairo_paint(cairo);
  cairo_set_source_rgb(cairo, 0.1, 0.1, 0.1);
  PangoLayout* layout = pango_cairo_create_layout(cairo);
  PangoFontDescription* font = pango_font_description_from_string("DejaVu Sans");
  pango_font_description_set_absolute_size(font, 15 * PANGO_SCALE);
  pango_layout_set_font_description(layout, font);
  for (int line = 0; line < 43; ++line) {
    for (int column = 0; column < 3; ++column) {
      std::mt19937 random(static_cast<unsigned>(line * 3 + column + (line == 20 && column == 1 ? 1000 * variant : 0)));
      std::string text;
      for (int word = 0; word < 7; ++word) {
        const std::string one = kWords[random() % std::size(kWords)];
        text += (word == 0 ? "" : " ") + one;
        if (words != nullptr) words->insert(one);
      }
      pango_layout_set_text(layout, text.c_str(), -1);
      cairo_move_to(cairo, 20 + column * 635, 14 + line * 24.5);
      pango_cairo_show_layout(cairo, layout);
    }
  }
  pango_font_description_free(font);
  g_object_unref(layout);
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
  return frame;
}

void write_ppm(const Frame& frame, const char* path) {
  std::ofstream out(path, std::ios::binary);
  out << "P6\n" << frame.width << " " << frame.height << "\n255\n";
  for (int y = 0; y < frame.height; ++y) {
    const std::uint8_t* pixel = frame.row(y);
    for (int x = 0; x < frame.width; ++x, pixel += 4) {
      const char colour[] = {static_cast<char>(pixel[2]), static_cast<char>(pixel[1]), static_cast<char>(pixel[0])};
      out.write(colour, 3);
    }
  }
}

double marks_ms(const Frame& screen) {
  std::vector<Element> elements;
  for (int i = 0; i < 150; ++i) {
    Element element;
    element.role = "push button";
    element.states.set(ElementState::showing);
    element.bounds = {20.0 + i % 10 * 185, 14.0 + i / 10 * 70, 150, 30};
    elements.push_back(element);
  }
  const Size size = vision::fit(kScreen);
  Frame sized;
  if (!vision::picture_of(screen, size, {}, &sized).ok()) return -1;
  const double before = now_ms();
  std::vector<vision::Mark> marks;
  for (const vision::MarkedElement& one : vision::select_marks(elements, {0, 0, 1920, 1080}, size))
    marks.push_back(one.mark);
  vision::draw_marks(sized, marks);
  return now_ms() - before;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 1;
  std::multiset<std::string> drawn;
  const Frame screen = draw(0, &drawn), changed = draw(1, nullptr);
  write_ppm(screen, arguments[1]);
  const Rect area{0, 0, kScreen.width, kScreen.height};
  std::string line;
  while (std::getline(std::cin, line)) {
    vision::TextReader reader;
    double before = now_ms();
    const auto read = reader.read(screen, area);  // loads the model as the command line does
    const double cold = now_ms() - before;
    if (!read.ok()) {
      std::fprintf(stderr, "bench_reading: %s\n", to_text(read.error()).c_str());
      return 1;
    }
    before = now_ms();
    const bool again = reader.read(screen, area).ok();
    const double same = now_ms() - before;
    before = now_ms();
    const bool other = reader.read(changed, area).ok();
    const double small = now_ms() - before;
    std::multiset<std::string> missed = drawn;
    for (const vision::TextLine& found : read->lines) {
      for (const vision::TextWord& word : found.words) {
        if (const auto at = missed.find(word.text); at != missed.end()) missed.erase(at);
      }
    }
    if (!again || !other) return 1;
    std::printf(
        "{\"cold\": %.3f, \"unchanged\": %.3f, \"changed\": %.3f, \"words\": %zu, \"missed\": %zu, \"marks\": %.3f}\n",
        cold, same, small, drawn.size(), missed.size(), marks_ms(screen));
    std::fflush(stdout);
  }
  return 0;
}
