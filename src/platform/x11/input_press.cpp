// The second half of a press: who got it, and what follows from that.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "platform/x11/input_run.h"

namespace handrail::x11 {
namespace {

// Kept for the last look of all.
constexpr Millis kForLastLook{100};
constexpr Millis kFirstLook{1};
constexpr Millis kLastLook{16};

bool button_shows(const xcb_query_pointer_reply_t& pointer, std::uint8_t number) {
  // The mask tells of five buttons.
  return number > 5 || (pointer.mask & (XCB_BUTTON_MASK_1 << (number - 1))) != 0;
}

}  // namespace

Status PlanRun::look_for_receipt(Server& server, bool last_look) {
  const std::uint8_t number = button_number(pressed_->button);
  WindowOwners& owners = context_.delivery.owners();
  // Sent together and taken in this order: a press that was passed on before the answers is in the stream before the
  // mark.
  Receipts& receipts = context_.delivery.receipts();
  auto asked_managers = TRY(owners.ask_managers(server));
  auto pointer = server.pend(xcb_query_pointer(server.xcb(), server.root()), xcb_query_pointer_reply, "QueryPointer");
  auto grab = context_.delivery.ask_pointer_grab(server);
  const std::uint64_t mark = receipts.mark(server);
  const bool shows = button_shows(*TRY(pointer.get()), number);
  const bool grabbed = TRY(grab.get())->status == XCB_GRAB_STATUS_ALREADY_GRABBED;
  const Managers managers = TRY(asked_managers.answer(server));
  const bool known = receipts.wait_for_mark(mark, pressed_->told_by);

  std::optional<Receipt> manager;
  std::vector<Receipt> others;
  for (const Receipt& receipt : receipts.seen()) {
    if (receipt.key || receipt.detail != number) continue;
    if (managers.is(receipt.client)) {
      manager = receipt;
      manager_ = receipt.client;
    } else if (std::ranges::find(others, receipt.client, &Receipt::client) == others.end()) {
      others.push_back(receipt);
    }
  }
  if (!others.empty()) {
    for (const Receipt& receipt : others) {
      // Who stood there in the hold has it, on the very window: there is no more to learn.
      const Receiver& expected = pressed_->event.receiver;
      const bool as_expected = receipt.window == expected.window && client_of(server, receipt.window) == receipt.client;
      const Receiver receiver = as_expected ? expected : TRY(owners.client(server, receipt.client, receipt.window));
      TRY(judge_receiver(server, receiver));
    }
    ++presses_arrived_;
    pressed_.reset();
    return {};
  }
  const ReceiverKind kind = pressed_->event.receiver.kind;
  const bool managers_own = kind == ReceiverKind::window_manager || kind == ReceiverKind::root;
  if (known && manager && (managers_own || last_look)) {
    const Receiver receiver = TRY(owners.client(server, manager->client, manager->window));
    TRY(judge_receiver(server, receiver));
    pressed_.reset();
    return {};
  }
  // Nobody listens there: the press has ended, and its release will do nothing.
  if (known && shows && !grabbed) {
    pressed_.reset();
    return {};
  }
  if (!last_look) return {};
  // Somebody holds events back, and may let them go to anyone later.
  Receiver unknown;
  unknown.grabbed = true;
  TRY(judge_receiver(server, unknown));
  pressed_.reset();
  return {};
}

Status PlanRun::await_receipt() {
  // A window manager that looks at presses first may take its time on a busy machine.
  const TimePoint given_up = pressed_->told_by.at() - kForLastLook;
  Millis between = kFirstLook;
  while (pressed_) {
    TRY(go_on());
    const bool last_look = Clock::now() >= given_up;
    // The receipt of an app ends the wait; that nobody gets the press is only seen by looking again.
    if (!last_look) await_other_receipt(Deadline(std::min(Clock::now() + between, given_up)));
    TRY(call_server(context_.deadline, [&](Server& server) { return look_for_receipt(server, last_look); }));
    between = std::min(between * 2, kLastLook);
  }
  return {};
}

void PlanRun::await_other_receipt(Deadline deadline) {
  const std::uint8_t number = button_number(pressed_->button);
  context_.delivery.receipts().wait(deadline, [&](const std::vector<Receipt>& receipts) {
    return std::ranges::any_of(receipts, [&](const Receipt& receipt) {
      return !receipt.key && receipt.detail == number && receipt.client != manager_;
    });
  });
}

Status PlanRun::judge_receiver(Server& server, const Receiver& receiver) {
  InputEvent event = pressed_->event;
  event.kind = EventKind::received;
  event.receiver = receiver;
  const Status judged = context_.permit.judge(event);
  if (judged.ok()) return {};
  return cancel_press(server, receiver, judged.error());
}

Error PlanRun::cancel_press(Server& server, const Receiver& receiver, Error refusal) {
  press_cancelled_ = true;
  const PixelPoint from = pressed_->at;
  const auto away = place_away(server, receiver);
  if (away.ok()) fake_motion(server, *away);
  context_.hands.held.release(server, pressed_->button);
  if (away.ok()) fake_motion(server, from);
  pressed_.reset();
  (void)server.fence();
  refusal.message += fmt::format(" The press went to {} and was cancelled.", name_of(receiver));
  return refusal;
}

// The background, else anything outside the window that has the press.
Result<PixelPoint> PlanRun::place_away(Server& server, const Receiver& receiver) {
  PixelRect taken;
  const auto window = static_cast<xcb_window_t>(receiver.toplevel != 0 ? receiver.toplevel : receiver.window);
  if (window != XCB_WINDOW_NONE && window != server.root()) {
    auto geometry = server.pend(xcb_get_geometry(server.xcb(), window), xcb_get_geometry_reply, "GetGeometry");
    const auto at = server.reply(xcb_translate_coordinates(server.xcb(), window, server.root(), 0, 0),
                                 xcb_translate_coordinates_reply, "TranslateCoordinates");
    const auto size = geometry.get();
    if (at.ok() && size.ok()) taken = {(*at)->dst_x, (*at)->dst_y, (*size)->width, (*size)->height};
  }
  const int width = server.screen()->width_in_pixels;
  const int height = server.screen()->height_in_pixels;
  // Not the very edge, where panels and hot corners wait.
  constexpr int kInset = 3;
  constexpr std::array kParts{1, 7, 3, 5, 2, 6, 4, 0, 8};
  std::optional<PixelPoint> best;
  for (const int row : kParts) {
    for (const int column : kParts) {
      const PixelPoint point{std::clamp(width * column / 8, kInset, width - 1 - kInset),
                             std::clamp(height * row / 8, kInset, height - 1 - kInset)};
      if (!intersect(taken, PixelRect{point.x, point.y, 1, 1}).empty()) continue;
      const auto there = context_.delivery.owners().at(server, point);
      if (there.ok() && there->kind == ReceiverKind::root) return point;
      if (!best) best = point;
    }
  }
  return best ? *best : PixelPoint{width - 1, height - 1};
}

}  // namespace handrail::x11
