// Wire strings of the model's enums.
#pragma once

#include "describe/fields.h"
#include "model/frame.h"
#include "model/input_plan.h"
#include "model/key.h"
#include "model/look.h"
#include "model/outcome.h"

namespace handrail::describe {

template <>
struct Names<Button> {
  static constexpr std::array list{Name{Button::left, "left"}, Name{Button::middle, "middle"},
                                   Name{Button::right, "right"}, Name{Button::x1, "x1"}, Name{Button::x2, "x2"}};
};
template <>
struct Names<Modifier> {
  static constexpr std::array list{Name{Modifier::ctrl, "ctrl"}, Name{Modifier::shift, "shift"},
                                   Name{Modifier::alt, "alt"}, Name{Modifier::super, "super"}};
};
template <>
struct Names<Basis> {
  static constexpr std::array list{Name{Basis::pixels, "pixels"}, Name{Basis::normalized_0_100, "normalized_0_100"},
                                   Name{Basis::normalized_0_1000, "normalized_0_1000"}, Name{Basis::points, "points"}};
};
template <>
struct Names<ImageFormat> {
  static constexpr std::array list{Name{ImageFormat::jpeg, "jpeg"}, Name{ImageFormat::png, "png"},
                                   Name{ImageFormat::webp, "webp"}};
};
template <>
struct Names<Selection> {
  static constexpr std::array list{Name{Selection::clipboard, "clipboard"}, Name{Selection::primary, "primary"}};
};
template <>
struct Names<WindowState> {
  static constexpr std::array list{Name{WindowState::normal, "normal"}, Name{WindowState::minimised, "minimised"},
                                   Name{WindowState::maximised, "maximised"},
                                   Name{WindowState::fullscreen, "fullscreen"}};
};
template <>
struct Names<Effect> {
  static constexpr std::array list{
      Name{Effect::confirmed, name(Effect::confirmed)}, Name{Effect::partial, name(Effect::partial)},
      Name{Effect::unverified, name(Effect::unverified)}, Name{Effect::suspected_noop, name(Effect::suspected_noop)},
      Name{Effect::refused, name(Effect::refused)}};
};
template <>
struct Names<Route> {
  static constexpr std::array list{Name{Route::accessibility, "accessibility"}, Name{Route::agent_seat, "agent_seat"},
                                   Name{Route::user_seat, "user_seat"}, Name{Route::clipboard, "clipboard"},
                                   Name{Route::system, "system"}};
};
template <>
struct Names<Evidence> {
  static constexpr std::array list{
      Name{Evidence::value_readback, "value_readback"}, Name{Evidence::delivered, "delivered"},
      Name{Evidence::window_change, "window_change"}, Name{Evidence::pixels_changed, "pixels_changed"}};
};
template <>
struct Names<Delivery> {
  static constexpr std::array list{Name{Delivery::background, "background"}, Name{Delivery::foreground, "foreground"}};
};
template <>
struct Names<SideEffects> {
  static constexpr std::array list{Name{SideEffects::none, "none"}, Name{SideEffects::possible, "possible"},
                                   Name{SideEffects::partial, "partial"}};
};
template <>
struct Names<Retry> {
  static constexpr std::array list{Name{Retry::never, "never"},           Name{Retry::fix_arguments, "fix_arguments"},
                                   Name{Retry::look_again, "look_again"}, Name{Retry::later, "later"},
                                   Name{Retry::after_fix, "after_fix"},   Name{Retry::ask_person, "ask_person"}};
};

}  // namespace handrail::describe
