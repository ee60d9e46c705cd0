#include "platform/x11/restore_windows.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <span>

namespace handrail::x11 {
namespace {

constexpr std::uint32_t kMagic = 0x31575248;  // "HRW1"
constexpr std::uint32_t kFromPager = 2;
constexpr std::size_t kMostWindows = 4096;
// A busy window manager may take a while; one that is gone costs this much.
constexpr Millis kManagerPatience{800};
constexpr std::string_view kRecordName = "_HANDRAIL_HIDDEN_WINDOWS";

struct Free {
  void operator()(void* p) const { std::free(p); }
};
template <class T>
std::unique_ptr<T, Free> owned(T* p) {
  return std::unique_ptr<T, Free>(p);
}

xcb_atom_t atom(xcb_connection_t* xcb, std::string_view name) {
  const auto reply = owned(xcb_intern_atom_reply(
      xcb, xcb_intern_atom(xcb, 0, static_cast<std::uint16_t>(name.size()), name.data()), nullptr));
  return reply ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
}

std::vector<std::uint32_t> words(xcb_connection_t* xcb, xcb_window_t window, xcb_atom_t name) {
  const auto reply = owned(
      xcb_get_property_reply(xcb, xcb_get_property(xcb, 0, window, name, XCB_ATOM_ANY, 0, 3 * kMostWindows), nullptr));
  if (!reply || reply->format != 32) return {};
  const auto* first = static_cast<const std::uint32_t*>(xcb_get_property_value(reply.get()));
  return {first, first + xcb_get_property_value_length(reply.get()) / 4};
}

// One run on one connection.
class Restoring {
 public:
  Restoring(xcb_connection_t* xcb, xcb_window_t root, Deadline deadline) : xcb_(xcb), root_(root), deadline_(deadline) {
    restack_ = atom(xcb, "_NET_RESTACK_WINDOW");
    active_ = atom(xcb, "_NET_ACTIVE_WINDOW");
    supported_ = atom(xcb, "_NET_SUPPORTED");
    // The property outlives a window manager that crashed; its own window, which names itself, does not.
    const xcb_atom_t check = atom(xcb, "_NET_SUPPORTING_WM_CHECK");
    const auto manager = words(xcb, root, check);
    managed_ = !manager.empty() && words(xcb, manager[0], check) == manager;
    const auto known = words(xcb, root, supported_);
    restacks_ = std::find(known.begin(), known.end(), restack_) != known.end();
    ask_frame_ = atom(xcb, "_NET_REQUEST_FRAME_EXTENTS");
    answers_ = std::find(known.begin(), known.end(), ask_frame_) != known.end();
  }

  // Whether every window that was hidden shows again.
  bool run(const HiddenWindows& record) {
    std::vector<xcb_window_t> all;
    for (const HiddenWindow& entry : record.windows) {
      if (exists(entry.window)) all.push_back(entry.window);
    }
    watch(all);
    // A window that is still to be minimised by what was asked before would not stay.
    if (managed_ && answers_) await_manager();
    const bool shown = show(record, all);
    put_in_order(record, std::move(all));
    return shown;
  }

 private:
  void put_in_order(const HiddenWindows& record, std::vector<xcb_window_t> all) {
    // Window managers raise what they activate, so the stack comes after it.
    if (record.active != XCB_NONE && viewable(record.active)) focus(record.active);
    std::erase_if(all, [this](xcb_window_t window) { return !viewable(window); });
    if (in_order(all)) return;
    restack(all);
    if (!wait([&] { return in_order(all); }, Millis(300)) && managed_) {
      for (const xcb_window_t window : all) raise(window);
      wait([&] { return in_order(all); }, Millis(300));
    }
    if (record.active != XCB_NONE && viewable(record.active) && !focused(record.active)) focus(record.active);
  }

  bool exists(xcb_window_t window) {
    return owned(xcb_get_window_attributes_reply(xcb_, xcb_get_window_attributes(xcb_, window), nullptr)) != nullptr;
  }
  bool viewable(xcb_window_t window) {
    const auto reply = owned(xcb_get_window_attributes_reply(xcb_, xcb_get_window_attributes(xcb_, window), nullptr));
    return reply && reply->map_state == XCB_MAP_STATE_VIEWABLE;
  }
  void watch(const std::vector<xcb_window_t>& windows) {
    const std::uint32_t of_root = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE;
    const std::uint32_t of_window = XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_FOCUS_CHANGE;
    xcb_change_window_attributes(xcb_, root_, XCB_CW_EVENT_MASK, &of_root);
    for (const xcb_window_t window : windows) {
      xcb_change_window_attributes(xcb_, window, XCB_CW_EVENT_MASK, &of_window);
    }
  }

  // What the window manager was told before has been done when it answers this.
  void await_manager() {
    const xcb_window_t asking = xcb_generate_id(xcb_);
    xcb_create_window(xcb_, 0, asking, root_, -10, -10, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, 0,
                      nullptr);
    const xcb_atom_t answer = atom(xcb_, "_NET_FRAME_EXTENTS");
    tell_manager(asking, ask_frame_, {});
    wait([&] { return !words(xcb_, asking, answer).empty(); }, kManagerPatience);
    xcb_destroy_window(xcb_, asking);
  }

  bool show(const HiddenWindows& record, const std::vector<xcb_window_t>& all) {
    std::vector<xcb_window_t> hidden;
    for (const HiddenWindow& entry : record.windows) {
      const bool here = std::find(all.begin(), all.end(), entry.window) != all.end();
      if (entry.hidden && here && !viewable(entry.window)) hidden.push_back(entry.window);
    }
    for (const xcb_window_t window : hidden) xcb_map_window(xcb_, window);
    return wait(
        [&] {
          return std::all_of(hidden.begin(), hidden.end(),
                             [this](xcb_window_t window) { return viewable(window) || !exists(window); });
        },
        kManagerPatience);
  }

  void tell_manager(xcb_window_t window, xcb_atom_t type, const std::array<std::uint32_t, 5>& data) {
    xcb_client_message_event_t message{};
    message.response_type = XCB_CLIENT_MESSAGE;
    message.format = 32;
    message.window = window;
    message.type = type;
    std::copy(data.begin(), data.end(), message.data.data32);
    xcb_send_event(xcb_, 0, root_, XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY,
                   reinterpret_cast<const char*>(&message));
  }

  void focus(xcb_window_t window) {
    if (managed_) {
      tell_manager(window, active_, {kFromPager, XCB_CURRENT_TIME, 0, 0, 0});
    } else {
      xcb_set_input_focus(xcb_, XCB_INPUT_FOCUS_POINTER_ROOT, window, XCB_CURRENT_TIME);
    }
    wait([&] { return focused(window); }, Millis(300));
  }
  // By the server's word; the focus may be in a child of the window.
  bool focused(xcb_window_t window) {
    const auto reply = owned(xcb_get_input_focus_reply(xcb_, xcb_get_input_focus(xcb_), nullptr));
    xcb_window_t at = reply ? reply->focus : xcb_window_t{XCB_NONE};
    while (at != XCB_NONE && at != XCB_INPUT_FOCUS_POINTER_ROOT && at != root_) {
      if (at == window) return true;
      at = parent(at);
    }
    return false;
  }
  xcb_window_t parent(xcb_window_t window) {
    const auto reply = owned(xcb_query_tree_reply(xcb_, xcb_query_tree(xcb_, window), nullptr));
    return reply ? reply->parent : xcb_window_t{XCB_NONE};
  }

  void raise(xcb_window_t window) {
    const std::uint32_t above = XCB_STACK_MODE_ABOVE;
    xcb_configure_window(xcb_, window, XCB_CONFIG_WINDOW_STACK_MODE, &above);
  }
  void restack(const std::vector<xcb_window_t>& bottom_to_top) {
    xcb_window_t below = XCB_NONE;
    for (const xcb_window_t window : bottom_to_top) {
      if (managed_ && restacks_) {
        const std::uint32_t mode = below == XCB_NONE ? XCB_STACK_MODE_BELOW : XCB_STACK_MODE_ABOVE;
        tell_manager(window, restack_, {kFromPager, below, mode, 0, 0});
      } else if (below != XCB_NONE && !managed_) {
        const std::uint32_t values[] = {below, XCB_STACK_MODE_ABOVE};
        xcb_configure_window(xcb_, window, XCB_CONFIG_WINDOW_SIBLING | XCB_CONFIG_WINDOW_STACK_MODE, values);
      } else if (managed_) {
        raise(window);
      }
      below = window;
    }
  }
  // Whether the windows stand in this order, by the tree, whatever the window manager's list says.
  bool in_order(const std::vector<xcb_window_t>& bottom_to_top) {
    const auto tree = owned(xcb_query_tree_reply(xcb_, xcb_query_tree(xcb_, root_), nullptr));
    if (!tree) return false;
    const std::span children(xcb_query_tree_children(tree.get()),
                             static_cast<std::size_t>(xcb_query_tree_children_length(tree.get())));
    auto from = children.begin();
    for (xcb_window_t window : bottom_to_top) {
      for (xcb_window_t up = parent(window); up != root_ && up != XCB_NONE; up = parent(up)) window = up;
      from = std::find(from, children.end(), window);
      if (from == children.end()) return false;
    }
    return true;
  }

  // Looks again after every event, and now and then, as not every change comes with one.
  bool wait(const std::function<bool()>& done, Millis patience) {
    const Deadline end = deadline_.within(patience);
    xcb_flush(xcb_);
    while (true) {
      while (owned(xcb_poll_for_event(xcb_))) {
      }
      if (done()) return true;
      if (end.passed() || xcb_connection_has_error(xcb_) != 0) return false;
      bool more = false;
      while (owned(xcb_poll_for_queued_event(xcb_))) more = true;
      if (more) continue;
      pollfd source{xcb_get_file_descriptor(xcb_), POLLIN, 0};
      ::poll(&source, 1, static_cast<int>(std::min(end.left(), Millis(20)).count()));
    }
  }

  xcb_connection_t* xcb_;
  xcb_window_t root_;
  Deadline deadline_;
  xcb_atom_t restack_ = XCB_ATOM_NONE, active_ = XCB_ATOM_NONE, supported_ = XCB_ATOM_NONE;
  bool managed_ = false;
  bool restacks_ = false;
  xcb_atom_t ask_frame_ = XCB_ATOM_NONE;
  bool answers_ = false;
};

}  // namespace

std::string encode(const HiddenWindows& hidden) {
  std::vector<std::uint32_t> out{kMagic, hidden.active, static_cast<std::uint32_t>(hidden.windows.size())};
  for (const HiddenWindow& entry : hidden.windows) {
    out.push_back(entry.window);
    out.push_back(entry.hidden ? 1 : 0);
  }
  std::string bytes(out.size() * 4, '\0');
  std::memcpy(bytes.data(), out.data(), bytes.size());
  return bytes;
}

std::optional<HiddenWindows> decode_hidden_windows(std::string_view record) {
  if (record.size() < 12 || record.size() % 4 != 0) return std::nullopt;
  std::vector<std::uint32_t> in(record.size() / 4);
  std::memcpy(in.data(), record.data(), record.size());
  if (in[0] != kMagic || in[2] > kMostWindows || in.size() != 3 + 2 * std::size_t{in[2]}) return std::nullopt;
  HiddenWindows hidden{in[1], {}};
  for (std::size_t i = 3; i < in.size(); i += 2) hidden.windows.push_back({in[i], in[i + 1] != 0});
  return hidden;
}

Status restore_windows(xcb_connection_t* xcb, xcb_window_t root, std::string_view record, Millis patience) {
  if (!record.empty()) {
    const auto hidden = decode_hidden_windows(record);
    if (!hidden) return make_error(Code::protocol, "The record of hidden windows is damaged.");
    if (!Restoring(xcb, root, Deadline::in(patience)).run(*hidden) && xcb_connection_has_error(xcb) == 0) {
      return make_error(Code::timeout, "The window manager did not show every window again that was hidden.");
    }
    record_windows(xcb, root, {});
  }
  if (xcb_connection_has_error(xcb) != 0) {
    return make_error(Code::backend_lost, "The X server went away while hidden windows were put back.");
  }
  return {};
}

std::string recorded_windows(xcb_connection_t* xcb, xcb_window_t root) {
  const auto found = words(xcb, root, atom(xcb, kRecordName));
  std::string bytes(found.size() * 4, '\0');
  if (!found.empty()) std::memcpy(bytes.data(), found.data(), bytes.size());
  return bytes;
}

bool record_windows(xcb_connection_t* xcb, xcb_window_t root, std::string_view record) {
  const xcb_atom_t name = atom(xcb, kRecordName);
  const auto sent = record.empty()
                        ? xcb_delete_property_checked(xcb, root, name)
                        : xcb_change_property_checked(xcb, XCB_PROP_MODE_REPLACE, root, name, XCB_ATOM_CARDINAL, 32,
                                                      static_cast<std::uint32_t>(record.size() / 4), record.data());
  return owned(xcb_request_check(xcb, sent)) == nullptr && xcb_connection_has_error(xcb) == 0;
}

}  // namespace handrail::x11
