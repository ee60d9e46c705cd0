// Input whose permit allows some clients only, and programs that try to get what is not theirs. Clients of a test are
// one process, so they are told apart by the ids of their windows.
#pragma once

#include <gtest/gtest.h>
#include <xcb/xtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "platform/x11/input.h"
#include "platform/x11/targets.h"
#include "support/test_permit.h"
#include "typing_fixture.h"

namespace handrail::testing {

inline std::uint32_t base_of(std::uint64_t id) { return static_cast<std::uint32_t>(id) & ~0x1fffffU; }

inline bool full_run() { return std::getenv("HANDRAIL_FULL") != nullptr; }

class GatedHand {
 public:
  explicit GatedHand(const std::string& display, x11::InputDelivery::Parts parts = {})
      : connection(std::make_shared<x11::Connection>([display]() -> Result<std::string> { return display; })),
        delivery(std::make_shared<x11::InputDelivery>(connection, std::move(parts))),
        input(connection, delivery),
        targets(connection, delivery, nullptr) {}

  // Only this client may get anything; `only_kinds` of events are judged when set.
  void allow(std::uint32_t client) { allowed_ = client; }
  // With the agent's own pointer and keyboard on that window.
  Result<InputReport> perform_beside(xcb_window_t window, std::vector<Step> steps, bool focus = false) {
    InputPlan plan{std::move(steps)};
    plan.seat = Seat{window, focus};
    return perform(plan, Millis(30000));
  }
  Result<InputReport> perform(std::vector<Step> steps, Millis budget = Millis(30000)) {
    return perform(InputPlan{std::move(steps)}, budget);
  }
  Result<InputReport> perform(const InputPlan& plan, Millis budget) {
    auto judge = [this](const InputEvent& event) -> Status {
      {
        const std::lock_guard lock(mutex_);
        events_.push_back(event);
      }
      if (event.kind == EventKind::move || event.kind == EventKind::release) return {};
      if (before_press && event.kind == EventKind::press) before_press();
      if (allowed_ == 0 || base_of(event.receiver.window) == allowed_) return {};
      return make_error(Code::gate_refused, "That app is not granted.");
    };
    return input.perform(plan, engine::PermitMint::mint(judge), Deadline::in(budget), {});
  }
  std::vector<InputEvent> events() const {
    const std::lock_guard lock(mutex_);
    return events_;
  }

  std::shared_ptr<x11::Connection> connection;
  std::shared_ptr<x11::InputDelivery> delivery;
  x11::X11Input input;
  x11::X11Targets targets;
  std::function<void()> before_press;

 private:
  std::atomic<std::uint32_t> allowed_ = 0;
  mutable std::mutex mutex_;
  std::vector<InputEvent> events_;
};

// A window without pixels or frame over everything that is there.
inline xcb_window_t overlay(XClient& client, const PixelRect& at, bool map) {
  const xcb_window_t window = xcb_generate_id(client.xcb());
  const std::uint32_t values[] = {
      1, XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE | XCB_EVENT_MASK_KEY_PRESS};
  xcb_create_window(client.xcb(), 0, window, client.root(), static_cast<std::int16_t>(at.x),
                    static_cast<std::int16_t>(at.y), static_cast<std::uint16_t>(at.width),
                    static_cast<std::uint16_t>(at.height), 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT,
                    XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values);
  if (map) xcb_map_window(client.xcb(), window);
  client.sync();
  return window;
}

// Maps and unmaps its window all the time, and counts what it gets.
class Flapper {
 public:
  Flapper(const std::string& display, const PixelRect& at, bool flaps = true) : client_(display), at_(at) {
    window_ = overlay(client_, at, !flaps);
    if (flaps) thread_ = std::thread([this] { run(); });
  }
  ~Flapper() { join(); }
  void join() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
  }
  void stop() {
    join();
    client_.sync();
    client_.wait([] { return true; });
    for (const xcb_generic_event_t& event : client_.log()) {
      const int type = event.response_type & 0x7f;
      const auto& button = reinterpret_cast<const xcb_button_press_event_t&>(event);
      if (type == XCB_BUTTON_PRESS) ++presses;
      if (type == XCB_BUTTON_RELEASE && button.event_x >= 0 && button.event_y >= 0 && button.event_x < at_.width &&
          button.event_y < at_.height) {
        ++complete;
      }
    }
  }
  int presses = 0;
  int complete = 0;

 private:
  void run() {
    std::mt19937 random(7);
    const auto nap = [&] { std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000)); };
    while (!stopping_) {
      xcb_map_window(client_.xcb(), window_);
      client_.sync();
      nap();
      xcb_unmap_window(client_.xcb(), window_);
      client_.sync();
      nap();
    }
  }
  XClient client_;
  PixelRect at_;
  xcb_window_t window_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace handrail::testing
