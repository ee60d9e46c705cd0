#include "platform/linux/desktop.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "base/json.h"
#include "base/process.h"
#include "base/random_id.h"
#include "platform/linux/desktop_environment.h"
#include "platform/linux/supervisor.h"
#include "platform/linux/x_server.h"

namespace handrail::linux_ {
namespace {

constexpr Millis kStopPatience{3000};
// A socket's path has 108 bytes, and the longest below the folder needs this many.
constexpr std::size_t kMaxRuntimePath = 108 - 24;

// Ends what a killed desktop left, given that nobody holds its name any more.
void clear_leftovers(const std::string& folder, const std::string& name) {
  if (const Result<DesktopInfo> old = read_state(folder, name); old.ok()) {
    end_processes(processes_started_with(marker_entry(name, old->id)), Millis(100));
    remove_server_files(old->display, old->server);
  }
  remove_folder(folder + "/" + name);
}

// Until the process has ended; at once when it has already.
Status wait_ended(const ProcessId& id, Deadline deadline) {
  const Result<Fd> handle = open_pidfd(id.pid);
  if (!handle.ok() || !is_alive(id)) return {};
  return wait_readable(handle->get(), deadline);
}

Error already_running(const DesktopInfo& info) {
  return make_error(Code::busy, fmt::format("A desktop named {} runs already, on {}.", info.name, info.display))
      .with_hint(
          fmt::format("Add --reuse, choose another --name, or end it with `handrail desktop stop {}`.", info.name));
}

Status check_screens(const std::vector<Size>& screens) {
  long width = 0;
  bool good = !screens.empty() && screens.size() <= 8;
  for (const Size& size : screens) {
    good = good && size.width >= 160 && size.height >= 120 && size.width <= 8192 && size.height <= 8192;
    width += size.width;
  }
  if (good && width <= 32767) return {};
  return make_error(Code::argument_invalid, "The screens have no size that works.")
      .with_field("size", "1 to 8 screens, each from 160x120 to 8192x8192, together at most 32767 wide");
}

// A name nobody runs a desktop under, or the one that runs.
struct Claim {
  std::optional<NameLock> lock;
  std::optional<DesktopInfo> running;
};

Result<Claim> claim_name(const std::string& folder, const std::string& name) {
  for (int attempt = 0;; ++attempt) {
    Result<NameLock> lock = NameLock::take(folder, name);
    if (lock.ok()) return Claim{std::move(*lock), {}};
    if (lock.error().code != Code::busy) return lock.error();
    Result<DesktopInfo> info = read_state(folder, name);
    if (!info.ok()) {
      return std::move(lock.error()).with_hint("It is just starting or ending; try again in a second.");
    }
    if (is_alive(info->supervisor)) return Claim{{}, std::move(*info)};
    // Its keeper is clearing up.
    if (attempt > 2) return lock.error();
    TRY(wait_ended(info->keeper, Deadline::in(kStopPatience)));
  }
}

Result<Fd> memory_file(const std::string& content) {
  Fd file(::memfd_create("handrail-desktop", MFD_CLOEXEC));
  if (!file.valid() || ::write(file.get(), content.data(), content.size()) != static_cast<ssize_t>(content.size()) ||
      ::lseek(file.get(), 0, SEEK_SET) != 0) {
    return make_error(Code::io_error, "Cannot pass the request to the supervisor.");
  }
  return file;
}

Result<DesktopInfo> await_desktop(int report, Deadline deadline) {
  std::string line;
  for (;;) {
    TRY(wait_readable(report, deadline));
    char buffer[4096];
    const ssize_t n = ::read(report, buffer, sizeof buffer);
    if (n <= 0) break;
    line.append(buffer, static_cast<std::size_t>(n));
    if (line.back() == '\n') break;
  }
  if (line.empty()) return make_error(Code::backend_error, "The desktop's supervisor ended while it started.");
  const Json answer = TRY(parse_json(line));
  if (answer.contains("desktop")) return desktop_info(answer["desktop"]);
  if (const auto keeper = process_facts(answer.value("keeper", pid_t{0}))) {
    TRY(wait_ended(keeper->id, Deadline::in(kStopPatience)));
  }
  return reported_error(answer.value("error", Json::object()));
}

Result<SuperviseRequest> prepare(const DesktopOptions& options, const std::string& folder, const NameLock& lock) {
  const Environment own = current_environment();
  SuperviseRequest request;
  request.name = options.name;
  request.id = random_id("d_");
  request.runtime_dir = folder + "/" + options.name;
  request.lock_path = lock.path();
  request.home_kind = options.home;
  request.screens = options.screens;
  request.apps = options.apps;
  request.owned = options.owner_fd >= 0;
  request.patience = options.patience;
  if (request.runtime_dir.size() > kMaxRuntimePath) {
    return make_error(Code::argument_invalid, fmt::format("The path {} is too long for sockets.", request.runtime_dir))
        .with_hint("Set XDG_RUNTIME_DIR to a shorter path, or choose a shorter name.");
  }
  if (options.home == DesktopHome::private_) {
    request.home = TRY(private_home(options.name));
  } else {
    const auto home = own.find("HOME");
    if (home == own.end())
      return make_error(Code::permission_missing, "HOME is not set.").with_hint("Set HOME and start again.");
    request.home = home->second;
  }
  request.base = embedded_base(own, request.home, options.home);
  TRY(make_private_folder(request.runtime_dir));
  return request;
}

Result<DesktopInfo> launch(const DesktopOptions& options, const SuperviseRequest& request, const NameLock& lock) {
  const Fd input = TRY(memory_file(to_line(to_json(request))));
  Pipe report = TRY(make_pipe());
  SpawnOptions spawn;
  spawn.argv = {"handrail", "desktop", "supervise"};
  spawn.program = options.program.empty() ? "/proc/self/exe" : options.program;
  spawn.environment = {{"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"LC_ALL", "C.UTF-8"}};
  spawn.cwd = std::string("/");
  spawn.stdin_fd = input.get();
  spawn.keep = {{report.write.get(), kReportFd}, {lock.fd(), kLockFd}};
  if (options.owner_fd >= 0) spawn.keep.push_back({options.owner_fd, kOwnerFd});
  spawn.leads = Leads::session;
  Process starter = TRY(Process::spawn(spawn));
  report.write.reset();
  Result<DesktopInfo> info = await_desktop(report.read.get(), Deadline::in(options.patience + Millis(2000)));
  // It goes to the background at once; only the desktop lives on.
  static_cast<void>(starter.wait(Deadline::in(kBackendPatience)));
  return info;
}

}  // namespace

Result<DesktopInfo> start_desktop(const DesktopOptions& options) {
  TRY(check_desktop_name(options.name));
  TRY(check_screens(options.screens));
  const std::string folder = TRY(desktops_folder());
  Claim claim = TRY(claim_name(folder, options.name));
  if (claim.running) {
    if (options.reuse) return *claim.running;
    return already_running(*claim.running);
  }
  clear_leftovers(folder, options.name);
  const Result<SuperviseRequest> request = prepare(options, folder, *claim.lock);
  if (!request.ok()) {
    claim.lock->discard();
    return request.error();
  }
  return launch(options, *request, *claim.lock);
}

Status stop_desktop(const std::string& name) {
  const DesktopInfo info = TRY(find_desktop(name));
  const Fd supervisor = TRY(open_pidfd(info.supervisor.pid));
  if (is_alive(info.supervisor)) TRY(signal_pidfd(supervisor.get(), SIGTERM));
  if (!wait_readable(supervisor.get(), Deadline::in(kStopPatience)).ok()) {
    // The keeper does the rest.
    TRY(signal_pidfd(supervisor.get(), SIGKILL));
  }
  if (!wait_ended(info.keeper, Deadline::in(kStopPatience)).ok()) {
    return make_error(Code::timeout, fmt::format("The desktop {} does not end.", info.name))
        .with_hint(fmt::format("End process {} by hand.", info.keeper.pid));
  }
  return {};
}

Result<std::vector<DesktopInfo>> list_desktops() {
  const std::string folder = TRY(desktops_folder());
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    if (entry.is_directory(failed) && !entry.is_symlink(failed)) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  std::vector<DesktopInfo> running;
  for (const std::string& name : names) {
    Result<DesktopInfo> info = read_state(folder, name);
    if (info.ok() && is_alive(info->supervisor)) {
      running.push_back(std::move(*info));
      continue;
    }
    // Whoever holds the name is starting or clearing up by itself.
    if (Result<NameLock> lock = NameLock::take(folder, name); lock.ok()) {
      clear_leftovers(folder, name);
      lock->discard();
    }
  }
  return running;
}

Result<DesktopInfo> find_desktop(const std::string& name) {
  const std::vector<DesktopInfo> running = TRY(list_desktops());
  const auto named = [&](const std::string& wanted) {
    return std::ranges::find_if(running, [&](const DesktopInfo& info) { return info.name == wanted; });
  };
  auto found = named(name.empty() ? "default" : name);
  if (found == running.end() && name.empty() && running.size() == 1) found = running.begin();
  if (found != running.end()) return *found;
  std::string names;
  for (const DesktopInfo& info : running) names += (names.empty() ? "" : ", ") + info.name;
  if (name.empty() && !running.empty()) {
    return make_error(Code::ambiguous, fmt::format("{} embedded desktops run: {}.", running.size(), names))
        .with_hint(
            fmt::format("Name the one that is meant: `--desktop {0}`, with `handrail desktop exec` `--name {0}`, "
                        "with `handrail desktop stop` `{0}`.",
                        running.front().name));
  }
  const std::string wanted = name.empty() ? "embedded desktop" : "desktop named " + name;
  Error error = make_error(Code::not_found, fmt::format("No {} runs.", wanted));
  error.hint = names.empty() ? "Start one with `handrail desktop start`."
                             : fmt::format("Name one of those that run: {}.", names);
  // Clients often start servers without it.
  if (std::getenv("XDG_RUNTIME_DIR") == nullptr) {
    error.hint +=
        " Desktops are looked for in XDG_RUNTIME_DIR, which is not set here: whoever starts Handrail has to pass it "
        "on.";
  }
  return error;
}

Result<EmbeddedDesktop> EmbeddedDesktop::start(DesktopOptions options) {
  Pipe life = TRY(make_pipe());
  options.owner_fd = life.read.get();
  options.reuse = false;
  DesktopInfo info = TRY(start_desktop(options));
  return EmbeddedDesktop(std::move(info), std::move(life.write));
}

EmbeddedDesktop::~EmbeddedDesktop() {
  if (!life_.valid()) return;
  life_.reset();
  static_cast<void>(wait_ended(info_.keeper, Deadline::in(kStopPatience)));
}

}  // namespace handrail::linux_
