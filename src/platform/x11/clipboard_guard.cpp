#include "platform/x11/clipboard_guard.h"

#include <fmt/format.h>
#include <xcb/xfixes.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/log.h"
#include "platform/x11/atoms.h"
#include "platform/x11/clipboard_offer.h"
#include "platform/x11/extensions.h"

namespace handrail::x11 {
namespace {

// For one format, all pieces of it.
constexpr Millis kFormatPatience{3000};
// Nobody took a selection from us for so long: whoever wanted it back has given up.
constexpr Millis kQuiet{30};
// The same for one who was seen to want it back a while ago: on a busy machine it may come late.
constexpr Millis kLongQuiet{250};
constexpr Millis kRemembered{60'000};
constexpr Millis kSettlePatience{500};
// Taken back within one guard(); a program that goes on is not worth the display server's time.
constexpr int kMaxTakeBacks = 100;
constexpr std::size_t kMaxCutBuffer = 1024 * 1024;

// Not content: they describe the owner or make it do something.
constexpr std::array<std::string_view, 7> kNoContent{"TARGETS",          "TIMESTAMP",       "MULTIPLE",    "DELETE",
                                                     "INSERT_SELECTION", "INSERT_PROPERTY", "SAVE_TARGETS"};

std::array<xcb_atom_t, 3> guarded_atoms(Server& server) {
  return {server.atoms().clipboard, XCB_ATOM_PRIMARY, XCB_ATOM_SECONDARY};
}

std::vector<Pending<xcb_get_selection_owner_reply_t>> ask_owners(Server& server) {
  std::vector<Pending<xcb_get_selection_owner_reply_t>> pending;
  for (const xcb_atom_t selection : guarded_atoms(server)) {
    pending.push_back(server.pend(xcb_get_selection_owner(server.xcb(), selection), xcb_get_selection_owner_reply,
                                  "GetSelectionOwner"));
  }
  return pending;
}

bool is_cut_buffer(xcb_atom_t atom) { return atom >= XCB_ATOM_CUT_BUFFER0 && atom <= XCB_ATOM_CUT_BUFFER7; }

}  // namespace

// Connection's thread only.
struct X11ClipboardGuard::Board {
  SelectionServer served;
  xcb_window_t window = XCB_WINDOW_NONE;
  bool active = false;
  int take_backs = 0;  // since the last guard() began
  TimePoint disturbed;
  std::optional<TimePoint> contested;  // somebody wanted one back

  void own(Server& server, xcb_atom_t selection) {
    // CurrentTime: it is never earlier than what the other one gave.
    xcb_set_selection_owner(server.xcb(), window, selection, XCB_CURRENT_TIME);
    disturbed = Clock::now();
  }
  void note(Server& server, const xcb_generic_event_t& event) {
    served.handle(server, event);
    if (!active) return;
    const auto type = event.response_type & 0x7f;
    if (type == XCB_PROPERTY_NOTIFY) {
      const auto& notify = reinterpret_cast<const xcb_property_notify_event_t&>(event);
      const bool cut = notify.window == server.root() && is_cut_buffer(notify.atom);
      if (cut && notify.state == XCB_PROPERTY_NEW_VALUE) xcb_delete_property(server.xcb(), server.root(), notify.atom);
    }
    const Extension& xfixes = server.extensions().xfixes;
    if (!xfixes.present() || type != xfixes.first_event + XCB_XFIXES_SELECTION_NOTIFY) return;
    const auto& notify = reinterpret_cast<const xcb_xfixes_selection_notify_event_t&>(event);
    if (notify.window != window || notify.owner == window) return;
    disturbed = Clock::now();
    contested = disturbed;
    if (++take_backs > kMaxTakeBacks) return;
    offer(notify.selection, notify.timestamp);
    own(server, notify.selection);
    xcb_flush(server.xcb());
  }
  void offer(xcb_atom_t selection, xcb_timestamp_t since) {
    served.offer(selection, SelectionOffer{window, since, {}, {}});
  }
};

struct X11ClipboardGuard::Budget {
  std::size_t bytes = kMaxStashBytes;
  std::set<std::uint32_t> silent;  // clients that do not answer
};

X11ClipboardGuard::X11ClipboardGuard(std::shared_ptr<Connection> connection, std::shared_ptr<Custody> custody)
    : connection_(connection), custody_(std::move(custody)), reader_(connection), board_(std::make_shared<Board>()) {
  connection_->on_open([board = board_](Server&) -> Status {
    *board = Board();
    return {};
  });
  connection_->on_event(
      [board = board_](Server& server, const xcb_generic_event_t& event) { board->note(server, event); });
}

X11ClipboardGuard::~X11ClipboardGuard() = default;

Status X11ClipboardGuard::guard(Deadline deadline) {
  const std::lock_guard lock(mutex_);
  if (!guarding_) {
    TRY(custody_->ready());
    const Stash stash = TRY(read_stash(deadline));
    TRY(custody_->keep(Kept::clipboard, encode(stash)));
    guarding_ = true;
  }
  TRY(take(deadline));
  return settle(deadline);
}

Result<Stash> X11ClipboardGuard::read_stash(Deadline deadline) {
  Stash stash;
  Budget budget;
  for (const std::string_view name : kGuardedSelections) {
    StashedSelection selection = TRY(read_selection(name, budget, deadline));
    if (!selection.formats.empty()) stash.selections.push_back(std::move(selection));
  }
  TRY(read_cut_buffers(stash, budget, deadline));
  return stash;
}

Result<StashedSelection> X11ClipboardGuard::read_selection(std::string_view name, Budget& budget, Deadline deadline) {
  StashedSelection out{std::string(name), {}};
  const xcb_atom_t selection = TRY(reader_.intern(out.selection, deadline));
  const auto asked = connection_->call<std::uint32_t>(deadline, [&](Server& server) -> Result<std::uint32_t> {
    const auto owner = TRY(server.reply(xcb_get_selection_owner(server.xcb(), selection), xcb_get_selection_owner_reply,
                                        "GetSelectionOwner"));
    return owner->owner & ~xcb_get_setup(server.xcb())->resource_id_mask;
  });
  if (!asked.ok()) return asked.error();
  const std::uint32_t client = *asked;
  if (client == 0 || budget.silent.contains(client)) return out;
  // The first thing that an owner does not answer is the last that it is asked for.
  const auto silent = [&](const Error& error) {
    if (error.code != Code::timeout || deadline.passed()) return false;
    log(LogLevel::warning, "clipboard guard: the owner of {} does not answer", name);
    budget.silent.insert(client);
    return true;
  };
  auto targets = reader_.targets(selection, deadline.within(kFormatPatience));
  if (!targets.ok()) return silent(targets.error()) ? Result<StashedSelection>(out) : targets.error();
  std::ranges::sort(*targets);
  targets->erase(std::unique(targets->begin(), targets->end()), targets->end());
  const auto names = TRY(reader_.names_of(*targets, deadline));
  std::optional<Error> dropped;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty() || std::ranges::find(kNoContent, names[i]) != kNoContent.end()) continue;
    auto content = reader_.convert(selection, (*targets)[i], budget.bytes, deadline.within(kFormatPatience));
    if (!content.ok() && content.error().code == Code::too_large) {
      dropped = content.error();
      continue;
    }
    if (!content.ok()) {
      if (silent(content.error())) break;
      return content.error();
    }
    if (!*content || (*content)->type == XCB_ATOM_NONE) continue;
    const auto type = TRY(reader_.names_of({(*content)->type}, deadline));
    budget.bytes -= (*content)->bytes.size();
    out.formats.push_back({names[i], type[0], (*content)->format, std::move((*content)->bytes)});
  }
  if (dropped && out.formats.empty()) {
    return make_error(Code::too_large, fmt::format("{} holds more than the {} MiB that can be kept for later.", name,
                                                   kMaxStashBytes >> 20))
        .with_hint("Ask the person to copy something smaller, then repeat the call.");
  }
  if (dropped) log(LogLevel::warning, "clipboard guard: a format of {} is too large to be kept", name);
  return out;
}

Status X11ClipboardGuard::read_cut_buffers(Stash& stash, Budget& budget, Deadline deadline) {
  std::vector<xcb_atom_t> types;
  std::vector<StashedFormat> found;
  const auto read = connection_->call<Unit>(deadline, [&](Server& server) -> Result<Unit> {
    std::vector<Pending<xcb_get_property_reply_t>> pending;
    for (std::size_t i = 0; i < kCutBuffers; ++i) {
      const auto atom = static_cast<xcb_atom_t>(XCB_ATOM_CUT_BUFFER0 + i);
      pending.push_back(server.pend(
          xcb_get_property(server.xcb(), 0, server.root(), atom, XCB_ATOM_ANY, 0, kMaxCutBuffer / sizeof(xcb_atom_t)),
          xcb_get_property_reply, "GetProperty"));
    }
    for (std::size_t i = 0; i < kCutBuffers; ++i) {
      const auto value = TRY(pending[i].get());
      const auto size = static_cast<std::size_t>(xcb_get_property_value_length(value.get()));
      if (value->type == XCB_ATOM_NONE || value->bytes_after > 0 || size > budget.bytes) continue;
      budget.bytes -= size;
      types.push_back(value->type);
      found.push_back({fmt::format("CUT_BUFFER{}", i), "", value->format,
                       std::string(static_cast<const char*>(xcb_get_property_value(value.get())), size)});
    }
    return Unit{};
  });
  if (!read.ok()) return read.error();
  const auto names = TRY(reader_.names_of(types, deadline));
  for (std::size_t i = 0; i < found.size(); ++i) found[i].type = names[i];
  stash.cut_buffers = std::move(found);
  return {};
}

Status X11ClipboardGuard::take(Deadline deadline) {
  const auto taken = connection_->call<Unit>(deadline, [&](Server& server) -> Result<Unit> {
    Board& board = *board_;
    if (board.window == XCB_WINDOW_NONE) {
      board.window = make_selection_window(server);
      server.watch(server.root(), XCB_EVENT_MASK_PROPERTY_CHANGE);
      if (server.extensions().xfixes.present()) {
        for (const xcb_atom_t selection : guarded_atoms(server)) {
          xcb_xfixes_select_selection_input(server.xcb(), board.window, selection,
                                            XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER |
                                                XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY |
                                                XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE);
        }
      }
    }
    board.active = true;
    board.take_backs = 0;
    auto owners = ask_owners(server);
    for (std::size_t i = 0; i < owners.size(); ++i) {
      const auto owner = TRY(owners[i].get());
      if (owner->owner == board.window) continue;
      const xcb_atom_t selection = guarded_atoms(server)[i];
      board.offer(selection, XCB_CURRENT_TIME);
      board.own(server, selection);
    }
    for (std::size_t i = 0; i < kCutBuffers; ++i) {
      xcb_delete_property(server.xcb(), server.root(), static_cast<xcb_atom_t>(XCB_ATOM_CUT_BUFFER0 + i));
    }
    return Unit{};
  });
  if (!taken.ok()) return taken.error();
  return {};
}

Status X11ClipboardGuard::settle(Deadline deadline) {
  struct Seen {
    TimePoint quiet;
    bool ours = true;
    bool given_up = false;
  };
  const Deadline patience = deadline.within(kSettlePatience);
  for (;;) {
    const auto looked = connection_->call<Seen>(deadline, [&](Server& server) -> Result<Seen> {
      Seen now;
      auto owners = ask_owners(server);
      for (auto& pending : owners) {
        // Behind a reply every change of owner before it has been noted.
        const auto owner = TRY(pending.get());
        now.ours = now.ours && owner->owner == board_->window;
      }
      const bool contested = board_->contested && Clock::now() - *board_->contested < kRemembered;
      now.quiet = board_->disturbed + (contested ? kLongQuiet : kQuiet);
      now.given_up = board_->take_backs > kMaxTakeBacks;
      return now;
    });
    if (!looked.ok()) return looked.error();
    const Seen seen = *looked;
    if (seen.ours && !seen.given_up && Clock::now() >= seen.quiet) return {};
    if (seen.given_up || patience.passed()) {
      return make_error(Code::busy, "Another program keeps taking the clipboard, so that it cannot be kept empty.")
          .with_hint("Close the clipboard manager, then repeat the call.");
    }
    const TimePoint until = seen.ours ? seen.quiet : Clock::now() + kQuiet;
    EventWatch watch(*connection_);
    const Status waited =
        watch.until(Deadline(std::min(until, patience.at())), {}, []() -> Result<bool> { return false; });
    if (!waited.ok() && waited.error().code != Code::timeout) return waited.error();
  }
}

Status X11ClipboardGuard::restore(Deadline deadline) {
  const std::lock_guard lock(mutex_);
  if (!guarding_) return {};
  const auto activate = [&](bool active) {
    // Without a connection there is nothing that would be taken back.
    (void)connection_->call<Unit>(deadline, [&](Server&) -> Result<Unit> {
      board_->active = active;
      return Unit{};
    });
  };
  activate(false);
  const Status given = custody_->give_back(Kept::clipboard, deadline);
  if (!given.ok()) {
    activate(true);
    return given;
  }
  guarding_ = false;
  let_go(deadline);
  return {};
}

// What was empty before has no owner again.
void X11ClipboardGuard::let_go(Deadline deadline) {
  (void)connection_->call<Unit>(deadline, [&](Server& server) -> Result<Unit> {
    if (board_->window == XCB_WINDOW_NONE) return Unit{};
    for (const xcb_atom_t selection : guarded_atoms(server)) board_->served.withdraw(selection);
    // Its selections go with it, and only those.
    server.unwatch(server.root(), XCB_EVENT_MASK_PROPERTY_CHANGE);
    xcb_destroy_window(server.xcb(), board_->window);
    *board_ = Board();
    TRY(server.fence());
    return Unit{};
  });
}

}  // namespace handrail::x11
