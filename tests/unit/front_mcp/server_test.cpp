#include "front/mcp/server.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>

#include "actions/all.h"
#include "support/sim_visit.h"

namespace handrail::mcp {
namespace {

// A client at the other end: sends lines, waits for answers.
class ServerTest : public testing::Test {
 protected:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Json> inbox_;
  int received_ = 0;
  sim::SimComputer computer_;
  engine::KillSwitch kill_switch_;
  SimVisit visit_;
  engine::Session session_{computer_, kill_switch_, visit_.settings(), visit_.parts()};
  engine::ActionRunner runner_{actions::all_actions(), session_};
  std::unique_ptr<surface::ToolSurface> surface_ = surface::make_classic(actions::all_actions(), {});
  Server server_{runner_, *surface_, [this](const std::string& line) {
                   if (line.empty()) return;
                   const std::lock_guard lock(mutex_);
                   EXPECT_EQ(line.find('\n'), std::string::npos);
                   inbox_.push_back(parse_json(line).value());
                   ++received_;
                   arrived_.notify_all();
                 }};

  Json next() {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, std::chrono::seconds(30), [this] { return !inbox_.empty(); })) return "no answer";
    Json message = std::move(inbox_.front());
    inbox_.pop_front();
    return message;
  }

  Json ask(const std::string& line) {
    server_.receive(line);
    return next();
  }

  static std::string modern(int id, const std::string& method, const std::string& more = "") {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
           R"(","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
           R"("io.modelcontextprotocol/clientCapabilities":{}})" +
           more + "}}";
  }

  // A window with a text field that has the caret.
  WindowId window_to_type_into() {
    sim::WindowSpec spec;
    spec.bounds = {100, 100, 400, 300};
    spec.fields.push_back({{0, 0, 300, 100}});
    const WindowId window = computer_.add_window(spec);
    EXPECT_FALSE(
        ask(R"({"jsonrpc":"2.0","id":"look","method":"tools/call","params":{"name":"screenshot"}})").contains("error"));
    EXPECT_FALSE(
        ask(R"({"jsonrpc":"2.0","id":"in","method":"tools/call","params":{"name":"left_click","arguments":{"coordinate":[200,180]}}})")
            .contains("error"));
    return window;
  }

  void shake_hands(const std::string& version = "2025-11-25") {
    const Json answer = ask(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" + version +
                            R"(","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
    ASSERT_EQ(answer["result"]["protocolVersion"], version);
    server_.receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }
};

TEST_F(ServerTest, opens_by_handshake_in_each_old_revision) {
  for (const std::string_view version : kHandshake) shake_hands(std::string(version));
  const Json unknown =
      ask(R"({"jsonrpc":"2.0","id":"x","method":"initialize","params":{"protocolVersion":"1999-01-01"}})");
  EXPECT_EQ(unknown["result"]["protocolVersion"], "2025-11-25");
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":1,"method":"ping"})")["result"], Json::object());
  const Json tools = ask(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
  EXPECT_EQ(tools["result"]["tools"].size(), 24u);
  EXPECT_FALSE(tools["result"].contains("resultType"));
}

TEST_F(ServerTest, speaks_the_stateless_revision_without_a_handshake) {
  const Json found = ask(modern(1, "server/discover"));
  EXPECT_EQ(found["result"]["supportedVersions"][0], "2026-07-28");
  EXPECT_EQ(found["result"]["resultType"], "complete");
  EXPECT_TRUE(found["result"].contains("ttlMs"));
  EXPECT_EQ(found["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "handrail");
  const Json list = ask(modern(2, "tools/list"));
  EXPECT_EQ(list["result"]["tools"].size(), 24u);
  EXPECT_EQ(list["result"]["cacheScope"], "public");
  const Json called = ask(modern(3, "tools/call", R"(,"name":"cursor_position")"));
  EXPECT_EQ(called["result"]["resultType"], "complete");
  EXPECT_EQ(called["result"]["structuredContent"]["effect"], "confirmed");
}

TEST_F(ServerTest, answers_wrong_openings_with_the_way_in) {
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})")["error"]["code"], -32602);
  const Json version = ask(R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":
      {"io.modelcontextprotocol/protocolVersion":"2031-01-01","io.modelcontextprotocol/clientCapabilities":{}}}})");
  EXPECT_EQ(version["error"]["code"], -32022);
  EXPECT_EQ(version["error"]["data"]["requested"], "2031-01-01");
  EXPECT_EQ(version["error"]["data"]["supported"][0], "2026-07-28");
  const Json bare = ask(R"({"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":
      {"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
  EXPECT_EQ(bare["error"]["code"], -32602);
}

TEST_F(ServerTest, tells_protocol_errors_from_tool_errors) {
  shake_hands();
  EXPECT_EQ(ask("{nonsense")["error"]["code"], -32700);
  EXPECT_FALSE(ask("{nonsense").contains("id"));
  EXPECT_EQ(ask(R"({"jsonrpc":"1.0","id":1,"method":"ping"})")["error"]["code"], -32600);
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":null,"method":"ping"})")["error"]["code"], -32600);
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})")["error"]["code"], -32600);
  EXPECT_EQ(ask(R"([])")["error"]["code"], -32600);
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/cal"})")["error"]["code"], -32601);
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}})")["error"]["code"], -32602);
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}})")["error"]["code"], -32602);
  EXPECT_EQ(
      ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"type","arguments":[]}})")["error"]["code"],
      -32602);
  const Json bad =
      ask(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"type","arguments":{"txt":"a"}}})");
  EXPECT_EQ(bad["id"], 7);
  EXPECT_EQ(bad["result"]["isError"], true);
  EXPECT_EQ(bad["result"]["structuredContent"]["error"]["field"], "txt");
  EXPECT_EQ(bad["result"]["structuredContent"]["error"]["hint"], "Did you mean `text`?");
}

TEST_F(ServerTest, sends_pictures_as_image_blocks) {
  shake_hands();
  const Json shot = ask(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"screenshot","arguments":{"format":"png"}}})");
  const Json& content = shot["result"]["content"];
  ASSERT_EQ(content.size(), 2u);
  EXPECT_EQ(content[1]["type"], "image");
  EXPECT_EQ(content[1]["mimeType"], "image/png");
  EXPECT_TRUE(content[1]["data"].get<std::string>().starts_with("iVBORw0KGgo"));
  EXPECT_EQ(shot["result"]["structuredContent"]["width"], 1280);
}

TEST_F(ServerTest, cancels_between_two_events_and_does_not_answer) {
  shake_hands();
  const WindowId window = window_to_type_into();
  computer_.after_event(9, [this] {
    server_.receive(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})");
  });
  server_.receive(
      R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"type","arguments":{"text":"aaaaaaaaaaaaaaaaaaaaaaaa"}}})");
  const Json after = ask(R"({"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"cursor_position"}})");
  EXPECT_EQ(after["id"], 6) << "the cancelled call is not answered";
  EXPECT_GT(computer_.text(window).size(), 0u);
  EXPECT_LT(computer_.text(window).size(), 6u);
  EXPECT_TRUE(computer_.keys_down().empty());
}

TEST_F(ServerTest, reports_progress_to_who_asked_for_it) {
  shake_hands();
  computer_.add_window({});
  server_.receive(
      R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"computer_batch","_meta":{"progressToken":"p"},
      "arguments":{"actions":[{"action":"mouse_move","coordinate":[1,1]},{"action":"wait","duration":0}]}}})");
  // The move has no screenshot to refer to: the batch fails at its first step, without progress.
  EXPECT_EQ(next()["result"]["isError"], true);
  server_.receive(
      R"({"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"computer_batch","_meta":{"progressToken":"p"},
      "arguments":{"actions":[{"action":"screenshot"},{"action":"mouse_move","coordinate":[150,150]}]}}})");
  Json note = next();
  EXPECT_EQ(note["method"], "notifications/progress");
  EXPECT_EQ(note["params"], Json::parse(R"({"progressToken":"p","progress":1.0,"total":2.0,"message":"screenshot"})"));
  EXPECT_EQ(next()["params"]["progress"], 2.0);
  EXPECT_EQ(next()["result"]["structuredContent"]["done"], 2);
}

TEST_F(ServerTest, reports_progress_of_one_long_act) {
  shake_hands();
  window_to_type_into();
  // The simulated clock runs free; the act is held up between two events until its client has heard of it.
  computer_.after_event(1, [this, before = received_] {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, std::chrono::seconds(10), [&] { return received_ > before; });
  });
  server_.receive(
      R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"hold_key","_meta":{"progressToken":9},
      "arguments":{"text":"a","duration":1.2}}})");
  const Json note = next();
  EXPECT_EQ(note["method"], "notifications/progress");
  EXPECT_EQ(note["params"]["progressToken"], 9);
  EXPECT_EQ(note["params"]["progress"], 1.0);
  EXPECT_EQ(note["params"]["total"], 1.2);
  EXPECT_EQ(next()["id"], 5);
}

TEST_F(ServerTest, keeps_the_order_of_calls_that_arrive_at_once) {
  shake_hands();
  const WindowId window = window_to_type_into();
  std::string expected;
  for (int i = 0; i < 30; ++i) {
    const std::string letter(1, static_cast<char>('a' + i % 26));
    expected += letter;
    server_.receive(R"({"jsonrpc":"2.0","id":)" + std::to_string(100 + i) +
                    R"(,"method":"tools/call","params":{"name":"type","arguments":{"text":")" + letter + "\"}}}");
  }
  for (int i = 0; i < 30; ++i) EXPECT_FALSE(next()["result"].value("isError", false));
  EXPECT_EQ(computer_.text(window), expected);
}

TEST_F(ServerTest, refuses_an_id_that_is_still_in_use) {
  shake_hands();
  server_.receive(
      R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait","arguments":{"duration":30}}})");
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait","arguments":{"duration":0}}})")
                ["error"]["code"],
            -32600);
  EXPECT_EQ(
      ask(R"({"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"list_granted_applications"}})")["id"], 6)
      << "needs no place in line";
  server_.receive(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})");
}

TEST_F(ServerTest, answers_arrays_in_the_one_revision_that_has_them) {
  shake_hands("2025-03-26");
  const Json answers = ask(R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},
      {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"cursor_position"}},7])");
  ASSERT_TRUE(answers.is_array());
  EXPECT_EQ(answers.size(), 3u);
  // A response among them is not answered, and what cannot be understood is: once each, in one array.
  EXPECT_EQ(ask(R"([{"jsonrpc":"2.0","id":3,"method":"ping"},{"jsonrpc":"2.0","id":"r","result":{}}])").size(), 1u);
  EXPECT_EQ(ask(R"([{"jsonrpc":"2.0","method":"x","params":[]},{"jsonrpc":"2.0","id":4,"method":"ping"},
      {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait","arguments":{"duration":0}}}])")
                .size(),
            3u);
}

// One record of the attempt and one of its end for each tools/call that comes, whatever is wrong with it.
TEST_F(ServerTest, writes_down_every_call_that_reaches_it) {
  shake_hands();
  for (const char* params : {R"({"name":"left_click","arguments":{"coordinate":"canary"}})",
                             R"({"name":"canary_tool"})", R"({"name":7})", R"({"name":"type","arguments":["canary"]})",
                             R"({"name":"type","arguments":{"txt":"canary"}})", R"({"name":"cursor_position"})"}) {
    const std::size_t before = visit_.records("call").size();
    ask(R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":)" + std::string(params) + "}");
    const std::vector<Json> calls = visit_.records("call");
    const std::vector<Json> ends = visit_.records("outcome");
    ASSERT_EQ(calls.size(), before + 1) << params;
    ASSERT_EQ(ends.size(), before + 1) << params;
    EXPECT_EQ(ends.back()["of"], calls.back()["seq"]);
    if (std::string_view(params).find("canary_tool") == std::string_view::npos) {
      EXPECT_EQ(to_line(calls.back()).find("canary"), std::string::npos) << "what cannot be read may be a secret";
    }
  }
}

}  // namespace
}  // namespace handrail::mcp
