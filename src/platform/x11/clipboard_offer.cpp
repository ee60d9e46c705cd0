#include "platform/x11/clipboard_offer.h"

#include <algorithm>

#include "platform/x11/atoms.h"
#include "platform/x11/clipboard_text.h"

namespace handrail::x11 {
namespace {

// A requestor that takes no piece for so long has lost interest.
constexpr Millis kTransferPatience{30000};
constexpr std::size_t kMaxTransfers = 64;
constexpr std::uint32_t kMaxMultiple = 64;

void write_property(Server& server, xcb_window_t window, xcb_atom_t property, xcb_atom_t type, std::uint8_t format,
                    std::size_t count, const void* data) {
  xcb_change_property(server.xcb(), XCB_PROP_MODE_REPLACE, window, property, type, format,
                      static_cast<std::uint32_t>(count), data);
}

std::size_t units(std::uint8_t format, const std::string& bytes) { return bytes.size() * 8 / format; }

}  // namespace

const SelectionOffer* SelectionServer::offered(xcb_atom_t selection) const {
  const auto found = offers_.find(selection);
  return found == offers_.end() ? nullptr : &found->second;
}

void SelectionServer::offer(xcb_atom_t selection, SelectionOffer offer) {
  if (std::ranges::find(owners_, offer.owner) == owners_.end()) owners_.push_back(offer.owner);
  offers_[selection] = std::move(offer);
}

void SelectionServer::reset() {
  offers_.clear();
  transfers_.clear();
  owners_.clear();
}

void SelectionServer::handle(Server& server, const xcb_generic_event_t& event) {
  switch (event.response_type & 0x7f) {
    case XCB_SELECTION_REQUEST: answer(server, reinterpret_cast<const xcb_selection_request_event_t&>(event)); break;
    case XCB_SELECTION_CLEAR: {
      const auto& clear = reinterpret_cast<const xcb_selection_clear_event_t&>(event);
      // A late one is about an offer that was replaced by our own next one.
      const SelectionOffer* offer = offered(clear.selection);
      if (offer != nullptr && offer->owner == clear.owner) withdraw(clear.selection);
      break;
    }
    case XCB_PROPERTY_NOTIFY: {
      const auto& notify = reinterpret_cast<const xcb_property_notify_event_t&>(event);
      if (notify.state == XCB_PROPERTY_DELETE) send_piece(server, notify.window, notify.atom);
      break;
    }
    case XCB_DESTROY_NOTIFY: {
      const auto& gone = reinterpret_cast<const xcb_destroy_notify_event_t&>(event);
      std::erase_if(transfers_, [&](const Transfer& transfer) { return transfer.requestor == gone.window; });
      break;
    }
    default: break;
  }
}

void SelectionServer::answer(Server& server, const xcb_selection_request_event_t& request) {
  if (std::ranges::find(owners_, request.owner) == owners_.end()) return;
  xcb_selection_notify_event_t notify{};
  notify.response_type = XCB_SELECTION_NOTIFY;
  notify.time = request.time;
  notify.requestor = request.requestor;
  notify.selection = request.selection;
  notify.target = request.target;
  notify.property = XCB_ATOM_NONE;
  // Old clients name no property and mean one called like the target.
  const xcb_atom_t property = request.property != XCB_ATOM_NONE ? request.property : request.target;
  const SelectionOffer* offer = offered(request.selection);
  // X time goes round every 49 days, so the difference tells the order.
  const bool from_before = offer != nullptr && request.time != XCB_CURRENT_TIME &&
                           static_cast<std::int32_t>(request.time - offer->since) < 0;
  if (offer != nullptr && offer->owner == request.owner && !from_before) {
    const bool written = request.target == server.atoms().multiple
                             ? convert_multiple(server, *offer, request.requestor, property)
                             : convert(server, *offer, request.requestor, request.target, property);
    if (written) notify.property = property;
  }
  xcb_send_event(server.xcb(), 0, request.requestor, XCB_EVENT_MASK_NO_EVENT, reinterpret_cast<const char*>(&notify));
}

bool SelectionServer::convert(Server& server, const SelectionOffer& offer, xcb_window_t requestor, xcb_atom_t target,
                              xcb_atom_t property) {
  const Atoms& atoms = server.atoms();
  if (target == atoms.targets) {
    std::vector<xcb_atom_t> targets{atoms.targets, atoms.timestamp, atoms.multiple};
    for (const OfferedFormat& format : offer.formats) targets.push_back(format.target);
    write_property(server, requestor, property, XCB_ATOM_ATOM, 32, targets.size(), targets.data());
    return true;
  }
  if (target == atoms.timestamp) {
    write_property(server, requestor, property, XCB_ATOM_INTEGER, 32, 1, &offer.since);
    return true;
  }
  const auto format = std::ranges::find(offer.formats, target, &OfferedFormat::target);
  if (format == offer.formats.end()) return false;
  if (format->bytes->size() <= kClipboardPiece) {
    write_property(server, requestor, property, format->type, format->format, units(format->format, *format->bytes),
                   format->bytes->data());
    return true;
  }
  forget_stale();
  if (transfers_.size() >= kMaxTransfers) return false;
  std::erase_if(transfers_,
                [&](const Transfer& other) { return other.requestor == requestor && other.property == property; });
  transfers_.push_back({requestor, property, format->type, format->format, format->bytes, 0, Clock::now()});
  // Before the property is written, or its deletion could go unseen.
  server.watch(requestor, XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY);
  const auto size = static_cast<std::uint32_t>(format->bytes->size());
  write_property(server, requestor, property, atoms.incr, 32, 1, &size);
  return true;
}

bool SelectionServer::convert_multiple(Server& server, const SelectionOffer& offer, xcb_window_t requestor,
                                       xcb_atom_t property) {
  const auto read =
      server.reply(xcb_get_property(server.xcb(), 0, requestor, property, XCB_ATOM_ANY, 0, 2 * kMaxMultiple),
                   xcb_get_property_reply, "GetProperty");
  if (!read.ok() || (*read)->format != 32) return false;
  const auto* first = static_cast<const xcb_atom_t*>(xcb_get_property_value(read->get()));
  std::vector<xcb_atom_t> pairs(first, first + (*read)->value_len);
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    // Nested MULTIPLE is an error by the rules.
    const bool written = pairs[i] != server.atoms().multiple && pairs[i + 1] != XCB_ATOM_NONE &&
                         convert(server, offer, requestor, pairs[i], pairs[i + 1]);
    if (!written) pairs[i + 1] = XCB_ATOM_NONE;
  }
  write_property(server, requestor, property, (*read)->type, 32, pairs.size(), pairs.data());
  return true;
}

void SelectionServer::send_piece(Server& server, xcb_window_t requestor, xcb_atom_t property) {
  const auto transfer = std::ranges::find_if(
      transfers_, [&](const Transfer& t) { return t.requestor == requestor && t.property == property; });
  if (transfer == transfers_.end()) return;
  const std::size_t count = std::min(kClipboardPiece, transfer->bytes->size() - transfer->sent);
  write_property(server, requestor, property, transfer->type, transfer->format, count * 8 / transfer->format,
                 transfer->bytes->data() + transfer->sent);
  transfer->sent += count;
  transfer->touched = Clock::now();
  // The empty piece was the end.
  if (count == 0) transfers_.erase(transfer);
}

void SelectionServer::forget_stale() {
  const TimePoint oldest = Clock::now() - kTransferPatience;
  std::erase_if(transfers_, [&](const Transfer& transfer) { return transfer.touched < oldest; });
}

std::vector<OfferedFormat> formats_of(Server& server, const ClipItem& item, xcb_atom_t mime) {
  const Atoms& atoms = server.atoms();
  const auto bytes = std::make_shared<const std::string>(item.bytes);
  if (!is_plain_text(item.mime)) return {{mime, mime, bytes}};
  const auto latin1 = std::make_shared<const std::string>(to_latin1(item.bytes));
  return {
      {atoms.utf8_string, atoms.utf8_string, bytes}, {atoms.text_plain_utf8, atoms.text_plain_utf8, bytes},
      {atoms.text_plain, atoms.text_plain, bytes},   {atoms.text, atoms.utf8_string, bytes},
      {XCB_ATOM_STRING, XCB_ATOM_STRING, latin1},
  };
}

}  // namespace handrail::x11
