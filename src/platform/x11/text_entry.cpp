#include "platform/x11/text_entry.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "platform/x11/input_held.h"

namespace handrail::x11 {
namespace {

// Characters on their way to an app that answers. Enough to hide the answer's way back, little enough
// that a cancelled text ends soon in the app too.
constexpr std::size_t kInFlight = 128;
// Characters in one hold of the server. The first one goes alone: a program that takes all keys is seen by it.
constexpr std::size_t kInOneHold = 32;
// How long an app may be silent before typing to it stops.
constexpr Millis kAppPatience{5000};
// How long the end of a text waits for the word that all of it arrived.
constexpr Millis kLastAnswerPatience{2000};
// For keys already sent when a text is cancelled: the map is theirs for so long.
constexpr Millis kTakeBackPatience{300};

// Some apps (xterm, Tk) answer no pings, and nothing tells when they have read their keys: only time
// is left. A starved machine is seen by how late the wait itself ends, and then gets as much again.
constexpr Millis kSilentBase{60};
constexpr Millis kSilentPerLent{7};
constexpr Millis kLate{10};

std::string named(char32_t character) { return fmt::format("U+{:04X}", static_cast<std::uint32_t>(character)); }

}  // namespace

Result<std::u32string> typable_text(std::string_view text) {
  const std::u32string characters = TRY(decode_utf8(text));
  std::u32string out;
  out.reserve(characters.size());
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i];
    if (c == U'\r' && i + 1 < characters.size() && characters[i + 1] == U'\n') continue;
    const bool control = (c < 0x20 && c != U'\n' && c != U'\t') || (c >= 0x7f && c < 0xa0);
    if (control) {
      return make_error(Code::argument_invalid,
                        fmt::format("Character {} of the text is the control character {}, which cannot be typed.",
                                    i + 1, named(c)))
          .with_field("text", "text with no control characters but newline and tab")
          .with_hint("Press keys such as Escape or BackSpace with the key action.");
    }
    out.push_back(c);
  }
  return out;
}

TextEntry::TextEntry(CallServer call_server, AppFence& fence, Keyboard& keyboard, KeyGate& gate, Deadline deadline,
                     std::stop_token stop)
    : call_server_(std::move(call_server)),
      fence_(fence),
      keyboard_(keyboard),
      gate_(gate),
      deadline_(deadline),
      stop_(std::move(stop)) {}

Status TextEntry::type(const std::u32string& text) {
  next_ = 0;
  acknowledged_ = false;
  const Status typed = type_all(text);
  const Status taken_back = take_back();
  return typed.ok() ? taken_back : typed;
}

Status TextEntry::type_all(const std::u32string& text) {
  while (next_ < text.size()) {
    TRY(call_server_([&](Server& server) { return send_portion(server, text); }));
    if (next_ == text.size()) break;
    if (target_.answers_ping || lent_flight_ > 0) TRY(await_consumption(deadline_, stop_));
  }
  // Lent keys are waited for when they are taken back.
  if (!target_.answers_ping || in_flight_ == 0 || lent_flight_ > 0) return {};
  const Status answered = await_consumption(deadline_.within(kLastAnswerPatience), stop_);
  // All keys are with the app, whenever it will read them.
  if (!answered.ok() && answered.error().code == Code::timeout) return {};
  return answered;
}

std::optional<Stroke> TextEntry::stroke_for(char32_t character) {
  auto [entry, added] = by_layout_.try_emplace(character);
  if (added) entry->second = keyboard_.find_char(character);
  return entry->second ? entry->second : keyboard_.lent_char(character);
}

Status TextEntry::send_portion(Server& server, const std::u32string& text) {
  // Asked each time: a newline may have opened a dialog.
  target_ = TRY(AppFence::target(server));
  if (!stroke_for(text[next_])) TRY(lend_ahead(server, text));
  std::size_t end = next_;
  while (end < text.size() && end - next_ < kInFlight && stroke_for(text[end])) ++end;
  while (next_ < end) {
    if (stop_.stop_requested()) return make_error(Code::cancelled, "Typing was cancelled.");
    TRY(press(server, text, next_ == 0 ? 1 : std::min(end, next_ + kInOneHold)));
  }
  return {};
}

// Everything sent before is consumed here: a portion ends where a character has no key, and waits.
Status TextEntry::lend_ahead(Server& server, const std::u32string& text) {
  const std::size_t capacity = TRY(keyboard_.text_capacity());
  std::vector<char32_t> characters;
  for (std::size_t i = next_; i < text.size(); ++i) {
    const char32_t c = text[i];
    if (by_layout_.try_emplace(c, keyboard_.find_char(c)).first->second) continue;
    if (std::ranges::find(characters, c) != characters.end()) continue;
    if (characters.size() == capacity) break;
    characters.push_back(c);
  }
  if (capacity == 0) {
    return make_error(Code::capability_unsupported, fmt::format("No spare key is left for {}.", named(text[next_])));
  }
  lent_any_ = true;
  return keyboard_.lend_text(server, characters);
}

Status TextEntry::press(Server& server, const std::u32string& text, std::size_t end) {
  std::vector<Stroke> strokes;
  std::vector<xcb_keycode_t> keycodes = keyboard_.holders(0xff);
  for (std::size_t i = next_; i < end; ++i) {
    strokes.push_back(*stroke_for(text[i]));
    if (std::ranges::find(keycodes, strokes.back().keycode) == keycodes.end()) {
      keycodes.push_back(strokes.back().keycode);
    }
  }
  {
    const ServerHold hold = TRY(gate_.hold(server));
    TRY(gate_.judge_text(server, strokes));
    TRY(gate_.announce(std::move(keycodes)));
    gate_.sent(server, send_strokes(server, strokes));
  }
  for (; next_ < end; ++next_) {
    ++in_flight_;
    if (keyboard_.lent_char(text[next_])) ++lent_flight_;
  }
  sent_any_ = true;
  acknowledged_ = false;
  const Status accounted = gate_.account(server);
  // Not before the server is through with them: of what a killed process has sent it may drop the rest.
  (void)gate_.announce({});
  return accounted;
}

std::size_t TextEntry::send_strokes(Server& server, const std::vector<Stroke>& strokes) {
  std::size_t presses = strokes.size();
  std::uint8_t held = 0;
  const auto hold = [&](std::uint8_t wanted) {
    for (const xcb_keycode_t key : keyboard_.holders(static_cast<std::uint8_t>(held & ~wanted))) {
      fake_key(server, key, false);
    }
    for (const xcb_keycode_t key : keyboard_.holders(static_cast<std::uint8_t>(wanted & ~held))) {
      fake_key(server, key, true);
      ++presses;
    }
    held = wanted;
  };
  for (const Stroke& stroke : strokes) {
    hold(stroke.modifiers);
    fake_key(server, stroke.keycode, true);
    fake_key(server, stroke.keycode, false);
  }
  hold(0);
  return presses;
}

Status TextEntry::await_consumption(Deadline deadline, std::stop_token stop) {
  if (target_.answers_ping) {
    const auto answer = fence_.wait(target_, deadline.within(kAppPatience), stop);
    if (!answer.ok() && answer.error().code == Code::timeout) {
      return make_error(Code::timeout, "The app does not take in what is typed.")
          .with_hint("Look at the app; it may be busy or hang. Part of the text may arrive later.");
    }
    if (!answer.ok()) return answer.error();
    acknowledged_ = *answer == AppFence::Answer::answered;
  } else {
    Millis span = kSilentBase + kSilentPerLent * static_cast<int>(lent_flight_);
    for (bool late = true; late;) {
      const TimePoint until = std::min(Clock::now() + span, deadline.at());
      if (!sleep_until(until, stop)) return make_error(Code::cancelled, "Typing was cancelled.");
      late = Clock::now() - until > kLate && !deadline.passed();
    }
    if (deadline.passed()) return make_error(Code::timeout, "The text was not typed to its end in time.");
  }
  in_flight_ = 0;
  lent_flight_ = 0;
  return {};
}

Status TextEntry::take_back() {
  if (!lent_any_) return {};
  // Also after a failure: unread keys would turn into the function keys that are on these keycodes.
  Status consumed;
  if (lent_flight_ > 0 && !stop_.stop_requested()) consumed = await_consumption(deadline_, stop_);
  if (lent_flight_ > 0) (void)await_consumption(Deadline::in(kTakeBackPatience), {});
  lent_any_ = false;
  const Status taken_back = call_server_([&](Server& server) -> Status {
    keyboard_.end_text(server);
    return server.fence();
  });
  return consumed.ok() ? taken_back : consumed;
}

}  // namespace handrail::x11
