// A clipboard owner and a clipboard reader in plain X, for tests of the clipboard from outside.
//   clip_x11 own [--selection S] [--log FILE] MIME=TEXT | MIME=@FILE …   serves until another owns it
//     --again N    takes it back at once, N times, as clipboard managers do
//     --every MS   takes it back all the time
//   clip_x11 targets [--selection S]                                     one format a line
//   clip_x11 read [--selection S] MIME                                   the bytes, on standard output
// Contents beyond 256 KiB go in pieces (INCR), both ways.
#include <poll.h>
#include <xcb/xcb.h>

#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include "event_log.h"

namespace {

constexpr std::size_t kPiece = 256 * 1024;
constexpr int kPatienceMs = 20000;

template <class T>
using Owned = std::unique_ptr<T, decltype(&std::free)>;

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "clip_x11: %s\n", why.c_str());
  std::exit(1);
}

class Client {
 public:
  explicit Client(const std::string& selection) {
    x_ = xcb_connect(nullptr, nullptr);
    if (xcb_connection_has_error(x_) != 0) fail("no X server");
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(x_)).data;
    window_ = xcb_generate_id(x_);
    const std::uint32_t events = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_create_window(x_, 0, window_, screen->root, -10, -10, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, 0,
                      XCB_CW_EVENT_MASK, &events);
    selection_ = atom(selection);
  }

  xcb_atom_t atom(const std::string& name) {
    const Owned<xcb_intern_atom_reply_t> reply(
        xcb_intern_atom_reply(x_, xcb_intern_atom(x_, 0, static_cast<std::uint16_t>(name.size()), name.c_str()),
                              nullptr),
        std::free);
    if (!reply) fail("the X server is gone");
    return reply->atom;
  }

  std::string atom_name(xcb_atom_t value) {
    const Owned<xcb_get_atom_name_reply_t> reply(xcb_get_atom_name_reply(x_, xcb_get_atom_name(x_, value), nullptr),
                                                 std::free);
    if (!reply) return "?";
    return {xcb_get_atom_name_name(reply.get()), static_cast<std::size_t>(xcb_get_atom_name_name_length(reply.get()))};
  }

  // The selection converted to `format`.
  std::string convert(const std::string& format) {
    const xcb_atom_t property = atom("CLIP_X11");
    xcb_convert_selection(x_, window_, selection_, atom(format), property, XCB_CURRENT_TIME);
    xcb_flush(x_);
    for (;;) {
      const Owned<xcb_generic_event_t> event = wait_event();
      if ((event->response_type & 0x7fU) != XCB_SELECTION_NOTIFY) continue;
      const void* raw = event.get();
      if (static_cast<const xcb_selection_notify_event_t*>(raw)->property == XCB_ATOM_NONE) {
        fail("nobody offers " + format);
      }
      break;
    }
    xcb_atom_t type = 0;
    std::string content = take_property(property, type);
    if (type != atom("INCR")) return content;
    for (content.clear();;) {
      const Owned<xcb_generic_event_t> event = wait_event();
      const void* raw = event.get();
      const auto* change = static_cast<const xcb_property_notify_event_t*>(raw);
      if ((event->response_type & 0x7fU) != XCB_PROPERTY_NOTIFY || change->state != XCB_PROPERTY_NEW_VALUE) continue;
      const std::string piece = take_property(property, type);
      if (piece.empty()) return content;
      content += piece;
    }
  }

  std::vector<std::string> targets() {
    const std::string raw = convert("TARGETS");
    std::vector<std::string> names;
    for (std::size_t at = 0; at + 4 <= raw.size(); at += 4) {
      xcb_atom_t value = 0;
      std::memcpy(&value, raw.data() + at, 4);
      names.push_back(atom_name(value));
    }
    return names;
  }

  struct Stubborn {
    int again = 0;
    int every_ms = -1;
  };

  void serve(const std::map<std::string, std::string>& contents, fixture::EventLog& log, Stubborn stubborn) {
    for (const auto& [format, bytes] : contents) contents_[atom(format)] = bytes;
    xcb_set_selection_owner(x_, window_, selection_, XCB_CURRENT_TIME);
    const Owned<xcb_get_selection_owner_reply_t> owner(
        xcb_get_selection_owner_reply(x_, xcb_get_selection_owner(x_, selection_), nullptr), std::free);
    if (!owner || owner->owner != window_) fail("another client keeps the selection");
    log.write("owner");
    for (;;) {
      const Owned<xcb_generic_event_t> event(next_event(stubborn.every_ms), std::free);
      if (xcb_connection_has_error(x_) != 0) return;
      if (!event) {
        own();
        continue;
      }
      const void* raw = event.get();
      switch (event->response_type & 0x7fU) {
        case XCB_SELECTION_REQUEST: answer(*static_cast<const xcb_selection_request_event_t*>(raw), log); break;
        case XCB_PROPERTY_NOTIFY: continue_piece(*static_cast<const xcb_property_notify_event_t*>(raw)); break;
        case XCB_SELECTION_CLEAR:
          log.write("lost");
          if (stubborn.every_ms >= 0) break;
          if (stubborn.again-- <= 0) return;
          own();
          break;
        default: break;
      }
    }
  }

 private:
  struct Transfer {
    std::string bytes;
    std::size_t sent = 0;
    xcb_atom_t type = 0;
  };

  void own() {
    xcb_set_selection_owner(x_, window_, selection_, XCB_CURRENT_TIME);
    xcb_flush(x_);
  }

  // Nothing when the time is over, which never is when it is negative.
  xcb_generic_event_t* next_event(int ms) {
    for (;;) {
      if (xcb_generic_event_t* event = xcb_poll_for_event(x_)) return event;
      if (xcb_connection_has_error(x_) != 0) return nullptr;
      pollfd ready{xcb_get_file_descriptor(x_), POLLIN, 0};
      if (poll(&ready, 1, ms) == 0) return nullptr;
    }
  }

  Owned<xcb_generic_event_t> wait_event() {
    for (;;) {
      if (xcb_generic_event_t* event = xcb_poll_for_event(x_)) return {event, std::free};
      pollfd ready{xcb_get_file_descriptor(x_), POLLIN, 0};
      if (xcb_connection_has_error(x_) != 0 || poll(&ready, 1, kPatienceMs) <= 0) fail("the owner does not answer");
    }
  }

  std::string take_property(xcb_atom_t property, xcb_atom_t& type) {
    const Owned<xcb_get_property_reply_t> reply(
        xcb_get_property_reply(x_, xcb_get_property(x_, 1, window_, property, XCB_ATOM_ANY, 0, 0x1fffffff), nullptr),
        std::free);
    if (!reply) fail("the X server is gone");
    type = reply->type;
    return {static_cast<const char*>(xcb_get_property_value(reply.get())),
            static_cast<std::size_t>(xcb_get_property_value_length(reply.get()))};
  }

  void set_property(xcb_window_t window, xcb_atom_t property, xcb_atom_t type, std::uint8_t format, const void* data,
                    std::size_t items) {
    xcb_change_property(x_, XCB_PROP_MODE_REPLACE, window, property, type, format, static_cast<std::uint32_t>(items),
                        data);
  }

  void answer(const xcb_selection_request_event_t& request, fixture::EventLog& log) {
    log.write("request", {{"target", atom_name(request.target)}});
    const xcb_atom_t property = request.property == XCB_ATOM_NONE ? request.target : request.property;
    xcb_selection_notify_event_t notify{};
    notify.response_type = XCB_SELECTION_NOTIFY;
    notify.time = request.time;
    notify.requestor = request.requestor;
    notify.selection = request.selection;
    notify.target = request.target;
    notify.property = property;
    const auto found = contents_.find(request.target);
    if (request.target == atom("TARGETS")) {
      std::vector<xcb_atom_t> offered{atom("TARGETS")};
      for (const auto& [format, bytes] : contents_) offered.push_back(format);
      set_property(request.requestor, property, XCB_ATOM_ATOM, 32, offered.data(), offered.size());
    } else if (found == contents_.end()) {
      notify.property = XCB_ATOM_NONE;
    } else if (found->second.size() > kPiece) {
      const std::uint32_t events = XCB_EVENT_MASK_PROPERTY_CHANGE;
      xcb_change_window_attributes(x_, request.requestor, XCB_CW_EVENT_MASK, &events);
      const auto size = static_cast<std::uint32_t>(found->second.size());
      set_property(request.requestor, property, atom("INCR"), 32, &size, 1);
      transfers_[{request.requestor, property}] = {found->second, 0, request.target};
    } else {
      set_property(request.requestor, property, request.target, 8, found->second.data(), found->second.size());
    }
    const void* raw = &notify;
    xcb_send_event(x_, 0, request.requestor, 0, static_cast<const char*>(raw));
    xcb_flush(x_);
  }

  // The reader deleted the last piece, so it wants the next; an empty one ends the transfer.
  void continue_piece(const xcb_property_notify_event_t& change) {
    const auto found = transfers_.find({change.window, change.atom});
    if (found == transfers_.end() || change.state != XCB_PROPERTY_DELETE) return;
    Transfer& transfer = found->second;
    const std::size_t size = std::min(kPiece, transfer.bytes.size() - transfer.sent);
    set_property(change.window, change.atom, transfer.type, 8, transfer.bytes.data() + transfer.sent, size);
    transfer.sent += size;
    if (size == 0) transfers_.erase(found);
    xcb_flush(x_);
  }

  xcb_connection_t* x_ = nullptr;
  xcb_window_t window_ = 0;
  xcb_atom_t selection_ = 0;
  std::map<xcb_atom_t, std::string> contents_;
  std::map<std::pair<xcb_window_t, xcb_atom_t>, Transfer> transfers_;
};

std::string content_of(const std::string& text) {
  if (text.empty() || text[0] != '@') return text;
  std::ifstream file(text.substr(1), std::ios::binary);
  if (!file) fail("cannot read " + text.substr(1));
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

}  // namespace

int main(int argc, char** argv) {
  std::string selection = "CLIPBOARD", log_path;
  std::vector<std::string> words;
  Client::Stubborn stubborn;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--selection" && i + 1 < argc) {
      selection = argv[++i];
    } else if (word == "--log" && i + 1 < argc) {
      log_path = argv[++i];
    } else if (word == "--again" && i + 1 < argc) {
      stubborn.again = std::atoi(argv[++i]);
    } else if (word == "--every" && i + 1 < argc) {
      stubborn.every_ms = std::atoi(argv[++i]);
    } else {
      words.push_back(word);
    }
  }
  if (words.empty()) fail("say own, targets or read");
  Client client(selection);
  if (words[0] == "targets") {
    for (const std::string& name : client.targets()) std::puts(name.c_str());
  } else if (words[0] == "read" && words.size() == 2) {
    const std::string content = client.convert(words[1]);
    std::fwrite(content.data(), 1, content.size(), stdout);
  } else if (words[0] == "own" && words.size() > 1) {
    std::map<std::string, std::string> contents;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::size_t equals =
          words[i].rfind('=', words[i].find('@') == std::string::npos ? std::string::npos : words[i].find('@'));
      if (equals == std::string::npos) fail("own wants MIME=TEXT or MIME=@FILE");
      contents[words[i].substr(0, equals)] = content_of(words[i].substr(equals + 1));
    }
    fixture::EventLog log;
    log.open(log_path);
    client.serve(contents, log, stubborn);
  } else {
    fail("say own MIME=TEXT…, targets, or read MIME");
  }
  return 0;
}
