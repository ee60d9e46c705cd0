#include "platform/linux/file_paths.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/one_line.h"
#include "base/utf8.h"

namespace handrail::linux_ {
namespace {

constexpr std::size_t kMostName = 255;
constexpr std::size_t kMostPath = 4000;
constexpr std::size_t kShown = 200;

Error bad_path(const std::string& path, std::string_view why) {
  return make_error(Code::argument_invalid, fmt::format("The path {} {}.", quoted(path, kShown), why))
      .with_field("path", "names of folders and a file with / between them, such as notes/today.txt")
      .with_hint("Call list_folder without a path to see the granted folders.");
}

Status check_name(const std::string& path, std::string_view name) {
  if (name.empty()) return bad_path(path, "has an empty name in it");
  if (name == "." || name == "..") return bad_path(path, "has . or .. in it");
  if (name.size() > kMostName) return bad_path(path, "has a name of more than 255 bytes in it");
  return {};
}

Result<std::vector<std::string>> names_in(const std::string& path, std::string_view rest) {
  std::vector<std::string> names;
  // One slash at the end says that it is a folder.
  if (rest.ends_with('/')) rest.remove_suffix(1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    TRY(check_name(path, rest.substr(0, end)));
    names.emplace_back(rest.substr(0, end));
    if (end + 1 == rest.size()) return bad_path(path, "has an empty name in it");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return names;
}

Status check_text(const std::string& path) {
  if (path.empty()) return bad_path(path, "is empty");
  if (path.size() > kMostPath) return bad_path(path, "is too long");
  if (!decode_utf8(path).ok()) return bad_path(path, "is not valid UTF-8");
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::ranges::any_of(path, control)) return bad_path(path, "has a control character in it");
  if (path.find('\\') != std::string::npos) return bad_path(path, "has a backslash in it");
  if (path == "~" || path.starts_with("~/") || path.starts_with('$')) {
    return bad_path(path, "starts with ~ or $, which are not expanded");
  }
  return {};
}

std::string joined(const std::vector<std::string>& names, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : "/") + names[i];
  return text;
}

}  // namespace

std::string FilePlace::parent() const { return below.size() < 2 ? "." : joined(below, below.size() - 1); }

std::string FilePlace::absolute() const {
  if (below.empty()) return root.path;
  return (root.path == "/" ? "" : root.path) + "/" + joined(below, below.size());
}

bool lies_in(std::string_view path, std::string_view folder) {
  if (folder.empty()) return false;
  if (folder == "/") return path.starts_with('/');
  return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

Result<FilePlace> place_of(const std::string& path, const std::vector<FileRoot>& roots,
                           const std::vector<std::string>& hidden) {
  TRY(check_text(path));
  const auto outside = [&path] {
    return make_error(Code::access_denied, fmt::format("{} is not in a granted folder.", quoted(path, kShown)))
        .with_hint(
            "Call list_folder without a path to see the granted folders; only the owner can grant more, in the "
            "config file.");
  };
  if (roots.empty()) return outside();
  std::string absolute = path;
  if (path.front() == '/') {
    TRY(names_in(path, std::string_view(path).substr(1)));
  } else {
    TRY(names_in(path, path));
    absolute = (roots.front().path == "/" ? "" : roots.front().path) + "/" + path;
  }
  while (absolute.size() > 1 && absolute.ends_with('/')) absolute.pop_back();
  // A folder that is granted inside another one is judged by its own grant.
  const FileRoot* best = nullptr;
  for (const FileRoot& root : roots) {
    if (lies_in(absolute, root.path) && (best == nullptr || root.path.size() > best->path.size())) best = &root;
  }
  if (best == nullptr) return outside();
  const bool shut = std::ranges::any_of(hidden, [&](const std::string& folder) { return lies_in(absolute, folder); });
  if (shut) {
    return make_error(Code::access_denied, fmt::format("{} belongs to Handrail itself.", quoted(path, kShown)))
        .with_hint("It is never granted; leave it alone.");
  }
  FilePlace place;
  place.root = *best;
  std::string_view rest = std::string_view(absolute).substr(best->path == "/" ? 0 : best->path.size());
  if (rest.starts_with('/')) rest.remove_prefix(1);
  place.below = TRY(names_in(path, rest));
  return place;
}

}  // namespace handrail::linux_
