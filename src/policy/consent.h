// Asking a person. A question is made once and never changes; its digest is what an answer is bound to. Approvers show
// it; only a clear yes is one: no approver, no answer in time and an error are all `deny`.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/grant.h"
#include "policy/app_catalog.h"

namespace handrail::policy {

// Ordered: every answer allows no more than the next.
enum class ConsentChoice { deny, once, session, always };
std::string_view name_of(ConsentChoice choice);  // "deny", "once", "session", "always"
std::optional<ConsentChoice> choice_named(std::string_view name);

// More than a person would read is not asked.
inline constexpr std::size_t kMostConsentItems = 8;

struct ConsentItem {
  std::string app;  // as the person knows it
  std::string executable;
  std::string script;
  GrantTier tier = GrantTier::read;  // what a yes gives
  std::optional<GrantTier> before;   // what is granted already
  Sentinel sentinel = Sentinel::none;
  friend bool operator==(const ConsentItem&, const ConsentItem&) = default;
};

// Of a deed more than this is not shown, but cut in its middle.
inline constexpr std::size_t kMostDeed = 400;

struct ConsentQuestion {
  std::vector<ConsentItem> items;
  GrantFlags flags;
  std::string reason;  // the agent's, shown as such
  std::string deed;    // instead of items: one act, such as typing into a password field
  std::vector<ConsentChoice> offered{ConsentChoice::deny, ConsentChoice::once, ConsentChoice::session,
                                     ConsentChoice::always};
  bool empty() const { return items.empty() && flags == GrantFlags{} && deed.empty(); }
};

// The question as lines of plain text without control, bidirectional or invisible characters. What approvers show, all
// of them the same.
std::vector<std::string> consent_text(const ConsentQuestion& question);
// Of that text: what was shown is what was granted. Lower-case hex.
std::string consent_digest(const ConsentQuestion& question);

class Approver {
 public:
  virtual ~Approver() = default;
  virtual std::string_view name() const = 0;  // "client", "dialog", "terminal": becomes a grant's source
  // Whether there is somebody to ask this way, now.
  virtual bool available() const = 0;
  virtual Result<ConsentChoice> ask(const ConsentQuestion& question, Deadline deadline, std::stop_token stop) = 0;
  // After ask() failed: the question was handed on, and its answer comes with a later call of the same kind.
  virtual bool deferred() const { return false; }
};

struct ConsentAnswer {
  ConsentChoice choice = ConsentChoice::deny;
  std::string by;         // the approver's name; empty when nobody was asked
  std::string reason;     // why it is a refusal, when it is one
  std::string digest;     // of what was shown
  bool deferred = false;  // a refusal only for now: the answer comes with the same call made again
};

// Asks the first approver that is available, and nobody else after it.
ConsentAnswer ask_person(const std::vector<Approver*>& approvers, const ConsentQuestion& question, Millis patience,
                         std::stop_token stop);

}  // namespace handrail::policy
