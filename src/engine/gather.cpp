#include "engine/gather.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/plan_facts.h"
#include "engine/stale_pixels.h"
#include "engine/stale_stack.h"
#include "policy/needs.h"

namespace handrail::engine {
namespace {

Deadline soon() { return Deadline::in(kBackendPatience); }

policy::Readiness readiness(const Status& status) {
  if (status.ok()) return {};
  return {false, status.error().message, std::string(status.error().next_step())};
}

}  // namespace

Result<policy::AdmissionFacts> Gather::admission(const Status& recorded) const {
  KillSwitch& kill_switch = session_.kill_switch();
  policy::AdmissionFacts facts{call_, kill_switch.stopped(), kill_switch.because(), {}, {}, {}, {}, {}, {}};
  if (call_.spec->capability != Capability::none) {
    facts.capability = session_.computer().capability(call_.spec->capability);
  }
  facts.audit = readiness(recorded);
  facts.spent = session_.budget().spent(Clock::now());
  facts.flags = session_.access().flags;
  // A dry run touches nothing, so it needs nobody to undo it and no desktop to itself.
  if (facts.stopped || !call_.spec->acts() || call_.spec->touches == catalog::Touches::grants || call_.dry_run) {
    return facts;
  }
  Custody* custody = session_.parts().custody;
  facts.guardian =
      custody == nullptr ? policy::Readiness{false, "There is no guardian.", {}} : readiness(custody->ready());
  if (facts.guardian.ok && facts.audit.ok && facts.capability.available) {
    const Status taken = session_.tenure().take(soon());
    if (!taken.ok() && taken.error().code != Code::busy) return taken.error();
    facts.lock = readiness(taken);
  }
  return facts;
}

void Gather::common(policy::UseFacts& facts) const {
  KillSwitch& kill_switch = session_.kill_switch();
  facts.stopped = kill_switch.stopped();
  if (facts.stopped) facts.stopped_because = kill_switch.because();
  facts.selected_display = session_.selected_display();
  facts.flags = session_.access().flags;
  facts.region = session_.settings().region;
  facts.person_pause = session_.settings().person_pause;
  if (!call_.dry_run) facts.lock = readiness(session_.tenure().check());
}

Result<policy::UseFacts> Gather::use(const Plan& plan, const std::optional<Look>& look) {
  policy::UseFacts facts{.call = call_, .plan = plan};
  common(facts);
  facts.look = look;
  Custody* custody = session_.parts().custody;
  if (!call_.dry_run)
    facts.guardian =
        custody == nullptr ? policy::Readiness{false, "There is no guardian.", {}} : readiness(custody->ready());
  if (look) {
    if (Screen* screen = session_.computer().screen()) {
      if (const auto now = screen->displays(soon()); now.ok())
        facts.layout = layout_stamp(*now);
      else if (now.error().code == Code::backend_lost)
        return now.error();
    }
  }
  Input* hand = session_.computer().input();
  const std::vector<Key> held = hand == nullptr ? std::vector<Key>() : hand->held_keys();
  const auto* keyed = std::get_if<InputPlan>(&plan);
  // Keys that an earlier call left down are part of what this one does, on the hand that holds them.
  const Plan whole = keyed != nullptr && !keyed->seat && !held.empty() ? Plan(with_held(*keyed, held)) : plan;
  TRY(targets(facts, whole));
  // A place that is not granted is known without doing anything, in a dry run too.
  if (const auto* change = std::get_if<ChangeFile>(&plan)) {
    if (Files* files = session_.computer().files()) TRY(files->check(*change, soon()));
  }
  if (const auto* open = std::get_if<OpenApp>(&plan); open != nullptr && !open->file.empty()) {
    Files* files = session_.computer().files();
    facts.file = files == nullptr ? FileStanding::outside : TRY(files->standing(open->file, soon()));
  }
  facts.foreground = uses_seat(plan);
  if (facts.foreground) person(facts);
  if (const auto* change = std::get_if<ChangeWindow>(&plan); change != nullptr && facts.region) {
    facts.frames = TRY(frames_of(*change));
  }
  if (std::holds_alternative<SwitchWorkspace>(plan) && facts.region) facts.frames = TRY(everywhere());
  facts.persons_desktop = !session_.settings().rules.nobodys_desktop;
  facts.raises = raises(plan);
  facts.spent = session_.budget().spent_with(plan);
  facts.points = points_of(plan);
  if (const auto* input = std::get_if<InputPlan>(&whole)) {
    facts.chords = chords_of(*input);
    if (types(std::get<InputPlan>(plan)) && !facts.targets.empty()) {
      facts.secret_field = secret_field(*input, facts.targets.back().receiver);
    }
  }
  if (const auto* call = std::get_if<CallService>(&plan); call != nullptr && call->offered)
    facts.deeds = deeds_of(*call);
  if (const auto* act = std::get_if<ActOnElement>(&plan)) {
    if (writes_text(*act) && act->element.role == "password text") facts.secret_field = policy::Known::yes;
    facts.deeds = deeds_of(*act);
    if (facts.region) facts.frames = TRY(frames_of(*act));
  }
  TRY(texts(facts, whole));
  if (look && session_.settings().stale_pixels) {
    facts.look_age =
        look->taken == TimePoint{} ? Millis::max() : std::chrono::duration_cast<Millis>(Clock::now() - look->taken);
    const auto* act = std::get_if<ActOnElement>(&plan);
    const bool covered = !uses_seat(plan);
    facts.pixels = act == nullptr ? pixels(facts.points, facts, covered) : pixels(*act, facts);
  }
  return facts;
}

void Gather::person(policy::UseFacts& facts) const {
  Targets* port = session_.computer().targets();
  if (port == nullptr || facts.person_pause.count() <= 0) return;
  const auto idle = port->person_idle(soon());
  facts.person_idle = idle.ok() ? *idle : Millis(0);
}

// Asked for as such. What is acted on in the foreground goes back by itself.
bool Gather::raises(const Plan& plan) const {
  if (session_.settings().rules.nobodys_desktop) return false;
  if (std::holds_alternative<SwitchWorkspace>(plan)) return true;
  if (const auto* app = std::get_if<ChangeApp>(&plan)) return app->verb == AppVerb::unhide;
  const auto* change = std::get_if<ChangeWindow>(&plan);
  if (change == nullptr || call_.spec == nullptr) return false;
  const std::string_view name = call_.spec->name;
  const bool to_front = (name == "focus_app" || name == "activate_app") && change->verb == WindowVerb::focus;
  const bool asked = to_front || change->verb == WindowVerb::raise || change->verb == WindowVerb::restore;
  if (!asked) return false;
  Windows* windows = session_.computer().windows();
  const auto list = windows == nullptr ? Result<std::vector<Window>>(std::vector<Window>()) : windows->list(soon());
  const bool in_front = list.ok() && std::ranges::any_of(*list, [&](const Window& window) {
                          return window.id == change->window &&
                                 (window.focused || (change->verb == WindowVerb::restore && window.visible));
                        });
  return !in_front;
}

// What of a window must lie in the region: all of it where it would be, or, of one that stays where it is, the part
// that is there already.
Result<std::vector<Rect>> Gather::frames_of(const ChangeWindow& change) const {
  Windows* windows = session_.computer().windows();
  if (windows == nullptr) return make_error(Code::capability_unsupported, "This computer has no window control.");
  const std::vector<Window> list = TRY(windows->list(soon()));
  const auto found = std::ranges::find(list, change.window, &Window::id);
  if (found == list.end()) return make_error(Code::not_found, "There is no such window.");
  Rect after = found->bounds;
  // Where they would be is known to nobody before.
  if (change.verb == WindowVerb::maximise) return everywhere();
  if (change.verb == WindowVerb::restore) return std::vector{after};
  const bool moves = change.verb == WindowVerb::move || change.verb == WindowVerb::place;
  const bool sizes = change.verb == WindowVerb::resize || change.verb == WindowVerb::place;
  if (moves) {
    after.x = change.frame.x;
    after.y = change.frame.y;
  }
  if (sizes) {
    after.width = change.frame.width;
    after.height = change.frame.height;
  }
  if (moves || sizes) return std::vector{after};
  if (const Rect inside = intersect(after, *session_.settings().region); !inside.empty()) {
    after = inside;
  }
  return std::vector{after};
}

// Where the element is now. One that tells no place may be anywhere.
Result<std::vector<Rect>> Gather::frames_of(const ActOnElement& act) const {
  Accessibility* port = session_.computer().accessibility();
  if (port == nullptr) return make_error(Code::capability_unsupported, "This computer has no accessibility.");
  const Element now = TRY(port->read(act.element, soon()));
  if (!now.bounds.empty()) return std::vector{now.bounds};
  return everywhere();
}

Result<std::vector<Rect>> Gather::everywhere() const {
  Screen* screen = session_.computer().screen();
  if (screen == nullptr) return make_error(Code::capability_unsupported, "This computer has no screen.");
  std::vector<Rect> all;
  for (const Display& display : TRY(screen->displays(soon()))) all.push_back(display.bounds);
  return all;
}

Status Gather::targets(policy::UseFacts& facts, const Plan& plan) const {
  Targets* port = session_.computer().targets();
  Apps* apps = session_.computer().apps();
  Input* input = session_.computer().input();
  const bool held = input != nullptr && !input->held_buttons().empty();
  const auto before = held ? policy::ButtonBefore::down : policy::ButtonBefore::up;
  const auto* hand = std::get_if<InputPlan>(&plan);
  for (const policy::Need& need : policy::needs_of(plan, before)) {
    using Where = policy::Need::Where;
    // The agent's own hand is on one window, whatever is above it and wherever the person is.
    const bool seated = hand != nullptr && hand->seat && need.where != Where::clipboard;
    const Where where = seated ? Where::window : need.where;
    policy::TargetFacts target;
    target.needs = need.tier;
    target.role = need.role;
    if (need.where == Where::point) target.at = need.at;
    Result<Receiver> found = make_error(Code::not_found, "Nobody knows who is there.");
    switch (where) {
      case Where::clipboard: continue;  // judged by the flags
      case Where::app: {
        if (apps == nullptr) return make_error(Code::capability_unsupported, "This computer has no app launcher.");
        const auto program = apps->resolve(need.app, soon());
        if (!program.ok()) return program.error();
        target.receiver.kind = ReceiverKind::app;
        target.receiver.app = program->identity;
        target.standing = session_.standing_of_program(program->identity);
        facts.targets.push_back(std::move(target));
        continue;
      }
      case Where::point:
        if (port != nullptr) found = port->at(need.at, soon());
        break;
      case Where::pointer: {
        Screen* screen = session_.computer().screen();
        if (port != nullptr && screen != nullptr) {
          const auto at = screen->cursor(soon());
          found = at.ok() ? port->at(*at, soon()) : Result<Receiver>(at.error());
        }
        break;
      }
      case Where::focus:
        if (port != nullptr) found = port->focus(soon());
        break;
      case Where::window:
        if (port != nullptr) found = port->of(seated ? hand->seat->window : need.window, soon());
        // A window that is not there is no question of permission.
        if (!found.ok() && found.error().code == Code::not_found) return found.error();
        break;
      case Where::process:
        if (port != nullptr) found = port->of_process(need.pid, soon());
        // Elements are of the window that was captured: what is typed there goes on what was set.
        if (const auto aimed = session_.target(); found.ok() && aimed && aimed->pid == need.pid) {
          found->toplevel = aimed->window;
        }
        break;
    }
    if (found.ok())
      target.receiver = std::move(found).value();
    else if (found.error().code == Code::backend_lost)
      return found.error();
    target.standing = session_.standing(target.receiver);
    facts.targets.push_back(std::move(target));
  }
  return {};
}

// A text with a tab or a line break may go on in the next field, which nobody has looked at.
policy::Known Gather::secret_field(const InputPlan& plan, const Receiver& focus) {
  looked_.reset();
  typing_ = focus_came_ = false;
  Secrets* secrets = session_.computer().secrets();
  if (secrets == nullptr) return policy::Known::no;
  const std::int64_t pid = focus.app.pid;
  const auto focused = secrets->focused(pid, soon());
  if (!focused.ok()) return policy::Known::unknown;
  if (focused->value_or(false)) return policy::Known::yes;
  const bool moves_on = std::ranges::any_of(plan.steps, [](const Step& step) {
    const auto* text = std::get_if<TypeText>(&step);
    return text != nullptr && text->text.find_first_of("\t\n\r") < text->text.size() - 1;
  });
  if (!moves_on) {
    // What is typed is for this field: of another window of an app that tells nothing is known, nor of another app.
    looked_ = {focus.window, pid, focused->has_value()};
    return policy::Known::no;
  }
  const auto fields = secrets->fields({pid}, soon());
  return fields.ok() && fields->empty() ? policy::Known::no : policy::Known::unknown;
}

Status Gather::texts(policy::UseFacts& facts, const Plan& plan) {
  text_after_.reset();
  if (const auto* run = std::get_if<RunProgram>(&plan)) {
    // Each alone, and the arguments as a person would type them.
    std::string line;
    for (const std::string& word : run->argv) line += (line.empty() ? "" : " ") + word;
    facts.text = line + "\n" + run->script + "\n" + run->input + "\n";
  }
  if (const auto* write = std::get_if<WriteClipboard>(&plan)) {
    for (const ClipItem& item : write->items) {
      if (item.mime.starts_with("text/")) facts.text = facts.text.value_or("") + item.bytes + "\n";
    }
  }
  if (const auto* act = std::get_if<ActOnElement>(&plan); act != nullptr && !facts.targets.empty()) {
    if (writes_text(*act)) {
      policy::TextWindow alone;
      alone.type(act->text);
      const policy::TextWindow before = session_.text_window(facts.targets.back().receiver);
      policy::TextWindow window = before;
      // What is set takes the place of what was there.
      if (act->verb == ElementVerb::set_value) window.type("\n");
      window.type(act->text);
      judge_both(facts, before, alone, std::move(window));
    }
    return {};
  }
  const auto* input = std::get_if<InputPlan>(&plan);
  if (input == nullptr || facts.targets.empty()) return {};
  const std::vector<Selection> pasted = pastes(*input);
  if (!types(*input) && pasted.empty()) return {};
  const policy::TextWindow before = session_.text_window(facts.targets.back().receiver);
  policy::TextWindow alone = typed({}, *input);
  policy::TextWindow window = typed(before, *input);
  Clipboard* clipboard = session_.computer().clipboard();
  for (const Selection selection : pasted) {
    if (clipboard == nullptr) break;
    const auto content = clipboard->read(selection, std::string(kPlainText), soon());
    if (content.ok()) {
      window.type(*content);
      alone.type(*content);
    } else if (content.error().code != Code::not_found) {
      Error error = content.error();
      error.message = "What would be pasted cannot be judged: " + error.message;
      return error;
    }
  }
  judge_both(facts, before, alone, std::move(window));
  return {};
}

// What comes may stand alone, in a field of its own, or go on what the target got before.
void Gather::judge_both(policy::UseFacts& facts, const policy::TextWindow& before, const policy::TextWindow& alone,
                        policy::TextWindow after) {
  facts.text = before.text().empty() ? after.text() : alone.text() + "\n" + after.text();
  text_after_ = std::move(after);
}

policy::PixelFacts Gather::pixels(const std::vector<Point>& points, const policy::UseFacts& facts, bool covered) const {
  policy::PixelFacts found;
  const auto seen = session_.seen();
  Screen* screen = session_.computer().screen();
  // Without the layout of the look nothing can be compared; the gate for that refuses by itself.
  if (!seen || seen->frame.pixels == nullptr || screen == nullptr || facts.layout != seen->look.layout) return found;
  const auto shows = [this](const Receiver& owner) { return session_.standing(owner).granted(); };
  // The ends of a movement are what was aimed at.
  std::vector<Point> aims;
  if (!points.empty()) aims.push_back(points.front());
  if (points.size() > 1 && !(points.back() == points.front())) aims.push_back(points.back());
  for (const Point& aim : aims) {
    const auto there = std::ranges::find(facts.targets, std::optional(aim), &policy::TargetFacts::at);
    if (!covered && there != facts.targets.end() &&
        stack_changed(*seen, aim, there->receiver, session_.computer().windows())) {
      return {true, true, fmt::format("The window at [{:g}, {:g}]", aim.x, aim.y)};
    }
    found = compare_with_look(*seen, aim, *screen, covered ? Against::own_window : Against::screen, shows);
    if (found.changed) return found;
  }
  return found;
}

// An act in the background is aimed at a window that may be covered: its own picture is compared, and the element must
// be the one that was told, which a picture of two buttons that changed places may not show.
policy::PixelFacts Gather::pixels(const ActOnElement& act, const policy::UseFacts& facts) const {
  policy::PixelFacts found;
  const auto seen = session_.seen();
  Screen* screen = session_.computer().screen();
  if (!act.at || !seen || screen == nullptr || facts.layout != seen->look.layout) return found;
  const KnownElement* told = nullptr;
  const KnownElements known = session_.elements();
  for (const KnownElement& each : known.all) {
    const Rect& bounds = each.told.bounds;
    if (!bounds.contains(*act.at)) continue;
    const bool smaller =
        told == nullptr || bounds.width * bounds.height <= told->told.bounds.width * told->told.bounds.height;
    if (smaller) told = &each;
  }
  found.checked = true;
  found.changed = told != nullptr && told->key != act.element;
  if (found.changed) found.what = fmt::format("The element at [{:g}, {:g}]", act.at->x, act.at->y);
  if (found.changed || seen->frame.pixels == nullptr) return found;
  return compare_with_look(*seen, *act.at, *screen, Against::own_window,
                           [this](const Receiver& owner) { return session_.standing(owner).granted(); });
}

void Gather::person_now(policy::UseFacts& facts) const {
  Targets* port = session_.computer().targets();
  if (port == nullptr || facts.person_pause.count() <= 0 || !uses_seat(facts.plan)) return;
  const std::optional<Millis> idle = port->person_seen();
  if (idle && Clock::now() - *idle > agreed_until_) facts.person_idle = idle;
}

policy::UseFacts Gather::event(const Plan& plan, const InputEvent& event) const {
  policy::UseFacts facts{.call = call_, .plan = plan};
  common(facts);
  if (event.kind != EventKind::key && event.kind != EventKind::character) facts.points.push_back(event.at);
  // Where a press went its release goes, wherever the pointer is, unless it drops something there. While a button is
  // held, moving tells nobody but the app that has it.
  const bool follows_press =
      (event.kind == EventKind::release && !event.dragging) || (event.kind == EventKind::move && event.dragging);
  policy::TargetFacts target;
  if (follows_press) {
    if (event.kind == EventKind::move) person_now(facts);
    target.needs = catalog::Tier::none;
    target.role = "the app that has the button";
    facts.targets.push_back(std::move(target));
    return facts;
  }
  const bool keys = event.kind == EventKind::key || event.kind == EventKind::character;
  // Letting go is no act of its own, and what has arrived has arrived.
  if (event.kind != EventKind::release && event.kind != EventKind::received) person_now(facts);
  if (keys && looked_) {
    const bool elsewhere =
        event.receiver.window != looked_->window && (looked_->tells || event.receiver.app.pid != looked_->pid);
    if (elsewhere) facts.secret_field = policy::Known::unknown;
    // Before the first key a focus that was on its way has arrived: nothing is lost by looking again.
    focus_came_ = elsewhere && !typing_;
    typing_ = typing_ || !elsewhere;
  }
  target.receiver = event.receiver;
  target.standing = session_.standing(event.receiver);
  target.needs = policy::tier_needed(event);
  target.role = keys                                ? policy::kKeyboardFocus
                : event.kind == EventKind::received ? "what received the press"
                                                    : "the point";
  facts.targets.push_back(std::move(target));
  if (event.kind == EventKind::key) facts.chords.push_back(event.chord);
  return facts;
}

}  // namespace handrail::engine
