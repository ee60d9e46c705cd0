#include "support/x_server.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>

#include "support/exec_block.h"

namespace handrail::testing {
namespace {

using Clock = std::chrono::steady_clock;

template <class T>
std::unique_ptr<T, void (*)(void*)> owned(T* p) {
  return {p, std::free};
}

// `keep` is a descriptor that the child inherits; `output` becomes its stdout.
pid_t spawn(const std::vector<std::string>& arguments, const std::string& display, int keep, int output = -1) {
  std::map<std::string, std::string> changes;
  if (!display.empty()) changes["DISPLAY"] = display;
  const ExecBlock program(arguments, changes);
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, 0);
  ::dup2(output >= 0 ? output : null, 1);
  ::dup2(null, 2);
  if (keep >= 0) ::fcntl(keep, F_SETFD, 0);
  program.run();
}

void end(pid_t& pid) {
  if (pid <= 0) return;
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  pid = -1;
}

std::string read_line(int fd, std::chrono::milliseconds patience) {
  std::string line;
  const auto end = Clock::now() + patience;
  while (line.empty() || line.back() != '\n') {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd source{fd, POLLIN, 0};
    if (left <= 0 || ::poll(&source, 1, static_cast<int>(left)) <= 0) return {};
    char c = 0;
    if (::read(fd, &c, 1) != 1) return {};
    line += c;
  }
  return line;
}

}  // namespace

XServer::XServer(XServerOptions options) : options_(std::move(options)) { start(); }

XServer::~XServer() {
  kill();
  // A killed server leaves these behind.
  ::unlink(("/tmp/.X11-unix/X" + std::to_string(number_)).c_str());
  ::unlink(("/tmp/.X" + std::to_string(number_) + "-lock").c_str());
}

void XServer::kill() {
  end(window_manager_);
  end(server_);
}

void XServer::start() {
  const bool again = number_ >= 0;
  // A number of our own choice: the lowest free one could be taken by another test during a restart.
  std::random_device dice;
  bool up = false;
  for (int attempt = 0; attempt < 20 && !up; ++attempt) {
    if (!again) number_ = 1000 + static_cast<int>(dice() % 8000);
    up = start_server();
  }
  if (!up) throw std::runtime_error("Xvfb did not start; is the package xvfb installed?");
  if (options_.window_manager) start_window_manager();
}

bool XServer::start_server() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  const Size& screen = options_.screen;
  std::vector<std::string> arguments{"Xvfb",
                                     name(),
                                     "-displayfd",
                                     std::to_string(ends[1]),
                                     "-screen",
                                     "0",
                                     std::to_string(screen.width) + "x" + std::to_string(screen.height) + "x24",
                                     "-nolisten",
                                     "tcp",
                                     "-noreset"};
  arguments.insert(arguments.end(), options_.arguments.begin(), options_.arguments.end());
  server_ = spawn(arguments, "", ends[1]);
  ::close(ends[1]);
  // Ends without a line when the server ends.
  const std::string line = read_line(ends[0], std::chrono::seconds(20));
  ::close(ends[0]);
  if (line.empty()) end(server_);
  return !line.empty();
}

void XServer::start_window_manager() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  // Openbox announces itself by properties before it takes care of windows; one that is mapped in
  // between is never shown. Its start-up command runs after that.
  window_manager_ = spawn({"openbox", "--sm-disable", "--startup", "echo ready"}, name(), -1, ends[1]);
  ::close(ends[1]);
  std::string line;
  do {
    line = read_line(ends[0], std::chrono::seconds(20));
  } while (!line.empty() && line != "ready\n");
  window_manager_output_ = Fd(ends[0]);  // open while it runs: a message to nobody would kill it
  if (line.empty()) throw std::runtime_error("openbox did not start; is the package openbox installed?");
}

void XServer::freeze() { ::kill(server_, SIGSTOP); }

void XServer::thaw() { ::kill(server_, SIGCONT); }

XClient::XClient(const std::string& display) : xcb_(xcb_connect(display.c_str(), nullptr)) {
  if (xcb_connection_has_error(xcb_) != 0) throw std::runtime_error("cannot connect to " + display);
  screen_ = xcb_setup_roots_iterator(xcb_get_setup(xcb_)).data;
}

XClient::~XClient() { xcb_disconnect(xcb_); }

xcb_window_t XClient::open(const TestWindow& window) {
  const xcb_window_t id = xcb_generate_id(xcb_);
  const std::uint32_t values[] = {window.colour, window.override_redirect ? 1U : 0U,
                                  XCB_EVENT_MASK_EXPOSURE | XCB_EVENT_MASK_STRUCTURE_NOTIFY |
                                      XCB_EVENT_MASK_FOCUS_CHANGE | XCB_EVENT_MASK_KEY_PRESS |
                                      XCB_EVENT_MASK_KEY_RELEASE | XCB_EVENT_MASK_BUTTON_PRESS |
                                      XCB_EVENT_MASK_BUTTON_RELEASE | XCB_EVENT_MASK_POINTER_MOTION};
  const PixelRect& at = window.place;
  xcb_create_window(xcb_, XCB_COPY_FROM_PARENT, id, root(), static_cast<std::int16_t>(at.x),
                    static_cast<std::int16_t>(at.y), static_cast<std::uint16_t>(at.width),
                    static_cast<std::uint16_t>(at.height), 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
                    XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values);
  xcb_change_property(xcb_, XCB_PROP_MODE_REPLACE, id, atom("_NET_WM_NAME"), atom("UTF8_STRING"), 8,
                      static_cast<std::uint32_t>(window.title.size()), window.title.data());
  const char app[] = "test\0Test";
  xcb_change_property(xcb_, XCB_PROP_MODE_REPLACE, id, XCB_ATOM_WM_CLASS, XCB_ATOM_STRING, 8, sizeof app, app);
  const xcb_atom_t close = atom("WM_DELETE_WINDOW");
  xcb_change_property(xcb_, XCB_PROP_MODE_REPLACE, id, atom("WM_PROTOCOLS"), XCB_ATOM_ATOM, 32, 1, &close);
  // USPosition, and a window gravity that keeps the asked place for the frame.
  const std::uint32_t hints[18] = {1};
  xcb_change_property(xcb_, XCB_PROP_MODE_REPLACE, id, XCB_ATOM_WM_NORMAL_HINTS, XCB_ATOM_WM_SIZE_HINTS, 32, 18, hints);
  xcb_map_window(xcb_, id);
  xcb_flush(xcb_);
  bool exposed = false;
  std::size_t read = 0;
  exposed = wait([&] {
    for (; read < log_.size(); ++read) {
      xcb_expose_event_t event;
      std::memcpy(&event, &log_[read], sizeof event);
      if ((event.response_type & 0x7f) == XCB_EXPOSE && event.window == id) return true;
    }
    return false;
  });
  if (!exposed) throw std::runtime_error("the test window was not shown");
  sync();
  return id;
}

void XClient::fill(xcb_window_t window, std::uint32_t colour) {
  xcb_change_window_attributes(xcb_, window, XCB_CW_BACK_PIXEL, &colour);
  xcb_clear_area(xcb_, 0, window, 0, 0, 0, 0);
  sync();
}

void XClient::sync() { owned(xcb_get_input_focus_reply(xcb_, xcb_get_input_focus(xcb_), nullptr)); }

xcb_atom_t XClient::atom(const std::string& name) {
  const auto reply = owned(xcb_intern_atom_reply(
      xcb_, xcb_intern_atom(xcb_, 0, static_cast<std::uint16_t>(name.size()), name.data()), nullptr));
  return reply ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
}

void XClient::set_cardinal(xcb_window_t window, const std::string& property, std::uint32_t value) {
  xcb_change_property(xcb_, XCB_PROP_MODE_REPLACE, window, atom(property), XCB_ATOM_CARDINAL, 32, 1, &value);
  sync();
}

void XClient::grab_server() {
  xcb_grab_server(xcb_);
  sync();
}

void XClient::ungrab_server() {
  xcb_ungrab_server(xcb_);
  sync();
}

void XClient::take(const xcb_generic_event_t& event) {
  log_.push_back(event);
  if ((event.response_type & 0x7f) != XCB_CLIENT_MESSAGE || !obey_close_) return;
  xcb_client_message_event_t message;
  std::memcpy(&message, &event, sizeof message);
  if (message.data.data32[0] == atom("WM_DELETE_WINDOW")) {
    xcb_destroy_window(xcb_, message.window);
    xcb_flush(xcb_);
  }
}

bool XClient::wait(const std::function<bool()>& done, std::chrono::milliseconds patience) {
  const auto end = Clock::now() + patience;
  while (true) {
    while (const auto event = owned(xcb_poll_for_event(xcb_))) take(*event);
    if (done()) return true;
    // done() may have read events together with its replies.
    bool more = false;
    while (const auto event = owned(xcb_poll_for_queued_event(xcb_))) {
      take(*event);
      more = true;
    }
    if (more) continue;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd source{xcb_get_file_descriptor(xcb_), POLLIN, 0};
    if (left <= 0 || ::poll(&source, 1, static_cast<int>(left)) <= 0) return false;
  }
}

void XClient::nudge() {
  xcb_client_message_event_t event{};
  event.response_type = XCB_CLIENT_MESSAGE;
  event.format = 32;
  // To a window that selects nothing, without a mask: to the client that made it.
  const xcb_window_t own = xcb_generate_id(xcb_);
  xcb_create_window(xcb_, 0, own, root(), 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, nullptr);
  event.window = own;
  xcb_send_event(xcb_, 0, own, 0, reinterpret_cast<const char*>(&event));
  xcb_destroy_window(xcb_, own);
  xcb_flush(xcb_);
}

int XClient::count(int type) const {
  int n = 0;
  for (const auto& event : log_) n += (event.response_type & 0x7f) == type ? 1 : 0;
  return n;
}

PixelRect XClient::place(xcb_window_t window) {
  const auto geometry = owned(xcb_get_geometry_reply(xcb_, xcb_get_geometry(xcb_, window), nullptr));
  const auto at =
      owned(xcb_translate_coordinates_reply(xcb_, xcb_translate_coordinates(xcb_, window, root(), 0, 0), nullptr));
  if (!geometry || !at) return {};
  return {at->dst_x, at->dst_y, geometry->width, geometry->height};
}

xcb_window_t XClient::focus() {
  const auto reply = owned(xcb_get_input_focus_reply(xcb_, xcb_get_input_focus(xcb_), nullptr));
  return reply ? reply->focus : xcb_window_t{XCB_NONE};
}

bool XClient::viewable(xcb_window_t window) {
  const auto reply = owned(xcb_get_window_attributes_reply(xcb_, xcb_get_window_attributes(xcb_, window), nullptr));
  return reply && reply->map_state == XCB_MAP_STATE_VIEWABLE;
}

bool XClient::exists(xcb_window_t window) {
  return owned(xcb_get_window_attributes_reply(xcb_, xcb_get_window_attributes(xcb_, window), nullptr)) != nullptr;
}

}  // namespace handrail::testing
