#include "platform/x11/clipboard.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/x11/atoms.h"
#include "platform/x11/clipboard_image.h"
#include "platform/x11/clipboard_text.h"

namespace handrail::x11 {
namespace {

// Password managers put this next to what they copy.
constexpr std::string_view kSecretHint = "x-kde-passwordManagerHint";

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

// MIME types are visible ASCII; X would take any bytes as an atom's name.
bool is_mime(std::string_view text) {
  const bool visible = std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
  return visible && text.size() <= 255 && text.find('/') != text.npos && text.front() != '/' && text.back() != '/';
}

}  // namespace

struct X11Clipboard::Board {
  SelectionServer served;  // connection's thread only
  xcb_window_t owner = XCB_WINDOW_NONE;
};

X11Clipboard::X11Clipboard(std::shared_ptr<Connection> connection)
    : connection_(connection), reader_(connection), board_(std::make_shared<Board>()) {
  connection_->on_open([board = board_](Server&) -> Status {
    board->served.reset();
    board->owner = XCB_WINDOW_NONE;
    return {};
  });
  connection_->on_event(
      [board = board_](Server& server, const xcb_generic_event_t& event) { board->served.handle(server, event); });
}

X11Clipboard::~X11Clipboard() = default;

Result<xcb_atom_t> X11Clipboard::atom_of(Selection selection, Deadline deadline) {
  if (selection == Selection::primary) return xcb_atom_t{XCB_ATOM_PRIMARY};
  return connection_->call<xcb_atom_t>(deadline,
                                       [](Server& server) -> Result<xcb_atom_t> { return server.atoms().clipboard; });
}

Result<std::optional<std::vector<ClipItem>>> X11Clipboard::own_items(Selection selection, Deadline deadline) {
  using Items = std::optional<std::vector<ClipItem>>;
  const xcb_atom_t name = TRY(atom_of(selection, deadline));
  return connection_->call<Items>(deadline, [&](Server& server) -> Result<Items> {
    // Asked, not remembered: who takes it over the same connection is not announced.
    const auto owner = TRY(
        server.reply(xcb_get_selection_owner(server.xcb(), name), xcb_get_selection_owner_reply, "GetSelectionOwner"));
    const SelectionOffer* offer = board_->served.offered(name);
    if (offer == nullptr || offer->owner != owner->owner) return Items{};
    return Items{offer->items};
  });
}

Result<std::vector<std::string>> X11Clipboard::formats(Selection selection, Deadline deadline) {
  std::vector<std::string> out;
  bool text = false;
  const auto add = [&](const std::string& name) {
    if (is_plain_text(name) || is_text_target(name)) {
      text = true;
    } else if (!name.empty() && is_mime(name) && std::ranges::find(out, name) == out.end()) {
      out.push_back(name);
    }
  };
  if (const auto own = TRY(own_items(selection, deadline))) {
    for (const ClipItem& item : *own) add(item.mime);
  } else {
    const xcb_atom_t name = TRY(atom_of(selection, deadline));
    const auto targets = TRY(reader_.targets(name, deadline));
    for (const std::string& target : TRY(reader_.names_of(targets, deadline))) add(target);
  }
  // Not insert(): at -O2 GCC 12 takes the moved string for one that is overrun.
  if (text) {
    out.emplace_back(kPlainText);
    std::rotate(out.begin(), out.end() - 1, out.end());
  }
  return out;
}

Result<std::string> X11Clipboard::read(Selection selection, const std::string& mime, Deadline deadline) {
  const bool text = is_plain_text(mime);
  if (!text && !is_mime(mime)) {
    return make_error(Code::argument_invalid, "The clipboard format is no MIME type.")
        .with_field("format", "a MIME type such as text/html or image/png");
  }
  std::optional<std::string> found;
  if (const auto own = TRY(own_items(selection, deadline))) {
    for (const ClipItem& item : *own) {
      if (!found && (item.mime == mime || (text && is_plain_text(item.mime)))) found = item.bytes;
    }
  } else {
    const xcb_atom_t name = TRY(atom_of(selection, deadline));
    TRY(check_secret(name, deadline));
    found = TRY(read_other(name, mime, deadline));
    // Again, as another app may have copied in between.
    TRY(check_secret(name, deadline));
  }
  if (!found) {
    return make_error(Code::not_found, fmt::format("The clipboard holds nothing as {}.", mime))
        .with_hint("Have it copied in that form, or go on without it.");
  }
  if (mime.starts_with("image/")) TRY(check_image_size(*found));
  return std::move(*found);
}

Result<std::optional<std::string>> X11Clipboard::read_other(xcb_atom_t selection, const std::string& mime,
                                                            Deadline deadline) {
  std::vector<std::string> targets{mime};
  if (is_plain_text(mime)) targets = {"UTF8_STRING", std::string(kPlainText), "STRING", "text/plain", "TEXT"};
  for (const std::string& target : targets) {
    const xcb_atom_t atom = TRY(reader_.intern(target, deadline));
    auto content = TRY(reader_.convert(selection, atom, kMaxClipboardBytes, deadline));
    if (!content) continue;
    if (content->type == XCB_ATOM_STRING) content->bytes = from_latin1(content->bytes);
    return std::optional<std::string>(std::move(content->bytes));
  }
  return std::optional<std::string>{};
}

Status X11Clipboard::check_secret(xcb_atom_t selection, Deadline deadline) {
  const xcb_atom_t hint = TRY(reader_.intern(std::string(kSecretHint), deadline));
  const auto targets = TRY(reader_.targets(selection, deadline));
  if (std::ranges::find(targets, hint) == targets.end()) return {};
  return make_error(Code::access_denied, "A password manager marks the content of the clipboard as secret.")
      .with_hint("Go on without it; the person can paste it themselves.");
}

Status X11Clipboard::write(Selection selection, std::vector<ClipItem> items, Permit, Deadline deadline) {
  std::size_t total = 0;
  for (ClipItem& item : items) {
    if (!is_plain_text(item.mime) && !is_mime(item.mime)) {
      return make_error(Code::argument_invalid, "A clipboard format is no MIME type.")
          .with_field("format", "a MIME type such as text/html or image/png");
    }
    if (is_plain_text(item.mime)) item.bytes = without_controls(item.bytes);
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
    if (board_->owner == XCB_WINDOW_NONE) board_->owner = make_selection_window(server);
    return board_->owner;
  }));
  // Not CurrentTime: with it the server cannot tell which of two copies was the later one.
  const xcb_timestamp_t now = TRY(reader_.server_time(window, deadline));
  const xcb_atom_t name = TRY(atom_of(selection, deadline));
  const auto owned = connection_->call<Unit>(deadline, [&](Server& server) -> Result<Unit> {
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
