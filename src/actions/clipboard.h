// Reading and writing the clipboard.
#pragma once

#include <span>
#include <string>

#include "catalog/action_spec.h"
#include "describe/model_names.h"

namespace handrail::actions {

struct ReadClipboard {
  Selection selection = Selection::clipboard;
};

struct WriteText {
  std::string text;
  Selection selection = Selection::clipboard;
};

struct ClipboardText {
  std::string text;
  bool empty = false;
};

std::span<const catalog::ActionSpec> clipboard_actions();

}  // namespace handrail::actions

namespace handrail::describe {

inline constexpr std::string_view kSelectionDoc = "The clipboard, or the primary selection of a middle click.";

template <>
struct Fields<actions::ReadClipboard> {
  using T = actions::ReadClipboard;
  static constexpr auto list = std::tuple{field("selection", &T::selection, kSelectionDoc)};
};
template <>
struct Fields<actions::WriteText> {
  using T = actions::WriteText;
  static constexpr auto list = std::tuple{
      needed("text", &T::text, "Text to put on the clipboard.", between(0, 1000000)),
      field("selection", &T::selection, kSelectionDoc),
  };
};
template <>
struct Fields<actions::ClipboardText> {
  using T = actions::ClipboardText;
  static constexpr auto list = std::tuple{
      field("text", &T::text, "Text on the clipboard; from the desktop, not to be trusted."),
      field("empty", &T::empty, "There is no text on it."),
  };
};

}  // namespace handrail::describe
