// One agent's visit to one computer: what it has seen, what it may use, which display it looks at.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "computer/computer.h"
#include "computer/custody.h"
#include "engine/audit_log.h"
#include "engine/budget.h"
#include "engine/grant_store.h"
#include "engine/journal.h"
#include "engine/kill_switch.h"
#include "engine/tenure.h"
#include "engine/turns.h"
#include "model/element.h"
#include "model/look.h"
#include "model/target.h"
#include "policy/access_decision.h"
#include "policy/consent.h"
#include "policy/consent_memory.h"
#include "policy/standing.h"
#include "policy/text_window.h"
#include "vision/sizing.h"

namespace handrail::engine {

enum class IsolationMode { mask, hide };

struct SessionSettings {
  policy::AccessRules rules;
  std::vector<policy::Approver*> approvers;  // whom to ask after the call's own client, in order
  bool ask_client = true;
  vision::Tier image_tier = vision::Tier::standard;
  bool stale_pixels = true;
  IsolationMode isolation = IsolationMode::mask;
  Millis person_pause{0};  // how long a person who uses the desktop is left alone; 0: not at all
  Millis consent_patience{60000};
  Millis idle{120000};
  std::optional<Rect> region;
  BudgetLimits budget;
};

// What the session stands on besides the computer. A null pointer is a lack, and acting is refused for it.
struct SessionParts {
  Custody* custody = nullptr;
  DeskLock* lock = nullptr;
  AuditLog* audit = nullptr;
  GrantStore* store = nullptr;              // null: nothing outlives the session
  std::function<void(Taking what)> notify;  // may be empty
  // Switched off by itself: also for servers that start later, until the owner resumes. May be empty.
  std::function<void(const std::string& because)> keep_off;
};

// A look with what is needed to tell whether the screen is still like that.
struct SeenLook {
  Look look;
  Frame frame;                       // as captured, before scaling
  std::vector<Rect> covers;          // what was painted over in it
  std::vector<Window> windows;       // lowest first
  std::optional<WindowId> window{};  // of which it is a picture, as if nothing were above it
};

struct KnownElement {
  int number = 0;
  ElementKey key;
  Element told;  // as the client saw it
};

struct KnownElements {
  std::vector<KnownElement> all;
  std::string look;
  WindowId window = 0;
};

class Session {
 public:
  Session(Computer& computer, KillSwitch& kill_switch, SessionSettings settings, SessionParts parts);
  // Ends the turn: everything is put back.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::string& id() const { return id_; }
  Computer& computer() { return computer_; }
  KillSwitch& kill_switch() { return kill_switch_; }
  Journal& journal() { return journal_; }
  Turns& turns() { return turns_; }
  Tenure& tenure() { return tenure_; }
  Budget& budget() { return budget_; }
  const SessionSettings& settings() const { return settings_; }
  const SessionParts& parts() const { return parts_; }

  std::optional<Look> last_look() const;
  std::optional<SeenLook> seen() const;
  void remember(SeenLook look);
  std::optional<Target> target() const;
  void set_target(Target target);
  // What the numbers of the last capture mean.
  KnownElements elements() const;
  void remember_elements(KnownElements elements);
  int selected_display() const;
  void select_display(int display);

  Access access() const;
  // Asks rules and, where they leave it open, a person: the client that called first, when there is one.
  AccessReply request_access(const AccessRequest& request, policy::Approver* client, std::stop_token stop);
  // Takes in what the owner took away: `revoked` names an app, "*" is all of them, and empty means that only the store
  // has changed. It ends here at once.
  // How many grants and rules that give them there were.
  std::size_t reload_grants(const std::string& revoked);
  // One flag only; whether it was there.
  bool revoke_flag(const std::string& name);
  // Grants for one call have served it.
  void end_once();
  // What the app behind a receiver may be used for, by the grants of this moment. Quick, from any thread, and it asks
  // no port.
  policy::Standing standing(const Receiver& receiver);
  policy::Standing standing_of_program(const AppIdentity& program);
  // The owner's grants name apps; this finds their programs. Before a call is judged.
  void resolve_config_grants();
  // Those among them that mean no app here.
  std::vector<std::string> unknown_grants() const;

  // Asks a person, the one at the client's end first.
  policy::ConsentAnswer ask(const policy::ConsentQuestion& question, policy::Approver* client, std::stop_token stop);
  // A person's yes to one deed, as long as it lasts. True when nothing needs to be asked.
  bool approved(const std::string& deed) const;
  void approve(const std::string& deed);

  // What a target got of text so far: one window of one process.
  policy::TextWindow text_window(const Receiver& target) const;
  void remember_text(const Receiver& target, policy::TextWindow window);

  // Releases keys and buttons; safe to call more than once and from any thread.
  Status release_input();

 private:
  std::vector<policy::AskedApp> resolve(const AccessRequest& request);
  void keep_always(const Access& access);
  // Writes it down for the next session, when there is a place for it.
  void keep(const std::function<void(KeptState&)>& edit);
  Status record(const policy::ConsentQuestion& question, const policy::ConsentAnswer& answer);

  Computer& computer_;
  KillSwitch& kill_switch_;
  const SessionSettings settings_;
  const SessionParts parts_;
  const std::string id_;
  Journal journal_;
  Turns turns_;
  Budget budget_;
  policy::ConsentDesk consent_;

  mutable std::mutex mutex_;
  std::optional<SeenLook> last_look_;
  std::optional<Look> kept_look_;  // whose geometry is written down
  int selected_display_ = 0;
  std::optional<Target> target_;
  KnownElements elements_;
  Access access_;
  policy::AccessRules rules_;  // the owner's, with the programs that their names mean as far as they are known
  std::vector<policy::OwnerRule> owner_rules_;
  std::vector<AppRequest> unresolved_;  // config grants whose program was not found yet
  TimePoint resolve_again_{};           // at the earliest
  std::vector<std::string> approved_;
  std::uint64_t revocations_ = 0;  // counts what the owner took away
  // Window, process, start: a display server gives the number of a window that is gone to the next one.
  using TextKey = std::tuple<WindowId, std::int64_t, std::uint64_t>;
  static TextKey text_key(const Receiver& target) { return {target.toplevel, target.app.pid, target.app.started}; }
  struct KnownText {
    TextKey target;
    policy::TextWindow window;
  };
  std::vector<KnownText> texts_;  // the one that got something last is at the end
  struct Known {
    AppIdentity app;
    ReceiverKind kind;
    bool grabbed;
    policy::Standing standing;
  };
  std::vector<Known> standings_;  // of the present grants

  Tenure tenure_;  // last: it uses the rest until its end
};

}  // namespace handrail::engine
