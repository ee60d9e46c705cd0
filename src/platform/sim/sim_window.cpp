#include "platform/sim/sim_window.h"

#include <xkbcommon/xkbcommon-keysyms.h>
#include <xkbcommon/xkbcommon.h>

#include <algorithm>
#include <array>

#include "computer/ports.h"

namespace handrail::sim {
namespace {

constexpr double kTickPoints = 40;

template <class Widgets>
int widget_at(const SimWindow& window, const Widgets& widgets, Point at) {
  for (std::size_t i = 0; i < widgets.size(); ++i) {
    if (window.desktop_place(widgets[i].place).contains(at)) return static_cast<int>(i);
  }
  return -1;
}

bool holds(const Event& event, Modifier modifier) {
  return std::find(event.modifiers.begin(), event.modifiers.end(), modifier) != event.modifiers.end();
}

void insert(TextField& field, const std::string& text) {
  if (field.selected) field.text.clear();
  field.selected = false;
  field.text += text;
}

void backspace(TextField& field) {
  if (field.selected) return insert(field, "");
  while (!field.text.empty()) {
    const auto byte = static_cast<unsigned char>(field.text.back());
    field.text.pop_back();
    if ((byte & 0xC0) != 0x80) return;
  }
}

std::string typed_by(const Event& event) {
  switch (event.key.keysym) {
    case XKB_KEY_Return:
    case XKB_KEY_KP_Enter: return "\n";
    case XKB_KEY_Tab: return "\t";
    default: break;
  }
  xkb_keysym_t keysym = event.key.keysym;
  if (holds(event, Modifier::shift)) keysym = xkb_keysym_to_upper(keysym);
  const std::uint32_t character = xkb_keysym_to_utf32(keysym);
  if (character < 0x20 || character == 0x7F) return {};
  std::array<char, 8> utf8{};
  const int written = xkb_keysym_to_utf8(keysym, utf8.data(), utf8.size());
  return written > 1 ? std::string(utf8.data(), static_cast<std::size_t>(written - 1)) : std::string();
}

void edit(TextField& field, std::uint32_t letter, Clipboards& clipboards) {
  switch (letter) {
    case XKB_KEY_a:
      field.selected = true;
      clipboards.set_text(Selection::primary, field.text);
      return;
    case XKB_KEY_c:
    case XKB_KEY_x:
      if (!field.selected) return;
      clipboards.set_text(Selection::clipboard, field.text);
      if (letter == XKB_KEY_x) insert(field, "");
      return;
    case XKB_KEY_v: return insert(field, clipboards.text(Selection::clipboard));
    default: return;
  }
}

}  // namespace

std::optional<Modifier> modifier_of(Key key) {
  switch (key.keysym) {
    case XKB_KEY_Control_L:
    case XKB_KEY_Control_R: return Modifier::ctrl;
    case XKB_KEY_Shift_L:
    case XKB_KEY_Shift_R: return Modifier::shift;
    case XKB_KEY_Alt_L:
    case XKB_KEY_Alt_R:
    case XKB_KEY_Meta_L:
    case XKB_KEY_Meta_R: return Modifier::alt;
    case XKB_KEY_Super_L:
    case XKB_KEY_Super_R: return Modifier::super;
    default: return std::nullopt;
  }
}

void Clipboards::set(Selection selection, std::vector<ClipItem> items) {
  (selection == Selection::clipboard ? clipboard_ : primary_) = std::move(items);
}

void Clipboards::set_text(Selection selection, std::string text) {
  set(selection, {{std::string(kPlainText), std::move(text)}});
}

std::string Clipboards::text(Selection selection) const {
  for (const ClipItem& item : of(selection)) {
    if (item.mime == kPlainText) return item.bytes;
  }
  return {};
}

void Clipboards::clear() {
  clipboard_.clear();
  primary_.clear();
}

const std::vector<ClipItem>& Clipboards::of(Selection selection) const {
  return selection == Selection::clipboard ? clipboard_ : primary_;
}

Rect SimWindow::content() const {
  const Rect& outer = spec.bounds;
  return {outer.x + kFrame.left, outer.y + kFrame.top, std::max(0.0, outer.width - kFrame.left - kFrame.right),
          std::max(0.0, outer.height - kFrame.top - kFrame.bottom)};
}

Rect SimWindow::desktop_place(const Rect& widget) const {
  const Rect inside = content();
  return intersect(inside, {inside.x + widget.x, inside.y + widget.y, widget.width, widget.height});
}

void SimWindow::take(const Event& event, Clipboards& clipboards) {
  log.push_back(event);
  switch (event.kind) {
    case EventKind::press: return take_press(event, clipboards);
    case EventKind::release: return take_release(event);
    case EventKind::wheel: return take_wheel(event);
    case EventKind::key_down: return take_key(event, clipboards);
    default: return;
  }
}

void SimWindow::take_press(const Event& event, Clipboards& clipboards) {
  const int field = widget_at(*this, spec.fields, event.at);
  if (field >= 0 && event.button == Button::middle) {
    insert(spec.fields[static_cast<std::size_t>(field)], clipboards.text(Selection::primary));
  }
  if (event.button != Button::left) return;
  if (field >= 0) {
    focused_field_ = field;
    spec.fields[static_cast<std::size_t>(field)].selected = event.count == 3;
  }
  armed_button_ = widget_at(*this, spec.buttons, event.at);
}

void SimWindow::take_release(const Event& event) {
  if (event.button != Button::left) return;
  const int armed = std::exchange(armed_button_, -1);
  if (armed >= 0 && widget_at(*this, spec.buttons, event.at) == armed) {
    ++spec.buttons[static_cast<std::size_t>(armed)].clicks;
  }
}

void SimWindow::take_wheel(const Event& event) {
  const int found = widget_at(*this, spec.scrolls, event.at);
  if (found < 0) return;
  ScrollArea& area = spec.scrolls[static_cast<std::size_t>(found)];
  const double right_end = std::max(0.0, area.extent.width - area.place.width);
  const double bottom_end = std::max(0.0, area.extent.height - area.place.height);
  area.offset.x = std::clamp(area.offset.x + event.wheel.right * kTickPoints, 0.0, right_end);
  area.offset.y = std::clamp(area.offset.y + event.wheel.down * kTickPoints, 0.0, bottom_end);
}

void SimWindow::take_key(const Event& event, Clipboards& clipboards) {
  if (focused_field_ < 0) return;
  TextField& field = spec.fields[static_cast<std::size_t>(focused_field_)];
  if (holds(event, Modifier::ctrl)) return edit(field, xkb_keysym_to_lower(event.key.keysym), clipboards);
  if (holds(event, Modifier::alt) || holds(event, Modifier::super)) return;
  if (event.key.keysym == XKB_KEY_BackSpace) return backspace(field);
  if (event.key.keysym == XKB_KEY_End) field.selected = false;
  if (const std::string text = typed_by(event); !text.empty()) insert(field, text);
}

}  // namespace handrail::sim
