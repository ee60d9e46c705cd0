// Files as actions, gates and ports speak of them: what a path names, and what is to be done to it. Paths are relative
// to the first granted root, or absolute below any of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace handrail {

enum class FileKind { file, folder, link, other };

struct FileInfo {
  std::string path;  // absolute; of an entry of a folder its name alone
  FileKind kind = FileKind::file;
  std::int64_t size = 0;
  std::int64_t modified = 0;  // seconds since 1970
  bool writable = false;      // it may be changed: its root is granted for writing and it is this user's own
  friend bool operator==(const FileInfo&, const FileInfo&) = default;
};

// A part of a file.
struct FilePart {
  std::string bytes;
  std::int64_t size = 0;  // of the whole file
};

struct FolderList {
  std::vector<FileInfo> entries;  // by name
  std::int64_t left_out = 0;
};

// What a file is to an agent that names it.
enum class FileStanding {
  granted,  // in a granted folder
  outside,  // of the person's, or of the system's
  own,      // Handrail's, whatever is granted
};

enum class FileVerb { write, remove, move, make_folder };

enum class WriteMode {
  create,   // there must be none yet
  replace,  // the whole file, there before or not
  append,
};

struct ChangeFile {
  FileVerb verb = FileVerb::write;
  std::string path;
  std::string to;     // of a move
  std::string bytes;  // of a write
  WriteMode mode = WriteMode::create;
  bool replace = false;    // a move may take the place of a file
  bool recursive = false;  // a folder is removed with what is in it
  friend bool operator==(const ChangeFile&, const ChangeFile&) = default;
};

}  // namespace handrail
