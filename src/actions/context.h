// What an action may use while it runs. The engine implements it; every way to change the desktop goes
// through perform(), where the time-of-use gates stand.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/desktop.h"
#include "model/grant.h"
#include "model/look.h"
#include "model/outcome.h"

namespace handrail::actions {

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
};

struct LookResult {
  Look look;
  Picture picture;
  bool frozen = false;
  int hidden = 0;  // windows of apps that are not granted
};

// One step of a batch, in canonical form.
struct BatchStep {
  std::string action;
  Json params = Json::object();
  std::string label;  // what the caller named it; the action's own name when empty
};

class ActionContext {
 public:
  virtual ~ActionContext() = default;

  // A caller's coordinate as a desktop point, through the last look when the basis is not points.
  virtual Result<Point> locate(Point coordinate, Basis basis, std::string_view field) = 0;
  // Gathers facts, judges the time-of-use gates, executes. Ends with what was seen of it.
  virtual Result<Outcome> perform(const Plan& plan) = 0;

  virtual Result<LookResult> look(const LookRequest& request) = 0;
  // The last look, when there is one.
  virtual std::optional<Look> last_look() const = 0;
  virtual Result<Point> cursor() = 0;
  virtual Result<std::vector<Display>> displays() = 0;
  virtual Result<std::vector<Window>> windows() = 0;
  virtual Result<std::vector<App>> apps() = 0;
  virtual Result<std::string> clipboard(Selection selection, const std::string& mime) = 0;
  virtual Result<std::vector<std::string>> clipboard_formats(Selection selection) = 0;

  virtual int selected_display() const = 0;
  virtual void select_display(int display) = 0;

  // Adds to the session what the owner's rules and the person allow; the result has all of it.
  virtual Result<AccessReply> request_access(const AccessRequest& request) = 0;
  // Gives the desktop back: windows, clipboard, keys and lock as they were.
  virtual Status end_turn() = 0;
  virtual Access access() const = 0;

  // Waits, reports progress, ends early as `cancelled`.
  virtual Status pause(Millis span) = 0;
  // Runs decoded steps through the one path, in order, until the first failure.
  virtual Result<Outcome> run_batch(const std::vector<BatchStep>& steps) = 0;
};

}  // namespace handrail::actions
