#include "platform/x11/display_claim.h"

#include <fmt/format.h>

#include "platform/x11/atoms.h"
#include "platform/x11/properties.h"
#include "platform/x11/server_hold.h"

namespace handrail::x11 {
namespace {

constexpr Millis kFarewell{500};
constexpr std::size_t kMostText = 256;

Error held_by(const std::string& who) {
  return make_error(Code::busy, who.empty() ? "Another session controls this display."
                                            : fmt::format("Another session controls this display: {}.", who))
      .with_hint("Wait until it lets go, or end it.");
}

// The text comes from another program: one line, and not much of it.
std::string one_line(std::string text) {
  if (text.size() > kMostText) text.resize(kMostText);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  }
  return text;
}

}  // namespace

DisplayClaim::DisplayClaim(std::shared_ptr<Connection> connection, std::shared_ptr<Custody> custody)
    : connection_(std::move(connection)), custody_(std::move(custody)) {
  connection_->on_open([undisputed = undisputed_](Server&) -> Status {
    *undisputed = false;
    return {};
  });
  connection_->on_event([undisputed = undisputed_](Server&, const xcb_generic_event_t& event) {
    if ((event.response_type & 0x7f) == XCB_SELECTION_CLEAR) *undisputed = false;
  });
}

DisplayClaim::~DisplayClaim() { release(); }

Result<xcb_atom_t> DisplayClaim::selection(Server& server) {
  if (epoch_ != server.epoch()) {
    const std::string name = fmt::format("_HANDRAIL_S{}", server.screen_number());
    selection_ =
        TRY(server.reply(xcb_intern_atom(server.xcb(), 0, static_cast<std::uint16_t>(name.size()), name.data()),
                         xcb_intern_atom_reply, "InternAtom"))
            ->atom;
    epoch_ = server.epoch();
  }
  return selection_;
}

Result<std::string> DisplayClaim::holder_of(Server& server, xcb_atom_t selection) {
  const auto owner = TRY(server.reply(xcb_get_selection_owner(server.xcb(), selection), xcb_get_selection_owner_reply,
                                      "GetSelectionOwner"))
                         ->owner;
  if (owner == XCB_WINDOW_NONE) return std::string();
  const auto text = ask_property(server, owner, server.atoms().handrail_claim, kMostText / 4).get();
  return text.ok() && text->present() ? one_line(text->text(server.atoms())) : std::string("unnamed");
}

Status DisplayClaim::claim(const std::string& who, bool by_force, Deadline deadline) {
  const auto done = connection_->call<Unit>(deadline, [&](Server& server) -> Result<Unit> {
    const xcb_atom_t name = TRY(selection(server));
    if (window_epoch_ != server.epoch()) {
      window_ = xcb_generate_id(server.xcb());
      xcb_create_window(server.xcb(), 0, window_, server.root(), -1, -1, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                        XCB_COPY_FROM_PARENT, 0, nullptr);
      window_epoch_ = server.epoch();
    }
    xcb_change_property(server.xcb(), XCB_PROP_MODE_REPLACE, window_, server.atoms().handrail_claim,
                        server.atoms().utf8_string, 8, static_cast<std::uint32_t>(who.size()), who.data());
    // Before every act: the display is not held up for what is ours already.
    if (wanted_ && TRY(ours(server))) {
      *undisputed_ = true;
      return Unit{};
    }
    // Two that find it free at once: the hold lets the second one see the first.
    const ServerHold hold = TRY(ServerHold::take(server, custody_.get(), nullptr));
    if (!by_force && !TRY(ours(server))) {
      const std::string holder = TRY(holder_of(server, name));
      if (!holder.empty()) return held_by(holder);
    }
    xcb_set_selection_owner(server.xcb(), window_, name, XCB_CURRENT_TIME);
    wanted_ = true;
    if (!TRY(ours(server))) return held_by(TRY(holder_of(server, name)));
    *undisputed_ = true;
    return Unit{};
  });
  return done.ok() ? Status() : Status(done.error());
}

Status DisplayClaim::take(const std::string& who, Deadline deadline) {
  if (wanted_ && *undisputed_ && connection_->connected()) return {};
  return claim(who, false, deadline);
}

Status DisplayClaim::seize(const std::string& who, Deadline deadline) { return claim(who, true, deadline); }

void DisplayClaim::release() noexcept {
  wanted_ = false;
  *undisputed_ = false;
  if (!connection_->connected()) return;
  (void)connection_->call<Unit>(Deadline::in(kFarewell), [this](Server& server) -> Result<Unit> {
    if (window_epoch_ == server.epoch()) xcb_destroy_window(server.xcb(), window_);
    window_epoch_ = 0;
    TRY(server.fence());
    return Unit{};
  });
}

Result<std::string> DisplayClaim::holder(Deadline deadline) {
  return connection_->call<std::string>(deadline, [this](Server& server) -> Result<std::string> {
    const xcb_atom_t name = TRY(selection(server));
    return holder_of(server, name);
  });
}

Result<bool> DisplayClaim::ours(Server& server) {
  if (window_epoch_ != server.epoch()) return false;
  const xcb_atom_t name = TRY(selection(server));
  const auto owner = TRY(
      server.reply(xcb_get_selection_owner(server.xcb(), name), xcb_get_selection_owner_reply, "GetSelectionOwner"));
  return owner->owner == window_;
}

Status DisplayClaim::check(Server& server) { return answer(server, TRY(ask(server))); }

Result<DisplayClaim::Question> DisplayClaim::ask(Server& server) {
  if (!wanted_) return Question();
  const xcb_atom_t name = TRY(selection(server));
  return Question(
      server.pend(xcb_get_selection_owner(server.xcb(), name), xcb_get_selection_owner_reply, "GetSelectionOwner"));
}

Status DisplayClaim::answer(Server& server, Question question) {
  if (!question) return {};
  const auto owner = TRY(question->get());
  if (window_epoch_ == server.epoch() && owner->owner == window_) return {};
  *undisputed_ = false;
  const xcb_atom_t name = TRY(selection(server));
  return held_by(TRY(holder_of(server, name)));
}

}  // namespace handrail::x11
