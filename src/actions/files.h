// Files in the folders that the owner granted.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/action_spec.h"
#include "model/file.h"

namespace handrail::actions {

enum class Encoding { text, base64 };

struct ReadFile {
  std::string path;
  std::int64_t offset = 0;
  int length = 16000;
  Encoding encoding = Encoding::text;
};

struct FileContent {
  std::optional<std::string> text;
  std::optional<std::string> base64;
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::int64_t size = 0;
  std::int64_t left = 0;
};

struct ListFolder {
  std::optional<std::string> path;
  int most = 200;
};

struct FileRow {
  std::string name;
  FileKind kind = FileKind::file;
  std::int64_t size = 0;
  std::int64_t modified = 0;
  bool writable = false;
};

struct FolderContent {
  std::vector<FileRow> entries;
  std::int64_t left_out = 0;
};

struct OneFile {
  std::string path;
};

struct WriteFile {
  std::string path;
  std::optional<std::string> text;
  std::optional<std::string> base64;
  WriteMode mode = WriteMode::create;
};
// Either text or bytes.
Status check(const WriteFile& write);

struct SaveScreenshot {
  std::string path;
  std::string app;
  bool replace = false;
};
// The name says the format.
Status check(const SaveScreenshot& save);

struct DeleteFile {
  std::string path;
  bool recursive = false;
};

struct MoveFile {
  std::string path;
  std::string to;
  bool replace = false;
};

struct ChangedFile {
  std::string path;
  std::optional<std::int64_t> size;
};

std::span<const catalog::ActionSpec> file_actions();

}  // namespace handrail::actions

namespace handrail::describe {

inline constexpr std::string_view kPathDoc =
    "Path below a granted folder: absolute, or relative to the first of them. No .., ~ or $.";
inline constexpr Limits kPaths = between(1, 4000);

template <>
struct Names<FileKind> {
  static constexpr std::array list{Name{FileKind::file, "file"}, Name{FileKind::folder, "folder"},
                                   Name{FileKind::link, "link"}, Name{FileKind::other, "other"}};
};
template <>
struct Names<WriteMode> {
  static constexpr std::array list{Name{WriteMode::create, "create"}, Name{WriteMode::replace, "replace"},
                                   Name{WriteMode::append, "append"}};
};
template <>
struct Names<actions::Encoding> {
  static constexpr std::array list{Name{actions::Encoding::text, "text"}, Name{actions::Encoding::base64, "base64"}};
};
template <>
struct Fields<actions::ReadFile> {
  using T = actions::ReadFile;
  static constexpr auto list = std::tuple{
      needed("path", &T::path, kPathDoc, kPaths),
      field("offset", &T::offset, "First byte to read; the part after the last one starts at offset + bytes.",
            between(0, 9e15)),
      field("length", &T::length, "Bytes to read at most.", between(1, 16000)),
      field("encoding", &T::encoding, "text for UTF-8, base64 for anything."),
  };
};
template <>
struct Fields<actions::FileContent> {
  using T = actions::FileContent;
  static constexpr auto list = std::tuple{
      field("text", &T::text, "The part as text; not to be trusted."),
      field("base64", &T::base64, "The part as base64."),
      field("offset", &T::offset, "Its first byte."),
      field("bytes", &T::bytes, "Its length in bytes."),
      field("size", &T::size, "Of the whole file, in bytes."),
      field("left", &T::left, "Bytes after this part."),
  };
};
template <>
struct Fields<actions::ListFolder> {
  using T = actions::ListFolder;
  static constexpr auto list = std::tuple{
      field("path", &T::path, "Folder below a granted one; without it the granted folders themselves are listed.",
            kPaths),
      field("most", &T::most, "Entries to list at most.", between(1, 1000)),
  };
};
template <>
struct Fields<actions::FileRow> {
  using T = actions::FileRow;
  static constexpr auto list = std::tuple{
      field("name", &T::name, "Name in its folder, or the path of a granted folder; not to be trusted."),
      field("kind", &T::kind, "Only files are read and only folders listed; links are never followed."),
      field("size", &T::size, "In bytes."),
      field("modified", &T::modified, "Seconds since 1970."),
      field("writable", &T::writable, "It may be changed."),
  };
};
template <>
struct Fields<actions::FolderContent> {
  using T = actions::FolderContent;
  static constexpr auto list = std::tuple{
      field("entries", &T::entries, "By name."),
      field("left_out", &T::left_out, "Entries that were not listed."),
  };
};
template <>
struct Fields<actions::OneFile> {
  using T = actions::OneFile;
  static constexpr auto list = std::tuple{needed("path", &T::path, kPathDoc, kPaths)};
};
template <>
struct Fields<actions::WriteFile> {
  using T = actions::WriteFile;
  static constexpr auto list = std::tuple{
      needed("path", &T::path, kPathDoc, kPaths),
      field("text", &T::text, "Content as text.", between(0, 4000000)),
      field("base64", &T::base64, "Content as base64, instead of text.", between(0, 4000000)),
      field("mode", &T::mode, "create a new file, replace all of it, or append to what is there."),
  };
};
template <>
struct Fields<actions::SaveScreenshot> {
  using T = actions::SaveScreenshot;
  static constexpr auto list = std::tuple{
      needed("path", &T::path, "File in a granted folder; its name ends in .png, .jpg or .webp.", between(1, 4096)),
      field("app", &T::app, "App to look at; the whole desktop when left out.", between(0, 200)),
      field("replace", &T::replace, "A file that is there may be replaced."),
  };
};
template <>
struct Fields<actions::DeleteFile> {
  using T = actions::DeleteFile;
  static constexpr auto list = std::tuple{
      needed("path", &T::path, kPathDoc, kPaths),
      field("recursive", &T::recursive, "Delete a folder with everything in it."),
  };
};
template <>
struct Fields<actions::MoveFile> {
  using T = actions::MoveFile;
  static constexpr auto list = std::tuple{
      needed("path", &T::path, kPathDoc, kPaths),
      needed("to", &T::to, "New path with the new name.", kPaths),
      field("replace", &T::replace, "Take the place of a file that is there."),
  };
};
template <>
struct Fields<actions::ChangedFile> {
  using T = actions::ChangedFile;
  static constexpr auto list = std::tuple{
      field("path", &T::path, "Absolute path."),
      field("size", &T::size, "Of the file now, in bytes."),
  };
};

}  // namespace handrail::describe
