// The server's side of its guardian: starts it, tells it what is to be undone, and starts it again when it has died.
// Telling is a store into shared memory; only giving back is a question with an answer.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/process.h"
#include "computer/custody.h"
#include "platform/linux/guardian_record.h"

namespace handrail::linux_ {

struct GuardianOptions {
  WatchedDisplay display;
  // The program to run as `PROGRAM guardian run`; empty: this one.
  std::string program = {};
  // For the guardian to come up.
  Millis patience{15000};
};

class GuardianLink final : public Custody {
 public:
  // Returns once the guardian listens.
  static Result<std::unique_ptr<GuardianLink>> start(GuardianOptions options);
  // What is left is undone before this returns, unless that takes longer than a second.
  ~GuardianLink() override;

  // Where from now on is to be undone: another display, or a display server that was started again.
  Status watch_display(std::string display, std::string xauthority);

  // Takes on the stand-in, or starts a new guardian, when the old one has died.
  Status ready() override;
  Status held(const HeldNow& now) override;
  Status keep(Kept what, std::string bytes) override;
  Status give_back(Kept what, Deadline deadline) override;
  void grabbing(bool on) noexcept override;

  pid_t pid() const { return record_.state().guardian; }

 private:
  GuardianLink(GuardianOptions options, GuardianRecord record) : options_(options), record_(std::move(record)) {}

  bool alive();
  bool stopped();
  // The three below with asking_ held.
  Status revive();
  Status spawn();
  // `pidfd` is of the one that should answer, -1 when it is not known.
  Status greet(int pidfd, Deadline deadline);

  GuardianOptions options_;
  GuardianRecord record_;
  Fd wake_;

  std::timed_mutex asking_;  // one question at a time
  Fd socket_;
  std::optional<Process> process_;  // while it is our child; a stand-in that took over is not
  std::uint64_t last_id_ = 0;

  std::mutex mutex_;  // what is written to the record, and guardian_
  Fd guardian_;       // pidfd
  Fd state_;          // of the same process
};

}  // namespace handrail::linux_
