// Which granted folder a path lies in, by its components. Pure: nothing is expanded and nothing is looked up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace handrail::linux_ {

struct FileRoot {
  std::string path;  // absolute, without links
  bool write = false;
  friend bool operator==(const FileRoot&, const FileRoot&) = default;
};

// A path below a root.
struct FilePlace {
  FileRoot root;
  std::vector<std::string> below;  // no component is empty, "." or ".."; none at all: the root itself

  std::string parent() const;  // relative to the root; "." when it is the root
  const std::string& name() const { return below.back(); }
  std::string absolute() const;
};

// Whether `path` is `folder` or lies in it. Both are absolute, without "." and "..".
bool lies_in(std::string_view path, std::string_view folder);

// `argument_invalid` for what is no path, `access_denied` for what lies in no root, or in one of `hidden`.
Result<FilePlace> place_of(const std::string& path, const std::vector<FileRoot>& roots,
                           const std::vector<std::string>& hidden);

}  // namespace handrail::linux_
