// CLIPBOARD and PRIMARY: reads what other apps own and owns what is written here. Two things are kept from crossing:
// what a password manager marks as secret is not read, and text is written without control characters other than tab
// and line ends, so that a paste cannot end itself and go on as keystrokes.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "computer/ports.h"
#include "platform/x11/clipboard_offer.h"
#include "platform/x11/clipboard_read.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

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

  Result<xcb_atom_t> atom_of(Selection selection, Deadline deadline);
  // Our own items when we own the selection.
  Result<std::optional<std::vector<ClipItem>>> own_items(Selection selection, Deadline deadline);
  Result<std::optional<std::string>> read_other(xcb_atom_t selection, const std::string& mime, Deadline deadline);
  // `access_denied` when the owner marks its content as a secret.
  Status check_secret(xcb_atom_t selection, Deadline deadline);
  Status own(Selection selection, std::vector<ClipItem> items, Deadline deadline);

  std::shared_ptr<Connection> connection_;
  SelectionReader reader_;
  std::shared_ptr<Board> board_;
  // One write at a time: they share the window that owns.
  std::mutex mutex_;
  std::condition_variable written_;
  bool writing_ = false;
};

}  // namespace handrail::x11
