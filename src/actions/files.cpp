#include "actions/files.h"

#include <fmt/format.h>

#include "actions/context.h"
#include "base/base64.h"
#include "base/counted.h"
#include "base/one_line.h"
#include "base/utf8.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::Tier;
using catalog::Touches;

constexpr std::size_t kShown = 200;
constexpr std::size_t kMostListed = 16000;
constexpr int kMostPixels = 8192;
constexpr int kMostPicture = 4'000'000;

std::span<const std::uint8_t> as_bytes(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// The bytes of a character that the end of a part cuts in two.
std::size_t cut_off(std::string_view bytes) {
  for (std::size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
    const auto byte = static_cast<std::uint8_t>(bytes[bytes.size() - back]);
    if ((byte & 0xc0) == 0x80) continue;
    const std::size_t wants = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return wants > back ? back : 0;
  }
  return 0;
}

Result<Outcome> run_read(ActionContext& context, const ReadFile& read) {
  FilePart part = TRY(context.read_file(read.path, read.offset, static_cast<std::size_t>(read.length)));
  FileContent content;
  content.offset = read.offset;
  content.size = part.size;
  const bool at_end = read.offset + static_cast<std::int64_t>(part.bytes.size()) >= part.size;
  if (read.encoding == Encoding::text) {
    if (const std::size_t cut = cut_off(part.bytes); !at_end && cut < part.bytes.size()) {
      part.bytes.erase(part.bytes.size() - cut);
    }
    if (!decode_utf8(part.bytes).ok()) {
      return make_error(Code::argument_invalid,
                        fmt::format("{} is no UTF-8 text at that place.", quoted(read.path, kShown)))
          .with_field("encoding", "base64 for files that are no text");
    }
    content.text = part.bytes;
  } else {
    content.base64 = base64_encode(as_bytes(part.bytes));
  }
  content.bytes = static_cast<std::int64_t>(part.bytes.size());
  content.left = std::max<std::int64_t>(0, part.size - read.offset - content.bytes);
  Outcome outcome = observed(describe::encode(content));
  outcome.text = fmt::format("{} of {} bytes of {}, from byte {}.", content.bytes, content.size,
                             quoted(read.path, kShown), content.offset);
  if (content.left > 0) {
    outcome.text +=
        fmt::format(" {} bytes are left; go on with offset {}.", content.left, content.offset + content.bytes);
  }
  outcome.untrusted = content.text ? *content.text : *content.base64;
  return outcome;
}

FileRow row_of(const FileInfo& info) {
  // A name that is no text cannot be said in a call either.
  const std::string name = decode_utf8(info.path).ok() ? info.path : one_line(info.path);
  return {name, info.kind, info.size, info.modified, info.writable};
}

Result<Outcome> run_list(ActionContext& context, const ListFolder& list) {
  FolderList found;
  if (list.path)
    found = TRY(context.list_folder(*list.path, static_cast<std::size_t>(list.most)));
  else
    found.entries = TRY(context.file_roots());
  FolderContent content;
  content.left_out = found.left_out;
  std::string lines;
  for (const FileInfo& info : found.entries) {
    const FileRow row = row_of(info);
    const std::string line = fmt::format("{} {}{}\n", describe::name_of(row.kind), quoted(row.name, 255),
                                         row.kind == FileKind::file ? fmt::format(" {} bytes", row.size) : "");
    if (lines.size() + line.size() > kMostListed) {
      content.left_out += static_cast<std::int64_t>(found.entries.size() - content.entries.size());
      break;
    }
    lines += line;
    content.entries.push_back(row);
  }
  Outcome outcome = observed(describe::encode(content));
  outcome.text = list.path ? fmt::format("{} entries in {}.", content.entries.size(), quoted(*list.path, kShown))
                           : fmt::format("{}; relative paths start from the first.",
                                         counted(content.entries.size(), "granted folder"));
  if (content.left_out > 0) outcome.text += fmt::format(" {} more are left out.", content.left_out);
  outcome.untrusted = std::move(lines);
  return outcome;
}

Result<Outcome> run_info(ActionContext& context, const OneFile& one) {
  const FileRow row = row_of(TRY(context.file_info(one.path)));
  Outcome outcome = observed(describe::encode(row));
  outcome.text =
      fmt::format("{} is a {} of {} bytes.", quoted(row.name, kShown), describe::name_of(row.kind), row.size);
  return outcome;
}

Result<Outcome> run_write(ActionContext& context, const WriteFile& write) {
  ChangeFile change;
  change.path = write.path;
  change.mode = write.mode;
  if (write.text) change.bytes = *write.text;
  if (write.base64) {
    const std::vector<std::uint8_t> bytes = TRY(base64_decode(*write.base64));
    change.bytes.assign(bytes.begin(), bytes.end());
  }
  return context.perform(change);
}

std::optional<ImageFormat> format_of(std::string_view path) {
  const std::size_t point = path.rfind('.');
  const std::string_view ending = point == std::string_view::npos ? "" : path.substr(point + 1);
  if (ending == "png") return ImageFormat::png;
  if (ending == "jpg" || ending == "jpeg") return ImageFormat::jpeg;
  if (ending == "webp") return ImageFormat::webp;
  return std::nullopt;
}

// As sharp as it is, and what coordinates refer to stays.
Result<Outcome> run_save_screenshot(ActionContext& context, const SaveScreenshot& save) {
  LookRequest request;
  request.kind = LookKind::detail;
  request.format = format_of(save.path).value_or(ImageFormat::png);
  request.max_width = request.max_height = kMostPixels;
  request.max_bytes = kMostPicture;
  const Target target = TRY(context.aim(save.app.empty() ? "screen" : save.app, {}));
  if (!target.screen) request.window = target.window;
  const LookResult look = TRY(context.look(request));
  ChangeFile change;
  change.path = save.path;
  change.mode = save.replace ? WriteMode::replace : WriteMode::create;
  change.bytes.assign(look.picture.bytes.begin(), look.picture.bytes.end());
  Outcome outcome = TRY(context.perform(change));
  if (outcome.failure || outcome.dry_run) return outcome;
  outcome.text += fmt::format(" It is a picture of {}x{} pixels.", look.picture.size.width, look.picture.size.height);
  if (look.hidden > 0) outcome.text += fmt::format(" {} window(s) that are not granted are grey.", look.hidden);
  return outcome;
}

Result<Outcome> run_delete(ActionContext& context, const DeleteFile& asked) {
  ChangeFile change;
  change.verb = FileVerb::remove;
  change.path = asked.path;
  change.recursive = asked.recursive;
  return context.perform(change);
}

Result<Outcome> run_move(ActionContext& context, const MoveFile& move) {
  ChangeFile change;
  change.verb = FileVerb::move;
  change.path = move.path;
  change.to = move.to;
  change.replace = move.replace;
  return context.perform(change);
}

Result<Outcome> run_make_folder(ActionContext& context, const OneFile& one) {
  ChangeFile change;
  change.verb = FileVerb::make_folder;
  change.path = one.path;
  return context.perform(change);
}

constexpr std::array kRead{
    Example{"The start of a file.", R"({"path": "notes/today.txt"})"},
    Example{"A later part.", R"({"path": "notes/today.txt", "offset": 16000})"},
};
constexpr std::array kList{
    Example{"The granted folders.", "{}"},
    Example{"One of their folders.", R"({"path": "notes"})"},
};
constexpr std::array kOne{Example{"One file.", R"({"path": "notes/today.txt"})"}};
constexpr std::array kWrite{
    Example{"A new file.", R"({"path": "notes/today.txt", "text": "hello"})"},
    Example{"One more line.", R"({"path": "notes/today.txt", "text": "more\n", "mode": "append"})"},
};
constexpr std::array kSave{Example{"The whole desktop.", R"({"path": "desktop.png"})"},
                           Example{"One app.", R"({"path": "editor.png", "app": "mousepad"})"}};
constexpr std::array kDelete{Example{"One file.", R"({"path": "notes/today.txt"})"}};
constexpr std::array kMove{Example{"Another name.", R"({"path": "notes/today.txt", "to": "notes/monday.txt"})"}};
constexpr std::array kMakeFolder{Example{"A folder.", R"({"path": "notes"})"}};

constexpr std::array kFileActions{
    action<ReadFile, FileContent, run_read>("read_file", Category::files, Touches::nothing, Tier::none,
                                            Capability::files, "Read a file, or a part of it.", kRead),
    action<ListFolder, FolderContent, run_list>("list_folder", Category::files, Touches::nothing, Tier::none,
                                                Capability::files, "List a folder, or the granted folders.", kList),
    action<OneFile, FileRow, run_info>("file_info", Category::files, Touches::nothing, Tier::none, Capability::files,
                                       "Tell the kind, size and age of a file.", kOne),
    action<WriteFile, ChangedFile, run_write>("write_file", Category::files, Touches::files, Tier::none,
                                              Capability::files, "Write a file, whole or not at all.", kWrite),
    action<SaveScreenshot, ChangedFile, run_save_screenshot>(
        "save_screenshot", Category::files, Touches::files, Tier::none, Capability::files,
        "Write a picture of the desktop or of an app into a file.", kSave),
    action<DeleteFile, ChangedFile, run_delete>("delete_file", Category::files, Touches::files, Tier::none,
                                                Capability::files, "Delete a file or a folder for good.", kDelete),
    action<MoveFile, ChangedFile, run_move>("move_file", Category::files, Touches::files, Tier::none, Capability::files,
                                            "Move or rename a file or a folder.", kMove),
    action<OneFile, ChangedFile, run_make_folder>("make_folder", Category::files, Touches::files, Tier::none,
                                                  Capability::files, "Make a folder.", kMakeFolder),
};

}  // namespace

Status check(const WriteFile& write) {
  if (write.text.has_value() != write.base64.has_value()) return {};
  return make_error(Code::argument_invalid, "Either `text` or `base64` must be given.")
      .with_field("text", "the content, as text or as base64");
}

Status check(const SaveScreenshot& save) {
  if (format_of(save.path)) return {};
  return make_error(Code::argument_invalid, fmt::format("{} names no kind of picture.", quoted(save.path, kShown)))
      .with_field("path", "a name that ends in .png, .jpg or .webp");
}

std::span<const catalog::ActionSpec> file_actions() { return kFileActions; }

}  // namespace handrail::actions
