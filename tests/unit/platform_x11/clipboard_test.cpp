#include "platform/x11/clipboard.h"

#include <gtest/gtest.h>

#include <future>
#include <random>
#include <thread>

#include "platform/x11/clipboard_text.h"
#include "support/test_permit.h"
#include "support/x_server.h"
#include "typing_fixture.h"

namespace handrail::x11 {
namespace {

using engine::PermitMint;
using testing::XClient;
using testing::XServer;

// One process's view of the desktop: a connection of its own and a clipboard on it.
struct Desk {
  explicit Desk(const std::string& display)
      : connection(std::make_shared<Connection>([display]() -> Result<std::string> { return display; })),
        clipboard(connection) {}
  Status write(std::vector<ClipItem> items, Selection selection = Selection::clipboard) {
    return clipboard.write(selection, std::move(items), PermitMint::mint(), Deadline::in(Millis(5000)));
  }
  Result<std::string> read(const std::string& mime = std::string(kPlainText),
                           Selection selection = Selection::clipboard) {
    return clipboard.read(selection, mime, Deadline::in(Millis(10000)));
  }
  Result<std::vector<std::string>> formats(Selection selection = Selection::clipboard) {
    return clipboard.formats(selection, Deadline::in(Millis(5000)));
  }
  std::shared_ptr<Connection> connection;
  X11Clipboard clipboard;
};

std::string noise(std::size_t size) {
  std::mt19937 random(static_cast<unsigned>(size));
  std::string out(size, '\0');
  for (char& c : out) c = static_cast<char>(random());
  return out;
}

// What a program that shares no code with us gets.
std::string outside_read(const XServer& x, const std::vector<std::string>& words) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "pipe failed";
  std::vector<std::string> arguments{testing::beside_test("clip_x11")};
  arguments.insert(arguments.end(), words.begin(), words.end());
  const testing::ExecBlock program(arguments, {{"DISPLAY", x.name()}});
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(ends[1], 1);
    program.run();
  }
  ::close(ends[1]);
  std::string out;
  char buffer[65536];
  for (ssize_t count; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    out.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  ::waitpid(pid, nullptr, 0);
  return out;
}

// An owner that speaks raw X, as each test needs it.
class RawOwner : public XClient {
 public:
  explicit RawOwner(const std::string& display) : XClient(display) {
    window_ = xcb_generate_id(xcb());
    const std::uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_create_window(xcb(), 0, window_, root(), 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT,
                      XCB_CW_EVENT_MASK, &mask);
  }
  void own() {
    xcb_set_selection_owner(xcb(), window_, atom("CLIPBOARD"), XCB_CURRENT_TIME);
    sync();
  }
  // Answers one request with these bytes under this type, or refuses every target but this one.
  void serve(const std::string& target, const std::string& type, const std::string& bytes) {
    const xcb_atom_t wanted = atom(target), given = atom(type);
    thread_ = std::thread([=, this] {
      while (!stop_) {
        xcb_generic_event_t* event = xcb_wait_for_event(xcb());
        if (event == nullptr) return;
        if ((event->response_type & 0x7f) == XCB_CLIENT_MESSAGE) stop_ = true;
        if ((event->response_type & 0x7f) == XCB_SELECTION_REQUEST) {
          const auto& request = reinterpret_cast<xcb_selection_request_event_t&>(*event);
          xcb_selection_notify_event_t notify{};
          notify.response_type = XCB_SELECTION_NOTIFY;
          notify.requestor = request.requestor;
          notify.selection = request.selection;
          notify.target = request.target;
          if (request.target == wanted) {
            notify.property = request.property;
            xcb_change_property(xcb(), XCB_PROP_MODE_REPLACE, request.requestor, request.property, given, 8,
                                static_cast<std::uint32_t>(bytes.size()), bytes.data());
          }
          xcb_send_event(xcb(), 0, request.requestor, 0, reinterpret_cast<const char*>(&notify));
          xcb_flush(xcb());
        }
        std::free(event);
      }
    });
  }
  ~RawOwner() {
    if (!thread_.joinable()) return;
    xcb_client_message_event_t end{};
    end.response_type = XCB_CLIENT_MESSAGE;
    end.format = 32;
    end.window = window_;
    xcb_send_event(xcb(), 0, window_, 0, reinterpret_cast<const char*>(&end));
    xcb_flush(xcb());
    thread_.join();
  }

 private:
  xcb_window_t window_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

TEST(ClipboardText, NamesAndLatin1) {
  EXPECT_TRUE(is_plain_text("text/plain"));
  EXPECT_TRUE(is_plain_text("text/plain; charset=UTF-8"));
  EXPECT_FALSE(is_plain_text("text/html"));
  EXPECT_TRUE(is_text_target("UTF8_STRING"));
  EXPECT_FALSE(is_text_target("TARGETS"));
  EXPECT_EQ(to_latin1("né€"), "n\xe9?");
  EXPECT_EQ(from_latin1("n\xe9"), "né");
}

TEST(Clipboard, NobodyOwnsIt) {
  XServer x;
  Desk desk(x.name());
  EXPECT_EQ(desk.formats().value(), std::vector<std::string>{});
  EXPECT_EQ(desk.read().error().code, Code::not_found);
}

TEST(Clipboard, OutsidersReadEveryFormat) {
  XServer x;
  Desk desk(x.name());
  const std::string png = "\x89PNG" + noise(5000);
  ASSERT_TRUE(
      desk.write({{std::string(kPlainText), "grüße 日本"}, {"text/html", "<b>x</b>"}, {"image/png", png}}).ok());
  EXPECT_EQ(outside_read(x, {"read", "UTF8_STRING"}), "grüße 日本");
  EXPECT_EQ(outside_read(x, {"read", "text/plain;charset=utf-8"}), "grüße 日本");
  EXPECT_EQ(outside_read(x, {"read", "text/plain"}), "grüße 日本");
  EXPECT_EQ(outside_read(x, {"read", "TEXT"}), "grüße 日本");
  EXPECT_EQ(outside_read(x, {"read", "STRING"}),
            "gr\xfc\xdf"
            "e ??");
  EXPECT_EQ(outside_read(x, {"read", "text/html"}), "<b>x</b>");
  EXPECT_EQ(outside_read(x, {"read", "image/png"}), png);
  const std::string targets = outside_read(x, {"targets"});
  for (const char* name : {"TARGETS", "TIMESTAMP", "MULTIPLE", "UTF8_STRING", "STRING", "text/html", "image/png"}) {
    EXPECT_NE(targets.find(name), std::string::npos) << targets;
  }
}

TEST(Clipboard, ReadsWhatAnotherProgramOwns) {
  XServer x;
  Desk desk(x.name());
  testing::NamedPipe pipe;
  const pid_t owner = testing::spawn({testing::beside_test("clip_x11"), "own", "--log", pipe.path(),
                                      "text/plain;charset=utf-8=naïve", "text/html=<i>y</i>"},
                                     x.name());
  std::string log;
  while (log.find('\n') == std::string::npos) ASSERT_TRUE(pipe.read(log, Deadline::in(Millis(5000))));
  const auto formats = desk.formats();
  ASSERT_TRUE(formats.ok()) << to_text(formats.error());
  EXPECT_EQ(*formats, (std::vector<std::string>{std::string(kPlainText), "text/html"}));
  EXPECT_EQ(desk.read().value(), "naïve");
  EXPECT_EQ(desk.read("text/html").value(), "<i>y</i>");
  EXPECT_EQ(desk.read("image/png").error().code, Code::not_found);
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
}

TEST(Clipboard, BothSelectionsAreApart) {
  XServer x;
  Desk one(x.name()), other(x.name());
  ASSERT_TRUE(one.write({{std::string(kPlainText), "copied"}}).ok());
  ASSERT_TRUE(one.write({{std::string(kPlainText), "selected"}}, Selection::primary).ok());
  EXPECT_EQ(other.read().value(), "copied");
  EXPECT_EQ(other.read(std::string(kPlainText), Selection::primary).value(), "selected");
}

TEST(Clipboard, OwnContentIsReadWithoutTheServer) {
  XServer x;
  Desk desk(x.name());
  ASSERT_TRUE(desk.write({{"text/plain", "mine"}, {"text/html", "<p>"}}).ok());
  EXPECT_EQ(desk.read().value(), "mine");
  EXPECT_EQ(desk.read("text/html").value(), "<p>");
  EXPECT_EQ(desk.formats().value(), (std::vector<std::string>{std::string(kPlainText), "text/html"}));
  EXPECT_EQ(desk.read("image/png").error().code, Code::not_found);
}

TEST(Clipboard, LargeContentGoesInPiecesBothWays) {
  XServer x;
  Desk one(x.name()), other(x.name());
  const std::string large = noise(10 * 1024 * 1024);
  ASSERT_TRUE(one.write({{"application/x-large", large}}).ok());
  const TimePoint start = Clock::now();
  const auto got = other.read("application/x-large");
  RecordProperty("incr_10mb_ms", std::to_string(millis_since(start)));
  ASSERT_TRUE(got.ok()) << to_text(got.error());
  EXPECT_TRUE(*got == large);
  EXPECT_TRUE(outside_read(x, {"read", "application/x-large"}) == large);
}

TEST(Clipboard, SizesAroundOnePiece) {
  XServer x;
  Desk one(x.name()), other(x.name());
  for (const std::size_t size : {std::size_t{0}, kClipboardPiece - 1, kClipboardPiece, kClipboardPiece + 1,
                                 2 * kClipboardPiece, 2 * kClipboardPiece + 1}) {
    const std::string bytes = noise(size);
    ASSERT_TRUE(one.write({{"application/x-some", bytes}}).ok());
    const auto got = other.read("application/x-some");
    ASSERT_TRUE(got.ok()) << size << to_text(got.error());
    EXPECT_TRUE(*got == bytes) << size;
  }
}

TEST(Clipboard, SeveralReadersAtOnce) {
  XServer x;
  Desk owner(x.name());
  const std::string large = noise(3 * 1024 * 1024);
  ASSERT_TRUE(owner.write({{"application/x-large", large}, {std::string(kPlainText), "small"}}).ok());
  std::vector<std::future<bool>> readers;
  Desk shared(x.name());
  for (int i = 0; i < 4; ++i) {
    readers.push_back(
        std::async(std::launch::async, [&] { return shared.read("application/x-large").value() == large; }));
    readers.push_back(std::async(std::launch::async, [&] {
      Desk own(x.name());
      return own.read("application/x-large").value() == large && own.read().value() == "small";
    }));
  }
  for (auto& reader : readers) EXPECT_TRUE(reader.get());
}

TEST(Clipboard, ARequestorThatDiesInTheMiddleHurtsNobody) {
  XServer x;
  Desk owner(x.name());
  const std::string large = noise(4 * 1024 * 1024);
  ASSERT_TRUE(owner.write({{"application/x-large", large}}).ok());
  {
    RawOwner dying(x.name());
    const xcb_window_t window = dying.open({});
    xcb_convert_selection(dying.xcb(), window, dying.atom("CLIPBOARD"), dying.atom("application/x-large"),
                          dying.atom("HERE"), XCB_CURRENT_TIME);
    dying.sync();
    ASSERT_TRUE(dying.wait([&] { return dying.count(XCB_SELECTION_NOTIFY) == 1; }));
    xcb_delete_property(dying.xcb(), window, dying.atom("HERE"));
    dying.sync();
  }
  Desk other(x.name());
  EXPECT_TRUE(other.read("application/x-large").value() == large);
}

TEST(Clipboard, AnOwnerThatNeverAnswersIsATimeout) {
  XServer x;
  RawOwner silent(x.name());
  silent.own();
  Desk desk(x.name());
  const TimePoint start = Clock::now();
  const auto got = desk.clipboard.read(Selection::clipboard, "text/html", Deadline::in(Millis(300)));
  EXPECT_EQ(got.error().code, Code::timeout);
  EXPECT_LT(millis_since(start), 2000);
  EXPECT_EQ(desk.clipboard.formats(Selection::clipboard, Deadline::in(Millis(100))).error().code, Code::timeout);
  // Nothing of it is left in the way.
  Desk other(x.name());
  ASSERT_TRUE(other.write({{std::string(kPlainText), "next"}}).ok());
  EXPECT_EQ(desk.read().value(), "next");
}

TEST(Clipboard, OldTextIsTranslated) {
  XServer x;
  RawOwner old(x.name());
  old.serve("STRING", "STRING", "caf\xe9");
  old.own();
  Desk desk(x.name());
  EXPECT_EQ(desk.read().value(), "café");
}

TEST(Clipboard, MoreThanTheLimitIsRefused) {
  XServer x;
  Desk desk(x.name());
  EXPECT_EQ(desk.write({{"application/x-huge", std::string(kMaxClipboardBytes + 1, 'x')}}).error().code,
            Code::too_large);
  EXPECT_EQ(desk.write({{"no mime", "x"}}).error().code, Code::argument_invalid);
  EXPECT_EQ(desk.read("TARGETS").error().code, Code::argument_invalid);
}

TEST(Clipboard, AnotherCopyTakesOver) {
  XServer x;
  Desk one(x.name()), other(x.name());
  ASSERT_TRUE(one.write({{std::string(kPlainText), "first"}}).ok());
  ASSERT_TRUE(other.write({{std::string(kPlainText), "second"}}).ok());
  EXPECT_EQ(one.read().value(), "second");
  ASSERT_TRUE(one.write({{std::string(kPlainText), "third"}}).ok());
  EXPECT_EQ(other.read().value(), "third");
  EXPECT_EQ(one.read().value(), "third");
  ASSERT_TRUE(one.write({}).ok());
  EXPECT_EQ(other.formats().value(), std::vector<std::string>{});
}

TEST(Clipboard, MultipleAndTimestamp) {
  XServer x;
  Desk owner(x.name());
  ASSERT_TRUE(owner.write({{std::string(kPlainText), "words"}, {"text/html", "<b>"}}).ok());
  XClient asker(x.name());
  const xcb_window_t window = asker.open({});
  const xcb_atom_t pair = asker.atom("ATOM_PAIR"), list = asker.atom("LIST");
  const std::vector<xcb_atom_t> pairs{asker.atom("UTF8_STRING"), asker.atom("A"),         asker.atom("image/png"),
                                      asker.atom("B"),           asker.atom("TIMESTAMP"), asker.atom("C")};
  xcb_change_property(asker.xcb(), XCB_PROP_MODE_REPLACE, window, list, pair, 32, 6, pairs.data());
  xcb_convert_selection(asker.xcb(), window, asker.atom("CLIPBOARD"), asker.atom("MULTIPLE"), list, XCB_CURRENT_TIME);
  asker.sync();
  ASSERT_TRUE(asker.wait([&] { return asker.count(XCB_SELECTION_NOTIFY) == 1; }));
  const auto property = [&](xcb_atom_t name) {
    auto* reply = xcb_get_property_reply(
        asker.xcb(), xcb_get_property(asker.xcb(), 0, window, name, XCB_ATOM_ANY, 0, 1000), nullptr);
    std::string bytes(static_cast<const char*>(xcb_get_property_value(reply)),
                      static_cast<std::size_t>(xcb_get_property_value_length(reply)));
    std::free(reply);
    return bytes;
  };
  EXPECT_EQ(property(asker.atom("A")), "words");
  std::uint32_t stamp = 0;
  ASSERT_EQ(property(asker.atom("C")).size(), sizeof stamp);
  std::memcpy(&stamp, property(asker.atom("C")).data(), sizeof stamp);
  EXPECT_NE(stamp, 0u) << "CurrentTime is no time of ownership";
  const std::string answered = property(list);
  ASSERT_EQ(answered.size(), 24u);
  std::uint32_t refused = 1;
  std::memcpy(&refused, answered.data() + 12, sizeof refused);
  EXPECT_EQ(refused, 0u);
}

TEST(Clipboard, WorksAgainAfterTheServerCameBack) {
  XServer x;
  Desk desk(x.name());
  ASSERT_TRUE(desk.write({{std::string(kPlainText), "before"}}).ok());
  x.kill();
  x.start();
  EXPECT_EQ(desk.formats().value(), std::vector<std::string>{});
  ASSERT_TRUE(desk.write({{std::string(kPlainText), "after"}}).ok());
  Desk other(x.name());
  EXPECT_EQ(other.read().value(), "after");
}

TEST(Clipboard, WritesFromManyThreads) {
  XServer x;
  Desk desk(x.name());
  std::vector<std::future<bool>> writers;
  for (int i = 0; i < 8; ++i) {
    writers.push_back(std::async(std::launch::async, [&desk, i] {
      return desk.write({{std::string(kPlainText), "text " + std::to_string(i)}}).ok();
    }));
  }
  for (auto& writer : writers) EXPECT_TRUE(writer.get());
  Desk other(x.name());
  EXPECT_EQ(other.read().value().substr(0, 5), "text ");
}

// Offers the targets that it names, each with the same bytes.
class HintingOwner : public RawOwner {
 public:
  using RawOwner::RawOwner;
  void offer(const std::vector<std::string>& targets) {
    std::string list;
    for (const std::string& target : targets) {
      const xcb_atom_t value = atom(target);
      list.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    serve("TARGETS", "ATOM", list);
  }
};

TEST(Clipboard, WhatAPasswordManagerMarksIsNotRead) {
  XServer x;
  Desk desk(x.name());
  {
    HintingOwner manager(x.name());
    manager.offer({"UTF8_STRING", "x-kde-passwordManagerHint"});
    manager.own();
    EXPECT_EQ(desk.read().error().code, Code::access_denied);
    EXPECT_EQ(desk.read("text/html").error().code, Code::access_denied);
  }
  HintingOwner other(x.name());
  other.offer({"UTF8_STRING"});
  other.own();
  EXPECT_EQ(desk.read().error().code, Code::not_found) << "the twin without the mark is asked for its text";
}

TEST(Clipboard, TextIsWrittenWithoutControlCharacters) {
  XServer x;
  Desk desk(x.name()), other(x.name());
  ASSERT_TRUE(desk.write({{std::string(kPlainText),
                           "a\x1b[201~b\r\n\tc\x7f\xc2\x9b"
                           "31m\xc3\xa9"},
                          {"application/x-raw",
                           "a\x1b"
                           "b"}})
                  .ok());
  EXPECT_EQ(other.read().value(), "a[201~b\n\tc31m\xc3\xa9");
  EXPECT_EQ(outside_read(x, {"read", "UTF8_STRING"}), "a[201~b\n\tc31m\xc3\xa9");
  EXPECT_EQ(other.read("application/x-raw").value(),
            "a\x1b"
            "b");
}

TEST(Clipboard, AnImageThatClaimsTooMuchIsRefused) {
  XServer x;
  Desk desk(x.name()), other(x.name());
  const auto png = [](char high) {
    std::string bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10", 24);
    bytes[18] = bytes[22] = high;
    return bytes;
  };
  ASSERT_TRUE(desk.write({{"image/png", png('\xc3')}}).ok());
  EXPECT_EQ(other.read("image/png").error().code, Code::too_large);
  ASSERT_TRUE(desk.write({{"image/png", png('\x03')}}).ok());
  EXPECT_TRUE(other.read("image/png").value() == png('\x03'));
  // Text is no image, whatever it begins with.
  ASSERT_TRUE(desk.write({{std::string(kPlainText), "BM" + std::string(40, '\x7e')}}).ok());
  EXPECT_TRUE(other.read().ok());
}

}  // namespace
}  // namespace handrail::x11
