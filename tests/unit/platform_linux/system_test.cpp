#include "platform/linux/system.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <systemd/sd-bus.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>

#include "support/test_permit.h"
#include "unit/platform_linux/test_bus.h"

namespace handrail::linux_ {
namespace {

Deadline soon() { return Deadline::in(Millis(5000)); }

// What logind does on a machine with a backlight: sets it by the kernel's file, and has the screen locked.
class Logind {
 public:
  Logind(const std::string& address, std::string light) : light_(std::move(light)) {
    EXPECT_GE(sd_bus_new(&bus_), 0);
    EXPECT_GE(sd_bus_set_address(bus_, address.c_str()), 0);
    EXPECT_GE(sd_bus_set_bus_client(bus_, 1), 0);
    EXPECT_GE(sd_bus_start(bus_), 0);
    EXPECT_GE(sd_bus_add_filter(bus_, nullptr, on_message, this), 0);
    EXPECT_GE(sd_bus_request_name(bus_, "org.freedesktop.login1", 0), 0);
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        if (sd_bus_process(bus_, nullptr) > 0) continue;
        sd_bus_flush(bus_);
        pollfd wait{sd_bus_get_fd(bus_), POLLIN, 0};
        ::poll(&wait, 1, 50);
      }
    });
  }
  ~Logind() {
    thread_ = {};
    sd_bus_close_unref(bus_);
  }

  std::atomic<int> locks = 0;
  std::atomic<bool> obeys = true;

 private:
  static int on_message(sd_bus_message* message, void* data, sd_bus_error*) {
    auto* self = static_cast<Logind*>(data);
    constexpr const char* kSession = "org.freedesktop.login1.Session";
    const char* path = sd_bus_message_get_path(message);
    if (path == nullptr || std::string(path) != "/org/freedesktop/login1/session/auto") return 0;
    if (sd_bus_message_is_method_call(message, kSession, "Lock") > 0) {
      ++self->locks;
      return sd_bus_reply_method_return(message, "");
    }
    if (sd_bus_message_is_method_call(message, kSession, "SetBrightness") > 0) {
      const char *kind = nullptr, *name = nullptr;
      std::uint32_t value = 0;
      sd_bus_message_read(message, "ssu", &kind, &name, &value);
      if (self->obeys) std::ofstream(self->light_ + "/" + kind + "/" + name + "/brightness") << value << "\n";
      return sd_bus_reply_method_return(message, "");
    }
    if (sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Properties", "Get") > 0) {
      return sd_bus_reply_method_return(message, "v", "b", static_cast<int>(self->locks > 0 && self->obeys));
    }
    return 0;
  }

  std::string light_;  // the kernel's folder of classes
  sd_bus* bus_ = nullptr;
  std::jthread thread_;
};

class SystemWithLogind : public ::testing::Test {
 protected:
  SystemWithLogind() {
    std::string form = "/tmp/hr-sys-XXXXXX";
    sys_ = ::mkdtemp(form.data());
    const std::string light = sys_ + "/class/backlight/panel0";
    std::filesystem::create_directories(light);
    std::ofstream(light + "/max_brightness") << 937 << "\n";
    std::ofstream(light + "/brightness") << 937 << "\n";
  }
  ~SystemWithLogind() override { std::filesystem::remove_all(sys_); }

  LinuxSystem system(bool embedded = false) {
    SystemParts parts;
    parts.session_bus = [this]() -> Result<std::string> { return session_.address(); };
    parts.system_bus = machine_.address();
    parts.embedded = embedded;
    parts.sys = sys_;
    return LinuxSystem(std::move(parts));
  }

  std::string sys_;
  TestBus session_, machine_;
};

TEST_F(SystemWithLogind, sets_the_brightness_and_reads_it_back) {
  Logind logind(machine_.address(), sys_ + "/class");
  LinuxSystem here = system();
  EXPECT_EQ(here.state(soon()).value().brightness, 100);
  EXPECT_EQ(here.set_brightness(40, engine::PermitMint::mint(), soon()).value(), 40);
  EXPECT_EQ(here.state(soon()).value().brightness, 40);
  EXPECT_EQ(here.set_brightness(0, engine::PermitMint::mint(), soon()).value(), 0) << "and yet not dark";
  std::string kept;
  std::getline(std::ifstream(sys_ + "/class/backlight/panel0/brightness") >> std::ws, kept);
  EXPECT_EQ(kept, "1");
  logind.obeys = false;
  EXPECT_EQ(here.set_brightness(80, engine::PermitMint::mint(), soon()).value(), 0) << "what is so, not what was asked";
}

TEST_F(SystemWithLogind, locks_the_screen_and_says_whether_it_is) {
  Logind logind(machine_.address(), sys_ + "/class");
  LinuxSystem here = system();
  EXPECT_EQ(here.state(soon()).value().locked, false);
  EXPECT_TRUE(here.lock(engine::PermitMint::mint(), soon()).value());
  EXPECT_EQ(logind.locks, 1);
  EXPECT_EQ(here.state(soon()).value().locked, true);
  logind.obeys = false;
  EXPECT_FALSE(here.lock(engine::PermitMint::mint(), soon()).value()) << "nobody has locked it";
  Capabilities capabilities;
  here.tell_lacks(capabilities);
  EXPECT_TRUE(capabilities[Capability::screen_lock].available);
  EXPECT_TRUE(capabilities[Capability::brightness].available);
}

TEST_F(SystemWithLogind, leaves_the_machine_of_an_embedded_desktop_alone) {
  Logind logind(machine_.address(), sys_ + "/class");
  LinuxSystem here = system(true);
  EXPECT_EQ(here.set_brightness(40, engine::PermitMint::mint(), soon()).error().code, Code::capability_unsupported);
  EXPECT_EQ(here.lock(engine::PermitMint::mint(), soon()).error().code, Code::capability_unsupported);
  EXPECT_EQ(logind.locks, 0);
  EXPECT_EQ(here.state(soon()).value().brightness, std::nullopt);
}

TEST_F(SystemWithLogind, says_that_there_is_none) {
  LinuxSystem here = system();
  const auto set = here.set_brightness(40, engine::PermitMint::mint(), soon());
  EXPECT_EQ(set.error().code, Code::capability_unsupported);
  EXPECT_NE(set.error().message.find("logind"), std::string::npos) << set.error().message;
}

}  // namespace
}  // namespace handrail::linux_
