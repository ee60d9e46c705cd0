// Tells which client received each input event, whoever sent it: RECORD on a connection of its own, the client's
// process by XRes. One JSON line an event on the log. A line `fence N` on standard input comes back as an event of
// its own through the same stream, so that everything delivered before it has been told. Ends with its input.
#include <xcb/record.h>
#include <xcb/res.h>
#include <xcb/xcb.h>

#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <span>
#include <thread>

#include "event_log.h"

namespace {

template <class T>
using Owned = std::unique_ptr<T, decltype(&std::free)>;

constexpr std::uint8_t kGenericEvent = 35;
constexpr std::size_t kEventSize = 32;
constexpr std::uint8_t kFromServer = 0, kClientStarted = 2, kStartOfData = 4;

// Names of core events and of XInput2 events, which deliver the same things under other numbers.
const char* core_name(std::uint8_t type) {
  switch (type) {
    case XCB_KEY_PRESS: return "key";
    case XCB_KEY_RELEASE: return "key_release";
    case XCB_BUTTON_PRESS: return "press";
    case XCB_BUTTON_RELEASE: return "release";
    case XCB_MOTION_NOTIFY: return "motion";
    case XCB_ENTER_NOTIFY: return "enter";
    case XCB_LEAVE_NOTIFY: return "leave";
    default: return nullptr;
  }
}

const char* xi_name(std::uint16_t type) {
  switch (type) {
    case 2: return "key";
    case 3: return "key_release";
    case 4: return "press";
    case 5: return "release";
    case 6: return "motion";
    case 7: return "enter";
    case 8: return "leave";
    default: return nullptr;  // raw events are nobody's target
  }
}

template <class T>
T read(std::span<const std::uint8_t> bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

class Watch {
 public:
  Watch(xcb_connection_t* control, xcb_connection_t* data) : control_(control), data_(data) {
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(control)).data;
    window_ = xcb_generate_id(control);
    xcb_create_window(control, 0, window_, screen->root, -10, -10, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, 0, 0, nullptr);
    const Owned<xcb_record_query_version_reply_t> version(
        xcb_record_query_version_reply(control, xcb_record_query_version(control, 1, 13), nullptr), std::free);
    if (!version) fail("no RECORD extension");
  }

  void open(const std::string& path) { log_.open(path); }

  // Tells events until the server is gone.
  void run() {
    const xcb_record_context_t context = xcb_generate_id(control_);
    xcb_record_range_t range{};
    range.delivered_events = {XCB_KEY_PRESS, kGenericEvent};
    range.client_started = 1;
    const xcb_record_client_spec_t everyone = XCB_RECORD_CS_ALL_CLIENTS;
    xcb_record_create_context(control_, context, 0, 1, 1, &everyone, &range);
    // The server must know the context before the other connection enables it.
    const Owned<xcb_get_input_focus_reply_t> known(
        xcb_get_input_focus_reply(control_, xcb_get_input_focus(control_), nullptr), std::free);
    const auto cookie = xcb_record_enable_context(data_, context);
    for (;;) {
      const Owned<xcb_record_enable_context_reply_t> reply(xcb_record_enable_context_reply(data_, cookie, nullptr),
                                                           std::free);
      if (!reply) fail("the X server is gone");
      if (reply->category == kStartOfData)
        log_.write("ready", {{"pid", std::int64_t{getpid()}}, {"window", std::int64_t{window_}}});
      if (reply->category == kClientStarted) owners_.erase(reply->xid_base);
      if (reply->category != kFromServer) continue;
      take({xcb_record_enable_context_data(reply.get()),
            static_cast<std::size_t>(xcb_record_enable_context_data_length(reply.get()))},
           reply->xid_base);
    }
  }

  // Called on another thread than run.
  void fence(std::uint32_t number) {
    xcb_client_message_event_t event{};
    event.response_type = XCB_CLIENT_MESSAGE;
    event.format = 32;
    event.window = window_;
    event.type = XCB_ATOM_INTEGER;
    event.data.data32[0] = number;
    const void* raw = &event;
    xcb_send_event(control_, 0, window_, 0, static_cast<const char*>(raw));
    xcb_flush(control_);
  }

  [[noreturn]] static void fail(const char* why) {
    std::fprintf(stderr, "watch_events: %s\n", why);
    std::_Exit(1);
  }

 private:
  std::int64_t owner(std::uint32_t client) {
    if (const auto known = owners_.find(client); known != owners_.end()) return known->second;
    const xcb_res_client_id_spec_t spec{client, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID};
    const Owned<xcb_res_query_client_ids_reply_t> reply(
        xcb_res_query_client_ids_reply(control_, xcb_res_query_client_ids(control_, 1, &spec), nullptr), std::free);
    std::int64_t pid = 0;
    if (reply) {
      for (auto it = xcb_res_query_client_ids_ids_iterator(reply.get()); it.rem > 0;
           xcb_res_client_id_value_next(&it)) {
        if (xcb_res_client_id_value_value_length(it.data) > 0) pid = *xcb_res_client_id_value_value(it.data);
      }
    }
    if (pid != 0) owners_[client] = pid;
    return pid;
  }

  // Events one after the other. RECORD cuts each to 32 bytes, generic ones too.
  void take(std::span<const std::uint8_t> data, std::uint32_t client) {
    for (; data.size() >= kEventSize; data = data.subspan(kEventSize)) tell(data.first(kEventSize), client);
  }

  void tell(std::span<const std::uint8_t> event, std::uint32_t client) {
    const auto type = static_cast<std::uint8_t>(event[0] & 0x7fU);
    if (type == XCB_CLIENT_MESSAGE && read<std::uint32_t>(event, 4) == window_) {
      log_.write("fence", {{"number", std::int64_t{read<std::uint32_t>(event, 12)}}});
      return;
    }
    const bool xi = type == kGenericEvent;
    const char* name = xi ? xi_name(read<std::uint16_t>(event, 8)) : core_name(type);
    if (!name) return;
    const auto detail = xi ? std::int64_t{read<std::uint32_t>(event, 16)} : std::int64_t{event[1]};
    // Where it was is beyond the cut of a generic event.
    const std::int64_t x = xi ? -1 : read<std::int16_t>(event, 20);
    const std::int64_t y = xi ? -1 : read<std::int16_t>(event, 22);
    log_.write(name, {{"pid", owner(client)},
                      {"client", std::int64_t{client}},
                      {"window", std::int64_t{read<std::uint32_t>(event, xi ? 24 : 12)}},
                      {"detail", detail},
                      {"time", std::int64_t{read<std::uint32_t>(event, xi ? 12 : 4)}},
                      {"root_x", x},
                      {"root_y", y},
                      {"xi", xi},
                      {"sent", (event[0] & 0x80U) != 0}});
  }

  xcb_connection_t* control_;
  xcb_connection_t* data_;
  xcb_window_t window_ = 0;
  fixture::EventLog log_;
  std::map<std::uint32_t, std::int64_t> owners_;
};

}  // namespace

int main(int argc, char** argv) {
  xcb_connection_t* control = xcb_connect(nullptr, nullptr);
  xcb_connection_t* data = xcb_connect(nullptr, nullptr);
  if (xcb_connection_has_error(control) != 0 || xcb_connection_has_error(data) != 0) Watch::fail("no X server");
  Watch watch(control, data);
  watch.open(argc == 3 && std::strcmp(argv[1], "--log") == 0 ? argv[2] : "");
  std::thread([&watch] { watch.run(); }).detach();
  for (std::string word; std::cin >> word;) {
    std::uint32_t number = 0;
    if (word == "fence" && std::cin >> number) watch.fence(number);
  }
  std::_Exit(0);
}
