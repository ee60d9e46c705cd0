// Reads text from a drawn screen of about 900 words, and from one of many sizes, and draws marks. Writes the screens as
// PPM files for others to read, with their words beside them, then answers each line of standard input with one round
// as JSON: milliseconds, and words that were missed.
#include <pango/pangocairo.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <sstream>
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

double processor_ms() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) / 1e6;
}

// A screen to write on, and what was written.
class Drawn {
 public:
  Drawn() : frame_(make_frame(kScreen)) {
    surface_ = cairo_image_surface_create_for_data(writable(frame_), CAIRO_FORMAT_RGB24, kScreen.width, kScreen.height,
                                                   static_cast<int>(frame_.stride));
    cairo_ = cairo_create(surface_);
    box(0, 0, kScreen.width, kScreen.height, 1);
    layout_ = pango_cairo_create_layout(cairo_);
  }
  ~Drawn() {
    g_object_unref(layout_);
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
  }
  Drawn(const Drawn&) = delete;
  Drawn& operator=(const Drawn&) = delete;

  void box(double x, double y, double width, double height, double grey) {
    cairo_set_source_rgb(cairo_, grey, grey, grey);
    cairo_rectangle(cairo_, x, y, width, height);
    cairo_fill(cairo_);
  }
  void line(double x, double y, const std::string& text, const char* family, double size, double grey) {
    PangoFontDescription* font = pango_font_description_from_string(family);
    pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
    pango_layout_set_font_description(layout_, font);
    pango_font_description_free(font);
    pango_layout_set_text(layout_, text.c_str(), -1);
    cairo_set_source_rgb(cairo_, grey, grey, grey);
    cairo_move_to(cairo_, x, y);
    pango_cairo_show_layout(cairo_, layout_);
    std::istringstream all(text);
    for (std::string word; all >> word;) words_.insert(word);
    cairo_surface_flush(surface_);
  }
  const Frame& frame() const { return frame_; }
  const std::multiset<std::string>& words() const { return words_; }

 private:
  Frame frame_;
  std::multiset<std::string> words_;
  cairo_surface_t* surface_;
  cairo_t* cairo_;
  PangoLayout* layout_;
};

// Three columns of lines; the words of one line depend on `variant`.
void draw_even(Drawn& to, int variant) {
  for (int line = 0; line < 43; ++line) {
    for (int column = 0; column < 3; ++column) {
      std::mt19937 random(static_cast<unsigned>(line * 3 + column + (line == 20 && column == 1 ? 1000 * variant : 0)));
      std::string text;
      for (int word = 0; word < 7; ++word) {
        text += (word == 0 ? "" : " ") + std::string(kWords[random() % std::size(kWords)]);
      }
      to.line(20 + column * 635, 14 + line * 24.5, text, "DejaVu Sans", 15, 0.1);
    }
  }
}

// Words, names, numbers and capitals of many sizes, dark on light and light on dark.
void draw_varied(Drawn& to) {
  constexpr const char* kFamilies[] = {"DejaVu Sans", "DejaVu Sans Mono", "DejaVu Serif", "DejaVu Sans Bold"};
  to.box(960, 0, 960, 1080, 0.14);
  std::mt19937 random(5);
  int count = 0;
  for (double y = 10; y < 1040; ++count) {
    const double size = 10 + count % 9;
    for (int column = 0; column < 4; ++column) {
      std::string text;
      for (int word = 0; word < 4; ++word) {
        std::string one = kWords[random() % std::size(kWords)];
        const unsigned kind = random() % 4;
        if (kind == 1) one[0] = static_cast<char>(std::toupper(one[0]));
        if (kind == 2) std::ranges::transform(one, one.begin(), [](char c) { return std::toupper(c); });
        if (kind == 3) one = std::to_string(random() % 100000);
        text += (word == 0 ? "" : " ") + one;
      }
      to.line(15 + column * 480, y, text, kFamilies[count % 4], size, column < 2 ? 0.1 : 0.9);
    }
    y += size * 1.9;
  }
}

void write_words(const std::multiset<std::string>& words, const std::string& path) {
  std::ofstream out(path);
  for (const std::string& word : words) out << word << "\n";
}

Frame region_of(const Frame& frame, const PixelRect& box) {
  Frame part = make_frame({box.width, box.height});
  for (int y = 0; y < box.height; ++y) {
    std::memcpy(writable(part) + static_cast<std::size_t>(y) * part.stride,
                frame.row(box.y + y) + static_cast<std::size_t>(box.x) * 4, static_cast<std::size_t>(box.width) * 4);
  }
  return part;
}

std::size_t missed_of(std::multiset<std::string> drawn, const vision::ReadText& read) {
  for (const vision::TextLine& line : read.lines) {
    for (const vision::TextWord& word : line.words) {
      if (const auto at = drawn.find(word.text); at != drawn.end()) drawn.erase(at);
    }
  }
  return drawn.size();
}

void write_ppm(const Frame& frame, const std::string& path) {
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

// Milliseconds of one reading; exits when there is no engine.
double read_ms(vision::TextReader& reader, const Frame& frame, vision::ReadText* text = nullptr) {
  const double before = now_ms();
  auto read = reader.read(frame, {0, 0, static_cast<double>(frame.width), static_cast<double>(frame.height)});
  const double took = now_ms() - before;
  if (!read.ok()) {
    std::fprintf(stderr, "bench_reading: %s\n", to_text(read.error()).c_str());
    std::exit(1);
  }
  if (text != nullptr) *text = std::move(read).value();
  return took;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 1;
  const std::string path = arguments[1];
  Drawn even, other, varied;
  draw_even(even, 0);
  draw_even(other, 1);
  draw_varied(varied);
  write_ppm(even.frame(), path);
  write_words(even.words(), path + ".words");
  write_ppm(varied.frame(), path + ".varied.ppm");
  write_words(varied.words(), path + ".varied.ppm.words");
  const Frame region = region_of(other.frame(), {635, 400, 640, 220});
  std::string line;
  while (std::getline(std::cin, line)) {
    vision::ReadText text, varied_text;
    vision::TextReader reader, for_region, for_varied;
    const double used = processor_ms();
    const double cold = read_ms(reader, even.frame(), &text);  // loads the model as the command line does
    const double processor = processor_ms() - used;
    const double same = read_ms(reader, even.frame());
    const double small = read_ms(reader, other.frame());
    const double region_cold = read_ms(for_region, region);
    read_ms(for_varied, varied.frame(), &varied_text);
    const double region_loaded = read_ms(for_varied, region);  // the model is there, the text is new
    std::printf(
        "{\"cold\": %.3f, \"processor\": %.3f, \"unchanged\": %.3f, \"changed\": %.3f, \"region_cold\": %.3f, "
        "\"region\": %.3f, \"words\": %zu, \"missed\": %zu, \"varied_words\": %zu, \"varied_missed\": %zu, "
        "\"marks\": %.3f}\n",
        cold, processor, same, small, region_cold, region_loaded, even.words().size(), missed_of(even.words(), text),
        varied.words().size(), missed_of(varied.words(), varied_text), marks_ms(even.frame()));
    std::fflush(stdout);
  }
  return 0;
}
