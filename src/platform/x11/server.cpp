#include <fmt/format.h>
#include <poll.h>
#include <xcb/xcbext.h>
#include <xcb/xinput.h>

#include "platform/x11/atoms.h"
#include "platform/x11/connection.h"
#include "platform/x11/dial.h"
#include "platform/x11/extensions.h"

namespace handrail::x11 {
namespace {

// One call asks the server many times: after a silent answer it does not wait as long for each of the others.
constexpr Millis kStillSilent{50};
constexpr Millis kSilenceLasts{2000};

Error from_x(const xcb_generic_error_t& error, std::string_view request) {
  if (error.error_code == XCB_WINDOW || error.error_code == XCB_DRAWABLE) {
    return make_error(Code::not_found, fmt::format("The window {:#x} is gone.", error.resource_id));
  }
  return make_error(Code::backend_error, fmt::format("The X server refused {} (error {}).", request, error.error_code));
}

}  // namespace

Server::Server() = default;
Server::~Server() = default;

Error Server::lost(std::string_view request) const {
  return make_error(Code::backend_lost, fmt::format("The X server on {} went away during {}.", name_, request))
      .with_hint(way_back(name_));
}

bool Server::broken() const { return out_of_step_ || xcb_connection_has_error(xcb_) != 0; }

void Server::discard(unsigned sequence) {
  if (xcb_ != nullptr) xcb_discard_reply(xcb_, sequence);
}

bool Server::read_events(xcb_generic_event_t* (*next)(xcb_connection_t*)) {
  while (auto event = Owned<xcb_generic_event_t>(next(xcb_))) events_.push_back(std::move(event));
  return !events_.empty();
}

Result<void*> Server::wait_reply(unsigned sequence, std::string_view request) {
  const bool was_silent = silent_since_ && Clock::now() - *silent_since_ < kSilenceLasts;
  const Deadline deadline = deadline_.within(was_silent ? kStillSilent : kBackendPatience);
  const TimePoint asked = Clock::now();
  xcb_flush(xcb_);
  while (true) {
    void* reply = nullptr;
    xcb_generic_error_t* error = nullptr;
    const bool answered = xcb_poll_for_reply(xcb_, sequence, &reply, &error) != 0;
    // Events that the server sent before the reply are read by now; whoever waits for the reply may
    // rely on what they say.
    read_events(xcb_poll_for_queued_event);
    dispatch_();
    if (answered) {
      silent_since_.reset();
      if (error != nullptr) return from_x(*Owned<xcb_generic_error_t>(error), request);
      if (reply == nullptr) {
        out_of_step_ = true;
        return lost(request);
      }
      return reply;
    }
    if (deadline.passed()) {
      discard(sequence);
      if (Clock::now() - asked > kBackendPatience / 2) silent_since_ = Clock::now();
      return make_error(Code::timeout, fmt::format("The X server on {} did not answer {} in time.", name_, request))
          .with_hint("Another program may hold the server; try again, or restart the desktop.");
    }
    pollfd socket{xcb_get_file_descriptor(xcb_), POLLIN, 0};
    ::poll(&socket, 1, static_cast<int>(deadline.left().count()));
    // Older versions of xcb read the socket only when asked for events.
    read_events(xcb_poll_for_event);
  }
}

Status Server::check(xcb_void_cookie_t cookie, std::string_view request) {
  const Status fenced = fence();
  if (!fenced.ok()) {
    discard(cookie.sequence);
    return fenced;
  }
  // Behind the fence its error, if any, has been read.
  void* reply = nullptr;
  xcb_generic_error_t* error = nullptr;
  xcb_poll_for_reply(xcb_, cookie.sequence, &reply, &error);
  if (error != nullptr) return from_x(*Owned<xcb_generic_error_t>(error), request);
  return {};
}

Status Server::fence() {
  TRY(reply(xcb_get_input_focus(xcb_), xcb_get_input_focus_reply, "GetInputFocus"));
  return {};
}

Status Server::act_as(std::uint16_t master) {
  if (master == acting_as_) return {};
  acting_as_ = 0;
  if (master == 0) {
    xcb_input_xi_set_client_pointer(xcb_, XCB_WINDOW_NONE, kPersonPointer);
    return {};
  }
  const Status done =
      check(xcb_input_xi_set_client_pointer_checked(xcb_, XCB_WINDOW_NONE, master), "XISetClientPointer");
  if (!done.ok()) return make_error(Code::backend_error, "The agent's own pointer was taken away by somebody else.");
  acting_as_ = master;
  return {};
}

Status Server::still_acting() {
  if (acting_as_ == 0) return {};
  const auto now = TRY(reply(xcb_input_xi_get_client_pointer(xcb_, XCB_WINDOW_NONE),
                             xcb_input_xi_get_client_pointer_reply, "XIGetClientPointer"));
  if (now->set != 0 && now->deviceid == acting_as_) return {};
  acting_as_ = 0;
  return make_error(Code::backend_error, "The agent's own pointer was taken away by somebody else.");
}

void Server::watch(xcb_window_t window, std::uint32_t event_mask) { count_watch(window, event_mask, true); }

void Server::unwatch(xcb_window_t window, std::uint32_t event_mask) { count_watch(window, event_mask, false); }

void Server::count_watch(xcb_window_t window, std::uint32_t event_mask, bool more) {
  const auto mask_of = [](const WatchCounts& counts) {
    std::uint32_t mask = 0;
    for (std::size_t bit = 0; bit < counts.size(); ++bit) mask |= counts[bit] > 0 ? 1U << bit : 0U;
    return mask;
  };
  const auto known = watched_.find(window);
  if (known == watched_.end() && !more) return;  // it is gone, and its entry with it
  WatchCounts& counts = known == watched_.end() ? watched_[window] : known->second;
  const std::uint32_t before = mask_of(counts);
  for (std::size_t bit = 0; bit < counts.size(); ++bit) {
    if ((event_mask & (1U << bit)) == 0) continue;
    if (more) {
      ++counts[bit];
    } else if (counts[bit] > 0) {
      --counts[bit];
    }
  }
  const std::uint32_t after = mask_of(counts);
  if (after != before) xcb_change_window_attributes(xcb_, window, XCB_CW_EVENT_MASK, &after);
  if (after == 0) watched_.erase(window);
}

}  // namespace handrail::x11
