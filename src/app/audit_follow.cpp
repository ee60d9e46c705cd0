#include "app/audit_follow.h"

#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include <cerrno>
#include <deque>

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

}  // namespace

Status follow_audit(const std::string& folder, const EarlierRecords& earlier,
                    const std::function<bool(std::string_view line, const Result<Json>& record)>& take, int ending_fd) {
  TRY(ensure_private_folder(folder));
  // Watched before the first read, so that nothing falls between.
  const Fd watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!watch.valid() ||
      ::inotify_add_watch(watch.get(), folder.c_str(), IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF) < 0) {
    return file_error("watch", folder, errno);
  }
  std::deque<std::string> first;
  Place place;
  TRY(read_on(folder, place, [&](const engine::FileLine& line) {
    if (earlier.last == 0 || !earlier.counts(parse_json(line.text))) return true;
    first.emplace_back(line.text);
    if (first.size() > earlier.last) first.pop_front();
    return true;
  }));
  bool wanted = true;
  const auto live = [&](std::string_view line) { wanted = wanted && take(line, parse_json(line)); };
  for (const std::string& line : first) live(line);
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
