// Files of a call: what is read, and what is changed once the gates have said yes.
#include <fmt/format.h>

#include "base/one_line.h"
#include "engine/call_context.h"

namespace handrail::engine {
namespace {

constexpr Millis kChangePatience{10000};
constexpr std::size_t kShown = 200;

Deadline soon() { return Deadline::in(kBackendPatience); }

std::string done(const ChangeFile& change, const FileInfo& now) {
  const std::string path = quoted(now.path, kShown);
  switch (change.verb) {
    case FileVerb::write:
      return change.mode == WriteMode::append ? fmt::format("{} has {} bytes now.", path, now.size)
                                              : fmt::format("{} holds the {} bytes.", path, now.size);
    case FileVerb::remove: return fmt::format("{} is deleted.", path);
    case FileVerb::move: return fmt::format("It is {} now.", path);
    case FileVerb::make_folder: break;
  }
  return fmt::format("The folder {} is there.", path);
}

}  // namespace

Result<std::vector<FileInfo>> CallContext::file_roots() {
  return TRY(require(computer_.files(), "granted folder"))->roots();
}

Result<FilePart> CallContext::read_file(const std::string& path, std::int64_t offset, std::size_t most) {
  return TRY(require(computer_.files(), "granted folder"))->read(path, offset, most, soon());
}

Result<FolderList> CallContext::list_folder(const std::string& path, std::size_t most) {
  return TRY(require(computer_.files(), "granted folder"))->list(path, most, soon());
}

Result<FileInfo> CallContext::file_info(const std::string& path) {
  return TRY(require(computer_.files(), "granted folder"))->info(path, soon());
}

Result<Outcome> CallContext::execute(const ChangeFile& change) {
  Files* files = TRY(require(computer_.files(), "granted folder"));
  const FileInfo now = TRY(files->change(change, permit(*plan_), Deadline::in(kChangePatience), options_.stop));
  // What was removed is looked for again, all else was read by the port after it was done.
  const bool gone = change.verb != FileVerb::remove || !files->info(change.path, soon()).ok();
  Outcome outcome = acted(Route::system, Delivery::background,
                          gone ? std::vector{Evidence::value_readback} : std::vector<Evidence>{});
  outcome.text = done(change, now);
  outcome.data["path"] = now.path;
  if (change.verb == FileVerb::write) outcome.data["size"] = now.size;
  return outcome;
}

}  // namespace handrail::engine
