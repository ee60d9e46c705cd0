#include "front/mcp/elicitation.h"

#include <gtest/gtest.h>

#include <deque>
#include <future>

#include "actions/all.h"
#include "front/mcp/server.h"
#include "support/sim_visit.h"

namespace handrail::mcp {
namespace {

using policy::ConsentChoice;

// Nobody at the desktop or a terminal: who says yes is the client, or nobody.
class Asking {
 public:
  explicit Asking(ConsentFrom consent = ConsentFrom::client, Millis patience = Millis(60000))
      : session_(computer_, kill_switch_, settings(visit_, patience), visit_.parts()),
        server_(
            runner_, *surface_,
            [this](const std::string& line) {
              if (line.empty()) return;
              const std::lock_guard lock(mutex_);
              inbox_.push_back(parse_json(line).value());
              arrived_.notify_all();
            },
            consent) {
    computer_.add_window({});  // of the app "sim"
  }

  Json next() {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, std::chrono::seconds(30), [this] { return !inbox_.empty(); })) return "no answer";
    Json message = std::move(inbox_.front());
    inbox_.pop_front();
    return message;
  }
  bool quiet() {
    const std::lock_guard lock(mutex_);
    return inbox_.empty();
  }
  void send(const Json& message) { server_.receive(to_line(message)); }
  Json ask(const Json& message) {
    send(message);
    return next();
  }
  void shake_hands(const std::string& version, const Json& capabilities) {
    Json answer = ask({{"jsonrpc", "2.0"},
                       {"id", 0},
                       {"method", "initialize"},
                       {"params", {{"protocolVersion", version}, {"capabilities", capabilities}}}});
    ASSERT_EQ(answer["result"]["protocolVersion"], version);
  }
  std::size_t grants() const { return session_.access().grants.size(); }

  static Json params(const std::string& reason = "a test") {
    return {{"name", "request_access"},
            {"arguments", {{"apps", {{{"app", "sim"}, {"tier", "full"}}}}, {"reason", reason}}}};
  }
  static Json call(int id, Json params) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"method", "tools/call"}, {"params", std::move(params)}};
  }
  static Json stateless(int id, Json params, const Json& capabilities = {{"elicitation", Json::object()}}) {
    params["_meta"] = {{std::string(kMetaVersion), kStateless}, {std::string(kMetaCapabilities), capabilities}};
    return call(id, std::move(params));
  }

 private:
  static engine::SessionSettings settings(SimVisit& visit, Millis patience) {
    engine::SessionSettings settings = visit.settings();
    settings.rules.granted.clear();
    settings.consent_patience = patience;
    return settings;
  }

  sim::SimComputer computer_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Json> inbox_;
  engine::KillSwitch kill_switch_;
  SimVisit visit_;
  engine::Session session_;
  engine::ActionRunner runner_{actions::all_actions(), session_};
  std::unique_ptr<surface::ToolSurface> surface_ = surface::make_classic(actions::all_actions(), {});

 public:
  Server server_;
};

const Json kForms{{"elicitation", Json::object()}};

Json accepted(const std::string& choice) { return {{"action", "accept"}, {"content", {{"choice", choice}}}}; }
Json reply(const Json& request, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", request["id"]}, {"result", std::move(result)}};
}
bool granted(const Json& answer) {
  const Json structured = answer.value(Json::json_pointer("/result/structuredContent"), Json::object());
  return structured.value("granted", Json::array()).size() == 1 && structured.value("denied", Json::array()).empty();
}

TEST(Handshake, AsksTheClientAndGrants) {
  for (const std::string version : {"2025-06-18", "2025-11-25"}) {
    Asking asking;
    asking.shake_hands(version, kForms);
    Json question = asking.ask(Asking::call(1, Asking::params("Write\nthe letter")));
    EXPECT_EQ(question["method"], "elicitation/create") << question;
    EXPECT_TRUE(question["id"].is_string());
    const std::string message = question["params"].value("message", "");
    EXPECT_NE(message.find("An agent asks to use apps on this desktop.\n"), std::string::npos);
    EXPECT_NE(message.find(": full\n"), std::string::npos);
    EXPECT_NE(message.find("“Write‹U+000A›the letter”"), std::string::npos) << message;
    Json schema = question["params"]["requestedSchema"];
    EXPECT_EQ(schema["properties"]["choice"]["enum"], Json::parse(R"(["deny","once","session","always"])"));
    EXPECT_EQ(asking.grants(), 0u);
    Json answer = asking.ask(reply(question, accepted("session")));
    EXPECT_EQ(answer["id"], 1);
    EXPECT_TRUE(granted(answer)) << answer.dump(1);
    EXPECT_EQ(answer["result"]["structuredContent"]["granted"][0]["source"], "client");
    EXPECT_EQ(asking.grants(), 1u);
  }
}

TEST(Handshake, WhateverIsNoClearYesIsANo) {
  const Json results[] = {accepted("deny"),
                          accepted("forever"),
                          {{"action", "decline"}},
                          {{"action", "cancel"}},
                          {{"action", "accept"}},
                          {{"action", "accept"}, {"content", {{"choice", true}}}},
                          {{"action", "accept"}, {"content", "session"}},
                          {{"action", "decline"}, {"content", {{"choice", "always"}}}},
                          Json::array({1}),
                          nullptr};
  for (const Json& result : results) {
    Asking asking;
    asking.shake_hands("2025-11-25", kForms);
    Json question = asking.ask(Asking::call(1, Asking::params()));
    Json answer = asking.ask(reply(question, result));
    EXPECT_FALSE(granted(answer)) << result;
    EXPECT_EQ(asking.grants(), 0u) << result;
  }
  Asking asking;
  asking.shake_hands("2025-11-25", kForms);
  Json question = asking.ask(Asking::call(1, Asking::params()));
  EXPECT_FALSE(
      granted(asking.ask({{"jsonrpc", "2.0"}, {"id", question["id"]}, {"error", {{"code", -1}, {"message", "no"}}}})));
}

TEST(Handshake, OnlyTheAnswerWithTheRightIdCounts) {
  Asking asking;
  asking.shake_hands("2025-11-25", kForms);
  Json question = asking.ask(Asking::call(1, Asking::params()));
  for (const Json& id : {Json(1), Json(0), Json("consent"), Json("ask-0")}) {
    asking.send({{"jsonrpc", "2.0"}, {"id", id}, {"result", accepted("always")}});
  }
  EXPECT_EQ(asking.ask({{"jsonrpc", "2.0"}, {"id", 2}, {"method", "ping"}})["id"], 2);
  EXPECT_EQ(asking.grants(), 0u);
  EXPECT_FALSE(granted(asking.ask(reply(question, {{"action", "decline"}}))));
  // The question is closed: another answer to it changes nothing.
  asking.send(reply(question, accepted("always")));
  EXPECT_EQ(asking.ask({{"jsonrpc", "2.0"}, {"id", 3}, {"method", "ping"}})["id"], 3);
  EXPECT_EQ(asking.grants(), 0u);
}

TEST(Handshake, TakesTheQuestionBackWhenNobodyAnswers) {
  Asking asking(ConsentFrom::client, Millis(50));
  asking.shake_hands("2025-11-25", kForms);
  Json question = asking.ask(Asking::call(1, Asking::params()));
  Json taken_back = asking.next();
  EXPECT_EQ(taken_back["method"], "notifications/cancelled");
  EXPECT_EQ(taken_back["params"]["requestId"], question["id"]);
  EXPECT_FALSE(granted(asking.next()));
}

TEST(Handshake, EndsWithTheCallAndWithTheConnection) {
  Asking asking;
  asking.shake_hands("2025-11-25", kForms);
  Json question = asking.ask(Asking::call(1, Asking::params()));
  asking.send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 1}}}});
  EXPECT_EQ(asking.next()["params"]["requestId"], question["id"]);
  asking.ask(Asking::call(2, Asking::params()));
  // Returns: nobody is left to answer.
  asking.server_.close(Server::Closing::let_looks_finish);
  EXPECT_EQ(asking.grants(), 0u);
}

TEST(Handshake, AsksOnlyClientsThatSaidSo) {
  const struct {
    std::string version;
    Json capabilities;
  } rows[] = {{"2025-11-25", Json::object()},
              {"2025-11-25", {{"elicitation", {{"url", Json::object()}}}}},
              {"2025-11-25", {{"elicitation", true}}},
              {"2025-03-26", kForms}};
  for (const auto& row : rows) {
    Asking asking;
    asking.shake_hands(row.version, row.capabilities);
    Json answer = asking.ask(Asking::call(1, Asking::params()));
    EXPECT_EQ(answer["id"], 1) << row.capabilities;
    EXPECT_FALSE(granted(answer));
  }
  Asking remote(ConsentFrom::local_only);
  remote.shake_hands("2025-11-25", kForms);
  EXPECT_FALSE(granted(remote.ask(Asking::call(1, Asking::params()))));
  EXPECT_FALSE(granted(remote.ask(Asking::stateless(2, Asking::params()))));
}

Json repeated(const Json& asked, Json params, const Json& result) {
  params["requestState"] = asked["result"]["requestState"];
  params["inputResponses"] = {{"consent", result}};
  return params;
}

TEST(Stateless, ComesBackWithTheAnswer) {
  Asking asking;
  Json asked = asking.ask(Asking::stateless(1, Asking::params()));
  EXPECT_EQ(asked["result"]["resultType"], "input_required");
  EXPECT_FALSE(asked["result"].contains("content"));
  EXPECT_EQ(asked["result"]["_meta"][std::string(kMetaServerInfo)]["name"], "handrail");
  Json request = asked["result"]["inputRequests"]["consent"];
  EXPECT_EQ(request["method"], "elicitation/create");
  EXPECT_NE(request["params"]["message"].get<std::string>().find("a test"), std::string::npos);
  EXPECT_EQ(asking.grants(), 0u);
  Json answer = asking.ask(Asking::stateless(2, repeated(asked, Asking::params(), accepted("session"))));
  EXPECT_EQ(answer["result"]["resultType"], "complete");
  EXPECT_TRUE(granted(answer)) << answer.dump(1);
  EXPECT_EQ(asking.grants(), 1u);
}

TEST(Stateless, ANoIsANo) {
  for (const Json& result : {accepted("deny"), Json{{"action", "decline"}}, Json{{"action", "cancel"}}, Json(7)}) {
    Asking asking;
    Json asked = asking.ask(Asking::stateless(1, Asking::params()));
    Json answer = asking.ask(Asking::stateless(2, repeated(asked, Asking::params(), result)));
    EXPECT_EQ(answer["result"]["resultType"], "complete");
    EXPECT_FALSE(granted(answer));
    EXPECT_EQ(asking.grants(), 0u);
  }
}

TEST(Stateless, TheAnswerBelongsToOneCall) {
  Asking asking;
  Json asked = asking.ask(Asking::stateless(1, Asking::params()));
  const auto refused = [&](const Json& params, int id) {
    Json answer = asking.ask(Asking::stateless(id, params));
    EXPECT_EQ(answer["error"]["code"], -32602) << answer;
    EXPECT_EQ(asking.grants(), 0u);
  };
  // Other params with the same state: and the state is used up by it.
  refused(repeated(asked, Asking::params("another reason"), accepted("always")), 2);
  refused(repeated(asked, Asking::params(), accepted("always")), 3);
  // Every changed character of a state.
  Json again = asking.ask(Asking::stateless(4, Asking::params()));
  const std::string state = again["result"]["requestState"];
  for (std::size_t i = 0; i < state.size(); i += 13) {
    Json params = repeated(again, Asking::params(), accepted("always"));
    std::string changed = state;
    changed[i] = changed[i] == '0' ? '1' : '0';
    params["requestState"] = changed;
    refused(params, 5);
  }
  for (const Json& wrong : {Json(""), Json("."), Json(7), Json(nullptr), Json(std::string(100000, 'a'))}) {
    Json params = repeated(again, Asking::params(), accepted("always"));
    params["requestState"] = wrong;
    refused(params, 6);
  }
  // Of another connection.
  Asking other;
  EXPECT_EQ(other.ask(Asking::stateless(7, repeated(again, Asking::params(), accepted("always"))))["error"]["code"],
            -32602);
  // An answer without a state is none.
  Json bare = Asking::params();
  bare["inputResponses"] = {{"consent", accepted("always")}};
  EXPECT_EQ(asking.ask(Asking::stateless(8, bare))["result"]["resultType"], "input_required");
  EXPECT_EQ(asking.grants(), 0u);
  // The true one still works, once.
  EXPECT_TRUE(granted(asking.ask(Asking::stateless(9, repeated(again, Asking::params(), accepted("once"))))));
  EXPECT_EQ(asking.ask(Asking::stateless(10, repeated(again, Asking::params(), accepted("once"))))["error"]["code"],
            -32602);
}

TEST(Stateless, AsksOnlyClientsThatSaidSo) {
  Asking asking;
  Json answer = asking.ask(Asking::stateless(1, Asking::params(), Json::object()));
  EXPECT_EQ(answer["result"]["resultType"], "complete");
  EXPECT_FALSE(granted(answer));
}

TEST(InputStates, LastForAWhileAndForOneUse) {
  InputStates states;
  const TimePoint start{};
  const InputState state{"call", "question"};
  const std::string text = states.make(state, start);
  EXPECT_EQ(states.take(text, start + Millis(1)), state);
  EXPECT_EQ(states.take(text, start + Millis(2)), std::nullopt);
  EXPECT_EQ(states.take(states.make(state, start), start + Millis(5 * 60000)), std::nullopt);
  InputStates others;
  EXPECT_EQ(others.take(states.make(state, start), start), std::nullopt);
  // Many questions leave a bounded trace; the newest are kept.
  std::string last;
  const std::string first = states.make(state, start);
  for (int i = 1; i <= 1000; ++i) last = states.make(state, start + Millis(i));
  EXPECT_EQ(states.take(first, start), std::nullopt);
  EXPECT_EQ(states.take(last, start), state);
}

TEST(CallDigest, LeavesOutWhatARepetitionAdds) {
  const Json params = Asking::params();
  Json again = params;
  again["_meta"] = {{"x", 1}};
  again["inputResponses"] = Json::object();
  again["requestState"] = "s";
  EXPECT_EQ(call_digest("tools/call", params), call_digest("tools/call", again));
  EXPECT_NE(call_digest("tools/call", params), call_digest("tools/list", params));
  EXPECT_NE(call_digest("tools/call", params), call_digest("tools/call", Asking::params("x")));
}

}  // namespace
}  // namespace handrail::mcp
