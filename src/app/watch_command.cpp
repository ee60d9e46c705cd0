#include "app/watch_command.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>

#include "app/audit_follow.h"
#include "app/colour.h"
#include "app/commands.h"
#include "app/desk.h"
#include "base/fd.h"
#include "base/one_line.h"
#include "base/signals.h"
#include "platform/linux/runtime_folder.h"

namespace handrail::app {
namespace {

constexpr std::size_t kTitleBytes = 80;
constexpr Millis kPatience{2000};
// For a desktop that is down, until it is looked for again.
constexpr Millis kAgain{1000};

std::string named(const Window& window) {
  return fmt::format("#{} {} [{}]", window.id, quoted(window.title, kTitleBytes), one_line(window.app));
}

class Printer {
 public:
  explicit Printer(bool json) : json_(json) {}

  void line(std::string_view kind, const std::string& text, Json more = Json::object()) {
    const std::lock_guard lock(mutex_);
    const std::string time = fmt::format("{:%H:%M:%S}", fmt::localtime(std::time(nullptr)));
    if (json_) {
      more["time"] = time;
      more["kind"] = kind;
      more["text"] = text;
      fmt::print("{}\n", to_line(more));
    } else {
      fmt::print("{} {:<7} {}\n", time, coloured(kind, kind == "refused" ? Colour::red : Colour::bold, stdout), text);
    }
    std::fflush(stdout);
  }

 private:
  std::mutex mutex_;
  bool json_;
};

// Until a desktop is looked for again. Whether it was stopped meanwhile.
bool stopped_waiting(const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never;
  never.wait_for(lock, stop, kAgain, [] { return false; });
  return stop.stop_requested();
}

struct Watched {
  bool seen = false;             // it was there
  std::optional<Error> ended{};  // why it is no longer watched
};

// Until stopped or until the desktop has ended: its display is gone, and is not back after a moment.
void watch_windows(Desk& desk, Printer& printer, Watched& watched, const std::stop_token& stop) {
  Windows* windows = desk.computer->windows();
  Screen* screen = desk.computer->screen();
  if (windows == nullptr || screen == nullptr) return;
  std::vector<Window> before;
  bool lost = false;
  while (!stop.stop_requested()) {
    const auto count = screen->change_count(Deadline::in(kPatience));
    const auto now = count.ok() ? windows->list(Deadline::in(kPatience)) : Result<std::vector<Window>>(count.error());
    if (!now.ok()) {
      const bool again = std::exchange(lost, true);
      if (again && now.error().code == Code::backend_lost) {
        watched.ended = now.error();
        return;
      }
      if (!again) printer.line("lost", now.error().message);
      if (stopped_waiting(stop)) return;
      continue;
    }
    lost = false;
    for (const std::string& news : window_news(before, *now)) {
      const std::size_t space = news.find(' ');
      const std::string kind = news.substr(0, space);
      // Nobody opened them just now.
      printer.line(!watched.seen && kind == "opened" ? "there" : kind, news.substr(space + 1));
    }
    watched.seen = true;
    before = *now;
    while (!stop.stop_requested()) {
      const auto next = screen->wait_for_change(*count, Deadline::in(std::chrono::minutes(1)), stop);
      if (next.ok() || next.error().code != Code::timeout) break;
    }
  }
}

// A call is told when it is over; what it was is in the record before.
void tell_call(const Json& record, Printer& printer) {
  if (audit_field(record, "kind") != "outcome" || audit_field(record, "action").empty()) return;
  std::string text = one_line(audit_field(record, "action"));
  Json more{{"session", audit_field(record, "session")}};
  for (const char* name : {"action", "app", "result", "gate", "reason"}) {
    if (const std::string value = audit_field(record, name); !value.empty()) more[name] = value;
  }
  if (const std::string app = audit_field(record, "app"); !app.empty()) text += " in " + one_line(app);
  text += ": " + one_line(audit_field(record, "result"));
  if (const std::string gate = audit_field(record, "gate"); !gate.empty()) text += " by " + one_line(gate);
  const auto took = record.find("took_ms");
  text += fmt::format(", {:.1f} ms", took != record.end() && took->is_number() ? took->get<double>() : 0.0);
  if (const std::string reason = audit_field(record, "reason"); !reason.empty()) text += ". " + one_line(reason);
  printer.line(is_refusal(record) ? "refused" : "action", text, std::move(more));
}

// Readable as soon as one of both is.
Result<Fd> either_of(int a, int b) {
  Fd both(::epoll_create1(EPOLL_CLOEXEC));
  for (const int each : {a, b}) {
    epoll_event wanted{};
    wanted.events = EPOLLIN;
    if (!both.valid() || ::epoll_ctl(both.get(), EPOLL_CTL_ADD, each, &wanted) != 0) {
      return make_error(Code::io_error, fmt::format("Events cannot be waited for: {}.", std::strerror(errno)));
    }
  }
  return both;
}

Result<int> run(const cli::Parsed& parsed) {
  const TerminationSignals signals;
  const linux_::StatePaths paths = TRY(linux_::state_paths());
  Desk desk = TRY(open_desk({parsed.value("desktop"), DeskRequest::Otherwise::running}));
  const Fd over(::eventfd(0, EFD_CLOEXEC));
  const Fd ending = TRY(either_of(signals.fd(), over.get()));
  Printer printer(parsed.has("json"));
  AuditCalls calls;
  Watched watched;
  std::jthread windows([&](const std::stop_token& stop) {
    watch_windows(desk, printer, watched, stop);
    if (watched.ended) static_cast<void>(::eventfd_write(over.get(), 1));
  });
  const Status followed = follow_audit(
      paths.audit, {},
      [&](std::string_view, const Result<Json>& record) {
        if (record.ok() && record->is_object()) tell_call(calls.completed(*record), printer);
        return std::ferror(stdout) == 0;
      },
      ending.get());
  windows.request_stop();
  windows.join();
  TRY(followed);
  if (!watched.ended) return 0;
  if (!watched.seen) return *watched.ended;
  printer.line("ended", fmt::format("The {} has ended, and nothing is left to watch.", desk.told));
  return 0;
}

}  // namespace

std::vector<std::string> window_news(const std::vector<Window>& before, const std::vector<Window>& now) {
  std::vector<std::string> news;
  const auto find = [](const std::vector<Window>& list, WindowId id) {
    const auto found = std::ranges::find(list, id, &Window::id);
    return found == list.end() ? nullptr : &*found;
  };
  for (const Window& window : before) {
    if (find(now, window.id) == nullptr) news.push_back("closed " + named(window));
  }
  for (const Window& window : now) {
    const Window* old = find(before, window.id);
    if (old == nullptr) news.push_back("opened " + named(window));
    if (old != nullptr && old->title != window.title) news.push_back("titled " + named(window));
    if (old != nullptr && !(old->bounds == window.bounds)) {
      news.push_back(fmt::format("placed {} at {:g},{:g} {:g}x{:g}", named(window), window.bounds.x, window.bounds.y,
                                 window.bounds.width, window.bounds.height));
    }
    if (window.focused && (old == nullptr || !old->focused)) news.push_back("focus " + named(window));
  }
  return news;
}

Options watch_options() {
  static const std::vector<cli::Option> all{
      {"desktop", "WHICH", "The name of a running embedded desktop, or an X display such as :0.", "name"},
      {"json", "", "Print JSON lines."},
  };
  return all;
}

int watch_command(std::span<const std::string> arguments) {
  const std::string help = fmt::format(
      "handrail watch [options]: windows that come, go and take the focus, and what agents do, until\n"
      "interrupted or until the desktop ends.\n\n"
      "Options:\n{}\nExamples:\n  handrail watch\n  handrail watch --desktop work --json\n",
      cli::option_help(watch_options()));
  return run_command(arguments, watch_options(), "watch [options]", help, run);
}

}  // namespace handrail::app
