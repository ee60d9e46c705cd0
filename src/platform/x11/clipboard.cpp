#include "platform/x11/clipboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "platform/x11/atoms.h"
#include "platform/x11/clipboard_text.h"

namespace handrail::x11 {
namespace {

xcb_atom_t atom_of(Server& server, Selection selection) {
  return selection == Selection::clipboard ? server.atoms().clipboard : xcb_atom_t{XCB_ATOM_PRIMARY};
}

Error too_large() {
  return make_error(Code::too_large,
                    fmt::format("The clipboard content is larger than {} MiB.", kMaxClipboardBytes >> 20));
}

Result<xcb_atom_t> intern(Server& server, const std::string& name) {
  const auto reply =
      TRY(server.reply(xcb_intern_atom(server.xcb(), 0, static_cast<std::uint16_t>(name.size()), name.c_str()),
                       xcb_intern_atom_reply, "InternAtom"));
  return reply->atom;
}

xcb_window_t make_window(Server& server) {
  const xcb_window_t window = xcb_generate_id(server.xcb());
  const std::uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
  xcb_create_window(server.xcb(), 0, window, server.root(), -10, -10, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                    XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &mask);
  return window;
}

// MIME types are visible ASCII; X would take any bytes as an atom's name.
bool is_mime(std::string_view text) {
  const bool visible = std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
  return visible && text.size() <= 255 && text.find('/') != text.npos && text.front() != '/' && text.back() != '/';
}

// What came to a window of ours since it was made.
struct Arrivals {
  bool answered = false;  // SelectionNotify
  bool refused = false;
  std::uint64_t pieces = 0;  // new values of the property
  std::optional<xcb_timestamp_t> touched;
};

}  // namespace

struct X11Clipboard::Board {
  SelectionServer served;  // connection's thread only
  xcb_window_t owner = XCB_WINDOW_NONE;

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
  Arrivals seen(xcb_window_t window) {
    const std::lock_guard lock(mutex);
    return arrivals[window];
  }
};

X11Clipboard::X11Clipboard(std::shared_ptr<Connection> connection)
    : connection_(std::move(connection)), board_(std::make_shared<Board>()) {
  connection_->on_open([board = board_](Server&) -> Status {
    board->served.reset();
    board->owner = XCB_WINDOW_NONE;
    return {};
  });
  connection_->on_event([board = board_](Server& server, const xcb_generic_event_t& event) {
    board->note(server.atoms(), event);
    board->served.handle(server, event);
  });
}

X11Clipboard::~X11Clipboard() = default;

Result<std::optional<std::vector<ClipItem>>> X11Clipboard::own_items(Selection selection, Deadline deadline) {
  using Items = std::optional<std::vector<ClipItem>>;
  return connection_->call<Items>(deadline, [&](Server& server) -> Result<Items> {
    // Behind the fence every SelectionClear has come: what another app took is no longer on offer.
    TRY(server.fence());
    const SelectionOffer* offer = board_->served.offered(atom_of(server, selection));
    if (offer == nullptr) return Items{};
    return Items{offer->items};
  });
}

Result<std::vector<std::string>> X11Clipboard::formats(Selection selection, Deadline deadline) {
  std::vector<std::string> out;
  bool text = false;
  const auto add = [&](const std::string& name) {
    if (is_plain_text(name) || is_text_target(name)) {
      text = true;
    } else if (is_mime(name) && std::ranges::find(out, name) == out.end()) {
      out.push_back(name);
    }
  };
  if (const auto own = TRY(own_items(selection, deadline))) {
    for (const ClipItem& item : *own) add(item.mime);
  } else {
    const auto content = TRY(convert(selection, "TARGETS", deadline));
    if (!content) return out;
    std::vector<xcb_atom_t> atoms(std::min<std::size_t>(content->bytes.size() / sizeof(xcb_atom_t), 256));
    std::memcpy(atoms.data(), content->bytes.data(), atoms.size() * sizeof(xcb_atom_t));
    for (const std::string& name : TRY(names_of(atoms, deadline))) add(name);
  }
  if (text) out.insert(out.begin(), std::string(kPlainText));
  return out;
}

Result<std::vector<std::string>> X11Clipboard::names_of(const std::vector<xcb_atom_t>& atoms, Deadline deadline) {
  using Names = std::vector<std::string>;
  return connection_->call<Names>(deadline, [&](Server& server) -> Result<Names> {
    std::vector<Pending<xcb_get_atom_name_reply_t>> pending;
    for (const xcb_atom_t atom : atoms) {
      pending.push_back(server.pend(xcb_get_atom_name(server.xcb(), atom), xcb_get_atom_name_reply, "GetAtomName"));
    }
    Names names;
    for (auto& one : pending) {
      const auto reply = one.get();
      // An owner may list numbers that are no atoms.
      if (!reply.ok() && reply.error().code == Code::backend_error) continue;
      if (!reply.ok()) return reply.error();
      names.emplace_back(xcb_get_atom_name_name(reply->get()),
                         static_cast<std::size_t>(xcb_get_atom_name_name_length(reply->get())));
    }
    return names;
  });
}

Result<std::string> X11Clipboard::read(Selection selection, const std::string& mime, Deadline deadline) {
  const bool text = is_plain_text(mime);
  if (!text && !is_mime(mime)) {
    return make_error(Code::argument_invalid, "The clipboard format is no MIME type.")
        .with_field("format", "a MIME type such as text/html or image/png");
  }
  if (const auto own = TRY(own_items(selection, deadline))) {
    for (const ClipItem& item : *own) {
      if (item.mime == mime || (text && is_plain_text(item.mime))) return item.bytes;
    }
  } else {
    std::vector<std::string> targets{mime};
    if (text) targets = {"UTF8_STRING", std::string(kPlainText), "STRING", "text/plain", "TEXT"};
    for (const std::string& target : targets) {
      auto content = TRY(convert(selection, target, deadline));
      if (!content) continue;
      if (content->type == XCB_ATOM_STRING) return from_latin1(content->bytes);
      return std::move(content->bytes);
    }
  }
  return make_error(Code::not_found, fmt::format("The clipboard holds nothing as {}.", mime))
      .with_hint("Ask for the formats on offer.");
}

Result<std::optional<X11Clipboard::Content>> X11Clipboard::convert(Selection selection, const std::string& target,
                                                                   Deadline deadline) {
  using Asked = std::optional<xcb_window_t>;
  EventWatch watch(*connection_);
  const Asked window = TRY(connection_->call<Asked>(deadline, [&](Server& server) -> Result<Asked> {
    const xcb_atom_t name = atom_of(server, selection);
    auto pending_owner =
        server.pend(xcb_get_selection_owner(server.xcb(), name), xcb_get_selection_owner_reply, "GetSelectionOwner");
    const auto atom = intern(server, target);
    const auto owner = pending_owner.get();
    if (!owner.ok()) return owner.error();
    if (!atom.ok()) return atom.error();
    if ((*owner)->owner == XCB_WINDOW_NONE) return Asked{};
    const xcb_window_t made = make_window(server);
    {
      const std::lock_guard lock(board_->mutex);
      board_->arrivals[made] = {};
    }
    xcb_convert_selection(server.xcb(), made, name, *atom, server.atoms().handrail_selection, XCB_CURRENT_TIME);
    return Asked{made};
  }));
  if (!window) return std::optional<Content>{};
  Result<std::optional<Content>> content = receive(*window, watch, deadline);
  {
    const std::lock_guard lock(board_->mutex);
    board_->arrivals.erase(*window);
  }
  // Its property, and an answer that comes too late, go with it.
  (void)connection_->call<Unit>(Deadline::in(kBackendPatience), [&](Server& server) -> Result<Unit> {
    xcb_destroy_window(server.xcb(), *window);
    return Unit{};
  });
  return content;
}

Result<std::optional<X11Clipboard::Content>> X11Clipboard::receive(xcb_window_t window, EventWatch& watch,
                                                                   Deadline deadline) {
  const Status answered = watch.until(deadline, {}, [&]() -> Result<bool> { return board_->seen(window).answered; });
  if (!answered.ok() && answered.error().code == Code::timeout) {
    return make_error(Code::timeout, "The app that owns the clipboard does not answer.");
  }
  if (!answered.ok()) return answered.error();
  if (board_->seen(window).refused) return std::optional<Content>{};

  xcb_atom_t incr = XCB_ATOM_NONE;
  auto content = connection_->call<Content>(deadline, [&](Server& server) -> Result<Content> {
    incr = server.atoms().incr;
    const auto value = TRY(server.reply(xcb_get_property(server.xcb(), 1, window, server.atoms().handrail_selection,
                                                         XCB_ATOM_ANY, 0, kMaxClipboardBytes / 4),
                                        xcb_get_property_reply, "GetProperty"));
    if (value->bytes_after > 0) return too_large();
    return Content{value->type, std::string(static_cast<const char*>(xcb_get_property_value(value.get())),
                                            static_cast<std::size_t>(xcb_get_property_value_length(value.get())))};
  });
  if (!content.ok()) return content.error();
  if (content->type != incr) return std::optional<Content>(std::move(*content));

  Content pieces;
  pieces.bytes = TRY(receive_pieces(window, watch, deadline, pieces.type));
  return std::optional<Content>(std::move(pieces));
}

// The owner writes a piece, we take it away, it writes the next; an empty one is the end.
Result<std::string> X11Clipboard::receive_pieces(xcb_window_t window, EventWatch& watch, Deadline deadline,
                                                 xcb_atom_t& type) {
  std::string out;
  bool ended = false;
  std::uint64_t taken = 0;
  const Status received = watch.until(deadline, {}, [&]() -> Result<bool> {
    while (!ended && board_->seen(window).pieces > taken) {
      const auto piece = connection_->call<Unit>(deadline, [&](Server& server) -> Result<Unit> {
        const auto value = TRY(server.reply(xcb_get_property(server.xcb(), 1, window, server.atoms().handrail_selection,
                                                             XCB_ATOM_ANY, 0, kMaxClipboardBytes / 4),
                                            xcb_get_property_reply, "GetProperty"));
        ++taken;
        // Announced by the property that only promised pieces, which is gone by now.
        if (value->type == XCB_ATOM_NONE) return Unit{};
        type = value->type;
        const auto count = static_cast<std::size_t>(xcb_get_property_value_length(value.get()));
        if (value->bytes_after > 0 || out.size() + count > kMaxClipboardBytes) return too_large();
        out.append(static_cast<const char*>(xcb_get_property_value(value.get())), count);
        ended = count == 0;
        return Unit{};
      });
      if (!piece.ok()) return piece.error();
    }
    return ended;
  });
  if (!received.ok() && received.error().code == Code::timeout) {
    return make_error(Code::timeout, "The app that owns the clipboard stopped in the middle of its content.");
  }
  if (!received.ok()) return received.error();
  return out;
}

Result<xcb_timestamp_t> X11Clipboard::server_time(xcb_window_t window, Deadline deadline) {
  {
    const std::lock_guard lock(board_->mutex);
    board_->arrivals[window] = {};
  }
  EventWatch watch(*connection_);
  const auto sent = connection_->call<Unit>(deadline, [&](Server& server) -> Result<Unit> {
    xcb_change_property(server.xcb(), XCB_PROP_MODE_APPEND, window, server.atoms().handrail_selection, XCB_ATOM_STRING,
                        8, 0, "");
    return Unit{};
  });
  if (!sent.ok()) return sent.error();
  const Status stamped =
      watch.until(deadline, {}, [&]() -> Result<bool> { return board_->seen(window).touched.has_value(); });
  const auto time = board_->seen(window).touched;
  const std::lock_guard lock(board_->mutex);
  board_->arrivals.erase(window);
  if (!stamped.ok()) return stamped.error();
  return *time;
}

Status X11Clipboard::write(Selection selection, std::vector<ClipItem> items, Permit, Deadline deadline) {
  std::size_t total = 0;
  for (const ClipItem& item : items) {
    if (!is_plain_text(item.mime) && !is_mime(item.mime)) {
      return make_error(Code::argument_invalid, "A clipboard format is no MIME type.")
          .with_field("format", "a MIME type such as text/html or image/png");
    }
    total += item.bytes.size();
  }
  if (total > kMaxClipboardBytes) return too_large();

  std::unique_lock lock(mutex_);
  if (!written_.wait_until(lock, deadline.at(), [this] { return !writing_; })) {
    return make_error(Code::busy, "Another write to the clipboard has not ended.");
  }
  writing_ = true;
  lock.unlock();
  const Status owned = own(selection, std::move(items), deadline);
  lock.lock();
  writing_ = false;
  written_.notify_one();
  return owned;
}

Status X11Clipboard::own(Selection selection, std::vector<ClipItem> items, Deadline deadline) {
  const auto window = TRY(connection_->call<xcb_window_t>(deadline, [&](Server& server) -> Result<xcb_window_t> {
    if (board_->owner == XCB_WINDOW_NONE) board_->owner = make_window(server);
    return board_->owner;
  }));
  // Not CurrentTime: with it the server cannot tell which of two copies was the later one.
  const xcb_timestamp_t now = TRY(server_time(window, deadline));
  const auto owned = connection_->call<Unit>(deadline, [&](Server& server) -> Result<Unit> {
    const xcb_atom_t name = atom_of(server, selection);
    if (items.empty()) {
      board_->served.withdraw(name);
      xcb_set_selection_owner(server.xcb(), XCB_WINDOW_NONE, name, now);
      TRY(server.fence());
      return Unit{};
    }
    SelectionOffer offer{window, now, {}, std::move(items)};
    for (const ClipItem& item : offer.items) {
      const xcb_atom_t mime = TRY(intern(server, item.mime));
      for (OfferedFormat& format : formats_of(server, item, mime)) offer.formats.push_back(std::move(format));
    }
    // First, as a requestor can come between the two.
    board_->served.offer(name, std::move(offer));
    xcb_set_selection_owner(server.xcb(), window, name, now);
    const auto owner = TRY(
        server.reply(xcb_get_selection_owner(server.xcb(), name), xcb_get_selection_owner_reply, "GetSelectionOwner"));
    if (owner->owner != window) {
      board_->served.withdraw(name);
      return make_error(Code::busy, "Another app took the clipboard at the same moment.");
    }
    return Unit{};
  });
  if (!owned.ok()) return owned.error();
  return {};
}

}  // namespace handrail::x11
