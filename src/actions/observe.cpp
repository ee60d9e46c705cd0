#include "actions/observe.h"

#include <fmt/format.h>

#include <cmath>

#include "actions/context.h"
#include "base/counted.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::Tier;
using catalog::Touches;

Outcome shown(LookResult seen, std::string text) {
  ShotResult result;
  result.look = seen.look.id;
  result.display = seen.look.display;
  result.width = seen.picture.size.width;
  result.height = seen.picture.size.height;
  result.area = {seen.look.area.x, seen.look.area.y, seen.look.area.width, seen.look.area.height};
  result.scale = seen.look.scale;
  result.format = seen.picture.format;
  result.bytes = static_cast<int>(seen.picture.bytes.size());
  result.frozen = seen.frozen;
  Outcome outcome = observed(describe::encode(result));
  outcome.text = std::move(text);
  if (seen.unsaid > 0) outcome.text += unsaid_note(seen.unsaid);
  if (seen.hidden > 0) {
    outcome.text += fmt::format(" {} window(s) of apps that are not granted are grey boxes.", seen.hidden);
  }
  if (seen.frozen) outcome.text += " The window is not drawn now; this is its last picture.";
  outcome.pictures.push_back(std::move(seen.picture));
  return outcome;
}

Result<Outcome> run_screenshot(ActionContext& context, const Screenshot& shot) {
  LookRequest request;
  request.display = shot.display;
  if (shot.window) request.window = static_cast<WindowId>(*shot.window);
  request.show_cursor = shot.show_cursor;
  request.format = shot.format;
  request.quality = shot.quality;
  request.max_width = shot.max_width;
  request.max_height = shot.max_height;
  request.max_bytes = shot.max_bytes;
  LookResult seen = TRY(context.look(request));
  std::string text =
      fmt::format("{} as {}x{} pixels. Later coordinates refer to this picture.",
                  shot.window ? fmt::format("Window {}", *shot.window) : fmt::format("Display {}", seen.look.display),
                  seen.picture.size.width, seen.picture.size.height);
  return shown(std::move(seen), std::move(text));
}

// A part of the picture in logical points.
Result<Rect> locate_region(ActionContext& context, const Rect& part, Basis basis) {
  const Point first = TRY(context.locate(part.origin(), basis, "region"));
  const auto basis_look = context.last_look();
  if (basis == Basis::points || !basis_look) return Rect{first.x, first.y, part.width, part.height};
  // The far corner is an edge, not a pixel: locate the pixel before it, then step back out.
  const Point end{part.x + part.width, part.y + part.height};
  TRY(context.locate({std::nexttoward(end.x, 0), std::nexttoward(end.y, 0)}, basis, "region"));
  const Look& look = *basis_look;
  const Point whole = from_desktop(look, {look.area.x + look.area.width, look.area.y + look.area.height}, basis);
  return Rect{first.x, first.y, part.width * look.area.width / whole.x, part.height * look.area.height / whole.y};
}

Result<Outcome> run_ocr(ActionContext& context, const Ocr& ocr) {
  LookRequest request;
  request.kind = LookKind::detail;
  if (ocr.region) request.region = TRY(locate_region(context, *ocr.region, ocr.basis));
  if (ocr.window) request.window = static_cast<WindowId>(*ocr.window);
  const TextSeen seen = TRY(context.read_text(request));
  OcrResult result;
  std::string text;
  for (const TextSeen::Line& line : seen.lines) {
    const Rect& box = line.box;
    result.lines.push_back({line.text, {box.x, box.y, box.width, box.height}, std::round(line.confidence * 100) / 100});
    text += line.text + "\n";
  }
  Outcome outcome = observed(describe::encode(result));
  outcome.text =
      seen.lines.empty() ? "(no text detected)" : fmt::format("{} of text.", counted(seen.lines.size(), "line"));
  if (!seen.complete) outcome.text += " There was more than could be read.";
  outcome.untrusted = std::move(text);
  return outcome;
}

Result<Outcome> run_zoom(ActionContext& context, const Zoom& zoom) {
  LookRequest request;
  request.kind = LookKind::detail;
  request.region = TRY(locate_region(context, zoom.region, zoom.basis));
  request.format = zoom.format;
  request.quality = zoom.quality;
  LookResult seen = TRY(context.look(request));
  std::string text = fmt::format("The region as {}x{} pixels. Coordinates still refer to the last screenshot.",
                                 seen.picture.size.width, seen.picture.size.height);
  return shown(std::move(seen), std::move(text));
}

Result<Outcome> run_cursor_position(ActionContext& context, const CursorPosition& position) {
  const Point at = TRY(context.cursor());
  CursorResult result;
  result.at = at;
  // Before the first screenshot there are no pixels to tell: desktop points, and the answer says so.
  if (const auto look = context.last_look(); look && position.basis != Basis::points) {
    result.basis = position.basis;
    result.at = from_desktop(*look, at, position.basis);
  }
  if (result.basis == Basis::pixels) {
    // The pixel that it is in: what a click there would be given.
    result.at = {std::floor(result.at.x), std::floor(result.at.y)};
  } else {
    // A tenth of a unit is finer than a pixel and short to read.
    result.at = {std::round(result.at.x * 10) / 10, std::round(result.at.y * 10) / 10};
  }
  const auto displays = TRY(context.displays());
  if (const Display* display = display_at(displays, at)) result.display = display->id;
  Outcome outcome = observed(describe::encode(result));
  outcome.text =
      fmt::format("The pointer is at [{:g}, {:g}] ({}).", result.at.x, result.at.y, describe::name_of(result.basis));
  return outcome;
}

Result<Outcome> run_displays(ActionContext& context, const NoParams&) {
  DisplaysResult result;
  for (const Display& display : TRY(context.displays())) {
    result.displays.push_back({display.id,
                               display.name,
                               {display.bounds.x, display.bounds.y, display.bounds.width, display.bounds.height},
                               {display.pixels.x, display.pixels.y, display.pixels.width, display.pixels.height},
                               display.scale,
                               display.id == context.selected_display()});
  }
  Outcome outcome = observed(describe::encode(result));
  outcome.text = fmt::format("{}.", counted(result.displays.size(), "display"));
  return outcome;
}

constexpr std::array kScreenshot{
    Example{"See the screen.", "{}"},
    Example{"A lossless picture with the pointer.", R"({"format": "png", "show_cursor": true})"},
};
constexpr std::array kZoom{Example{"Read small print.", R"({"region": [100, 100, 400, 250]})"}};
constexpr std::array kOcr{Example{"Read a part of the screen.", R"({"region": [100, 100, 400, 250]})"}};
constexpr std::array kEmpty{Example{"Ask.", "{}"}};

constexpr std::array kObserveActions{
    action<Screenshot, ShotResult, run_screenshot>(
        "screenshot", Category::observe, Touches::nothing, Tier::read, Capability::screen,
        "Take a picture of a display or a window; later coordinates refer to it.", kScreenshot),
    action<Zoom, ShotResult, run_zoom>("zoom", Category::observe, Touches::nothing, Tier::read, Capability::screen,
                                       "See a part of the screen in full resolution; coordinates keep referring to "
                                       "the last screenshot.",
                                       kZoom),
    action<Ocr, OcrResult, run_ocr>("ocr", Category::observe, Touches::nothing, Tier::read, Capability::screen,
                                    "Read the text of the screen, a window or a part of it by its pixels.", kOcr),
    action<CursorPosition, CursorResult, run_cursor_position>("cursor_position", Category::observe, Touches::nothing,
                                                              Tier::click, Capability::screen,
                                                              "Tell where the pointer is.", kEmpty),
    action<NoParams, DisplaysResult, run_displays>("displays", Category::observe, Touches::nothing, Tier::none,
                                                   Capability::screen, "List the displays.", kEmpty),
};

}  // namespace

std::string unsaid_note(int windows) {
  return fmt::format(
      " {} window(s) are covered: their apps have just started, or do not answer, and have not said what they show. "
      "Look again in a moment.",
      windows);
}

std::span<const catalog::ActionSpec> observe_actions() { return kObserveActions; }

}  // namespace handrail::actions
