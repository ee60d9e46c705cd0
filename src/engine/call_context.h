// What one running call can use: the engine's side of ActionContext.
#pragma once

#include <set>

#include "actions/context.h"
#include "engine/action_runner.h"
#include "engine/call_record.h"
#include "engine/gather.h"
#include "engine/reaction.h"
#include "engine/still_watch.h"

namespace handrail::engine {

class CallContext : public actions::ActionContext {
 public:
  CallContext(ActionRunner& runner, const catalog::ActionCall& call, const CallOptions& options, CallRecord& record);

  // From now on points are found and plans made, and nothing is judged or done.
  void only_plan() { only_plan_ = true; }
  // Says which element the number of a call meant, so that a wrong one is noticed.
  void tell_element(Outcome& outcome) const;

  Result<Point> locate(Point coordinate, Basis basis, std::string_view field) override;
  Result<Outcome> perform(const Plan& plan) override;
  Result<Outcome> perform_on(const ElementKey& element, const Plan& plan) override;
  Result<actions::LookResult> look(const actions::LookRequest& request) override;
  Result<actions::TextSeen> read_text(const actions::LookRequest& request) override;
  std::optional<Look> last_look() const override;
  Result<Point> cursor() override;
  Result<std::vector<Display>> displays() override;
  Result<std::vector<Window>> windows() override;
  Result<std::vector<App>> apps() override;
  Result<std::string> clipboard(Selection selection, const std::string& mime) override;
  Result<std::vector<std::string>> clipboard_formats(Selection selection) override;
  Result<std::vector<FileInfo>> file_roots() override;
  Result<FilePart> read_file(const std::string& path, std::int64_t offset, std::size_t most) override;
  Result<FolderList> list_folder(const std::string& path, std::size_t most) override;
  Result<FileInfo> file_info(const std::string& path) override;
  Result<std::vector<ProcessInfo>> processes() override;
  Result<ProcessInfo> process(std::int64_t pid) override;
  Result<std::map<std::string, std::string>> environment() override;
  Result<Target> aim(const std::string& app, std::optional<WindowId> window) override;
  std::optional<Target> last_target() const override;
  Result<actions::ElementsSeen> elements(const actions::ElementsRequest& request) override;
  void remember(const actions::ElementsSeen& seen) override;
  actions::ElementsSeen remembered() const override;
  Result<actions::SeenElement> element(int number) override;
  Result<Element> read(const ElementKey& key) override;
  Result<std::optional<actions::SeenElement>> element_at(Point at) override;
  Result<std::optional<actions::SeenElement>> focused_element(const Target& target) override;
  void use_field(const actions::SeenElement& field) override;
  Result<std::optional<actions::SeenElement>> field_in_use(const Target& target) override;
  Result<bool> in_front() override;
  Result<Outcome> in_front_of(WindowId window, const std::function<Result<Outcome>()>& act) override;
  bool has_own_hand() override;
  Result<Outcome> beside(WindowId window, const std::function<Result<Outcome>()>& act) override;
  Result<actions::Settled> settle() override;
  Status begin_watch(const Target& target) override;
  Status await_change(const Target& target, Deadline deadline) override;
  int selected_display() const override;
  void select_display(int display) override;
  Result<AccessReply> request_access(const AccessRequest& request) override;
  Status end_turn() override;
  Access access() const override;
  std::vector<actions::CallSeen> calls() const override;
  Result<std::vector<Workspace>> workspaces() override;
  Result<App> app_for(const std::string& file) override;
  Result<SystemState> system_state() override;
  Result<NotificationsSeen> notifications() override;
  Result<std::vector<Facility>> facilities() override;
  Result<std::vector<AppCommand>> app_commands(const Target& target) override;
  Result<std::int64_t> service_owner(const std::string& name) override;
  Status pause(Millis span) override;
  Result<Outcome> run_batch(const std::vector<actions::BatchStep>& steps) override;

  // From now on, so that settled() knows what the act did.
  void watch_target();
  // Waits until the target is still; nothing else on the screen counts.
  Result<actions::Settled> settled(Millis most);
  // Looks whether anything moves, for some milliseconds; the capture that follows waits a moment for its target then.
  void notice_motion();

 private:
  void watch(const ElementKey& element);
  Result<std::vector<catalog::ActionCall>> checked(const std::vector<actions::BatchStep>& steps);
  // Where the pointer is, for our own use.
  Result<Point> pointer();
  // What is masked in pictures follows from it.
  bool shows(const Receiver& owner);
  Result<std::vector<Rect>> secret_places();
  Status must_be_granted(std::int64_t pid);
  // Looks are judged without a plan; what is refused is on record all the same with its gate and app.
  Error refused_look(Error error, const Receiver* owner);
  Target meant(Target target);
  // `target_stale` when the number is of another app or window than the caller takes it for.
  Status must_be_meant(const KnownElements& known, const KnownElement& element);
  // Which options the combo boxes among them show.
  void read_options(std::vector<actions::SeenElement>& elements, const std::vector<ElementTree>& trees);
  Millis patience_left();
  int covered_whole(const Rect& area, const std::vector<Rect>& covers);
  Permit permit_to_restore();
  // The plan for who acts: the person's hand, or the agent's own while that is at work.
  Plan seated(const Plan& plan) const;
  // The window has the focus and keeps it.
  bool bring_back(WindowId window);
  bool bring_pointer_back(Point before, TimePoint since);
  bool somebody_else_came(const Window& target, WindowId before);
  // Whether windows that may not be seen are put away for the turn.
  bool hides_others();
  Status hide_others();
  // The look as it is, without putting anything away first.
  Result<actions::LookResult> take_look(const actions::LookRequest& request);

  CaptureRequest capture_of(const actions::LookRequest& request, const std::vector<Display>& all);
  Result<Capture> capture_masked(CaptureRequest& capture);
  Result<actions::LookResult> agree_on_look(const actions::LookRequest& request, const CaptureRequest& capture,
                                            const std::vector<Display>& all);

  // Read now, with the app that the plan is for on record.
  Result<policy::UseFacts> facts_of(const Plan& plan);
  Status judge_use(const Plan& plan, const policy::UseFacts& facts);
  Status ask(const Plan& plan, const policy::UseFacts& facts, const policy::Ruling& ruling);
  Status judge_again(const Plan& plan, const policy::UseFacts& before);
  Permit permit(const Plan& plan);
  // A press that another app got, which may have acted on it: told to the owner, and nothing more is done until they
  // have had a look.
  Error stop_session(Error refusal);
  // The act as it is, with what must stand before and after it.
  Result<Outcome> act(const Plan& plan, const policy::UseFacts& facts);
  // A refusal for old pixels brings a fresh picture.
  Result<Outcome> refused(Error refusal, const policy::UseFacts& facts);
  Outcome refused_with_picture(Error refusal, const policy::UseFacts& facts);
  Result<Outcome> execute(const InputPlan& plan);
  Result<Outcome> execute(const OpenApp& open);
  Result<Outcome> execute(const WriteClipboard& write);
  Result<Outcome> execute(const ChangeWindow& change);
  Result<Outcome> execute(const ActOnElement& act);
  Result<Outcome> execute(const ChangeFile& change);
  Result<Outcome> execute(const RunProgram& run);
  Result<Outcome> execute(const EndProcess& end);
  Result<Outcome> execute(const SwitchWorkspace& go);
  Result<Outcome> execute(const ChangeApp& change);
  Result<Outcome> execute(const ChangeSystem& change);
  Result<Outcome> execute(const CallService& call);
  Result<Outcome> quit(const ChangeApp& change);
  // The newcomer stays behind what was in front.
  bool keep_in_front(WindowId window, WindowId newcomer);

  ActionRunner& runner_;
  Session& session_;
  Computer& computer_;
  const catalog::ActionCall& call_;
  const CallOptions& options_;
  CallRecord& record_;
  Gather gather_;
  std::set<std::int64_t> shown_;         // processes whose windows were drawn into a picture
  std::optional<TimePoint> look_began_;  // with its elements, or its picture
  bool only_plan_ = false;
  std::unique_ptr<ElementReaction> reaction_;  // of the element that the call is about
  std::optional<Seat> seat_;                   // of the agent's own hand, while it is at work
  const Plan* plan_ = nullptr;                 // the one that is performed
  std::optional<Receiver> astray_;             // who got a press that was for another app
  std::optional<Target> aimed_;                // what this call is about
  std::string acted_on_;                       // the element that its number meant, as a line
  std::string acted_on_app_;
  std::optional<Look> used_look_;  // the look that this call's coordinates went through
  // What was known to have happened when this call last waited.
  std::optional<std::uint64_t> screen_seen_;
  std::optional<std::uint64_t> elements_seen_;
  std::optional<StillWatch> watch_;  // of what the act was on, from before it
  bool moving_ = false;              // something on the screen was, when a capture began
};

// The port, or `capability_unsupported` naming what is missing.
template <class Port>
Result<Port*> require(Port* port, std::string_view what) {
  if (port != nullptr) return port;
  return make_error(Code::capability_unsupported, "This computer has no " + std::string(what) + ".");
}

}  // namespace handrail::engine
