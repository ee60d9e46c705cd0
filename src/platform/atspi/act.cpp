// The acts of the port: the element is read again, acted on, and read back.
#include "platform/atspi/act.h"

#include <algorithm>

#include "platform/atspi/accessibility.h"

namespace handrail::atspi {
namespace {

// For all of it, whatever the app does.
constexpr Millis kActPatience{1400};
// For what the app says of its own accord after it has answered.
constexpr Millis kReaction{250};
constexpr Millis kCatchUp{50};
// Those above it that say whether it opens something.
constexpr std::size_t kNear = 2;
constexpr const char* kDaemon = "org.freedesktop.DBus";
// For a state that is known to be on its way: pages pass it on through several processes.
constexpr Millis kReadBack{1000};

Result<Deed> plain(const Thing& thing, Told told, const char* how) {
  if (told == Told::refused || told == Told::no) return unsupported(thing, "cannot do that");
  return Deed{how, told};
}

Result<Deed> perform(AppCalls& app, const Thing& thing, const std::string& toolkit, const ActOnElement& act) {
  switch (act.verb) {
    case ElementVerb::press: return press(app, thing, act.text);
    case ElementVerb::set_value: return set_value(app, thing, toolkit, act.text);
    case ElementVerb::insert: return insert(app, thing, toolkit, act.text);
    case ElementVerb::show: return plain(thing, app.scroll_to(thing.path), "scroll");
    case ElementVerb::focus: return plain(thing, app.grab_focus(thing.path), "focus");
    case ElementVerb::menu: return choose_in_menu(app, thing, act.path);
  }
  return make_error(Code::internal, "An unknown verb.");
}

Result<std::optional<std::string>> state_at(AppCalls& app, const std::string& path, bool selects) {
  const Thing thing = TRY(app.look(path));
  if (!thing.known) return std::optional<std::string>();
  if (selects) return std::optional(selection_of(thing));
  return state_of(app, thing);
}

}  // namespace

Result<ElementReport> AtspiAccessibility::act_on(Owner& owner, const ActOnElement& act, const Permit& permit,
                                                 Deadline deadline, const std::stop_token& stop) {
  AppCalls app(*owner.hand->bus, act.element.id.app, owner.toolkit, deadline);
  // What it will be asked for is asked for with the rest.
  const std::size_t near = std::min<std::size_t>(owner.above.size(), kNear);
  app.look_ahead({owner.above.begin(), owner.above.begin() + static_cast<std::ptrdiff_t>(near)});
  app.look_ahead({act.element.id.object});
  if (act.verb == ElementVerb::press) app.press_ahead(act.element.id.object);
  const Element element = TRY(find_element(owner, act.element, false, deadline));
  if (stop.stop_requested()) return make_error(Code::cancelled, "Called off before anything was done.");
  const Thing thing = TRY(app.look(act.element.id.object));
  const bool changes = act.verb != ElementVerb::show && act.verb != ElementVerb::focus;
  if (changes && act.verb != ElementVerb::menu && !element.states.has(ElementState::enabled)) {
    return unsupported(thing, "is disabled");
  }
  ElementReport report;
  if (changes && act.verb != ElementVerb::menu) report.before = TRY(state_of(app, thing));
  const std::uint64_t seen = counted(act.element.pid);
  TRY(permit.judge({}));
  const Deed deed = TRY(perform(app, thing, owner.toolkit, act));
  app.forget_ahead();
  report.how = deed.how;
  report.answered = deed.told == Told::yes || deed.told == Told::no;
  const std::string object = deed.object.empty() ? thing.path : deed.object;
  // Whose state it was before.
  if (object != thing.path || deed.selects) report.before.reset();
  const Deadline reaction = deadline.within(deed.wanted ? kReadBack : kReaction);
  for (bool more = true; more;) {
    more = !reaction.passed() && !stop.stop_requested();
    const std::uint64_t before = counted(act.element.pid);
    report.reacted = before != seen;
    if (changes) {
      // An app that stopped answering has been asked all the same: that is what is reported.
      auto state = state_at(app, object, deed.selects);
      if (!state.ok()) break;
      report.after = *state;
      report.as_wanted = deed.wanted && report.after == deed.wanted;
      report.otherwise = deed.wanted && report.after && report.after != deed.wanted;
    }
    // What the app said before its last answer.
    catch_up();
    report.reacted = counted(act.element.pid) != seen;
    if (report.as_wanted || (report.reacted && !deed.wanted)) break;
    if (more) hear_of(act.element.pid, before, reaction, stop);
  }
  return report;
}

std::uint64_t AtspiAccessibility::counted(std::int64_t pid) {
  const std::lock_guard lock(counts_mutex_);
  return count_of({pid});
}

void AtspiAccessibility::catch_up() {
  const std::unique_lock lock(mutex_, kCatchUp);
  if (!lock || !bus_) return;
  bus_->send(bus_->call(kDaemon, "/org/freedesktop/DBus", kDaemon, "GetId"), [](sd_bus_message*) {});
  // A bus that is lost is found out by the next question.
  [[maybe_unused]] const Status settled = bus_->settle(Deadline::in(kCatchUp));
}

void AtspiAccessibility::hear_of(std::int64_t pid, std::uint64_t seen, Deadline deadline, const std::stop_token& stop) {
  std::unique_lock lock(counts_mutex_);
  counted_.wait_until(lock, stop, deadline.at(), [&] { return count_of({pid}) > seen; });
}

Result<ElementReport> AtspiAccessibility::act(const ActOnElement& act, Permit permit, Deadline deadline,
                                              std::stop_token stop) {
  const Deadline patience = deadline.within(kActPatience);
  return by_hand<ElementReport>(act.element, patience,
                                [&](Owner& owner) { return act_on(owner, act, permit, patience, stop); });
}

}  // namespace handrail::atspi
