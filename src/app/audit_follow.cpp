#include "app/audit_follow.h"

#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/fd.h"
#include "base/private_file.h"
#include "engine/audit_read.h"

namespace handrail::app {
namespace {

// Where reading has come to.
struct Place {
  std::string file;
  std::uint64_t offset = 0;
};

Status read_on(const std::string& folder, Place& place, const std::function<bool(const engine::FileLine&)>& take) {
  for (const std::string& name : TRY(engine::audit_files(folder))) {
    if (name < place.file) continue;
    if (name > place.file) place = {name, 0};
    const auto ended = [&take](const engine::FileLine& line) { return line.ended && take(line); };
    place.offset = TRY(engine::each_line(folder + "/" + name, place.offset, engine::kWholeFile, ended));
  }
  return {};
}

std::int64_t number(const Json& record, const char* name) {
  const auto found = record.find(name);
  return found != record.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

}  // namespace

std::string audit_field(const Json& record, const char* name) {
  const auto found = record.find(name);
  return found != record.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool is_refusal(const Json& record) {
  if (audit_field(record, "kind") != "outcome") return false;
  const std::string result = audit_field(record, "result");
  return result == "refused" || result == "gate_refused" || result == "access_denied" || record.contains("gate");
}

Json AuditCalls::completed(const Json& record) {
  const std::string kind = audit_field(record, "kind");
  if (kind == "call") {
    begun_[number(record, "seq")] = record;
    if (begun_.size() > kMost) begun_.erase(begun_.begin());
  }
  if (kind != "outcome") return record;
  const auto call = begun_.extract(number(record, "of"));
  if (!call) return record;
  // Beside its kind, where a reader looks for it.
  Json whole = Json::object();
  for (const auto& [name, value] : record.items()) {
    whole[name] = value;
    if (name != "kind") continue;
    for (const char* of_call : {"session", "action"}) {
      if (const auto found = call.mapped().find(of_call); found != call.mapped().end()) whole[of_call] = *found;
    }
  }
  return whole;
}

Status follow_audit(const std::string& folder, const EarlierRecords& earlier,
                    const std::function<bool(std::string_view line, const Result<Json>& record)>& take, int ending_fd) {
  TRY(ensure_private_folder(folder));
  // Watched before the first read, so that nothing falls between.
  const Fd watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!watch.valid() ||
      ::inotify_add_watch(watch.get(), folder.c_str(), IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF) < 0) {
    return file_error("watch", folder, errno);
  }
  Place place;
  TRY(read_on(folder, place, [&](const engine::FileLine& line) {
    if (earlier.each) earlier.each(line.text, parse_json(line.text));
    return true;
  }));
  if (earlier.over) earlier.over();
  bool wanted = true;
  const auto live = [&](std::string_view line) { wanted = wanted && take(line, parse_json(line)); };
  while (wanted) {
    pollfd waits[] = {{watch.get(), POLLIN, 0}, {ending_fd, POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) return file_error("watch", folder, errno);
    if (waits[1].revents != 0) return {};
    alignas(inotify_event) char events[4096];
    while (::read(watch.get(), events, sizeof events) > 0) continue;
    struct stat facts {};
    if (::stat(folder.c_str(), &facts) != 0) return file_error("follow", folder, errno);
    TRY(read_on(folder, place, [&](const engine::FileLine& line) {
      live(line.text);
      return wanted;
    }));
  }
  return {};
}

}  // namespace handrail::app
