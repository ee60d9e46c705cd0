// Types a text into whatever has the focus: by the layout where it has the character, by lent spare keys
// where not, in portions that wait for the app. It owns the pace and the order; which key makes what
// is the keyboard's business.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "platform/x11/connection.h"
#include "platform/x11/input_fence.h"
#include "platform/x11/input_keys.h"
#include "platform/x11/keyboard.h"

namespace handrail::x11 {

// The characters to type. `argument_invalid` names the place of what cannot be typed: bytes that are
// not UTF-8, and control characters other than newline and tab. "\r\n" is one newline.
Result<std::u32string> typable_text(std::string_view text);

class TextEntry {
 public:
  // Runs a task on the connection, or fails when the connection is no longer the plan's.
  using CallServer = std::function<Status(const std::function<Status(Server&)>&)>;

  // `keyboard` is open, and stays open until this is gone.
  TextEntry(CallServer call_server, AppFence& fence, Keyboard& keyboard, KeyGate& gate, Deadline deadline,
            std::stop_token stop);

  // On failure or cancellation no key is down and the map is as before.
  Status type(const std::u32string& text);

  bool sent_any() const { return sent_any_; }
  bool acknowledged() const { return acknowledged_; }

 private:
  Status type_all(const std::u32string& text);
  Status send_portion(Server& server, const std::u32string& text);
  Status lend_ahead(Server& server, const std::u32string& text);
  std::optional<Stroke> stroke_for(char32_t character);
  // A few characters while the server is held still: nobody can take the focus in between.
  Status press(Server& server, const std::u32string& text, std::size_t end);
  std::size_t send_strokes(Server& server, const std::vector<Stroke>& strokes);
  Status await_consumption(Deadline deadline, std::stop_token stop);
  Status take_back();

  CallServer call_server_;
  AppFence& fence_;
  Keyboard& keyboard_;
  KeyGate& gate_;
  Deadline deadline_;
  std::stop_token stop_;

  std::unordered_map<char32_t, std::optional<Stroke>> by_layout_;
  KeyTarget target_;
  std::size_t next_ = 0;         // first character not sent
  std::size_t in_flight_ = 0;    // sent since the app was known to have all
  std::size_t lent_flight_ = 0;  // of these, on lent keys
  bool lent_any_ = false;
  bool sent_any_ = false;
  bool acknowledged_ = false;
};

}  // namespace handrail::x11
