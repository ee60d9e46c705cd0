// Looking, locating, waiting and batches. What changes the desktop is in perform.cpp.
#include "engine/call_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "actions/flow.h"
#include "base/nearest.h"
#include "base/random_id.h"
#include "vision/marks.h"
#include "vision/ocr.h"
#include "vision/picture.h"
#include "vision/scale.h"

namespace handrail::engine {
namespace {

// Of one answer, however many steps it has.
constexpr std::size_t kMostUntrusted = 16000;
// After these, coordinates mean something else.
constexpr std::array<std::string_view, 4> kNewBasis{"screenshot", "switch_display", "capture", "find_element"};

Deadline soon() { return Deadline::in(kBackendPatience); }

// The marks are drawn at the size that is sent, so that their numbers stay readable.
Result<Picture> draw_picture(const Capture& taken, Size size, const vision::EncodeOptions& encoding,
                             const std::vector<actions::ElementMark>& marks) {
  if (marks.empty()) return vision::picture_of(taken.frame, size, encoding);
  const double across = size.width / taken.area.width;
  const double down = size.height / taken.area.height;
  std::vector<vision::Mark> boxes;
  for (const actions::ElementMark& mark : marks) {
    const Rect& at = mark.bounds;
    boxes.push_back(
        {mark.number,
         {(at.x - taken.area.x) * across, (at.y - taken.area.y) * down, at.width * across, at.height * down}});
  }
  Frame sized = make_frame(size);
  vision::Scaler::Scratch scratch;
  vision::Scaler(taken.frame.size(), size).rows(taken.frame, 0, size.height, writable(sized), sized.stride, scratch);
  vision::draw_marks(sized, boxes);
  return vision::picture_of(sized, size, encoding);
}

// Pictures that are taken while password fields move.
constexpr int kSecretTries = 4;

}  // namespace

CallContext::CallContext(ActionRunner& runner, const catalog::ActionCall& call, const CallOptions& options,
                         CallRecord& record)
    : runner_(runner),
      session_(runner.session()),
      computer_(session_.computer()),
      call_(call),
      options_(options),
      record_(record),
      gather_(session_, call) {}

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
        .with_hint("Call `screenshot`, then give pixels of that picture, such as [640, 400].");
  }
  used_look_ = look;
  return to_desktop(*look, coordinate, basis, field);
}

Result<actions::LookResult> CallContext::look(const actions::LookRequest& request) {
  TRY(hide_others());
  return take_look(request);
}

CaptureRequest CallContext::capture_of(const actions::LookRequest& request, const std::vector<Display>& all) {
  CaptureRequest capture;
  // A display that was chosen and is there no longer, since a restart for one, is none that was chosen.
  const bool gone = std::ranges::find(all, session_.selected_display(), &Display::id) == all.end();
  if (gone && !call_.dry_run) session_.select_display(all.front().id);
  capture.display = request.display.value_or(gone ? all.front().id : session_.selected_display());
  if (request.region && !request.display) {
    if (const Display* at = display_at(all, request.region->centre())) capture.display = at->id;
  }
  capture.region = request.region;
  capture.window = request.window;
  capture.cursor = request.show_cursor ? CursorInPicture::draw : CursorInPicture::leave_out;
  // Who is in the picture is known by drawing it; a list of windows can leave one out.
  capture.shows = [this](const Receiver& owner) {
    const bool granted = shows(owner);
    if (granted && owner.app.pid > 0) shown_.insert(owner.app.pid);
    return granted;
  };
  return capture;
}

// The covers end up in the request.
Result<Capture> CallContext::capture_masked(CaptureRequest& capture) {
  Screen* screen = TRY(require(computer_.screen(), "screen"));
  capture.covers = TRY(secret_places());
  Capture taken = TRY(screen->capture(capture, soon()));
  // A field that came or moved meanwhile: the picture is taken again, with all places that were ever known.
  for (int tries = 1;; ++tries) {
    std::vector<Rect> fresh;
    for (const Rect& place : TRY(secret_places())) {
      if (std::ranges::find(capture.covers, place) == capture.covers.end()) fresh.push_back(place);
    }
    if (fresh.empty()) break;
    if (tries == kSecretTries) {
      return make_error(Code::timeout, "Password fields keep moving, so no picture can be shown.")
          .with_hint("Wait a moment, then take the screenshot again.");
    }
    capture.covers.insert(capture.covers.end(), fresh.begin(), fresh.end());
    taken = TRY(screen->capture(capture, soon()));
  }
  look_began_.reset();
  return taken;
}

Result<actions::TextSeen> CallContext::read_text(const actions::LookRequest& request) {
  // Kept for the life of the process: its engines take long to load, and must not be taken down at its end.
  static vision::TextReader& reader = *new vision::TextReader();
  Screen* screen = TRY(require(computer_.screen(), "screen"));
  const auto all = TRY(screen->displays(soon()));
  CaptureRequest capture = capture_of(request, all);
  const Capture taken = TRY(capture_masked(capture));
  const vision::ReadText read = TRY(reader.read(taken.frame, taken.area, options_.stop));
  actions::TextSeen seen;
  seen.complete = read.complete;
  for (const vision::TextLine& line : read.lines) seen.lines.push_back({line.text, line.box, line.confidence});
  return seen;
}

Result<actions::LookResult> CallContext::take_look(const actions::LookRequest& request) {
  Screen* screen = TRY(require(computer_.screen(), "screen"));
  const auto all = TRY(screen->displays(soon()));
  CaptureRequest capture = capture_of(request, all);
  if (!request.with_picture) return agree_on_look(request, capture, all);
  const Capture taken = TRY(capture_masked(capture));
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
  result.picture = TRY(draw_picture(taken, target, encoding, request.marks));
  result.frozen = taken.frozen;
  result.hidden = taken.hidden;
  result.unsaid = covered_whole(taken.area, capture.covers);
  result.look = {random_id("look-"), capture.display,   taken.area,  result.picture.size,
                 taken.scale,        layout_stamp(all), Clock::now()};
  if (request.kind == actions::LookKind::basis) {
    if (request.display) session_.select_display(*request.display);
    SeenLook seen{result.look, taken.frame, capture.covers, {}, request.window};
    if (Windows* windows = computer_.windows(); windows != nullptr && session_.settings().stale_pixels) {
      if (auto list = windows->list(soon()); list.ok()) seen.windows = std::move(list).value();
      // A picture of one window shows it as if nothing were above it.
      if (request.window) std::erase_if(seen.windows, [&](const Window& each) { return each.id != *request.window; });
    }
    session_.remember(std::move(seen));
  }
  return result;
}

// Of the windows in the picture.
int CallContext::covered_whole(const Rect& area, const std::vector<Rect>& covers) {
  Windows* windows = computer_.windows();
  if (covers.empty() || windows == nullptr) return 0;
  const auto list = windows->list(soon());
  if (!list.ok()) return 0;
  return static_cast<int>(std::ranges::count_if(*list, [&](const Window& window) {
    const Rect shown = intersect(window.content, area);
    return window.visible && !shown.empty() &&
           std::ranges::any_of(covers, [&](const Rect& cover) { return intersect(cover, shown) == shown; });
  }));
}

// Coordinates without pixels: of the window, or the display, as its picture would be.
Result<actions::LookResult> CallContext::agree_on_look(const actions::LookRequest& request,
                                                       const CaptureRequest& capture, const std::vector<Display>& all) {
  const auto display = std::ranges::find(all, capture.display, &Display::id);
  if (display == all.end()) return make_error(Code::not_found, "There is no such display.");
  Rect area = display->bounds;
  if (capture.window) {
    Windows* windows = TRY(require(computer_.windows(), "window control"));
    const std::vector<Window> list = TRY(windows->list(soon()));
    const auto found = std::ranges::find(list, *capture.window, &Window::id);
    if (found == list.end()) return make_error(Code::not_found, "There is no such window.");
    area = found->bounds;
  }
  const Size pixels{static_cast<int>(area.width * display->scale), static_cast<int>(area.height * display->scale)};
  const Size image = vision::fit(pixels, session_.settings().image_tier, {request.max_width, request.max_height});
  actions::LookResult result;
  result.look = {random_id("look-"), capture.display, area, image, display->scale, layout_stamp(all), Clock::now()};
  if (request.kind == actions::LookKind::basis) session_.remember({result.look, {}, {}, {}, capture.window});
  return result;
}

std::optional<Look> CallContext::last_look() const { return session_.last_look(); }

// Over an app that is not granted it would tell where a person works, and where a hidden window is.
Result<Point> CallContext::cursor() {
  const Point at = TRY(pointer());
  Targets* targets = computer_.targets();
  if (targets == nullptr) return at;
  auto below = targets->at(at, soon());
  // A frame is the window manager's, and tells as much as the window in it.
  Windows* windows = computer_.windows();
  if (below.ok() && below->kind == ReceiverKind::window_manager && windows != nullptr) {
    const std::vector<Window> list = TRY(windows->list(soon()));
    const auto framed = std::find_if(
        list.rbegin(), list.rend(), [&](const Window& window) { return window.visible && window.bounds.contains(at); });
    if (framed != list.rend()) below = targets->of(framed->id, soon());
  }
  if (!below.ok() && below.error().code == Code::backend_lost) return below.error();
  const bool of_an_app = !below.ok() || below->kind == ReceiverKind::app || below->kind == ReceiverKind::unknown;
  if (!of_an_app || (below.ok() && shows(*below))) return at;
  return refused_look(make_error(Code::access_denied, "The pointer is over something that is not granted.")
                          .with_hint("Move the pointer to a granted app, or work without its place."),
                      below.ok() ? &*below : nullptr);
}

Result<Point> CallContext::pointer() {
  Screen* screen = TRY(require(computer_.screen(), "screen"));
  return screen->cursor(soon());
}

Result<std::vector<Display>> CallContext::displays() {
  Screen* screen = TRY(require(computer_.screen(), "screen"));
  return screen->displays(soon());
}

// Of apps that are not granted nothing is told but that there is a window, and which program to ask for.
Result<std::vector<Window>> CallContext::windows() {
  Windows* windows = TRY(require(computer_.windows(), "window control"));
  Targets* targets = computer_.targets();
  std::vector<Window> list = TRY(windows->list(soon()));
  for (Window& window : list) {
    Receiver owner;
    if (targets != nullptr) {
      if (auto found = targets->of(window.id, soon()); found.ok()) owner = std::move(found).value();
    }
    const policy::Standing standing = session_.standing(owner);
    if (standing.granted()) continue;
    window.title = "(not granted)";
    window.app = standing.app.name;
  }
  return list;
}

bool CallContext::shows(const Receiver& owner) { return session_.standing(owner).granted(); }

// Where password fields of granted apps are; the others are masked whole.
Result<std::vector<Rect>> CallContext::secret_places() {
  Secrets* secrets = computer_.secrets();
  Windows* windows = computer_.windows();
  Targets* targets = computer_.targets();
  if (secrets == nullptr || windows == nullptr || targets == nullptr) return std::vector<Rect>();
  std::vector<std::int64_t> pids;
  const auto list = windows->list(soon());
  if (!list.ok()) return list.error();
  for (const Window& window : *list) {
    if (window.pid == 0 || std::ranges::find(pids, window.pid) != pids.end()) continue;
    const auto owner = targets->of(window.id, soon());
    if (owner.ok() && shows(*owner)) pids.push_back(window.pid);
  }
  for (const std::int64_t pid : shown_) {
    if (std::ranges::find(pids, pid) == pids.end()) pids.push_back(pid);
  }
  if (pids.empty()) return std::vector<Rect>();
  auto places = secrets->fields(pids, Deadline::in(patience_left()));
  if (places.ok()) return places;
  if (places.error().code == Code::backend_lost) return places.error();
  // An app that does not say where its password fields are must not cost everyone the picture: all of it is covered.
  std::vector<Rect> whole;
  for (const Window& window : *list) {
    if (std::ranges::find(pids, window.pid) != pids.end()) whole.push_back(window.bounds);
  }
  return whole;
}

// An app that does not answer has had its time when its elements were asked for, so that a look as a whole does not
// wait for it much longer than one question may.
Millis CallContext::patience_left() {
  constexpr Millis kWhole{1500}, kLeast{300};
  if (!look_began_) look_began_ = Clock::now();
  return std::max(kLeast, kWhole - std::chrono::duration_cast<Millis>(Clock::now() - *look_began_));
}

bool CallContext::hides_others() {
  return session_.settings().isolation == IsolationMode::hide && computer_.isolation() != nullptr && !call_.dry_run;
}

Status CallContext::hide_others() {
  if (!hides_others()) return {};
  // Windows are put away only by who holds the desktop, and only with a way back.
  TRY(session_.tenure().take(soon()));
  return computer_.isolation()->hide([this](const Receiver& owner) { return shows(owner); }, soon());
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

void CallContext::select_display(int display) {
  if (!call_.dry_run) session_.select_display(display);
}

Result<AccessReply> CallContext::request_access(const AccessRequest& request) {
  if (call_.dry_run) {
    AccessReply reply{session_.access(), {}};
    for (const AppRequest& app : request.apps)
      reply.answers.push_back({app.app, app.tier, false, {}, false, {}, "A dry run asks nobody."});
    return reply;
  }
  return session_.request_access(request, options_.client, options_.stop);
}

Status CallContext::end_turn() {
  if (call_.dry_run) return {};
  return session_.tenure().end(Deadline::in(2 * kBackendPatience));
}

Access CallContext::access() const { return session_.access(); }

std::vector<actions::CallSeen> CallContext::calls() const {
  std::vector<actions::CallSeen> calls;
  for (JournalEntry& entry : session_.journal().entries()) {
    calls.push_back({entry.sequence, std::move(entry.action), std::move(entry.result), std::move(entry.refused_by),
                     std::move(entry.plan), entry.took_ms});
  }
  return calls;
}

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
    same_basis = same_basis && std::ranges::find(kNewBasis, call->spec->name) == kNewBasis.end();
    if (same_basis && call->spec->touches == catalog::Touches::pointer) {
      // Whether it may be done is judged when its turn comes: earlier steps change what is there.
      CallRecord unrecorded(session_.journal(), nullptr, session_.id(), *call);
      CallContext trial(runner_, *call, options_, unrecorded);
      trial.only_plan();
      const Result<Outcome> tried = call->spec->run(trial, call->params);
      unrecorded.ended(tried);
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
    Result<Outcome> outcome = runner_.run_now(call, {options_.stop, nullptr, options_.client});
    reports.push_back(actions::step_report(i, called, outcome));
    if (!outcome.ok()) {
      failure = std::move(outcome).error();
      break;
    }
    for (Picture& picture : outcome->pictures) pictures.push_back(std::move(picture));
    untrusted += outcome->untrusted;
    // A refusal that brings a picture is one all the same.
    failure = std::move(outcome->failure);
    if (options_.progress) options_.progress(i + 1, asked, std::string(called));
  }
  Outcome outcome = actions::batch_outcome(std::move(reports), asked, std::move(failure));
  outcome.pictures = std::move(pictures);
  if (untrusted.size() > kMostUntrusted) {
    outcome.text += fmt::format("\n{} bytes of text came from the desktop, of which the first {} follow.",
                                untrusted.size(), kMostUntrusted);
    untrusted = shortened(untrusted, kMostUntrusted);
  }
  outcome.untrusted = std::move(untrusted);
  return outcome;
}

}  // namespace handrail::engine
