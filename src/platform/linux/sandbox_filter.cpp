#include "platform/linux/sandbox_filter.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace handrail::linux_ {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kMachine = 0;
#endif

// Calls of the x32 kind have this bit, and numbers of their own.
constexpr std::uint32_t kOtherNumbers = 0x40000000;

// io_uring makes sockets that no filter sees; the rest is about the kernel and the keys that it holds for the user.
constexpr std::array kNever{SYS_io_uring_setup, SYS_io_uring_enter, SYS_bpf,         SYS_keyctl,
                            SYS_add_key,        SYS_request_key,    SYS_userfaultfd, SYS_perf_event_open};
// Of the network, when there is one, and what name look-ups ask the kernel by.
constexpr std::array kSocketKinds{AF_INET, AF_INET6, AF_NETLINK};

// The rest of the number are flags.
constexpr std::uint32_t kSocketTypes = 0xf;

constexpr sock_filter load(std::size_t offset) {
  return {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)};
}
constexpr sock_filter end(std::uint32_t what) { return {BPF_RET | BPF_K, 0, 0, what}; }
constexpr sock_filter refuse(int number) { return end(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(number)); }
// Skips the next instruction when the condition does not hold.
constexpr sock_filter when(std::uint16_t condition, std::uint32_t value) {
  return {static_cast<std::uint16_t>(BPF_JMP | condition | BPF_K), 0, 1, value};
}
constexpr sock_filter unless_equal(std::uint32_t value) { return {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value}; }

}  // namespace

std::vector<sock_filter> sandbox_filter() {
  if (kMachine == 0) return {};
  std::vector<sock_filter> program{load(offsetof(seccomp_data, arch)), unless_equal(kMachine),       refuse(ENOSYS),
                                   load(offsetof(seccomp_data, nr)),   when(BPF_JGE, kOtherNumbers), refuse(ENOSYS)};
  for (const long call : kNever) {
    program.push_back(when(BPF_JEQ, static_cast<std::uint32_t>(call)));
    program.push_back(refuse(EPERM));
  }
  // Pairs that are connected for good. One of datagrams could be aimed elsewhere.
  program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 7, SYS_socketpair});
  program.push_back(load(offsetof(seccomp_data, args) + sizeof(std::uint64_t)));
  program.push_back({BPF_ALU | BPF_AND | BPF_K, 0, 0, kSocketTypes});
  for (const int type : {SOCK_STREAM, SOCK_SEQPACKET}) {
    program.push_back(when(BPF_JEQ, static_cast<std::uint32_t>(type)));
    program.push_back(end(SECCOMP_RET_ALLOW));
  }
  program.push_back(refuse(EPERM));
  program.push_back(unless_equal(SYS_socket));
  program.push_back(end(SECCOMP_RET_ALLOW));
  // The kind is a number of 32 bits to the kernel, whatever is above it.
  program.push_back(load(offsetof(seccomp_data, args)));
  for (const int kind : kSocketKinds) {
    program.push_back(when(BPF_JEQ, static_cast<std::uint32_t>(kind)));
    program.push_back(end(SECCOMP_RET_ALLOW));
  }
  program.push_back(refuse(EAFNOSUPPORT));
  return program;
}

}  // namespace handrail::linux_
