#include <gtest/gtest.h>

#include "actions/all.h"
#include "engine/action_runner.h"
#include "engine/plan_facts.h"
#include "support/sim_visit.h"

namespace handrail::engine {
namespace {

class RunnerTest : public testing::Test {
 protected:
  sim::SimComputer computer_;
  KillSwitch kill_switch_;
  SimVisit visit_;
  Session session_{computer_, kill_switch_, visit_.settings(), visit_.parts()};
  ActionRunner runner_{actions::all_actions(), session_};
  WindowId window_ = 0;

  void SetUp() override {
    sim::WindowSpec spec;
    spec.bounds = {100, 100, 400, 300};
    spec.fields.push_back({{10, 10, 300, 40}});
    window_ = computer_.add_window(spec);
    ASSERT_TRUE(run("click", R"({"at":[150,150]})").ok());
    ASSERT_EQ(computer_.log(window_).back().kind, sim::EventKind::release) << "the field has the caret now";
  }

  Result<Outcome> run(std::string_view action, std::string_view params, bool dry_run = false) {
    auto call = actions::all_actions().call(action, parse_json(params).value());
    if (!call.ok()) return std::move(call).error();
    call->dry_run = dry_run;
    return runner_.run(*call, runner_.take_turn(*call), {});
  }
};

TEST_F(RunnerTest, clicks_through_a_look_and_types) {
  ASSERT_TRUE(run("screenshot", "{}").ok());
  const auto clicked = run("click", R"({"at":[150,150],"basis":"pixels"})");
  ASSERT_TRUE(clicked.ok()) << to_text(clicked.error());
  EXPECT_EQ(clicked->evidence, std::vector{Evidence::delivered});
  EXPECT_EQ(clicked->route, Route::user_seat);
  ASSERT_TRUE(run("type", R"({"text":"Grüße 日本"})").ok());
  EXPECT_EQ(computer_.text(window_), "Grüße 日本");
}

TEST_F(RunnerTest, refuses_coordinates_without_a_look) {
  const std::size_t before = computer_.log(window_).size();
  const auto clicked = run("click", R"({"at":[150,150],"basis":"pixels"})");
  ASSERT_FALSE(clicked.ok());
  EXPECT_EQ(clicked.error().code, Code::target_stale);
  EXPECT_EQ(computer_.log(window_).size(), before);
}

TEST_F(RunnerTest, refuses_a_look_of_another_layout_or_display_and_sends_nothing) {
  ASSERT_TRUE(run("screenshot", "{}").ok());
  const std::size_t before = computer_.log(window_).size();
  computer_.set_displays({{"SIM-0", {0, 0, 1280, 800}, 1}, {"SIM-1", {1280, 0, 1024, 768}, 1}});
  auto clicked = run("click", R"({"at":[150,150],"basis":"pixels"})");
  ASSERT_FALSE(clicked.ok());
  EXPECT_EQ(clicked.error().gate, "stale_look");
  EXPECT_EQ(computer_.log(window_).size(), before);
  sim::WindowSpec there;
  there.bounds = {1280, 0, 400, 300};
  computer_.add_window(there);
  ASSERT_TRUE(run("screenshot", "{}").ok());
  const Point pointer = computer_.pointer();
  ASSERT_TRUE(run("switch_display", R"({"display":1})").ok());
  clicked = run("click", R"({"at":[150,150],"basis":"pixels"})");
  ASSERT_FALSE(clicked.ok());
  EXPECT_EQ(clicked.error().gate, "stale_look");
  EXPECT_EQ(computer_.pointer(), pointer);
  ASSERT_TRUE(run("screenshot", "{}").ok());
  EXPECT_TRUE(run("move", R"({"at":[0,0],"basis":"pixels"})").ok());
  EXPECT_NEAR(computer_.pointer().x, 1280, 1);
  EXPECT_NEAR(computer_.pointer().y, 0, 1);
}

TEST_F(RunnerTest, confirms_a_move_by_reading_the_pointer_back) {
  const auto moved = run("move", R"({"at":[133,144]})");
  ASSERT_TRUE(moved.ok());
  EXPECT_EQ(moved->effect, Effect::confirmed);
  EXPECT_EQ(moved->evidence, std::vector{Evidence::value_readback});
}

TEST_F(RunnerTest, keeps_the_basis_when_zooming) {
  ASSERT_TRUE(run("screenshot", "{}").ok());
  const std::string look = session_.last_look()->id;
  const auto zoomed = run("zoom", R"({"region":[100,100,300,200],"basis":"pixels"})");
  ASSERT_TRUE(zoomed.ok()) << to_text(zoomed.error());
  EXPECT_EQ(zoomed->pictures.at(0).size, (Size{200, 100}));
  EXPECT_EQ(session_.last_look()->id, look);
}

TEST_F(RunnerTest, does_nothing_when_switched_off) {
  kill_switch_.stop("a test");
  const std::size_t before = computer_.log(window_).size();
  const auto typed = run("type", R"({"text":"x"})");
  ASSERT_FALSE(typed.ok());
  EXPECT_EQ(typed.error().gate, "kill_switch");
  EXPECT_EQ(computer_.log(window_).size(), before);
  kill_switch_.resume();
  EXPECT_TRUE(run("type", R"({"text":"x"})").ok());
}

TEST_F(RunnerTest, stops_between_two_events_when_switched_off_meanwhile) {
  computer_.after_event(7, [this] { kill_switch_.stop("a person tests"); });
  const auto typed = run("type", R"({"text":"aaaaaaaaaaaaaaaaaaaa"})");
  ASSERT_FALSE(typed.ok());
  EXPECT_EQ(typed.error().gate, "kill_switch");
  EXPECT_NE(typed.error().message.find("switched off: a person tests."), std::string::npos) << typed.error().message;
  EXPECT_NE(typed.error().hint.find("handrail resume"), std::string::npos) << typed.error().hint;
  EXPECT_EQ(typed.error().side_effects, SideEffects::partial);
  EXPECT_GT(computer_.text(window_).size(), 0u);
  EXPECT_LT(computer_.text(window_).size(), 6u);
  EXPECT_TRUE(computer_.keys_down().empty());
}

TEST_F(RunnerTest, names_the_missing_capability) {
  computer_.lack(Capability::keyboard, "the XTEST extension", "Start the server with it.");
  const auto typed = run("type", R"({"text":"x"})");
  ASSERT_FALSE(typed.ok());
  EXPECT_EQ(typed.error().code, Code::permission_missing);
  EXPECT_EQ(typed.error().gate, "os_permission");
}

TEST_F(RunnerTest, judges_a_dry_run_and_does_nothing) {
  ASSERT_TRUE(run("screenshot", "{}").ok());
  const std::size_t before = computer_.log(window_).size();
  const auto dry = run("click", R"({"at":[150,150],"basis":"pixels"})", true);
  ASSERT_TRUE(dry.ok());
  EXPECT_TRUE(dry->dry_run);
  EXPECT_EQ(computer_.log(window_).size(), before);
}

TEST_F(RunnerTest, runs_a_batch_until_the_first_failure_and_reports_each_step) {
  const auto batch = run("batch", R"({"steps":[
      {"action":"type","params":{"text":"one"}},
      {"action":"focus_window","params":{"window":999999}},
      {"action":"type","params":{"text":"two"}}]})");
  ASSERT_TRUE(batch.ok());
  ASSERT_TRUE(batch->failure.has_value());
  EXPECT_EQ(batch->failure->code, Code::not_found);
  EXPECT_EQ(batch->failure->side_effects, SideEffects::partial);
  EXPECT_EQ(batch->effect, Effect::partial);
  EXPECT_EQ(batch->data["done"], 1);
  EXPECT_EQ(batch->data["skipped"], 1);
  EXPECT_EQ(batch->data["steps"].size(), 2u);
  EXPECT_EQ(computer_.text(window_), "one");
}

TEST_F(RunnerTest, runs_no_step_of_a_batch_that_is_wrong_anywhere) {
  const auto batch = run("batch", R"({"steps":[
      {"action":"type","params":{"text":"one"}}, {"action":"type","params":{"txt":"two"}}]})");
  ASSERT_FALSE(batch.ok());
  EXPECT_EQ(batch.error().field, "steps[1].txt");
  EXPECT_EQ(computer_.text(window_), "");
  EXPECT_FALSE(run("batch", R"({"steps":[{"action":"batch","params":{"steps":[]}}]})").ok());
}

TEST_F(RunnerTest, moves_nothing_when_a_later_step_points_outside) {
  ASSERT_TRUE(run("screenshot", "{}").ok());
  const Point before = computer_.pointer();
  const auto batch = run("batch", R"({"steps":[
      {"action":"move","params":{"at":[1,1],"basis":"pixels"}},
      {"action":"click","params":{"at":[5000,1],"basis":"pixels"}}]})");
  ASSERT_FALSE(batch.ok());
  EXPECT_EQ(batch.error().code, Code::argument_invalid);
  EXPECT_EQ(batch.error().field, "steps[1].at");
  EXPECT_EQ(computer_.pointer(), before);
}

TEST_F(RunnerTest, takes_coordinates_behind_a_capture_in_a_batch_to_be_of_that_capture) {
  const auto batch = run("batch", R"({"steps":[
      {"action":"capture","params":{"mode":"vision","app":"screen"}},
      {"action":"move","params":{"at":[160,160],"basis":"pixels"}}]})");
  ASSERT_TRUE(batch.ok()) << to_text(batch.error());
  EXPECT_EQ(batch->data["done"], 2);
  EXPECT_EQ(computer_.pointer(), (Point{160.5, 160.5}));
}

TEST_F(RunnerTest, lets_go_of_a_held_button_at_the_end_of_the_session) {
  {
    Session other(computer_, kill_switch_, visit_.settings(), visit_.parts());
    ActionRunner runner(actions::all_actions(), other);
    auto call = actions::all_actions().call("button_down", Json::object()).value();
    ASSERT_TRUE(runner.run(call, runner.take_turn(call), {}).ok());
    EXPECT_EQ(computer_.buttons_down(), std::vector{Button::left});
  }
  EXPECT_TRUE(computer_.buttons_down().empty());
}

TEST_F(RunnerTest, writes_and_reads_the_clipboard_with_evidence) {
  const auto written = run("write_clipboard", R"({"text":"héllo"})");
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(written->effect, Effect::confirmed);
  const auto read = run("read_clipboard", "{}");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->data["text"], "héllo");
  EXPECT_EQ(read->untrusted, "héllo");
}

TEST_F(RunnerTest, says_backend_lost_and_works_again_afterwards) {
  computer_.lose_server();
  for (const char* action : {"screenshot", "cursor_position", "displays", "list_windows", "read_clipboard"}) {
    const auto outcome = run(action, "{}");
    ASSERT_FALSE(outcome.ok()) << action;
    EXPECT_EQ(outcome.error().code, Code::backend_lost) << action;
  }
  computer_.restore_server();
  EXPECT_TRUE(run("screenshot", "{}").ok());
}

TEST_F(RunnerTest, keeps_a_journal_without_secrets) {
  ASSERT_TRUE(run("type", R"({"text":"hunter2"})").ok());
  const auto entries = session_.journal().entries();
  ASSERT_EQ(entries.size(), 2u) << "the click of the set-up and this";
  EXPECT_EQ(entries[1].action, "type");
  EXPECT_EQ(entries[1].result, "unverified") << "what the app made of the keys was not seen";
  EXPECT_EQ(entries[1].plan.find("hunter2"), std::string::npos);
}

TEST_F(RunnerTest, writes_down_what_ends_in_line_and_what_cannot_be_read) {
  const auto call = actions::all_actions().call("type", parse_json(R"({"text":"hunter2"})").value()).value();
  const std::size_t before = visit_.records("call").size();
  {
    const auto first = runner_.take_turn(call);
    std::stop_source stop;
    stop.request_stop();
    const auto cancelled = runner_.run(call, runner_.take_turn(call), {stop.get_token(), nullptr, nullptr});
    EXPECT_EQ(cancelled.error().code, Code::cancelled);
    kill_switch_.stop("a test");
    const auto stopped = runner_.run(call, runner_.take_turn(call), {});
    EXPECT_EQ(stopped.error().gate, "kill_switch");
    kill_switch_.resume();
  }
  runner_.refused("type", {{"txt", "hunter2"}}, make_error(Code::argument_invalid, "There is no `txt`."));
  const std::vector<Json> calls = visit_.records("call");
  const std::vector<Json> ends = visit_.records("outcome");
  ASSERT_EQ(calls.size(), before + 3);
  ASSERT_EQ(ends.size(), calls.size());
  EXPECT_EQ(ends[before]["result"], "cancelled");
  EXPECT_EQ(ends[before + 1]["gate"], "kill_switch");
  EXPECT_EQ(ends[before + 2]["result"], "argument_invalid");
  for (std::size_t i = before; i < calls.size(); ++i) {
    EXPECT_EQ(ends[i]["of"], calls[i]["seq"]);
    EXPECT_EQ(calls[i]["action"], "type");
    EXPECT_EQ(to_line(calls[i]).find("hunter2"), std::string::npos);
  }
}

TEST(Turns, come_in_the_order_of_arrival) {
  Turns turns;
  auto first = turns.take(TurnKind::in_line);
  auto second = turns.take(TurnKind::in_line);
  auto third = turns.take(TurnKind::in_line);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(first.wait({}).ok());
  EXPECT_EQ(second.wait(stop.get_token()).error().code, Code::cancelled) << "the first is still there";
  EXPECT_FALSE(third.wait(stop.get_token()).ok());
  EXPECT_TRUE(turns.take(TurnKind::free).wait(stop.get_token()).ok()) << "needs no place in line";
  { auto done = std::move(second); }
  EXPECT_FALSE(third.wait(stop.get_token()).ok());
  { auto done = std::move(first); }
  EXPECT_TRUE(third.wait({}).ok());
}

TEST(Turns, are_kept_by_all_but_what_the_session_knows) {
  for (const catalog::ActionSpec* spec : actions::all_actions().all()) {
    const bool free = spec->name == "list_grants";
    EXPECT_EQ(turn_kind(*spec), free ? TurnKind::free : TurnKind::in_line) << spec->name;
  }
}

TEST_F(RunnerTest, a_key_that_is_held_is_judged_with_what_follows) {
  const auto chord = run("key", R"({"keys":"ctrl+alt+Delete"})");
  ASSERT_FALSE(chord.ok());
  ASSERT_TRUE(run("key_down", R"({"keys":"ctrl+alt"})").ok());
  const auto halves = run("key", R"({"keys":"Delete"})");
  ASSERT_FALSE(halves.ok());
  EXPECT_EQ(halves.error().gate, chord.error().gate);
  EXPECT_EQ(computer_.input()->held_keys().size(), 2U);
  ASSERT_TRUE(run("key_up", R"({"keys":"ctrl+alt"})").ok());
  EXPECT_TRUE(computer_.input()->held_keys().empty());
  ASSERT_TRUE(run("key", R"({"keys":"Delete"})").ok());
}

// What may not be pasted with a chord may not be pasted with a key that an earlier call holds either.
TEST(PlanFacts, a_key_that_is_held_makes_a_paste) {
  const InputPlan v{{KeyDown{{'v'}}, KeyUp{{'v'}}}};
  EXPECT_TRUE(pastes(v).empty());
  EXPECT_EQ(pastes(with_held(v, {key_of(Modifier::ctrl)})), std::vector{Selection::clipboard});
}

TEST_F(RunnerTest, the_end_of_a_turn_lets_go_of_held_keys) {
  ASSERT_TRUE(run("key_down", R"({"keys":"ctrl+shift"})").ok());
  EXPECT_EQ(computer_.input()->held_keys().size(), 2U);
  ASSERT_TRUE(run("release", "{}").ok());
  EXPECT_TRUE(computer_.input()->held_keys().empty());
}

TEST_F(RunnerTest, tells_the_calls_of_this_session_without_texts) {
  ASSERT_TRUE(run("type", R"({"text":"kept to myself"})").ok());
  const auto told = run("audit", R"({"form":"full"})");
  ASSERT_TRUE(told.ok());
  EXPECT_EQ(told->data["rows"].back()["action"], "type");
  EXPECT_EQ(told->text.find("myself"), std::string::npos);
  EXPECT_EQ(to_line(told->data).find("myself"), std::string::npos);
}

TEST_F(RunnerTest, settles_no_longer_than_asked) {
  auto call = actions::all_actions().call("move", parse_json(R"({"at":[160,160]})").value());
  ASSERT_TRUE(call.ok());
  call->settle_ms = 50;
  const auto moved = runner_.run(*call, runner_.take_turn(*call), {});
  ASSERT_TRUE(moved.ok());
  ASSERT_TRUE(moved->data.contains("settled"));
  EXPECT_LE(moved->data["settled"]["settled_ms"].get<double>(), 400);
}

}  // namespace
}  // namespace handrail::engine
