#include "platform/x11/clipboard_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "platform/x11/atoms.h"

namespace handrail::x11 {
namespace {

constexpr std::size_t kMaxTargets = 256;
// An app that is there answers, and sends the next piece, in milliseconds; one that takes longer is stopped or hangs.
constexpr Millis kAnswerPatience{900};

Error too_large(std::size_t max_bytes) {
  return make_error(Code::too_large, fmt::format("The clipboard content is larger than {} MiB.", max_bytes >> 20));
}

// What came to a window of ours since it was made.
struct Arrivals {
  bool answered = false;  // SelectionNotify
  bool refused = false;
  std::uint64_t pieces = 0;  // new values of the property
  std::optional<xcb_timestamp_t> touched;
};

}  // namespace

xcb_window_t make_selection_window(Server& server) {
  const xcb_window_t window = xcb_generate_id(server.xcb());
  const std::uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
  xcb_create_window(server.xcb(), 0, window, server.root(), -10, -10, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                    XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &mask);
  return window;
}

struct SelectionReader::Board {
  std::mutex mutex;
  std::map<xcb_window_t, Arrivals> arrivals;

  void note(const Atoms& atoms, const xcb_generic_event_t& event) {
    const auto type = event.response_type & 0x7f;
    if (type == XCB_SELECTION_NOTIFY) {
      const auto& notify = reinterpret_cast<const xcb_selection_notify_event_t&>(event);
      const std::lock_guard lock(mutex);
      if (const auto found = arrivals.find(notify.requestor); found != arrivals.end()) {
        found->second.answered = true;
        found->second.refused = notify.property == XCB_ATOM_NONE;
      }
    } else if (type == XCB_PROPERTY_NOTIFY) {
      const auto& notify = reinterpret_cast<const xcb_property_notify_event_t&>(event);
      if (notify.atom != atoms.handrail_selection || notify.state != XCB_PROPERTY_NEW_VALUE) return;
      const std::lock_guard lock(mutex);
      if (const auto found = arrivals.find(notify.window); found != arrivals.end()) {
        ++found->second.pieces;
        found->second.touched = notify.time;
      }
    }
  }
  void expect(xcb_window_t window) {
    const std::lock_guard lock(mutex);
    arrivals[window] = {};
  }
  void forget(xcb_window_t window) {
    const std::lock_guard lock(mutex);
    arrivals.erase(window);
  }
  Arrivals seen(xcb_window_t window) {
    const std::lock_guard lock(mutex);
    return arrivals[window];
  }
};

SelectionReader::SelectionReader(std::shared_ptr<Connection> connection)
    : connection_(std::move(connection)), board_(std::make_shared<Board>()) {
  connection_->on_event(
      [board = board_](Server& server, const xcb_generic_event_t& event) { board->note(server.atoms(), event); });
}

Result<xcb_atom_t> SelectionReader::intern(const std::string& name, Deadline deadline) {
  return connection_->call<xcb_atom_t>(deadline, [&](Server& server) -> Result<xcb_atom_t> {
    const auto reply =
        TRY(server.reply(xcb_intern_atom(server.xcb(), 0, static_cast<std::uint16_t>(name.size()), name.c_str()),
                         xcb_intern_atom_reply, "InternAtom"));
    return reply->atom;
  });
}

Result<std::vector<std::string>> SelectionReader::names_of(const std::vector<xcb_atom_t>& atoms, Deadline deadline) {
  using Names = std::vector<std::string>;
  return connection_->call<Names>(deadline, [&](Server& server) -> Result<Names> {
    std::vector<Pending<xcb_get_atom_name_reply_t>> pending;
    for (const xcb_atom_t atom : atoms) {
      pending.push_back(server.pend(xcb_get_atom_name(server.xcb(), atom), xcb_get_atom_name_reply, "GetAtomName"));
    }
    Names names;
    for (auto& one : pending) {
      const auto reply = one.get();
      if (!reply.ok() && reply.error().code != Code::backend_error) return reply.error();
      // An owner may list numbers that are no atoms.
      if (!reply.ok()) {
        names.emplace_back();
        continue;
      }
      names.emplace_back(xcb_get_atom_name_name(reply->get()),
                         static_cast<std::size_t>(xcb_get_atom_name_name_length(reply->get())));
    }
    return names;
  });
}

Result<std::vector<xcb_atom_t>> SelectionReader::targets(xcb_atom_t selection, Deadline deadline) {
  const xcb_atom_t name = TRY(connection_->call<xcb_atom_t>(
      deadline, [](Server& server) -> Result<xcb_atom_t> { return server.atoms().targets; }));
  const auto content = TRY(convert(selection, name, kMaxClipboardBytes, deadline));
  if (!content) return std::vector<xcb_atom_t>{};
  std::vector<xcb_atom_t> atoms(std::min(content->bytes.size() / sizeof(xcb_atom_t), kMaxTargets));
  if (!atoms.empty()) std::memcpy(atoms.data(), content->bytes.data(), atoms.size() * sizeof(xcb_atom_t));
  return atoms;
}

Result<std::optional<SelectionContent>> SelectionReader::convert(xcb_atom_t selection, xcb_atom_t target,
                                                                 std::size_t max_bytes, Deadline deadline) {
  using Asked = std::optional<xcb_window_t>;
  EventWatch watch(*connection_);
  const auto asked = connection_->call<Asked>(deadline, [&](Server& server) -> Result<Asked> {
    const auto owner = TRY(server.reply(xcb_get_selection_owner(server.xcb(), selection), xcb_get_selection_owner_reply,
                                        "GetSelectionOwner"));
    if (owner->owner == XCB_WINDOW_NONE) return Asked{};
    const xcb_window_t made = make_selection_window(server);
    board_->expect(made);
    xcb_convert_selection(server.xcb(), made, selection, target, server.atoms().handrail_selection, XCB_CURRENT_TIME);
    return Asked{made};
  });
  if (!asked.ok()) return asked.error();
  const Asked window = *asked;
  if (!window) return std::optional<SelectionContent>{};
  Result<std::optional<SelectionContent>> content = receive(*window, watch, max_bytes, deadline);
  board_->forget(*window);
  // Its property, and an answer that comes too late, go with it.
  (void)connection_->call<Unit>(Deadline::in(kBackendPatience), [&](Server& server) -> Result<Unit> {
    xcb_destroy_window(server.xcb(), *window);
    return Unit{};
  });
  return content;
}

Result<SelectionContent> SelectionReader::take_property(xcb_window_t window, std::size_t max_bytes, Deadline deadline) {
  return connection_->call<SelectionContent>(deadline, [&](Server& server) -> Result<SelectionContent> {
    const auto units = static_cast<std::uint32_t>(max_bytes / 4 + 1);
    const auto value = TRY(server.reply(
        xcb_get_property(server.xcb(), 1, window, server.atoms().handrail_selection, XCB_ATOM_ANY, 0, units),
        xcb_get_property_reply, "GetProperty"));
    const auto count = static_cast<std::size_t>(xcb_get_property_value_length(value.get()));
    if (value->bytes_after > 0 || count > max_bytes) return too_large(max_bytes);
    return SelectionContent{value->type, value->format,
                            std::string(static_cast<const char*>(xcb_get_property_value(value.get())), count)};
  });
}

Result<std::optional<SelectionContent>> SelectionReader::receive(xcb_window_t window, EventWatch& watch,
                                                                 std::size_t max_bytes, Deadline deadline) {
  const Status answered = watch.until(deadline.within(kAnswerPatience), {},
                                      [&]() -> Result<bool> { return board_->seen(window).answered; });
  if (!answered.ok() && answered.error().code == Code::timeout) {
    return make_error(Code::timeout, "The app that owns the clipboard does not answer.");
  }
  if (!answered.ok()) return answered.error();
  if (board_->seen(window).refused) return std::optional<SelectionContent>{};
  const xcb_atom_t incr = TRY(connection_->call<xcb_atom_t>(
      deadline, [](Server& server) -> Result<xcb_atom_t> { return server.atoms().incr; }));
  SelectionContent content = TRY(take_property(window, max_bytes, deadline));
  if (content.type == incr) content = TRY(receive_pieces(window, watch, max_bytes, deadline));
  return std::optional<SelectionContent>(std::move(content));
}

// The owner writes a piece, we take it away, it writes the next; an empty one is the end.
Result<SelectionContent> SelectionReader::receive_pieces(xcb_window_t window, EventWatch& watch, std::size_t max_bytes,
                                                         Deadline deadline) {
  SelectionContent out;
  std::uint64_t taken = 0;
  for (;;) {
    const Status arrived = watch.until(deadline.within(kAnswerPatience), {},
                                       [&]() -> Result<bool> { return board_->seen(window).pieces > taken; });
    if (!arrived.ok() && arrived.error().code == Code::timeout) {
      return make_error(Code::timeout, "The app that owns the clipboard stopped in the middle of its content.");
    }
    if (!arrived.ok()) return arrived.error();
    const SelectionContent piece = TRY(take_property(window, max_bytes, deadline));
    ++taken;
    // Announced by the property that only promised pieces, which is gone by now.
    if (piece.type == XCB_ATOM_NONE) continue;
    if (out.bytes.size() + piece.bytes.size() > max_bytes) return too_large(max_bytes);
    // Some owners end with another type.
    if (!piece.bytes.empty() || out.type == XCB_ATOM_NONE) {
      out.type = piece.type;
      out.format = piece.format;
    }
    if (piece.bytes.empty()) return out;
    out.bytes += piece.bytes;
  }
}

Result<xcb_timestamp_t> SelectionReader::server_time(xcb_window_t window, Deadline deadline) {
  board_->expect(window);
  EventWatch watch(*connection_);
  const auto sent = connection_->call<Unit>(deadline, [&](Server& server) -> Result<Unit> {
    xcb_change_property(server.xcb(), XCB_PROP_MODE_APPEND, window, server.atoms().handrail_selection, XCB_ATOM_STRING,
                        8, 0, "");
    return Unit{};
  });
  Status stamped = sent.ok() ? Status() : Status(sent.error());
  if (sent.ok()) {
    stamped = watch.until(deadline, {}, [&]() -> Result<bool> { return board_->seen(window).touched.has_value(); });
  }
  const auto time = board_->seen(window).touched;
  board_->forget(window);
  if (!stamped.ok()) return stamped.error();
  return *time;
}

}  // namespace handrail::x11
