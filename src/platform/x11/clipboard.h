// CLIPBOARD and PRIMARY: reads what other apps own and owns what is written here.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "computer/ports.h"
#include "platform/x11/clipboard_offer.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

// Neither read nor served beyond this.
inline constexpr std::size_t kMaxClipboardBytes = 64 * 1024 * 1024;

class X11Clipboard : public Clipboard {
 public:
  // Before the connection's first call.
  explicit X11Clipboard(std::shared_ptr<Connection> connection);
  ~X11Clipboard() override;

  Result<std::vector<std::string>> formats(Selection selection, Deadline deadline) override;
  Result<std::string> read(Selection selection, const std::string& mime, Deadline deadline) override;
  Status write(Selection selection, std::vector<ClipItem> items, Permit permit, Deadline deadline) override;

 private:
  struct Board;  // what the listener shares with us
  struct Content {
    xcb_atom_t type = XCB_ATOM_NONE;
    std::string bytes;
  };

  // Our own items when we own the selection.
  Result<std::optional<std::vector<ClipItem>>> own_items(Selection selection, Deadline deadline);
  // Asks the owner; nothing when it declines or there is none.
  Result<std::optional<Content>> convert(Selection selection, const std::string& target, Deadline deadline);
  Result<std::optional<Content>> receive(xcb_window_t window, EventWatch& watch, Deadline deadline);
  // `type` is that of the pieces.
  Result<std::string> receive_pieces(xcb_window_t window, EventWatch& watch, Deadline deadline, xcb_atom_t& type);
  Result<xcb_timestamp_t> server_time(xcb_window_t window, Deadline deadline);
  Status own(Selection selection, std::vector<ClipItem> items, Deadline deadline);
  Result<std::vector<std::string>> names_of(const std::vector<xcb_atom_t>& atoms, Deadline deadline);

  std::shared_ptr<Connection> connection_;
  std::shared_ptr<Board> board_;
  // One write at a time: they share the window that owns.
  std::mutex mutex_;
  std::condition_variable written_;
  bool writing_ = false;
};

}  // namespace handrail::x11
