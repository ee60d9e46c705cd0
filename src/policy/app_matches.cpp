#include "policy/app_matches.h"

#include <algorithm>
#include <array>

#include "policy/app_name.h"
#include "policy/special_apps.h"

namespace handrail::policy {
namespace {

constexpr std::array<std::string_view, 10> kSystemFolders{"/usr/", "/bin/", "/sbin/", "/lib/",       "/lib64/",
                                                          "/opt/", "/app/", "/snap/", "/nix/store/", "/gnu/store/"};

// A folder or a class with so short a name is too often something else.
constexpr std::size_t kShort = 3;

class Matcher {
 public:
  Matcher(const AppIdentity& identity, const AppRows& rows) : identity_(identity), rows_(rows) {}

  AppMatches run() {
    const bool placed = in_system_folder(identity_.executable);
    executable(placed);
    folders(placed);
    desktop_id();
    sandboxes();
    script();
    window_class();
    return std::move(found_);
  }

 private:
  struct Trust {
    bool claimed = false;
    bool sure = true;
  };

  void add(std::string by, const AppRow* row, Trust trust) {
    if (row == nullptr) return;
    found_.all.push_back({std::move(by), row, row->category, row->name, row->denied, false, row->most, row->sentinel,
                          trust.claimed, trust.sure});
  }

  void add(std::string by, const std::optional<SpecialKind>& kind, Trust trust) {
    if (!kind) return;
    found_.all.push_back({std::move(by), nullptr, std::string(kind->category), std::string(kind->says), kind->denied,
                          kind->for_good, kind->most, kind->sentinel, trust.claimed, trust.sure});
  }

  // Another program of the same name: something that can be trusted names an app, and not this one.
  bool contradicted(const AppRow& row) const {
    bool says = false;
    for (const std::string& id : {identity_.desktop_id, identity_.flatpak, identity_.snap}) {
      if (id.empty()) continue;
      says = true;
      std::string folded = folded_app_name(id);
      if (std::find(row.ids.begin(), row.ids.end(), folded) != row.ids.end()) return false;
      folded.resize(std::min(folded.size(), folded.find_first_of("_.")));
      if (std::find(row.ids.begin(), row.ids.end(), folded) != row.ids.end()) return false;
    }
    return says;
  }

  void executable(bool placed) {
    const std::vector<std::string> names = program_names(identity_.executable);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string& name = names[i];
      const std::string by = "executable " + name;
      if (runs_others(name) && !found_.runs_others) {
        found_.runs_others = true;
        add(by, interpreter_kind(), {false, placed});
      }
      add(by, special_kind(name), {false, placed});
      const AppRow* row = rows_.executable(name);
      if (row == nullptr || (i > 0 && name.size() <= kShort)) continue;
      if (clashes(name) && contradicted(*row)) continue;
      add(by, row, {false, placed});
    }
  }

  // Programs of a browser or a password manager that do not bear its name live in its folder.
  void folders(bool placed) {
    std::string_view path = identity_.executable;
    if (!placed && path.find("/flatpak/app/") == std::string_view::npos) return;
    std::vector<std::string> parts;
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos;) {
      const std::size_t next = path.find('/', slash + 1);
      if (next == std::string_view::npos) break;
      parts.push_back(lower(path.substr(slash + 1, next - slash - 1)));
      slash = next;
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string& part = parts[i];
      const std::string by = "folder " + part;
      if (i == 1 && parts[0] == "snap") add(by, rows_.snap(part), {});
      if (i > 1 && parts[i - 1] == "app" && parts[i - 2] == "flatpak") add(by, rows_.flatpak(part), {});
      if (part.size() > kShort && !clashes(part)) add(by, rows_.executable(part), {});
    }
  }

  void by_desktop_id(const std::string& id, const std::string& by, Trust trust) {
    add(by, rows_.desktop(id), trust);
    add(by, rows_.flatpak(id), trust);
    add(by, special_kind(id), trust);
    // A snap's entries are named <snap>_<app>.
    if (const std::size_t bar = id.find('_'); bar != std::string::npos) add(by, rows_.snap(id.substr(0, bar)), trust);
  }

  void desktop_id() {
    if (identity_.desktop_id.empty()) return;
    const std::string id = folded_app_name(identity_.desktop_id);
    by_desktop_id(id, "desktop id " + id, {});
  }

  void sandboxes() {
    if (!identity_.flatpak.empty()) {
      const std::string id = folded_app_name(identity_.flatpak);
      by_desktop_id(id, "Flatpak " + id, {});
    }
    if (!identity_.snap.empty()) {
      std::string name = folded_app_name(identity_.snap);
      by_desktop_id(name, "snap " + name, {});
      name.resize(std::min(name.size(), name.find_first_of("_.")));
      add("snap " + name, rows_.snap(name), {});
      add("snap " + name, special_kind(name), {});
    }
  }

  // The command line is the program's own to write.
  void script() {
    if (identity_.script.empty()) return;
    std::string path = identity_.script;
    std::replace(path.begin(), path.end(), '\\', '/');
    constexpr Trust kClaim{true, false};
    const std::string file = lower(base_name(path));
    add("script " + file, rows_.windows(file), kClaim);
    by_desktop_id(file, "script " + file, kClaim);
    for (const std::string& name : program_names(path)) {
      add("script " + name, special_kind(name), kClaim);
      if (!clashes(name)) add("script " + name, rows_.executable(name), kClaim);
    }
    // "…/spotify/resources/app.asar": the file's name says nothing, the folders do.
    std::string_view rest = path;
    for (int depth = 0; depth < 3 && rest.rfind('/') != std::string_view::npos; ++depth) {
      rest = rest.substr(0, rest.rfind('/'));
      const std::string folder = lower(base_name(rest));
      if (folder.size() > kShort && !clashes(folder)) add("script in " + folder, rows_.executable(folder), kClaim);
    }
  }

  void window_class() {
    // Both halves of the property, however they were put together.
    std::string_view rest = identity_.claimed_class;
    while (!rest.empty()) {
      const std::size_t end = rest.find_first_of(std::string_view("\0\n,", 3));
      one_class(folded_app_name(rest.substr(0, end)));
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
  }

  void one_class(const std::string& name) {
    if (name.empty()) return;
    constexpr Trust kClaim{true, false};
    const std::string by = "window class " + name;
    add(by, rows_.window_class(name), kClaim);
    by_desktop_id(name, by, kClaim);
    add(by, kind_of_class(name), kClaim);
    if (name.size() > kShort && !clashes(name)) add(by, rows_.executable(name), kClaim);
    if (name.ends_with(".exe")) {
      add(by, rows_.windows(name), kClaim);
      // A program of another system, run by an interpreter that need not bear its name.
      add(by, interpreter_kind(), kClaim);
    }
  }

  const AppIdentity& identity_;
  const AppRows& rows_;
  AppMatches found_;
};

}  // namespace

bool in_system_folder(std::string_view path) {
  // "/usr/bin/../../tmp/x" and the like are never what the kernel says; they are not taken for a place.
  if (path.find("/../") != std::string_view::npos) return false;
  return std::any_of(kSystemFolders.begin(), kSystemFolders.end(),
                     [path](std::string_view folder) { return path.starts_with(folder); });
}

AppMatches matches_of(const AppIdentity& identity, const AppRows& rows) { return Matcher(identity, rows).run(); }

}  // namespace handrail::policy
