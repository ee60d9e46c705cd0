// What an action may use while it runs. The engine implements it; every way to change the desktop goes
// through perform(), where the time-of-use gates stand.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/desktop.h"
#include "model/element.h"
#include "model/grant.h"
#include "model/look.h"
#include "model/outcome.h"
#include "model/system.h"
#include "model/target.h"

namespace handrail::actions {

struct ElementMark {
  int number = 0;
  Rect bounds;  // logical points
};

enum class LookKind {
  basis,   // becomes the look that later coordinates refer to
  detail,  // a closer picture; the basis stays
};

struct LookRequest {
  LookKind kind = LookKind::basis;
  std::optional<int> display;
  std::optional<Rect> region;  // logical points
  std::optional<WindowId> window;
  bool show_cursor = false;
  ImageFormat format = ImageFormat::jpeg;
  int quality = 75;
  int max_width = 0;  // 0: as the sizing rule says
  int max_height = 0;
  int max_bytes = 0;
  bool with_picture = true;          // else only the coordinates of the picture are agreed on
  std::vector<ElementMark> marks{};  // drawn on the picture
};

struct LookResult {
  Look look;
  Picture picture;
  bool frozen = false;
  int hidden = 0;  // windows of apps that are not granted
  int unsaid = 0;  // windows that are covered whole: their apps have not said yet what they show
};

// An element that a client can name by its number, as it was when the client saw it.
struct SeenElement {
  int number = 0;
  ElementKey key;
  Element element;
  std::string app{};  // whose it is, among those of the whole screen
};

struct ElementsRequest {
  Target target;
  bool interactive = true;  // only what can be acted on, as marks are; else everything that shows
  bool values = false;
  bool everywhere = false;  // in the menus and lists too that the target has opened
  std::size_t most = 100;
};

struct ElementsSeen {
  std::vector<SeenElement> elements;  // in reading order
  std::size_t left_out = 0;
  bool complete = true;
  std::string why;      // it is not
  bool any = false;     // the app has a tree at all
  std::string look{};   // that its numbers belong to
  WindowId window = 0;  // 0: the whole screen
};

// Text that was read off the screen.
struct TextSeen {
  struct Line {
    std::string text;  // untrusted
    Rect box;          // logical points
    double confidence = 0;
  };
  std::vector<Line> lines;
  bool complete = true;
};

// How an action came to rest.
struct Settled {
  bool changed = false;
  double first_change_ms = 0;
  double settled_ms = 0;
  bool still = true;  // false: it went on changing until the time was up
};

// One step of a batch, in canonical form.
struct BatchStep {
  std::string action;
  Json params = Json::object();
  std::string label;  // what the caller named it; the action's own name when empty
};

// A call of this session, as the journal has it: no text that was typed or copied.
struct CallSeen {
  std::uint64_t number = 0;
  std::string action;
  std::string result;      // effect or error code
  std::string refused_by;  // the gate
  std::string plan;
  double took_ms = 0;
};

class ActionContext {
 public:
  virtual ~ActionContext() = default;

  // A caller's coordinate as a desktop point, through the last look when the basis is not points.
  virtual Result<Point> locate(Point coordinate, Basis basis, std::string_view field) = 0;
  // Gathers facts, judges the time-of-use gates, executes. Ends with what was seen of it.
  virtual Result<Outcome> perform(const Plan& plan) = 0;
  // Performs what acts on the element, and waits a moment for what the element makes of it: nothing else that moves is
  // taken for its reaction.
  virtual Result<Outcome> perform_on(const ElementKey& element, const Plan& plan) = 0;

  virtual Result<LookResult> look(const LookRequest& request) = 0;
  // The text of what such a look would show, password fields and apps that are not granted left out.
  virtual Result<TextSeen> read_text(const LookRequest& request) = 0;
  // The last look, when there is one.
  virtual std::optional<Look> last_look() const = 0;
  virtual Result<Point> cursor() = 0;
  virtual Result<std::vector<Display>> displays() = 0;
  virtual Result<std::vector<Window>> windows() = 0;
  virtual Result<std::vector<App>> apps() = 0;
  virtual Result<std::string> clipboard(Selection selection, const std::string& mime) = 0;
  virtual Result<std::vector<std::string>> clipboard_formats(Selection selection) = 0;

  // The granted folders, and what is in them.
  virtual Result<std::vector<FileInfo>> file_roots() = 0;
  virtual Result<FilePart> read_file(const std::string& path, std::int64_t offset, std::size_t most) = 0;
  virtual Result<FolderList> list_folder(const std::string& path, std::size_t most) = 0;
  virtual Result<FileInfo> file_info(const std::string& path) = 0;
  // Processes of this user, and the variables that apps of the desktop have.
  virtual Result<std::vector<ProcessInfo>> processes() = 0;
  virtual Result<ProcessInfo> process(std::int64_t pid) = 0;
  virtual Result<std::map<std::string, std::string>> environment() = 0;

  // The window that is meant, by app name or id, alias, unique part of its name, or by window; neither: the one of the
  // last call. `ambiguous` has the candidates, `target_stale` says that there is none yet.
  virtual Result<Target> aim(const std::string& app, std::optional<WindowId> window) = 0;
  // What the last call was about; it may be gone.
  virtual std::optional<Target> last_target() const = 0;
  // Elements of the target's app, without numbers.
  virtual Result<ElementsSeen> elements(const ElementsRequest& request) = 0;
  // From now on numbers mean these.
  virtual void remember(const ElementsSeen& seen) = 0;
  // What numbers mean now, as it was told then.
  virtual ElementsSeen remembered() const = 0;
  // The one that the last numbers mean, read again: `target_stale` when it is not the same any more.
  virtual Result<SeenElement> element(int number) = 0;
  // Any element as it is now.
  virtual Result<Element> read(const ElementKey& key) = 0;
  // The element of the target that a click at the point would reach; nothing when nobody tells.
  virtual Result<std::optional<SeenElement>> element_at(Point at) = 0;
  virtual Result<std::optional<SeenElement>> focused_element(const Target& target) = 0;
  // The field that was last written to or clicked; what is typed without naming one goes on there.
  virtual void use_field(const SeenElement& field) = 0;
  // As it is now, when it is one of the target's; nothing when there is none, or none any more.
  virtual Result<std::optional<SeenElement>> field_in_use(const Target& target) = 0;
  // The target has the keyboard already, or is the whole screen.
  virtual Result<bool> in_front() = 0;
  // Brings the window to the front, lets `act` perform, and puts back what was in front and where the pointer was.
  virtual Result<Outcome> in_front_of(WindowId window, const std::function<Result<Outcome>()>& act) = 0;
  // Whether the agent has a pointer and a keyboard of its own here.
  virtual bool has_own_hand() = 0;
  // Lets `act` perform with those on the window, wherever it is in the stack: the person's pointer, focus and windows
  // stay as they are. `capability_unsupported` where that cannot be.
  virtual Result<Outcome> beside(WindowId window, const std::function<Result<Outcome>()>& act) = 0;

  // As a person would: in front, or beside the person.
  Result<Outcome> by_hand(Delivery delivery, WindowId window, const std::function<Result<Outcome>()>& act) {
    return delivery == Delivery::background ? beside(window, act) : in_front_of(window, act);
  }
  Result<Outcome> perform_by_hand(Delivery delivery, WindowId window, const Plan& plan) {
    return by_hand(delivery, window, [&] { return perform(plan); });
  }
  // Waits until the screen and the target's elements are quiet.
  virtual Result<Settled> settle() = 0;
  // From now on await_change() counts what happens.
  virtual Status begin_watch(const Target& target) = 0;
  // Returns when anything on the screen or in the target's elements has changed since begin_watch(), or the time is
  // up.
  virtual Status await_change(const Target& target, Deadline deadline) = 0;

  virtual int selected_display() const = 0;
  virtual void select_display(int display) = 0;

  // Adds to the session what the owner's rules and the person allow; the result has all of it.
  virtual Result<AccessReply> request_access(const AccessRequest& request) = 0;
  // Gives the desktop back: windows, clipboard, keys and lock as they were.
  virtual Status end_turn() = 0;
  virtual Access access() const = 0;
  // Of this session, oldest first.
  virtual std::vector<CallSeen> calls() const = 0;

  virtual Result<std::vector<Workspace>> workspaces() = 0;
  // The app that opens such a file when none is named.
  virtual Result<App> app_for(const std::string& file) = 0;
  virtual Result<SystemState> system_state() = 0;
  // Those of apps that the session may look at; the others are counted.
  virtual Result<NotificationsSeen> notifications() = 0;
  virtual Result<std::vector<Facility>> facilities() = 0;
  // What the app says that it can be asked to do, over the message bus.
  virtual Result<std::vector<AppCommand>> app_commands(const Target& target) = 0;
  // The process that owns a name on the session's bus; 0 when nobody does.
  virtual Result<std::int64_t> service_owner(const std::string& name) = 0;

  // Waits, reports progress, ends early as `cancelled`.
  virtual Status pause(Millis span) = 0;
  // Runs decoded steps through the one path, in order, until the first failure.
  virtual Result<Outcome> run_batch(const std::vector<BatchStep>& steps) = 0;
};

}  // namespace handrail::actions
