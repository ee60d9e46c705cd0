// What is to be undone, in memory that the server, the guardian and its stand-in share: it is whole at every moment, so
// that the death of any of them leaves a record that the others can act on. It is never in a file: the clipboard is in
// it. One process writes what is held and kept; guardians only take away what they have restored.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "computer/custody.h"

namespace handrail::linux_ {

inline constexpr std::string_view kRecordName = "handrail-guardian";
inline constexpr std::size_t kKinds = 3;  // of Kept
// Of one thing that is kept.
inline constexpr std::size_t kMaxKeptBytes = 128 * 1024 * 1024;

struct WatchedDisplay {
  std::string name;
  std::string xauthority;
};

// The layout of the shared page. Everything that can be torn has slots of which an atomic names the one that counts.
struct GuardianState {
  struct Held {
    std::uint32_t keycodes = 0;
    std::uint32_t buttons = 0;
    std::uint8_t keycode[256] = {};
    std::uint8_t button[256] = {};
  };
  struct DisplayText {
    char name[256] = {};
    char xauthority[4096] = {};
  };
  struct Content {
    std::atomic<std::uint64_t> current = 0;  // 0: nothing; else generation * 4 + slot
    std::atomic<std::uint64_t> served = 0;   // given back, but alive only as long as a guardian is: the clipboard
    std::uint64_t generation = 0;            // counts, so that no mark comes twice
    std::uint64_t size[3] = {};
  };

  std::uint64_t magic = 0;
  std::atomic<std::int32_t> server = 0;
  std::atomic<std::int32_t> guardian = 0;
  std::atomic<std::uint32_t> link = 0;   // counts guardians that the server started; older ones must leave
  std::atomic<std::uint32_t> over = 0;   // all is undone: the stand-in has nothing to take over
  std::atomic<std::uint32_t> grab = 0;   // odd inside a server grab; counts
  std::atomic<std::uint32_t> awake = 0;  // somebody looks at `grab` by himself
  std::atomic<std::uint32_t> held_slot = 0;
  std::atomic<std::uint32_t> display_slot = 0;
  char folder[4096] = {};  // of the server's sockets and locks; written once
  Held held[2];
  DisplayText display[2];
  Content content[kKinds];
};

class GuardianRecord {
 public:
  // What is kept, with the mark that tells it from what replaces it.
  struct Bytes {
    std::uint64_t mark = 0;
    std::string bytes;
  };

  static Result<GuardianRecord> make();
  // One that was inherited, or of another process when `to_read` only.
  enum class Use { share, to_read };
  static Result<GuardianRecord> open(Fd fd, Use use);
  GuardianRecord(GuardianRecord&& other) noexcept;
  GuardianRecord& operator=(GuardianRecord&&) = delete;
  ~GuardianRecord();

  int fd() const { return fd_.get(); }
  GuardianState& state() { return *state_; }
  const GuardianState& state() const { return *state_; }

  void write_held(const HeldNow& now) noexcept;
  HeldNow held() const;
  Status write_display(const WatchedDisplay& display);
  WatchedDisplay display() const;

  // Whose guardian it is, for people; before anybody shares the record.
  void write_folder(const std::string& folder);
  std::string folder() const;

  // The server's side. Empty bytes forget.
  Status write(Kept what, std::string_view bytes);
  // Gives memory back that nothing refers to; only where nothing is being written.
  void free_unused();

  bool has(Kept what) const { return content(what).current != 0; }
  std::uint64_t size_of(Kept what) const;
  // Nothing when nothing is kept.
  Result<std::optional<Bytes>> read(Kept what) const;
  Result<std::optional<Bytes>> read_served() const;
  // Forgets what was read under the mark, unless it has been replaced.
  void forget(Kept what, std::uint64_t mark);
  // Forgotten as something to restore, remembered as something to hold on to; 0 ends that.
  void serve(std::uint64_t mark);

 private:
  GuardianRecord(Fd fd, GuardianState* state) : fd_(std::move(fd)), state_(state) {}
  GuardianState::Content& content(Kept what) { return state_->content[static_cast<std::size_t>(what)]; }
  const GuardianState::Content& content(Kept what) const { return state_->content[static_cast<std::size_t>(what)]; }
  Result<std::optional<Bytes>> read_mark(Kept what, std::uint64_t mark) const;

  Fd fd_;
  GuardianState* state_ = nullptr;
};

}  // namespace handrail::linux_
