#include "policy/consent.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/digest.h"
#include "policy/consent_memory.h"
#include "policy/consent_text.h"

namespace handrail::policy {
namespace {

class Scripted : public Approver {
 public:
  explicit Scripted(Result<ConsentChoice> answer, bool there = true) : answer_(std::move(answer)), there_(there) {}
  std::string_view name() const override { return "scripted"; }
  bool available() const override { return there_; }
  Result<ConsentChoice> ask(const ConsentQuestion&, Deadline, std::stop_token) override {
    ++asked;
    if (during) during();
    return answer_;
  }
  std::atomic<int> asked = 0;
  std::function<void()> during;

 private:
  Result<ConsentChoice> answer_;
  bool there_;
};

ConsentQuestion gedit() {
  ConsentQuestion question;
  question.items.push_back({"Text Editor", "/usr/bin/gedit", "", GrantTier::full, std::nullopt, Sentinel::none});
  question.reason = "Write the letter.";
  return question;
}

constexpr Millis kPatience{60000};

TEST(ConsentText, SaysWhatIsAskedInPlainLines) {
  ConsentQuestion question;
  question.items.push_back(
      {"Terminal", "/usr/bin/python3.11", "/usr/bin/terminator", GrantTier::click, GrantTier::read, Sentinel::shell});
  question.flags.clipboard_read = true;
  question.reason = "Run the tests.";
  const std::vector<std::string> expected{
      "An agent asks to use apps on this desktop.",
      "Terminal: click",
      "The agent sees its windows, clicks and scrolls in them, and cannot type.",
      "Program: /usr/bin/python3.11",
      "Runs: /usr/bin/terminator",
      "Granted before: read. A yes changes it to click.",
      "It can run any command: this is as good as giving the agent your whole account.",
      "Read the clipboard.",
      "It may hold what you copied, such as a password.",
      "In the agent's words: “Run the tests.”",
      "If you did not expect this, deny it.",
  };
  EXPECT_EQ(consent_text(question), expected);
  std::string joined;
  for (const std::string& line : expected) joined += line + "\n";
  EXPECT_EQ(consent_digest(question), sha256_hex(joined));
}

TEST(ConsentText, NamesADeed) {
  ConsentQuestion question;
  question.deed = "Type 12 characters into a password field of Firefox";
  const auto lines = consent_lines(question);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1], (ConsentLine{ConsentLineKind::item, question.deed}));
}

TEST(ConsentText, WarnsForEachSentinelAndFlag) {
  const auto warnings = [](const ConsentQuestion& question) {
    std::vector<std::string> found;
    for (const ConsentLine& line : consent_lines(question)) {
      if (line.kind == ConsentLineKind::warning) found.push_back(line.text);
    }
    return found;
  };
  ConsentQuestion question = gedit();
  EXPECT_TRUE(warnings(question).empty());
  std::vector<std::string> all;
  for (const Sentinel sentinel :
       {Sentinel::shell, Sentinel::filesystem, Sentinel::system_settings, Sentinel::secrets, Sentinel::other_desktop}) {
    question.items[0].sentinel = sentinel;
    ASSERT_EQ(warnings(question).size(), 1u);
    all.push_back(warnings(question)[0]);
  }
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_NE(all[i - 1], all[i]);
  ConsentQuestion flags;
  flags.flags = {true, true, true, true, true};
  EXPECT_EQ(warnings(flags).size(), 3u);
  EXPECT_EQ(consent_lines(flags).size(), 1u + 5u + 3u + 1u);
}

TEST(ConsentText, ShowsWhatCannotBeSeen) {
  const struct {
    std::string_view text, shown;
  } rows[] = {
      {"Firefox", "Firefox"},
      {"Grüße 東京 🎉", "Grüße 東京 🎉"},
      {"a\nAllowed: yes", "a‹U+000A›Allowed: yes"},
      {"\x1b[2Jx", "‹U+001B›[2Jx"},
      {"exe\u202egnp", "exe‹U+202E›gnp"},
      {"a\u200bb\u2060c\ufeff", "a‹U+200B›b‹U+2060›c‹U+FEFF›"},
      {"a\u2066b\u061c", "a‹U+2066›b‹U+061C›"},
      {"a\u00a0b\u3000", "a‹U+00A0›b‹U+3000›"},
      {"a\u3164\u00ad", "a‹U+3164›‹U+00AD›"},
      {"a\U000e0041", "a‹U+E0041›"},
      {"a\u2028b", "a‹U+2028›b"},
      {"a\x7f", "a‹U+007F›"},
      {"‹U+202E›", "‹U+2039›U+202E›"},
      {"a  b ", "a ‹U+0020›b "},
      {" a", "‹U+0020›a"},
      {"a\xff\xc3", "a‹xFF›‹xC3›"},
      {"\xc0\xaf", "‹xC0›‹xAF›"},
      {"\xed\xa0\x80", "‹xED›‹xA0›‹x80›"},
      {"e\u0301\u0323\u0300", "e\u0301\u0323‹U+0300›"},
      {"", "‹nothing›"},
  };
  for (const auto& row : rows) EXPECT_EQ(visible_text(row.text, 80), row.shown) << row.text;
}

TEST(ConsentText, CapsLengthsAndKeepsBothEnds) {
  const std::string path = "/usr/" + std::string(200, 'x') + "/evil";
  EXPECT_EQ(visible_text(path, 20), "/usr/xxxxx‹190 more, " + sha256_hex(path).substr(0, 8) + "›xxxxx/evil");
  const std::string text = std::string(100000, 'y') + "z";
  EXPECT_EQ(visible_text(text, 10), "yyyyy‹much more, " + sha256_hex(text).substr(0, 8) + "›yyyyz");
  ConsentQuestion question = gedit();
  question.reason = std::string(1000000, '\n');
  question.items[0].app = std::string(1000000, '\xff');
  question.items[0].script = std::string(1000000, 'a');
  std::size_t bytes = 0;
  for (const std::string& line : consent_text(question)) {
    bytes += line.size();
    for (const char c : line) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
  }
  EXPECT_LT(bytes, 8000u);
}

TEST(ConsentText, DigestFollowsEveryPart) {
  const ConsentQuestion base = gedit();
  const auto changed = [&](const std::function<void(ConsentQuestion&)>& change) {
    ConsentQuestion other = base;
    change(other);
    return consent_digest(other);
  };
  EXPECT_EQ(consent_digest(base), changed([](ConsentQuestion&) {}));
  EXPECT_NE(consent_digest(base), changed([](ConsentQuestion& q) { q.items[0].executable += "2"; }));
  EXPECT_NE(consent_digest(base), changed([](ConsentQuestion& q) { q.items[0].script = "x"; }));
  EXPECT_NE(consent_digest(base), changed([](ConsentQuestion& q) { q.items[0].tier = GrantTier::click; }));
  EXPECT_NE(consent_digest(base), changed([](ConsentQuestion& q) { q.items[0].before = GrantTier::click; }));
  EXPECT_NE(consent_digest(base), changed([](ConsentQuestion& q) { q.items[0].sentinel = Sentinel::shell; }));
  EXPECT_NE(consent_digest(base), changed([](ConsentQuestion& q) { q.flags.shell = true; }));
  EXPECT_NE(consent_digest(base), changed([](ConsentQuestion& q) { q.reason = ""; }));
  EXPECT_NE(consent_digest(base), changed([](ConsentQuestion& q) { q.items.push_back(q.items[0]); }));
}

TEST(AskPerson, TakesTheFirstApproverOnly) {
  Scripted away(ConsentChoice::always, false), first(ConsentChoice::session), second(ConsentChoice::always);
  const ConsentAnswer answer = ask_person({nullptr, &away, &first, &second}, gedit(), kPatience, {});
  EXPECT_EQ(answer.choice, ConsentChoice::session);
  EXPECT_EQ(answer.by, "scripted");
  EXPECT_EQ(answer.reason, "");
  EXPECT_EQ(answer.digest, consent_digest(gedit()));
  EXPECT_EQ(away.asked + second.asked, 0);
  Scripted no(ConsentChoice::deny);
  EXPECT_EQ(ask_person({&no, &second}, gedit(), kPatience, {}).reason, "The person said no.");
  EXPECT_EQ(second.asked, 0) << "a no is not taken elsewhere";
}

TEST(AskPerson, OnlyAClearYesIsOne) {
  Scripted late(make_error(Code::timeout, "x")), broken(make_error(Code::io_error, "The pipe broke.")),
      always(ConsentChoice::always), wild(static_cast<ConsentChoice>(77));
  const auto deny = [](const ConsentAnswer& answer, std::string_view reason) {
    EXPECT_EQ(answer.choice, ConsentChoice::deny);
    EXPECT_EQ(answer.reason, reason);
  };
  deny(ask_person({&late}, gedit(), kPatience, {}), "The person did not answer in time.");
  deny(ask_person({&broken}, gedit(), kPatience, {}), "The question could not be asked: The pipe broke.");
  EXPECT_EQ(ask_person({}, gedit(), kPatience, {}).choice, ConsentChoice::deny);
  EXPECT_EQ(ask_person({}, gedit(), kPatience, {}).by, "");
  ConsentQuestion offered = gedit();
  offered.offered = {ConsentChoice::deny, ConsentChoice::once};
  deny(ask_person({&always}, offered, kPatience, {}), "The answer is not one of those that were offered.");
  deny(ask_person({&wild}, gedit(), kPatience, {}), "The answer is not one of those that were offered.");
  deny(ask_person({&always}, gedit(), Millis(0), {}), "The answer came too late.");
  std::stop_source stop;
  always.during = [&stop] { stop.request_stop(); };
  deny(ask_person({&always}, gedit(), kPatience, stop.get_token()), "The answer came too late.");
  const int asked = always.asked;
  deny(ask_person({&always}, gedit(), kPatience, stop.get_token()), "The call was ended before anyone was asked.");
  ConsentQuestion many = gedit();
  many.items.resize(kMostConsentItems + 1, many.items[0]);
  EXPECT_EQ(ask_person({&always}, many, kPatience, {}).choice, ConsentChoice::deny);
  EXPECT_EQ(ask_person({&always}, ConsentQuestion{}, kPatience, {}).choice, ConsentChoice::deny);
  EXPECT_EQ(always.asked, asked);
}

TEST(ConsentMemory, DoesNotAskTheSameAgainAfterANo) {
  ConsentMemory memory;
  const TimePoint start{};
  EXPECT_EQ(memory.hushed(gedit(), start), std::nullopt);
  memory.refused(gedit(), start);
  ConsentQuestion reworded = gedit();
  reworded.reason = "Please, it is urgent!";
  EXPECT_TRUE(memory.hushed(reworded, start + Millis(59999)).has_value());
  EXPECT_EQ(memory.hushed(reworded, start + Millis(60000)), std::nullopt);
  ConsentQuestion other = gedit();
  other.items[0].tier = GrantTier::read;
  EXPECT_EQ(memory.hushed(other, start + Millis(1)), std::nullopt) << "less is another question";
}

TEST(ConsentMemory, FallsSilentAfterSeveral) {
  ConsentMemory memory;
  TimePoint now{};
  for (int i = 0; i < 3; ++i, now += Millis(10000)) {
    ConsentQuestion question = gedit();
    question.items[0].app = std::string(1, static_cast<char>('a' + i));
    EXPECT_EQ(memory.hushed(question, now), std::nullopt);
    memory.refused(question, now);
  }
  EXPECT_TRUE(memory.hushed(gedit(), now).has_value());
  EXPECT_TRUE(memory.hushed(gedit(), TimePoint{} + Millis(139999)).has_value());
  EXPECT_EQ(memory.hushed(gedit(), TimePoint{} + Millis(140000)), std::nullopt);
}

TEST(ConsentDesk, AThousandRequestsAreOneQuestion) {
  ConsentDesk desk;
  Scripted no(ConsentChoice::deny);
  std::atomic<int> inside = 0, most = 0;
  no.during = [&] {
    most = std::max(most.load(), ++inside);
    --inside;
  };
  std::vector<std::thread> callers;
  for (int t = 0; t < 8; ++t) {
    callers.emplace_back([&] {
      for (int i = 0; i < 125; ++i) {
        ConsentQuestion question = gedit();
        question.reason = std::to_string(i);
        EXPECT_EQ(desk.ask({&no}, question, kPatience, {}).choice, ConsentChoice::deny);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(no.asked, 1);
  EXPECT_EQ(most, 1);
}

TEST(ConsentDesk, AYesDoesNotSilenceAndNobodyIsNoPerson) {
  ConsentDesk desk;
  Scripted yes(ConsentChoice::once);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(desk.ask({}, gedit(), kPatience, {}).by, "");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(desk.ask({&yes}, gedit(), kPatience, {}).choice, ConsentChoice::once);
}

}  // namespace
}  // namespace handrail::policy
