// Keeps CLIPBOARD, PRIMARY and SECONDARY owned and empty and the cut buffers deleted while an app could paste that may
// only be clicked. What was there is in custody before it is taken, and comes back from there.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "computer/custody.h"
#include "computer/ports.h"
#include "platform/x11/clipboard_read.h"
#include "platform/x11/clipboard_stash.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

// All formats and cut buffers together. Formats beyond it are dropped while the same content is kept in another one;
// content of which nothing fits is not taken away at all.
inline constexpr std::size_t kMaxStashBytes = kMaxClipboardBytes;

class X11ClipboardGuard : public ClipboardGuard {
 public:
  // Before the connection's first call.
  X11ClipboardGuard(std::shared_ptr<Connection> connection, std::shared_ptr<Custody> custody);
  ~X11ClipboardGuard() override;

  // `busy` while another program keeps taking a selection back: then something may be pasted, and the caller must not
  // act. `too_large` when the content cannot be kept; then it is left where it is.
  Status guard(Deadline deadline) override;
  Status restore(Deadline deadline) override;
  bool guarding() const override { return guarding_; }

 private:
  struct Board;  // what the listener shares with us
  struct Budget;

  Result<Stash> read_stash(Deadline deadline);
  // Nothing when it has no owner, no content, or an owner that does not answer.
  Result<StashedSelection> read_selection(std::string_view name, Budget& budget, Deadline deadline);
  Status read_cut_buffers(Stash& stash, Budget& budget, Deadline deadline);
  // Owns what is not ours yet and deletes the cut buffers.
  Status take(Deadline deadline);
  // Returns once nobody has taken anything from us for a moment.
  Status settle(Deadline deadline);
  void let_go(Deadline deadline);

  std::shared_ptr<Connection> connection_;
  std::shared_ptr<Custody> custody_;
  SelectionReader reader_;
  std::shared_ptr<Board> board_;
  std::mutex mutex_;  // one guard() or restore() at a time
  std::atomic<bool> guarding_ = false;
};

}  // namespace handrail::x11
