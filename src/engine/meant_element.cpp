// The part of a call that holds the numbers of elements to the app that the caller takes them for, and tells which
// element was meant.
#include <fmt/format.h>

#include "base/one_line.h"
#include "engine/call_context.h"
#include "engine/fit_of_name.h"

namespace handrail::engine {

Status CallContext::must_be_meant(const KnownElements& known, const KnownElement& element) {
  constexpr std::size_t kNameBytes = 60;
  Targets* targets = TRY(require(computer_.targets(), "window owners"));
  const Receiver owner = TRY(targets->of_process(element.key.pid, Deadline::in(kBackendPatience)));
  const std::string name = session_.standing(owner).app.name;
  const auto other = [&](const std::string& asked_for) {
    return make_error(Code::target_stale, fmt::format("Element {} is one of {} in the last capture, not of {}.",
                                                      element.number, one_line(name), asked_for))
        .with_hint("Capture what is meant, and take the number from there.");
  };
  const Json meant = call_.arguments.value("numbers_of", Json::object());
  const WindowId window = known.window != 0 ? known.window : element.told.window;
  const std::int64_t asked = meant.value("window", std::int64_t{0});
  if (asked != 0 && static_cast<WindowId>(asked) != window) return other(fmt::format("window {}", asked));
  const std::string app = meant.value("app", std::string());
  if (!app.empty() && fit_of_name(app, owner.app.claimed_class, owner.app, name) == 0) {
    return other(fmt::format("`{}`", one_line(app)));
  }
  acted_on_app_ = name;
  acted_on_ = fmt::format("#{} {} {} [{}]\n", element.number, one_line(element.told.role),
                          quoted(element.told.name, kNameBytes), one_line(name));
  return {};
}

void CallContext::tell_element(Outcome& outcome) const {
  if (acted_on_.empty() || !call_.spec->acts()) return;
  outcome.text += fmt::format(" It was an element of {}.", one_line(acted_on_app_));
  outcome.untrusted = acted_on_ + outcome.untrusted;
}

}  // namespace handrail::engine
