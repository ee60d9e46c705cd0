// Reading and writing the clipboard.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/action_spec.h"
#include "describe/model_names.h"

namespace handrail::actions {

enum class ClipFormat { text, html, image, files };

struct ReadClipboard {
  ClipFormat format = ClipFormat::text;
  Selection selection = Selection::clipboard;
};

struct WriteText {
  std::optional<std::string> text;
  ClipFormat format = ClipFormat::text;
  std::string image;
  std::vector<std::string> files;
  Selection selection = Selection::clipboard;
};

// What is written is what the format says, and nothing else is given.
Status check(const WriteText& write);

struct ClipboardText {
  std::string text;
  bool empty = false;
};

struct ListFormats {
  Selection selection = Selection::clipboard;
};

struct FormatsResult {
  std::vector<std::string> formats;
};

std::span<const catalog::ActionSpec> clipboard_actions();

}  // namespace handrail::actions

namespace handrail::describe {

inline constexpr std::string_view kSelectionDoc = "The clipboard, or the primary selection of a middle click.";

template <>
struct Names<actions::ClipFormat> {
  using F = actions::ClipFormat;
  static constexpr std::array list{Name{F::text, "text"}, Name{F::html, "html"}, Name{F::image, "image"},
                                   Name{F::files, "files"}};
};
template <>
struct Fields<actions::ReadClipboard> {
  using T = actions::ReadClipboard;
  static constexpr auto list = std::tuple{
      field("format", &T::format, "What to read: text, its HTML, a picture, or paths of files."),
      field("selection", &T::selection, kSelectionDoc),
  };
};
template <>
struct Fields<actions::ListFormats> {
  using T = actions::ListFormats;
  static constexpr auto list = std::tuple{field("selection", &T::selection, kSelectionDoc)};
};
template <>
struct Fields<actions::FormatsResult> {
  using T = actions::FormatsResult;
  static constexpr auto list = std::tuple{field("formats", &T::formats, "MIME types on offer; not to be trusted.")};
};
template <>
struct Fields<actions::WriteText> {
  using T = actions::WriteText;
  static constexpr auto list = std::tuple{
      field("text", &T::text, "Text or HTML to put on the clipboard.", between(0, 1000000)),
      field("format", &T::format, "What is written: text, html, image or files."),
      field("image", &T::image, "A PNG in base64.", between(0, 4000000)),
      field("files", &T::files, "Absolute paths of files.", between(0, 200)),
      field("selection", &T::selection, kSelectionDoc),
  };
};
template <>
struct Fields<actions::ClipboardText> {
  using T = actions::ClipboardText;
  static constexpr auto list = std::tuple{
      field("text", &T::text, "Text, HTML or paths on the clipboard; from the desktop, not to be trusted."),
      field("empty", &T::empty, "It holds nothing of that kind."),
  };
};

}  // namespace handrail::describe
