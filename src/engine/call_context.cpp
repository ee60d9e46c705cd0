// Looking, locating, waiting and batches. What changes the desktop is in perform.cpp.
#include "engine/call_context.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>

#include "actions/flow.h"
#include "base/random_id.h"
#include "vision/picture.h"

namespace handrail::engine {
namespace {

Deadline soon() { return Deadline::in(kBackendPatience); }

}  // namespace

CallContext::CallContext(ActionRunner& runner, const catalog::ActionCall& call, const CallOptions& options,
                         Journal::Record& record)
    : runner_(runner),
      session_(runner.session()),
      computer_(session_.computer()),
      call_(call),
      options_(options),
      record_(record) {}

Result<Point> CallContext::locate(Point coordinate, Basis basis, std::string_view field) {
  if (basis == Basis::points) {
    const auto all = TRY(displays());
    if (display_at(all, coordinate) != nullptr) return coordinate;
    return make_error(Code::argument_invalid,
                      fmt::format("`{}` is [{:g}, {:g}], which is on no display.", field, coordinate.x, coordinate.y))
        .with_field(std::string(field), "a point on a display, in logical desktop points");
  }
  const auto look = session_.last_look();
  if (!look) {
    return make_error(Code::target_stale, "There is no screenshot yet that the coordinates could refer to.")
        .with_hint("Take a screenshot first, then use its coordinates.");
  }
  used_look_ = look;
  return to_desktop(*look, coordinate, basis, field);
}

Result<actions::LookResult> CallContext::look(const actions::LookRequest& request) {
  Screen* screen = TRY(require(computer_.screen(), "screen"));
  const auto all = TRY(screen->displays(soon()));
  CaptureRequest capture;
  capture.display = request.display.value_or(session_.selected_display());
  if (request.region && !request.display) {
    if (const Display* at = display_at(all, request.region->centre())) capture.display = at->id;
  }
  capture.region = request.region;
  capture.window = request.window;
  capture.cursor = request.show_cursor ? CursorInPicture::draw : CursorInPicture::leave_out;
  const Capture taken = TRY(screen->capture(capture, soon()));
  const Size target =
      vision::fit(taken.frame.size(), session_.settings().image_tier, {request.max_width, request.max_height});
  if (vision::too_small_to_show(target)) {
    return make_error(Code::argument_invalid,
                      fmt::format("The picture would be {}x{} pixels, too small to show anything.", target.width,
                                  target.height))
        .with_hint("Ask for a larger part of the screen.");
  }
  const vision::EncodeOptions encoding{request.format, request.quality, static_cast<std::size_t>(request.max_bytes)};
  actions::LookResult result;
  result.picture = TRY(vision::picture_of(taken.frame, target, encoding));
  result.frozen = taken.frozen;
  result.look = {random_id("look-"), capture.display,   taken.area,  result.picture.size,
                 taken.scale,        layout_stamp(all), Clock::now()};
  if (request.kind == actions::LookKind::basis) {
    if (request.display) session_.select_display(*request.display);
    session_.remember(result.look);
  }
  return result;
}

std::optional<Look> CallContext::last_look() const { return session_.last_look(); }

Result<Point> CallContext::cursor() {
  Screen* screen = TRY(require(computer_.screen(), "screen"));
  return screen->cursor(soon());
}

Result<std::vector<Display>> CallContext::displays() {
  Screen* screen = TRY(require(computer_.screen(), "screen"));
  return screen->displays(soon());
}

Result<std::vector<Window>> CallContext::windows() {
  Windows* windows = TRY(require(computer_.windows(), "window control"));
  return windows->list(soon());
}

Result<std::vector<App>> CallContext::apps() {
  Apps* apps = TRY(require(computer_.apps(), "app launcher"));
  return apps->list(soon());
}

Result<std::string> CallContext::clipboard(Selection selection, const std::string& mime) {
  Clipboard* clipboard = TRY(require(computer_.clipboard(), "clipboard"));
  return clipboard->read(selection, mime, soon());
}

Result<std::vector<std::string>> CallContext::clipboard_formats(Selection selection) {
  Clipboard* clipboard = TRY(require(computer_.clipboard(), "clipboard"));
  return clipboard->formats(selection, soon());
}

int CallContext::selected_display() const { return session_.selected_display(); }

void CallContext::select_display(int display) { session_.select_display(display); }

Result<Access> CallContext::request_access(const AccessRequest& request) {
  return session_.request_access(request, options_.stop);
}

Access CallContext::access() const { return session_.access(); }

Status CallContext::pause(Millis span) {
  constexpr Millis kReportEvery{1000};
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  const TimePoint start = Clock::now();
  const TimePoint end = start + span;
  while (Clock::now() < end && !options_.stop.stop_requested()) {
    // Nobody notifies: only the clock and the stop token end the wait.
    const TimePoint next = options_.progress ? std::min(end, Clock::now() + kReportEvery) : end;
    never.wait_until(lock, options_.stop, next, [] { return false; });
    if (options_.progress) {
      options_.progress(millis_since(start) / 1000, static_cast<double>(span.count()) / 1000, "waiting");
    }
  }
  if (options_.stop.stop_requested()) return make_error(Code::cancelled, "The wait was cancelled.");
  return {};
}

// All steps decoded, and what points somewhere tried without acting: up to the first step that changes
// what coordinates refer to, a point outside is found before anything moves.
Result<std::vector<catalog::ActionCall>> CallContext::checked(const std::vector<actions::BatchStep>& steps) {
  std::vector<catalog::ActionCall> calls;
  bool same_basis = true;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto wrong = [i](Error error) {
      error.message = fmt::format("Step {} cannot run: {} Nothing was done.", i + 1, error.message);
      error.field = fmt::format("steps[{}]{}", i, error.field.empty() ? "" : "." + error.field);
      return error;
    };
    auto call = runner_.catalog().call(steps[i].action, steps[i].params);
    if (!call.ok()) return wrong(std::move(call).error());
    if (call->spec == call_.spec) return wrong(make_error(Code::argument_invalid, "A batch cannot hold a batch."));
    same_basis = same_basis && call->spec->name != "screenshot" && call->spec->name != "switch_display";
    if (same_basis && call->spec->touches == catalog::Touches::pointer) {
      call->dry_run = true;
      const Result<Outcome> tried = runner_.run_now(*call, {options_.stop, nullptr});
      if (!tried.ok()) return wrong(tried.error());
    }
    call->dry_run = call_.dry_run;
    calls.push_back(std::move(call).value());
  }
  return calls;
}

Result<Outcome> CallContext::run_batch(const std::vector<actions::BatchStep>& steps) {
  const std::vector<catalog::ActionCall> calls = TRY(checked(steps));
  std::vector<actions::StepReport> reports;
  std::vector<Picture> pictures;
  std::string untrusted;
  std::optional<Error> failure;
  const auto asked = static_cast<int>(calls.size());
  for (int i = 0; i < asked && !failure; ++i) {
    const catalog::ActionCall& call = calls[static_cast<std::size_t>(i)];
    const std::string& label = steps[static_cast<std::size_t>(i)].label;
    const std::string_view called = label.empty() ? call.spec->name : std::string_view(label);
    if (options_.stop.stop_requested()) {
      failure = make_error(Code::cancelled, "The batch was cancelled.");
      reports.push_back(actions::step_report(i, called, *failure));
      break;
    }
    Result<Outcome> outcome = runner_.run_now(call, {options_.stop, nullptr});
    reports.push_back(actions::step_report(i, called, outcome));
    if (!outcome.ok()) {
      failure = std::move(outcome).error();
      break;
    }
    for (Picture& picture : outcome->pictures) pictures.push_back(std::move(picture));
    untrusted += outcome->untrusted;
    if (options_.progress) options_.progress(i + 1, asked, std::string(called));
  }
  Outcome outcome = actions::batch_outcome(std::move(reports), asked, std::move(failure));
  outcome.pictures = std::move(pictures);
  outcome.untrusted = std::move(untrusted);
  return outcome;
}

}  // namespace handrail::engine
