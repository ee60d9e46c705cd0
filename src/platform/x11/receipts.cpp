#include "platform/x11/receipts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <xcb/xcbext.h>
#include <xcb/xinput.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "platform/x11/dial.h"
#include "platform/x11/extensions.h"

namespace handrail::x11 {
namespace {

constexpr std::uint8_t kFromServer = 0;
constexpr std::uint8_t kFromClient = 1;
constexpr std::uint8_t kStartOfData = 4;
constexpr std::size_t kEventSize = 32;
// Far more than one press makes; the rest of a flood is of no use.
constexpr std::size_t kMostReceipts = 4096;
// Of the first version of the input extension, counted from its first event.

Status need(const Extension& extension, bool enough, std::string_view name) {
  if (extension.present() && enough) return {};
  return make_error(Code::capability_unsupported, fmt::format("The X server lacks the {} extension.", name))
      .with_hint(fmt::format("Start the X server with {}: without it nobody can tell which app gets a click.", name));
}

template <class T>
T read_at(std::span<const std::uint8_t> bytes, std::size_t offset, bool swapped) {
  std::array<std::uint8_t, sizeof(T)> raw{};
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), raw.size(), raw.begin());
  if (swapped) std::ranges::reverse(raw);
  T value{};
  std::memcpy(&value, raw.data(), raw.size());
  return value;
}

}  // namespace

Receipts::~Receipts() { stop(); }

void Receipts::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    if (breaker_.valid()) ::shutdown(breaker_.get(), SHUT_RDWR);
  }
  if (thread_.joinable()) thread_.join();
  const std::lock_guard lock(mutex_);
  breaker_.reset();
  stopping_ = started_ = ended_ = false;
}

Status Receipts::start(Server& server, const std::string& display) {
  if (epoch_ == server.epoch()) {
    const std::lock_guard lock(mutex_);
    if (!ended_) return {};
  }
  const Extensions& extensions = server.extensions();
  TRY(need(extensions.record, true, "RECORD"));
  TRY(need(extensions.res, extensions.res.at_least(1, 2), "X-Resource 1.2"));
  TRY(need(extensions.xinput, extensions.xinput.at_least(2, 0), "XInput 2"));
  stop();
  epoch_ = 0;
  TRY(prepare(server));
  const Deadline deadline = server.deadline().within(kBackendPatience);
  thread_ = std::thread([this, display, deadline] { run(display, deadline); });
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, deadline.at(), [this] { return started_ || ended_; });
  if (!started_ || ended_) return make_error(Code::backend_error, "The X server does not tell who gets events.");
  epoch_ = server.epoch();
  return {};
}

Status Receipts::prepare(Server& server) {
  const Extension& input = server.extensions().xinput;
  const auto devices = TRY(server.reply(xcb_input_xi_query_device(server.xcb(), XCB_INPUT_DEVICE_ALL_MASTER),
                                        xcb_input_xi_query_device_reply, "XIQueryDevice"));
  {
    const std::lock_guard lock(mutex_);
    input_opcode_ = input.major_opcode;
    marks_sent_ = marks_seen_ = first_mark_ = 0;
    masters_.clear();
    heeded_.clear();
    heeded_client_ = 0;
    for (auto info = xcb_input_xi_query_device_infos_iterator(devices.get()); info.rem > 0;
         xcb_input_xi_device_info_next(&info)) {
      masters_.push_back(info.data->deviceid);
    }
    receipts_.clear();
  }
  const xcb_window_t own = xcb_generate_id(server.xcb());
  {
    const std::lock_guard lock(mutex_);
    own_window_ = own;
    own_client_ = client_of(server, own);
  }
  xcb_create_window(server.xcb(), 0, own, server.root(), -1, -1, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                    XCB_COPY_FROM_PARENT, 0, nullptr);
  TRY(server.fence());
  return {};
}

void Receipts::run(const std::string& display, Deadline deadline) {
  // A server that another client holds greets nobody, for as long as it likes: the breaker ends that wait.
  const auto dialled = dial(display, deadline, [this](int fd) {
    const std::lock_guard lock(mutex_);
    breaker_ = Fd(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
    if (stopping_) ::shutdown(fd, SHUT_RDWR);
  });
  if (dialled.ok()) {
    // Made here and not on the port's connection: "all clients" leaves out the one who asks, and the marks are its own.
    const xcb_record_context_t context = xcb_generate_id(dialled->xcb);
    const xcb_record_client_spec_t everyone = XCB_RECORD_CS_ALL_CLIENTS;
    // One range for all: of several ranges of events the server heeds the first alone.
    xcb_record_range_t range{};
    range.delivered_events = {XCB_KEY_PRESS, XCB_GE_GENERIC};
    range.core_requests = {XCB_NO_OPERATION, XCB_NO_OPERATION};
    xcb_record_create_context(dialled->xcb, context, 0, 1, 1, &everyone, &range);
    const auto cookie = xcb_record_enable_context(dialled->xcb, context);
    xcb_flush(dialled->xcb);
    listen(dialled->xcb, cookie.sequence);
    xcb_disconnect(dialled->xcb);
  }
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void Receipts::listen(xcb_connection_t* xcb, unsigned sequence) {
  while (true) {
    xcb_generic_error_t* error = nullptr;
    const Owned<xcb_record_enable_context_reply_t> reply(
        static_cast<xcb_record_enable_context_reply_t*>(xcb_wait_for_reply(xcb, sequence, &error)));
    const Owned<xcb_generic_error_t> refused(error);
    const std::lock_guard lock(mutex_);
    if (!reply) return;
    if (reply->category == kStartOfData) started_ = true;
    if (reply->category == kFromServer) take(*reply);
    if (reply->category == kFromClient) count_marks(*reply);
    changed_.notify_all();
  }
}

void Receipts::take(const xcb_record_enable_context_reply_t& reply) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(&reply + 1);
  std::span<const std::uint8_t> bytes(first, std::size_t{reply.length} * 4);
  const bool swapped = reply.client_swapped != 0;
  while (bytes.size() >= kEventSize) {
    const int type = bytes[0] & 0x7f;
    const bool generic = type == XCB_GE_GENERIC;
    Receipt receipt;
    receipt.client = reply.xid_base;
    bool counts = false;
    if (generic && bytes[1] == input_opcode_) {
      const auto kind = read_at<std::uint16_t>(bytes, 8, swapped);
      const auto device = read_at<std::uint16_t>(bytes, 10, swapped);
      const auto& senders = heeded_.empty() ? masters_ : heeded_;
      counts = (kind == XCB_INPUT_KEY_PRESS || kind == XCB_INPUT_BUTTON_PRESS) &&
               std::ranges::find(senders, device) != senders.end();
      receipt.key = kind == XCB_INPUT_KEY_PRESS;
      receipt.detail = static_cast<std::uint8_t>(read_at<std::uint32_t>(bytes, 16, swapped));
      receipt.window = read_at<std::uint32_t>(bytes, 24, swapped);
    } else if (type == XCB_KEY_PRESS || type == XCB_BUTTON_PRESS) {
      counts = (bytes[0] & 0x80) == 0;  // else somebody made it with SendEvent
      if (!heeded_.empty() && receipt.client != heeded_client_) counts = false;
      receipt.key = type == XCB_KEY_PRESS;
      receipt.detail = bytes[1];
      receipt.window = read_at<std::uint32_t>(bytes, 12, swapped);
    }
    // What happened before begin() may still be on its way here.
    const bool since_begin = marks_seen_ >= first_mark_;
    if (counts && since_begin && receipts_.size() < kMostReceipts) receipts_.push_back(receipt);
    // Long events too: the server records the first 32 bytes of each.
    bytes = bytes.subspan(kEventSize);
  }
}

void Receipts::count_marks(const xcb_record_enable_context_reply_t& reply) {
  // Each is one word long, and several may come together.
  if (reply.xid_base == own_client_) marks_seen_ += reply.length;
}

void Receipts::begin(Server& server) {
  {
    const std::lock_guard lock(mutex_);
    receipts_.clear();
    first_mark_ = marks_sent_ + 1;
  }
  // Its record may travel with that of the mark behind the press.
  xcb_no_operation(server.xcb());
  ++marks_sent_;
}

void Receipts::heed(std::vector<std::uint16_t> masters, ClientBase client) {
  const std::lock_guard lock(mutex_);
  heeded_ = std::move(masters);
  heeded_client_ = client;
}

void Receipts::heed_all() { heed({}, 0); }

std::uint64_t Receipts::mark(Server& server) {
  // A request that does nothing. Only those of this connection count, so nobody else can make one.
  xcb_no_operation(server.xcb());
  // The server passes its records on when it has something to say to a client.
  xcb_discard_reply(server.xcb(), xcb_get_input_focus(server.xcb()).sequence);
  xcb_flush(server.xcb());
  return ++marks_sent_;
}

bool Receipts::wait_for_mark(std::uint64_t mark, Deadline deadline) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, deadline.at(), [&] { return ended_ || marks_seen_ >= mark; });
  return marks_seen_ >= mark;
}

bool Receipts::wait(Deadline deadline, const std::function<bool(const std::vector<Receipt>&)>& done) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, deadline.at(), [&] { return ended_ || done(receipts_); });
  return done(receipts_);
}

std::vector<Receipt> Receipts::seen() const {
  const std::lock_guard lock(mutex_);
  return receipts_;
}

std::vector<Receipt> Receipts::drain() {
  const std::lock_guard lock(mutex_);
  return std::exchange(receipts_, {});
}

xcb_window_t Receipts::own_window() const {
  const std::lock_guard lock(mutex_);
  return own_window_;
}

}  // namespace handrail::x11
