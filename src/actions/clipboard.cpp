#include "actions/clipboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "actions/context.h"
#include "base/base64.h"
#include "base/counted.h"
#include "base/nearest.h"
#include "base/one_line.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::NoResult;
using catalog::Tier;
using catalog::Touches;

constexpr std::size_t kMaxReadBytes = 16000;

constexpr std::size_t kMostPicture = 8 * 1024 * 1024;
constexpr std::string_view kFileScheme = "file://";

std::string mime_of(ClipFormat format) {
  switch (format) {
    case ClipFormat::html: return "text/html";
    case ClipFormat::image: return "image/png";
    case ClipFormat::files: return "text/uri-list";
    case ClipFormat::text: break;
  }
  return "text/plain;charset=utf-8";
}

std::string_view word(ClipFormat format) {
  switch (format) {
    case ClipFormat::html: return "HTML";
    case ClipFormat::image: return "picture";
    case ClipFormat::files: return "files";
    case ClipFormat::text: break;
  }
  return "text";
}

// Size in the header of a PNG; nothing when it is none.
std::optional<Size> png_size(std::string_view bytes) {
  constexpr std::string_view kStart("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  if (bytes.size() < 33 || !bytes.starts_with(kStart)) return std::nullopt;
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
  };
  constexpr std::uint32_t kMostSide = 20000;
  const std::uint32_t width = number(16), height = number(20);
  if (width == 0 || height == 0 || width > kMostSide || height > kMostSide) return std::nullopt;
  return Size{static_cast<int>(width), static_cast<int>(height)};
}

std::string address_of(const std::string& path) {
  std::string address(kFileScheme);
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    address += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return address;
}

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// One path a line; addresses of other kinds stay as they are.
std::string paths_in(std::string_view list) {
  std::string paths;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find('\n'), list.size());
    std::string_view line = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with(kFileScheme)) line.remove_prefix(kFileScheme.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool coded = line[i] == '%' && i + 2 < line.size() && hex(line[i + 1]) >= 0 && hex(line[i + 2]) >= 0;
      paths += coded ? static_cast<char>(hex(line[i + 1]) * 16 + hex(line[i + 2])) : line[i];
      if (coded) i += 2;
    }
    paths += '\n';
  }
  return paths;
}

// What an app without HTML gets: the text between the tags.
std::string without_tags(std::string_view html) {
  std::string text;
  bool inside = false;
  for (const char c : html) {
    if (c == '<')
      inside = true;
    else if (c == '>')
      inside = false;
    else if (!inside)
      text += c;
  }
  for (const auto& [code, letter] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}) {
    for (std::size_t at = text.find(code); at != std::string::npos; at = text.find(code, at + 1)) {
      text.replace(at, std::string_view(code).size(), letter);
    }
  }
  return text;
}

Result<Outcome> picture_of(const std::string& bytes) {
  const auto size = png_size(bytes);
  if (!size) return make_error(Code::protocol, "What is on the clipboard as a picture is no PNG.");
  if (bytes.size() > kMostPicture) {
    return make_error(Code::too_large, fmt::format("The picture on the clipboard has {} bytes.", bytes.size()))
        .with_hint("Have a smaller one copied.");
  }
  Outcome outcome = observed(describe::encode(ClipboardText{}));
  outcome.text = fmt::format("A picture of {}x{} pixels is on the clipboard.", size->width, size->height);
  outcome.pictures.push_back({ImageFormat::png, *size, {bytes.begin(), bytes.end()}});
  return outcome;
}

Result<Outcome> run_read(ActionContext& context, const ReadClipboard& read) {
  ClipboardText result;
  auto content = context.clipboard(read.selection, mime_of(read.format));
  if (!content.ok() && content.error().code != Code::not_found) return std::move(content).error();
  if (content.ok() && read.format == ClipFormat::image) return picture_of(*content);
  result.empty = !content.ok();
  if (content.ok()) result.text = read.format == ClipFormat::files ? paths_in(*content) : std::move(content).value();
  const std::size_t whole = result.text.size();
  result.text = shortened(result.text, kMaxReadBytes);
  Outcome outcome = observed(describe::encode(result));
  const std::string_view what = word(read.format);
  outcome.text = result.empty            ? fmt::format("There is no {} on the clipboard.", what)
                 : whole > kMaxReadBytes ? fmt::format("{} bytes of {} on the clipboard, of which the first {} follow.",
                                                       whole, what, kMaxReadBytes)
                                         : fmt::format("{} bytes of {} on the clipboard.", whole, what);
  outcome.untrusted = result.text;
  return outcome;
}

Result<Outcome> run_formats(ActionContext& context, const ListFormats& list) {
  const FormatsResult result{TRY(context.clipboard_formats(list.selection))};
  Outcome outcome = observed(describe::encode(result));
  outcome.text = fmt::format("{} on the clipboard.", counted(result.formats.size(), "format"));
  for (const std::string& each : result.formats) outcome.untrusted += one_line(each) + "\n";
  return outcome;
}

std::vector<ClipItem> items_of(const WriteText& write) {
  const std::string mime = mime_of(write.format), plain = mime_of(ClipFormat::text);
  switch (write.format) {
    case ClipFormat::html: return {{mime, *write.text}, {plain, without_tags(*write.text)}};
    case ClipFormat::image: {
      const auto bytes = base64_decode(write.image);
      return {{mime, bytes.ok() ? std::string(bytes->begin(), bytes->end()) : ""}};
    }
    case ClipFormat::files: {
      std::string list, lines;
      for (const std::string& file : write.files) {
        list += address_of(file) + "\r\n";
        lines += (lines.empty() ? "" : "\n") + address_of(file);
      }
      return {{mime, list}, {"x-special/gnome-copied-files", "copy\n" + lines}};
    }
    case ClipFormat::text: break;
  }
  return {{mime, write.text.value_or("")}};
}

Result<Outcome> run_write(ActionContext& context, const WriteText& write) {
  return context.perform(WriteClipboard{write.selection, items_of(write)});
}

constexpr std::array kRead{Example{"What was copied.", "{}"}, Example{"A picture.", R"({"format": "image"})"}};
constexpr std::array kWrite{
    Example{"Prepare a paste.", R"({"text": "hello"})"},
    Example{"Text with a style.", R"({"format": "html", "text": "<b>hello</b>"})"},
    Example{"Files to paste in a file manager.", R"({"format": "files", "files": ["/tmp/a.txt"]})"},
};
constexpr std::array kFormats{Example{"Ask.", "{}"}};

constexpr std::array kClipboardActions{
    action<ReadClipboard, ClipboardText, run_read>("read_clipboard", Category::clipboard, Touches::nothing, Tier::full,
                                                   Capability::clipboard,
                                                   "Read the clipboard: text, HTML, a picture or files.", kRead),
    action<ListFormats, FormatsResult, run_formats>("list_clipboard_formats", Category::clipboard, Touches::nothing,
                                                    Tier::full, Capability::clipboard,
                                                    "List the formats that the clipboard holds.", kFormats),
    action<WriteText, NoResult, run_write>("write_clipboard", Category::clipboard, Touches::clipboard, Tier::full,
                                           Capability::clipboard, "Put text on the clipboard.", kWrite),
};

}  // namespace

Status check(const WriteText& write) {
  const auto wrong = [](const char* field, const char* expected) {
    return make_error(Code::argument_invalid, fmt::format("`{}` does not fit the format.", field))
        .with_field(field, expected);
  };
  const bool as_text = write.format == ClipFormat::text || write.format == ClipFormat::html;
  if (as_text && !write.text) return wrong("text", "the text to write");
  if (!as_text && write.text) return wrong("text", "nothing beside an image or files");
  if (write.format != ClipFormat::image && !write.image.empty()) return wrong("image", "nothing, or format \"image\"");
  if (write.format != ClipFormat::files && !write.files.empty()) return wrong("files", "nothing, or format \"files\"");
  if (write.format == ClipFormat::image) {
    const auto bytes = base64_decode(write.image);
    if (!bytes.ok() || !png_size({reinterpret_cast<const char*>(bytes->data()), bytes->size()})) {
      return wrong("image", "a PNG in base64");
    }
  }
  if (write.format == ClipFormat::files && write.files.empty()) return wrong("files", "at least one absolute path");
  for (const std::string& file : write.files) {
    if (!file.starts_with('/') || file.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos) {
      return wrong("files", "absolute paths without line breaks");
    }
  }
  return {};
}

std::span<const catalog::ActionSpec> clipboard_actions() { return kClipboardActions; }

}  // namespace handrail::actions
