// Files by descriptor, below a folder and never through a link, whatever changes meanwhile. What may not be used is
// told by an error with the reason.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "model/file.h"
#include "platform/linux/file_paths.h"

namespace handrail::linux_ {

enum class Mounts { cross, stay };

// Opens `path` below `folder`, which the kernel does not let out of it. `path` may be ".".
Result<Fd> open_below(int folder, const std::string& path, std::uint64_t flags, std::uint64_t mode = 0,
                      Mounts mounts = Mounts::cross);
// A handle on the folder that a place is in. `not_found` when it is not there.
Result<Fd> open_root(const FileRoot& root);
Result<Fd> open_parent(const FilePlace& place, Mounts mounts = Mounts::cross);

// Refuses a way through a folder that is one of `hidden` under another name: moved, or mounted twice.
Status check_way(const FilePlace& place, const std::vector<std::string>& hidden);

// Errors of the kernel, as sentences about the path.
Error path_error(std::string_view what, const std::string& path, int number);

enum class Use { read, write };
// A regular file that has one name only, and is ours when it is to be written. Files of the kernel are none.
Status check_file(int file, const std::string& path, Use use);
// No folder of the kernel's, whose files are not what they seem.
Status check_folder(int folder, const std::string& path);

FileKind kind_of(const struct stat& facts);
FileInfo info_of(const struct stat& facts, std::string path, bool root_writable);

}  // namespace handrail::linux_
