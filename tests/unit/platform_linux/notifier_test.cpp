#include "platform/linux/notifier.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <systemd/sd-bus.h>

#include <string>
#include <vector>

#include "unit/platform_linux/test_bus.h"

namespace handrail::linux_ {
namespace {

struct Shown {
  std::uint32_t replaces = 0;
  std::string title;
  std::string text;
};

// The notification service, as far as it says a number for what it was told.
class Service {
 public:
  explicit Service(const std::string& address) {
    EXPECT_GE(sd_bus_new(&bus_), 0);
    EXPECT_GE(sd_bus_set_address(bus_, address.c_str()), 0);
    EXPECT_GE(sd_bus_set_bus_client(bus_, 1), 0);
    EXPECT_GE(sd_bus_start(bus_), 0);
    EXPECT_GE(sd_bus_add_filter(bus_, nullptr, on_message, this), 0);
    EXPECT_GE(sd_bus_request_name(bus_, "org.freedesktop.Notifications", 0), 0);
  }
  ~Service() { sd_bus_close_unref(bus_); }

  // Answers until so many were told.
  bool serve(std::size_t count) {
    for (const Deadline end = Deadline::in(kPatience); shown.size() < count && !end.passed();) {
      if (sd_bus_process(bus_, nullptr) > 0) continue;
      pollfd wait{sd_bus_get_fd(bus_), POLLIN, 0};
      ::poll(&wait, 1, static_cast<int>(end.left().count()));
    }
    sd_bus_flush(bus_);
    return shown.size() >= count;
  }

  std::vector<Shown> shown;

 private:
  static int on_message(sd_bus_message* message, void* data, sd_bus_error*) {
    if (sd_bus_message_is_method_call(message, "org.freedesktop.Notifications", "Notify") <= 0) return 0;
    auto* self = static_cast<Service*>(data);
    const char *app = nullptr, *icon = nullptr, *title = nullptr, *text = nullptr;
    std::uint32_t replaces = 0;
    EXPECT_GE(sd_bus_message_read(message, "susss", &app, &replaces, &icon, &title, &text), 0);
    self->shown.push_back({replaces, title, text});
    EXPECT_GE(sd_bus_reply_method_return(message, "u", 7U), 0);
    return 1;
  }
  sd_bus* bus_ = nullptr;
};

TEST(NotifierTest, ThePersonIsToldAndLaterWordsReplaceEarlierOnes) {
  const TestBus bus;
  Service service(bus.address());
  const auto notifier = Notifier::start(bus.address());
  notifier->agent_came("<b>s-1</b>");
  ASSERT_TRUE(service.serve(1));
  EXPECT_EQ(service.shown[0].title, "An agent uses this desktop");
  EXPECT_NE(service.shown[0].text.find("&lt;b&gt;s-1"), std::string::npos) << service.shown[0].text;
  EXPECT_EQ(service.shown[0].replaces, 0U);
  notifier->agent_left();
  ASSERT_TRUE(service.serve(2));
  EXPECT_EQ(service.shown[1].title, "The agent has left");
  EXPECT_EQ(service.shown[1].replaces, 7U);
}

TEST(NotifierTest, TheLastWordsGoOutBeforeTheEnd) {
  const TestBus bus;
  Service service(bus.address());
  {
    const auto notifier = Notifier::start(bus.address());
    notifier->agent_came("s-1");
    ASSERT_TRUE(service.serve(1));
    notifier->agent_left();
  }
  EXPECT_TRUE(service.serve(2));
}

// Whatever is at the other end, nobody waits for it.
void expect_nothing_is_delayed(const std::string& address) {
  const TimePoint start = Clock::now();
  {
    const auto notifier = Notifier::start(address);
    for (int i = 0; i < 1000; ++i) notifier->tell("title", "text");
  }
  EXPECT_LT(millis_since(start), 10000);
}

TEST(NotifierTest, NothingWaitsWithoutABus) {
  expect_nothing_is_delayed("");
  expect_nothing_is_delayed("unix:path=/nowhere/bus");
  expect_nothing_is_delayed("no address at all");
}

TEST(NotifierTest, NothingWaitsWithoutAService) {
  const TestBus bus;
  expect_nothing_is_delayed(bus.address());
}

TEST(NotifierTest, NothingWaitsForAServiceThatNeverAnswers) {
  const TestBus bus;
  const Service silent(bus.address());
  expect_nothing_is_delayed(bus.address());
}

TEST(NotifierTest, NothingWaitsForABusThatIsStopped) {
  TestBus bus;
  bus.freeze();
  expect_nothing_is_delayed(bus.address());
}

}  // namespace
}  // namespace handrail::linux_
