#include "contract/suite.h"

#include <algorithm>

namespace handrail::contract {

OpenApp Contract::editor() {
  const OpenApp app = desk().open_editor("editor", {200, 150, 500, 350});
  const auto clicked = perform({MoveTo{app.content.centre()}, ButtonDown{}, ButtonUp{}});
  EXPECT_TRUE(clicked.ok()) << to_text(clicked.error());
  wait_for(app.window, {Received::Kind::release}, 1);
  return app;
}

bool Contract::eventually(const std::function<bool()>& holds) {
  const Deadline deadline = soon();
  while (!holds()) {
    if (!desk().wait_for_news(deadline)) return holds();
  }
  return true;
}

std::vector<Received> Contract::wait_for(WindowId window, std::vector<Received::Kind> kinds, std::size_t count) {
  std::vector<Received> found;
  const bool enough = eventually([&] {
    found = desk().received(window);
    std::erase_if(
        found, [&](const Received& event) { return std::find(kinds.begin(), kinds.end(), event.kind) == kinds.end(); });
    return found.size() >= count;
  });
  EXPECT_TRUE(enough) << "the app received " << found.size() << " of " << count << " events";
  // Rows read the events that they asked for.
  found.resize(std::max(found.size(), count));
  return found;
}

Key key(const std::string& name) { return parse_key(name).value(); }

std::vector<Step> chord(const std::string& keys) {
  const Chord parsed = parse_chord(keys).value();
  std::vector<Step> steps;
  for (const Key pressed : parsed.keys) steps.push_back(KeyDown{pressed});
  for (auto released = parsed.keys.rbegin(); released != parsed.keys.rend(); ++released) {
    steps.push_back(KeyUp{*released});
  }
  return steps;
}

CaptureRequest of_window(WindowId window) {
  CaptureRequest request;
  request.window = window;
  return request;
}

CaptureRequest of_region(int display, const Rect& region) {
  CaptureRequest request;
  request.display = display;
  request.region = region;
  return request;
}

Colour colour_at(const Capture& capture, Point at) {
  const int x = static_cast<int>((at.x - capture.area.x) * capture.scale);
  const int y = static_cast<int>((at.y - capture.area.y) * capture.scale);
  if (x < 0 || y < 0 || x >= capture.frame.width || y >= capture.frame.height) {
    ADD_FAILURE() << "the capture does not show " << at.x << "," << at.y;
    return {};
  }
  const std::uint8_t* pixel = capture.frame.row(y) + static_cast<std::size_t>(x) * 4;
  return {pixel[2], pixel[1], pixel[0]};
}

}  // namespace handrail::contract
