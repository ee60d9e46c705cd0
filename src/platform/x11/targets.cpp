#include "platform/x11/targets.h"

#include <fmt/format.h>

#include <limits>

namespace handrail::x11 {

X11Targets::X11Targets(std::shared_ptr<Connection> connection, std::shared_ptr<InputDelivery> delivery,
                       std::shared_ptr<People> people)
    : connection_(std::move(connection)),
      delivery_(std::move(delivery)),
      people_(std::move(people)),
      layout_(connection_) {}

Result<Receiver> X11Targets::at(Point point, Deadline deadline) {
  return connection_->call<Receiver>(deadline, [&](Server& server) -> Result<Receiver> {
    const auto displays = TRY(layout_.displays(server));
    const Display* display = display_at(displays, point);
    if (display == nullptr) {
      return make_error(Code::argument_invalid, fmt::format("The point {:g},{:g} is on no display.", point.x, point.y));
    }
    return delivery_->owners().at(server, to_pixel(*display, point));
  });
}

Result<Receiver> X11Targets::focus(Deadline deadline) {
  return connection_->call<Receiver>(deadline, [&](Server& server) -> Result<Receiver> {
    TRY(delivery_->start(server));
    return delivery_->key_receiver(server);
  });
}

Result<Receiver> X11Targets::of(WindowId window, Deadline deadline) {
  if (window == 0 || window > std::numeric_limits<xcb_window_t>::max()) {
    return make_error(Code::not_found, fmt::format("There is no window {}.", window));
  }
  return connection_->call<Receiver>(
      deadline, [&](Server& server) { return delivery_->owners().of(server, static_cast<xcb_window_t>(window)); });
}

Result<Receiver> X11Targets::of_process(std::int64_t pid, Deadline) { return delivery_->owners().process(pid); }

Result<std::optional<Millis>> X11Targets::person_idle(Deadline deadline) {
  if (!people_) return std::optional<Millis>();
  // Once it listens, news come by themselves, and every event of a plan is judged by what has come until then.
  if (people_->listening()) return people_->seen();
  return people_->idle(deadline);
}

}  // namespace handrail::x11
