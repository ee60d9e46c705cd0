#include "platform/linux/guardian_record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace handrail::linux_ {
namespace {

constexpr std::uint64_t kMagic = 0x31647261'75673168;
constexpr std::size_t kStateBytes = 64 * 1024;
constexpr std::uint64_t kSlots = 3;
constexpr std::uint64_t kFileBytes = kStateBytes + kKinds * kSlots * kMaxKeptBytes;  // sparse
static_assert(sizeof(GuardianState) <= kStateBytes);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free);

Error memory_error(std::string_view what) {
  return make_error(Code::io_error, fmt::format("Cannot {} the guardian's memory: {}", what, std::strerror(errno)));
}

off_t place(Kept what, std::uint64_t slot) {
  return static_cast<off_t>(kStateBytes + (static_cast<std::uint64_t>(what) * kSlots + slot) * kMaxKeptBytes);
}

std::uint64_t slot_of(std::uint64_t mark) { return mark % 4; }

template <std::size_t N>
void copy_text(char (&to)[N], const std::string& text) {
  std::memset(to, 0, N);
  std::memcpy(to, text.data(), std::min(text.size(), N - 1));
}

}  // namespace

Result<GuardianRecord> GuardianRecord::make() {
  Fd fd(::memfd_create(std::string(kRecordName).c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.valid()) return memory_error("make");
  // The page is there before it is mapped: a machine without memory must not make a store into it a crash.
  const std::string zeros(kStateBytes, '\0');
  if (::pwrite(fd.get(), zeros.data(), zeros.size(), 0) != static_cast<ssize_t>(zeros.size()) ||
      ::ftruncate(fd.get(), static_cast<off_t>(kFileBytes)) != 0 ||
      ::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return memory_error("size");
  }
  void* page = ::mmap(nullptr, kStateBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (page == MAP_FAILED) return memory_error("map");
  auto* state = new (page) GuardianState;
  state->magic = kMagic;
  return GuardianRecord(std::move(fd), state);
}

Result<GuardianRecord> GuardianRecord::open(Fd fd, Use use) {
  struct stat facts {};
  if (::fstat(fd.get(), &facts) != 0) return memory_error("look at");
  if (facts.st_size != static_cast<off_t>(kFileBytes)) {
    return make_error(Code::argument_invalid, "This is no record of a guardian.");
  }
  const int access = use == Use::share ? PROT_READ | PROT_WRITE : PROT_READ;
  void* page = ::mmap(nullptr, kStateBytes, access, MAP_SHARED, fd.get(), 0);
  if (page == MAP_FAILED) return memory_error("map");
  GuardianRecord record(std::move(fd), std::launder(static_cast<GuardianState*>(page)));
  if (record.state().magic != kMagic) {
    return make_error(Code::argument_invalid, "This record is of another version of the guardian.");
  }
  return record;
}

GuardianRecord::GuardianRecord(GuardianRecord&& other) noexcept
    : fd_(std::move(other.fd_)), state_(std::exchange(other.state_, nullptr)) {}

GuardianRecord::~GuardianRecord() {
  if (state_ != nullptr) ::munmap(state_, kStateBytes);
}

void GuardianRecord::write_held(const HeldNow& now) noexcept {
  const std::uint32_t next = 1 - state_->held_slot.load(std::memory_order_relaxed) % 2;
  GuardianState::Held& slot = state_->held[next];
  slot.keycodes = static_cast<std::uint32_t>(std::min(now.keycodes.size(), sizeof slot.keycode));
  slot.buttons = static_cast<std::uint32_t>(std::min(now.buttons.size(), sizeof slot.button));
  std::copy_n(now.keycodes.begin(), slot.keycodes, slot.keycode);
  std::copy_n(now.buttons.begin(), slot.buttons, slot.button);
  state_->held_slot.store(next, std::memory_order_release);
}

HeldNow GuardianRecord::held() const {
  const GuardianState::Held& slot = state_->held[state_->held_slot.load(std::memory_order_acquire) % 2];
  const auto keycodes = std::min<std::size_t>(slot.keycodes, sizeof slot.keycode);
  const auto buttons = std::min<std::size_t>(slot.buttons, sizeof slot.button);
  return {{slot.keycode, slot.keycode + keycodes}, {slot.button, slot.button + buttons}};
}

Status GuardianRecord::write_display(const WatchedDisplay& display) {
  const std::uint32_t next = 1 - state_->display_slot.load() % 2;
  GuardianState::DisplayText& slot = state_->display[next];
  if (display.name.size() >= sizeof slot.name || display.xauthority.size() >= sizeof slot.xauthority) {
    return make_error(Code::argument_invalid, "The name of the display or the path of its cookie file is too long.");
  }
  copy_text(slot.name, display.name);
  copy_text(slot.xauthority, display.xauthority);
  state_->display_slot.store(next);
  return {};
}

void GuardianRecord::write_folder(const std::string& folder) {
  if (folder.size() < sizeof state_->folder) copy_text(state_->folder, folder);
}

std::string GuardianRecord::folder() const {
  return std::string(state_->folder, ::strnlen(state_->folder, sizeof state_->folder));
}

WatchedDisplay GuardianRecord::display() const {
  const GuardianState::DisplayText& slot = state_->display[state_->display_slot.load() % 2];
  return {std::string(slot.name, ::strnlen(slot.name, sizeof slot.name)),
          std::string(slot.xauthority, ::strnlen(slot.xauthority, sizeof slot.xauthority))};
}

Status GuardianRecord::write(Kept what, std::string_view bytes) {
  GuardianState::Content& target = content(what);
  if (bytes.empty()) {
    target.current = 0;
    free_unused();
    return {};
  }
  if (bytes.size() > kMaxKeptBytes) {
    return make_error(Code::too_large, fmt::format("More than {} MiB cannot be kept.", kMaxKeptBytes >> 20));
  }
  const std::uint64_t current = target.current;
  const std::uint64_t served = target.served;
  std::uint64_t slot = 0;
  while ((current != 0 && slot_of(current) == slot) || (served != 0 && slot_of(served) == slot)) ++slot;
  // Before the content, so that what was half written is given back, too.
  target.size[slot] = bytes.size();
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n =
        ::pwrite(fd_.get(), bytes.data() + done, bytes.size() - done, place(what, slot) + static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return memory_error("write");
    done += static_cast<std::size_t>(n);
  }
  target.current = ++target.generation * 4 + slot;
  free_unused();
  return {};
}

void GuardianRecord::free_unused() {
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    GuardianState::Content& target = state_->content[kind];
    for (std::uint64_t slot = 0; slot < kSlots; ++slot) {
      const std::uint64_t current = target.current;
      const std::uint64_t served = target.served;
      const bool used = (current != 0 && slot_of(current) == slot) || (served != 0 && slot_of(served) == slot);
      if (used || target.size[slot] == 0) continue;
      ::fallocate(fd_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, place(static_cast<Kept>(kind), slot),
                  static_cast<off_t>(kMaxKeptBytes));
      target.size[slot] = 0;
    }
  }
}

std::uint64_t GuardianRecord::size_of(Kept what) const {
  const std::uint64_t current = content(what).current;
  return current == 0 ? 0 : content(what).size[slot_of(current) % kSlots];
}

Result<std::optional<GuardianRecord::Bytes>> GuardianRecord::read(Kept what) const {
  return read_mark(what, content(what).current);
}

Result<std::optional<GuardianRecord::Bytes>> GuardianRecord::read_served() const {
  return read_mark(Kept::clipboard, content(Kept::clipboard).served);
}

Result<std::optional<GuardianRecord::Bytes>> GuardianRecord::read_mark(Kept what, std::uint64_t mark) const {
  if (mark == 0) return std::optional<Bytes>{};
  const std::uint64_t slot = slot_of(mark) % kSlots;
  const std::uint64_t size = std::min<std::uint64_t>(content(what).size[slot], kMaxKeptBytes);
  Bytes out{mark, std::string(size, '\0')};
  for (std::size_t done = 0; done < size;) {
    const ssize_t n =
        ::pread(fd_.get(), out.bytes.data() + done, size - done, place(what, slot) + static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return memory_error("read");
    done += static_cast<std::size_t>(n);
  }
  return std::optional<Bytes>(std::move(out));
}

void GuardianRecord::forget(Kept what, std::uint64_t mark) { content(what).current.compare_exchange_strong(mark, 0); }

void GuardianRecord::serve(std::uint64_t mark) {
  content(Kept::clipboard).served = mark;
  if (mark != 0) forget(Kept::clipboard, mark);
}

}  // namespace handrail::linux_
