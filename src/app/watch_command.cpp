#include "app/watch_command.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>

#include "app/audit_follow.h"
#include "app/colour.h"
#include "app/commands.h"
#include "app/desk.h"
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

// Until stopped; a desktop that goes away is waited for.
void watch_windows(Desk& desk, Printer& printer, const std::stop_token& stop) {
  Windows* windows = desk.computer->windows();
  Screen* screen = desk.computer->screen();
  if (windows == nullptr || screen == nullptr) return;
  std::vector<Window> before;
  std::uint64_t seen = 0;
  bool lost = false;
  while (!stop.stop_requested()) {
    const auto count = screen->change_count(Deadline::in(kPatience));
    const auto now = count.ok() ? windows->list(Deadline::in(kPatience)) : Result<std::vector<Window>>(count.error());
    if (!now.ok()) {
      if (!std::exchange(lost, true)) printer.line("lost", now.error().message);
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any never;
      never.wait_for(lock, stop, kAgain, [] { return false; });
      continue;
    }
    lost = false;
    for (const std::string& news : window_news(before, *now)) {
      const std::size_t space = news.find(' ');
      printer.line(news.substr(0, space), news.substr(space + 1));
    }
    before = *now;
    seen = *count;
    while (!stop.stop_requested()) {
      const auto next = screen->wait_for_change(seen, Deadline::in(std::chrono::minutes(1)), stop);
      if (next.ok() || next.error().code != Code::timeout) break;
    }
  }
}

// A call is told when it is over; what it was is in the record before.
class Calls {
 public:
  void take(const Result<Json>& record, Printer& printer) {
    if (!record.ok() || !record->is_object()) return;
    const std::string kind = record->value("kind", "");
    if (kind == "call") {
      begun_[record->value("seq", 0)] = *record;
      if (begun_.size() > kMost) begun_.erase(begun_.begin());
    }
    if (kind != "outcome") return;
    const auto call = begun_.extract(record->value("of", 0));
    if (!call) return;
    const std::string result = record->value("result", "");
    std::string text = one_line(call.mapped().value("action", ""));
    const std::string app = record->value("app", call.mapped().value("app", std::string()));
    if (!app.empty()) text += " in " + one_line(app);
    text += fmt::format(": {}, {:.1f} ms", one_line(result), record->value("took_ms", 0.0));
    const bool refused = result == "refused" || result == "gate_refused" || result == "access_denied";
    printer.line(refused ? "refused" : "action", text, {{"session", call.mapped().value("session", "")}});
  }

 private:
  static constexpr std::size_t kMost = 1000;
  std::map<std::int64_t, Json> begun_;
};

Result<int> run(const cli::Parsed& parsed) {
  const TerminationSignals signals;
  const linux_::StatePaths paths = TRY(linux_::state_paths());
  Desk desk = TRY(open_desk({parsed.value("desktop"), DeskRequest::Otherwise::running}));
  Printer printer(parsed.has("json"));
  Calls calls;
  const std::jthread windows([&](const std::stop_token& stop) { watch_windows(desk, printer, stop); });
  TRY(follow_audit(
      paths.audit, {},
      [&](std::string_view, const Result<Json>& record) {
        calls.take(record, printer);
        return std::ferror(stdout) == 0;
      },
      signals.fd()));
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
      "handrail watch [options]: windows that come, go and take the focus, and what agents do, until interrupted.\n\n"
      "Options:\n{}\nExamples:\n  handrail watch\n  handrail watch --desktop work --json\n",
      cli::option_help(watch_options()));
  return run_command(arguments, watch_options(), "watch [options]", help, run);
}

}  // namespace handrail::app
