// Where an embedded desktop keeps its files, who may start one under a name, and what is known about
// a running one. It starts and ends no desktop.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/process.h"
#include "base/result.h"
#include "model/geometry.h"
#include "platform/linux/process_table.h"

namespace handrail::linux_ {

// `private_` keeps apps away from the person's files; its wire name is "private".
enum class DesktopHome { private_, shared };

// A running embedded desktop.
struct DesktopInfo {
  std::string name;
  std::string id;        // of this run; never used twice
  ProcessId supervisor;  // holds the desktop together; SIGTERM ends the desktop
  ProcessId keeper;      // ends last, when everything is gone
  ProcessId server;      // the X server
  std::string display;   // ":99"
  std::string xauthority;
  std::string bus_address;
  std::string accessibility_address;
  std::string runtime_dir;
  std::string home;
  DesktopHome home_kind = DesktopHome::private_;
  Size size;                       // of the whole root, in pixels
  std::vector<PixelRect> screens;  // side by side, the first is the primary
  Environment environment;         // what programs on this desktop are started with
};

// "HANDRAIL_DESKTOP=name/id": in the environment of everything that runs on a desktop.
std::string marker_entry(const std::string& name, const std::string& id);

// Letters, digits, dot, dash, underscore; starts with a letter or digit; at most 32.
Status check_desktop_name(const std::string& name);

// The folder that holds one folder per running desktop, private to this user. Made when missing:
// `desktops` in the runtime folder.
Result<std::string> desktops_folder();
// Where the private home of a desktop is kept between runs. Made when missing.
Result<std::string> private_home(const std::string& name);

// Makes a folder for this user alone, or checks that an existing one is such: no link, our own, 0700.
Status make_private_folder(const std::string& path);
// With everything in it, without following links or entering mounts.
void remove_folder(const std::string& path);

// The right to run a desktop under a name, held by an open descriptor: it ends with its last holder,
// however that dies.
class NameLock {
 public:
  // `busy` when another process holds it.
  static Result<NameLock> take(const std::string& folder, const std::string& name);
  // One that was inherited.
  NameLock(Fd held, std::string path) : fd_(std::move(held)), path_(std::move(path)) {}

  int fd() const { return fd_.get(); }
  const std::string& path() const { return path_; }
  // Takes the file away too; the name is free afterwards.
  void discard();

 private:
  Fd fd_;
  std::string path_;
};

// The record of a desktop in its folder; written whole or not at all.
Status write_state(const DesktopInfo& info);
Result<DesktopInfo> read_state(const std::string& folder, const std::string& name);

// The whole content of a small file that is no link; `io_error` names the path.
Result<std::string> read_small_file(const std::string& path, std::size_t max_bytes);
// Mode 0600, replaced in one step.
Status write_private_file(const std::string& path, std::string_view content);

}  // namespace handrail::linux_
