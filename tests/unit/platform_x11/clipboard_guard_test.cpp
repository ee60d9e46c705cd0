#include "platform/x11/clipboard_guard.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>

#include "platform/x11/clipboard.h"
#include "platform/x11/clipboard_holder.h"
#include "support/test_permit.h"
#include "support/x_server.h"

namespace handrail::x11 {
namespace {

using engine::PermitMint;
using testing::XClient;
using testing::XServer;

constexpr Millis kLong{20000};

template <class T>
using Free = std::unique_ptr<T, decltype(&std::free)>;

std::shared_ptr<Connection> connect(const std::string& display) {
  return std::make_shared<Connection>([display]() -> Result<std::string> { return display; });
}

// A guardian in the same process: what it gives back is owned over a connection of its own.
class NearCustody : public Custody {
 public:
  explicit NearCustody(const std::string& display) : holder_(connect(display)) {}
  Status ready() override { return there ? Status() : make_error(Code::permission_missing, "none"); }
  Status held(const HeldNow&) override { return {}; }
  Status keep(Kept what, std::string bytes) override {
    EXPECT_EQ(what, Kept::clipboard);
    kept = std::move(bytes);
    return {};
  }
  Status give_back(Kept, Deadline deadline) override {
    if (kept.empty()) return {};
    const auto stash = decode_stash(kept);
    if (!stash) return make_error(Code::argument_invalid, "damaged");
    TRY(holder_.hold(*stash, Taking::all, deadline));
    kept.clear();
    return {};
  }
  void grabbing(bool) noexcept override {}

  bool there = true;
  std::string kept;

 private:
  StashHolder holder_;
};

// A plain X client that owns a selection with formats of any kind, and takes it back as often as it is told to.
class Owner : public XClient {
 public:
  struct Format {
    std::string target, type, bytes;
    std::uint8_t bits = 8;
  };
  Owner(const std::string& display, std::string selection, std::vector<Format> formats)
      : XClient(display), selection_(atom(selection)), formats_(std::move(formats)) {
    window_ = xcb_generate_id(xcb());
    xcb_create_window(xcb(), 0, window_, root(), 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0,
                      nullptr);
    own();
    sync();
    targets_ = atom("TARGETS");
    for (const Format& format : formats_) rows_.push_back({atom(format.target), atom(format.type)});
  }
  ~Owner() {
    stop_ = true;
    xcb_client_message_event_t wake{};
    wake.response_type = XCB_CLIENT_MESSAGE;
    wake.format = 32;
    wake.window = window_;
    xcb_send_event(xcb(), 0, window_, 0, reinterpret_cast<const char*>(&wake));
    xcb_flush(xcb());
    if (thread_.joinable()) thread_.join();
  }
  void own() {
    xcb_set_selection_owner(xcb(), window_, selection_, XCB_CURRENT_TIME);
    xcb_flush(xcb());
  }
  // Answers, and takes the selection back at once so many times.
  void serve(int take_backs = 0) {
    thread_ = std::thread([this, take_backs] {
      int left = take_backs;
      while (!stop_) {
        const Free<xcb_generic_event_t> event(xcb_wait_for_event(xcb()), std::free);
        if (!event) return;
        const int type = event->response_type & 0x7f;
        if (type == XCB_SELECTION_REQUEST) answer(reinterpret_cast<xcb_selection_request_event_t&>(*event));
        if (type == XCB_SELECTION_CLEAR && left-- > 0) own();
      }
    });
  }

 private:
  void answer(const xcb_selection_request_event_t& request) {
    xcb_selection_notify_event_t notify{};
    notify.response_type = XCB_SELECTION_NOTIFY;
    notify.requestor = request.requestor;
    notify.selection = request.selection;
    notify.target = request.target;
    const auto put = [&](xcb_atom_t type, std::uint8_t bits, std::size_t bytes, const void* data) {
      xcb_change_property(xcb(), XCB_PROP_MODE_REPLACE, request.requestor, request.property, type, bits,
                          static_cast<std::uint32_t>(bytes * 8 / bits), data);
      notify.property = request.property;
    };
    std::vector<xcb_atom_t> all{targets_};
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      all.push_back(rows_[i].first);
      if (request.target == rows_[i].first) {
        put(rows_[i].second, formats_[i].bits, formats_[i].bytes.size(), formats_[i].bytes.data());
      }
    }
    if (request.target == targets_) put(XCB_ATOM_ATOM, 32, all.size() * 4, all.data());
    xcb_send_event(xcb(), 0, request.requestor, 0, reinterpret_cast<const char*>(&notify));
    xcb_flush(xcb());
  }

  xcb_atom_t selection_, targets_ = XCB_ATOM_NONE;
  std::vector<Format> formats_;
  std::vector<std::pair<xcb_atom_t, xcb_atom_t>> rows_;
  xcb_window_t window_ = XCB_NONE;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

// What an app would get that pastes, and the state of the selections from outside.
struct Desk {
  explicit Desk(const XServer& x)
      : custody(std::make_shared<NearCustody>(x.name())),
        connection(connect(x.name())),
        guard(connection, custody),
        outside(connect(x.name())),
        reader(outside),
        client(x.name()) {}

  std::vector<std::string> targets(const std::string& selection) {
    const xcb_atom_t name = reader.intern(selection, Deadline::in(kLong)).value();
    const auto atoms = reader.targets(name, Deadline::in(kLong));
    return atoms.ok() ? reader.names_of(*atoms, Deadline::in(kLong)).value() : std::vector<std::string>{"?"};
  }
  std::optional<SelectionContent> paste(const std::string& selection, const std::string& target) {
    const xcb_atom_t name = reader.intern(selection, Deadline::in(kLong)).value();
    const xcb_atom_t wanted = reader.intern(target, Deadline::in(kLong)).value();
    const auto content = reader.convert(name, wanted, kMaxClipboardBytes, Deadline::in(kLong));
    return content.ok() ? *content : std::nullopt;
  }
  std::string text(const std::string& selection, const std::string& target = "UTF8_STRING") {
    const auto content = paste(selection, target);
    return content ? content->bytes : "(nothing)";
  }
  xcb_window_t owner(const std::string& selection) {
    const Free<xcb_get_selection_owner_reply_t> reply(
        xcb_get_selection_owner_reply(client.xcb(), xcb_get_selection_owner(client.xcb(), client.atom(selection)),
                                      nullptr),
        std::free);
    return reply->owner;
  }
  std::string cut_buffer() {
    const Free<xcb_get_property_reply_t> reply(
        xcb_get_property_reply(
            client.xcb(), xcb_get_property(client.xcb(), 0, client.root(), XCB_ATOM_CUT_BUFFER0, XCB_ATOM_ANY, 0, 1000),
            nullptr),
        std::free);
    if (reply->type == XCB_ATOM_NONE) return "(none)";
    return {static_cast<const char*>(xcb_get_property_value(reply.get())),
            static_cast<std::size_t>(xcb_get_property_value_length(reply.get()))};
  }
  void set_cut_buffer(const std::string& bytes) {
    xcb_change_property(client.xcb(), XCB_PROP_MODE_REPLACE, client.root(), XCB_ATOM_CUT_BUFFER0, XCB_ATOM_STRING, 8,
                        static_cast<std::uint32_t>(bytes.size()), bytes.data());
    client.sync();
  }
  Status guarded() { return guard.guard(Deadline::in(kLong)); }
  Status restored() { return guard.restore(Deadline::in(kLong)); }

  std::shared_ptr<NearCustody> custody;
  std::shared_ptr<Connection> connection;
  X11ClipboardGuard guard;
  std::shared_ptr<Connection> outside;
  SelectionReader reader;
  XClient client;
};

const std::vector<std::string> kNothing{"TARGETS", "TIMESTAMP", "MULTIPLE"};

TEST(ClipboardGuard, EmptiesEverythingAndBringsEveryFormatBack) {
  XServer x;
  Desk desk(x);
  std::string noise(900'000, '\0');  // more than one piece
  std::mt19937 random(1);
  for (char& c : noise) c = static_cast<char>(random());
  Owner clip(x.name(), "CLIPBOARD",
             {{"UTF8_STRING", "UTF8_STRING", "the person's"},
              {"image/png", "image/png", noise},
              {"x-kde-passwordManagerHint", "x-kde-passwordManagerHint", "secret"},
              {"_NUMBERS", "INTEGER", std::string("\1\0\0\0\2\0\0\0", 8), 32}});
  clip.serve();
  Owner primary(x.name(), "PRIMARY", {{"UTF8_STRING", "UTF8_STRING", "selected"}, {"STRING", "STRING", ""}});
  primary.serve();
  desk.set_cut_buffer("cut");
  ASSERT_EQ(desk.text("CLIPBOARD"), "the person's");  // the oracle sees

  ASSERT_FALSE(desk.guard.guarding());
  const Status guarded = desk.guarded();
  ASSERT_TRUE(guarded.ok()) << to_text(guarded.error());
  EXPECT_TRUE(desk.guard.guarding());
  for (const char* selection : {"CLIPBOARD", "PRIMARY", "SECONDARY"}) {
    EXPECT_EQ(desk.targets(selection), kNothing) << selection;
    EXPECT_EQ(desk.text(selection), "(nothing)") << selection;
  }
  EXPECT_EQ(desk.cut_buffer(), "(none)");
  // A second time keeps what was there first.
  ASSERT_TRUE(desk.guarded().ok());

  const Status restored = desk.restored();
  ASSERT_TRUE(restored.ok()) << to_text(restored.error());
  EXPECT_FALSE(desk.guard.guarding());
  EXPECT_EQ(desk.text("CLIPBOARD"), "the person's");
  EXPECT_TRUE(desk.text("CLIPBOARD", "image/png") == noise);
  EXPECT_EQ(desk.text("CLIPBOARD", "x-kde-passwordManagerHint"), "secret");
  const auto numbers = desk.paste("CLIPBOARD", "_NUMBERS");
  ASSERT_TRUE(numbers);
  EXPECT_EQ(numbers->format, 32);
  EXPECT_EQ(numbers->type, xcb_atom_t{XCB_ATOM_INTEGER});
  EXPECT_EQ(numbers->bytes, std::string("\1\0\0\0\2\0\0\0", 8));
  EXPECT_EQ(desk.text("PRIMARY"), "selected");
  EXPECT_EQ(desk.text("PRIMARY", "STRING"), "");
  EXPECT_EQ(desk.owner("SECONDARY"), XCB_NONE);
  EXPECT_EQ(desk.cut_buffer(), "cut");
  EXPECT_TRUE(desk.restored().ok());
  // And again, from what the first time gave back.
  ASSERT_TRUE(desk.guarded().ok());
  EXPECT_EQ(desk.text("CLIPBOARD"), "(nothing)");
  ASSERT_TRUE(desk.restored().ok());
  EXPECT_TRUE(desk.text("CLIPBOARD", "image/png") == noise);
}

TEST(ClipboardGuard, WithoutCustodyNothingIsTaken) {
  XServer x;
  Desk desk(x);
  Owner clip(x.name(), "CLIPBOARD", {{"UTF8_STRING", "UTF8_STRING", "mine"}});
  clip.serve();
  desk.custody->there = false;
  EXPECT_EQ(desk.guarded().error().code, Code::permission_missing);
  EXPECT_FALSE(desk.guard.guarding());
  EXPECT_EQ(desk.text("CLIPBOARD"), "mine");
}

TEST(ClipboardGuard, PushesOutWhoComesBackForAWhile) {
  XServer x;
  Desk desk(x);
  Owner manager(x.name(), "CLIPBOARD", {{"UTF8_STRING", "UTF8_STRING", "rm -rf"}});
  manager.serve(20);
  const Status guarded = desk.guarded();
  ASSERT_TRUE(guarded.ok()) << to_text(guarded.error());
  for (int i = 0; i < 20; ++i) ASSERT_EQ(desk.text("CLIPBOARD"), "(nothing)");
  // Later ones are pushed out without a call.
  manager.own();
  EXPECT_TRUE(desk.client.wait([&] { return desk.text("CLIPBOARD") == "(nothing)"; }));
  desk.set_cut_buffer("late");
  EXPECT_TRUE(desk.client.wait([&] {
    desk.client.nudge();
    return desk.cut_buffer() == "(none)";
  }));
}

TEST(ClipboardGuard, AManagerThatNeverGivesUpIsToldAndLeft) {
  XServer x;
  Desk desk(x);
  Owner manager(x.name(), "CLIPBOARD", {{"UTF8_STRING", "UTF8_STRING", "rm -rf"}});
  manager.serve(1'000'000);
  const Status guarded = desk.guarded();
  ASSERT_FALSE(guarded.ok());
  EXPECT_EQ(guarded.error().code, Code::busy);
}

TEST(ClipboardGuard, AnOwnerThatNeverAnswersCostsOneSecond) {
  XServer x;
  Desk desk(x);
  Owner silent(x.name(), "CLIPBOARD", {{"UTF8_STRING", "UTF8_STRING", "mine"}});  // does not serve
  xcb_set_selection_owner(silent.xcb(), silent.open({}), XCB_ATOM_PRIMARY, XCB_CURRENT_TIME);
  silent.sync();
  const TimePoint start = Clock::now();
  const Status guarded = desk.guarded();
  RecordProperty("silent_owner_ms", std::to_string(millis_since(start)));
  ASSERT_TRUE(guarded.ok()) << to_text(guarded.error());
  EXPECT_EQ(desk.targets("CLIPBOARD"), kNothing);
  EXPECT_EQ(desk.targets("PRIMARY"), kNothing);
}

TEST(ClipboardGuard, OurOwnWriteIsKeptAndComesBack) {
  XServer x;
  auto custody = std::make_shared<NearCustody>(x.name());
  auto connection = connect(x.name());
  X11Clipboard clipboard(connection);
  X11ClipboardGuard guard(connection, custody);
  ASSERT_TRUE(
      clipboard
          .write(Selection::clipboard, {{std::string(kPlainText), "ours"}}, PermitMint::mint(), Deadline::in(kLong))
          .ok());
  ASSERT_TRUE(guard.guard(Deadline::in(kLong)).ok());
  EXPECT_EQ(clipboard.read(Selection::clipboard, std::string(kPlainText), Deadline::in(kLong)).error().code,
            Code::not_found);
  ASSERT_TRUE(guard.restore(Deadline::in(kLong)).ok());
  EXPECT_EQ(clipboard.read(Selection::clipboard, std::string(kPlainText), Deadline::in(kLong)).value(), "ours");
}

TEST(ClipboardGuard, WorksAgainAfterTheServerCameBack) {
  XServer x;
  auto custody = std::make_shared<NearCustody>(x.name());
  auto connection = connect(x.name());
  X11ClipboardGuard guard(connection, custody);
  ASSERT_TRUE(guard.guard(Deadline::in(kLong)).ok());
  x.kill();
  x.start();
  EXPECT_TRUE(guard.guarding());
  const Status guarded = guard.guard(Deadline::in(kLong));
  ASSERT_TRUE(guarded.ok()) << to_text(guarded.error());
  Desk desk(x);
  EXPECT_EQ(desk.targets("CLIPBOARD"), kNothing);
  const Status restored = guard.restore(Deadline::in(kLong));
  EXPECT_TRUE(restored.ok()) << to_text(restored.error());
}

TEST(ClipboardStash, SurvivesTheWayAndRefusesDamage) {
  const Stash stash{{{"CLIPBOARD", {{"UTF8_STRING", "UTF8_STRING", 8, "text"}, {"N", "INTEGER", 32, "1234"}}},
                     {"PRIMARY", {{"STRING", "STRING", 8, ""}}}},
                    {{"CUT_BUFFER3", "STRING", 8, "cut"}}};
  const std::string record = encode(stash);
  EXPECT_EQ(decode_stash(record), stash);
  EXPECT_EQ(decode_stash(encode(Stash{})), Stash{});
  for (std::size_t size = 0; size < record.size(); ++size) {
    EXPECT_FALSE(decode_stash(std::string_view(record).substr(0, size))) << size;
  }
  EXPECT_FALSE(decode_stash(record + "x"));
  // Any one byte changed: refused or another stash, never more than the bytes hold.
  for (std::size_t at = 0; at < record.size(); ++at) {
    std::string damaged = record;
    damaged[at] = static_cast<char>(~damaged[at]);
    if (const auto read = decode_stash(damaged)) {
      EXPECT_LE(encode(*read).size(), record.size());
    }
  }
}

}  // namespace
}  // namespace handrail::x11
