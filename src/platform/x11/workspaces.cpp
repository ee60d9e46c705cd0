#include "platform/x11/workspaces.h"

#include <fmt/format.h>

#include "platform/x11/atoms.h"
#include "platform/x11/properties.h"
#include "platform/x11/window_list.h"
#include "platform/x11/window_requests.h"
#include "platform/x11/windows.h"

namespace handrail::x11 {
namespace {

// Some window managers let a program ask for any number of them.
constexpr std::uint32_t kMostWorkspaces = 256;
constexpr std::uint32_t kNameWords = 4096;

Error none(const char* why) {
  return make_error(Code::capability_unsupported, fmt::format("There are no workspaces: {}.", why))
      .with_hint("Use a window manager that has workspaces, such as openbox or xfwm4.");
}

std::vector<std::string> names_in(std::string_view bytes) {
  std::vector<std::string> names;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    names.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return names;
}

}  // namespace

Result<std::vector<Workspace>> read_workspaces(Server& server) {
  const Atoms& atoms = server.atoms();
  if (!TRY(read_windows(server, 1)).managed) return none("no window manager runs");
  auto count_pending = ask_property(server, server.root(), atoms.net_number_of_desktops, 1);
  auto current_pending = ask_property(server, server.root(), atoms.net_current_desktop, 1);
  auto names_pending = ask_property(server, server.root(), atoms.net_desktop_names, kNameWords);
  const Property count = TRY(count_pending.get()), current = TRY(current_pending.get());
  const Property names = TRY(names_pending.get());
  if (count.words().empty() || current.words().empty()) return none("the window manager keeps none");
  const std::vector<std::string> called = names_in(names.text(atoms));
  std::vector<Workspace> all;
  for (std::uint32_t i = 0; i < std::min(count.words()[0], kMostWorkspaces); ++i) {
    all.push_back({static_cast<int>(i), i < called.size() ? called[i] : "", i == current.words()[0]});
  }
  return all;
}

Status check_workspace(Server& server, int workspace, SendTo to) {
  const std::vector<Workspace> all = TRY(read_workspaces(server));
  const int least = to == SendTo::one_or_all ? -1 : 0;
  if (workspace >= least && workspace < static_cast<int>(all.size())) return {};
  return make_error(Code::argument_invalid, fmt::format("There is no workspace {}.", workspace))
      .with_field("workspace", fmt::format("0 to {}", all.size() - 1));
}

Result<std::vector<Workspace>> X11Windows::workspaces(Deadline deadline) {
  return connection_->call<std::vector<Workspace>>(deadline, read_workspaces);
}

Status X11Windows::switch_workspace(int workspace, Permit permit, Deadline deadline, std::stop_token stop) {
  const Permit spent(std::move(permit));
  if (stop.stop_requested()) return make_error(Code::cancelled, "The change was cancelled before it was asked for.");
  EventWatch watch(*connection_);
  const auto asked = connection_->call<std::uint64_t>(deadline, [&](Server& server) -> Result<std::uint64_t> {
    TRY(check_workspace(server, workspace, SendTo::one));
    server.watch(server.root(), XCB_EVENT_MASK_PROPERTY_CHANGE);
    tell_manager(server, server.root(), server.atoms().net_current_desktop,
                 {static_cast<std::uint32_t>(workspace), XCB_CURRENT_TIME, 0, 0, 0});
    return server.epoch();
  });
  if (!asked.ok()) return asked.error();
  const Status waited = watch.until(deadline, stop, [&]() -> Result<bool> {
    return connection_->call<bool>(deadline, [&](Server& server) -> Result<bool> {
      const Property now = TRY(ask_property(server, server.root(), server.atoms().net_current_desktop, 1).get());
      return !now.words().empty() && now.words()[0] == static_cast<std::uint32_t>(workspace);
    });
  });
  if (connection_->connected()) {
    (void)connection_->call<Unit>(Deadline::in(kBackendPatience), [&](Server& server) -> Result<Unit> {
      if (server.epoch() == *asked) server.unwatch(server.root(), XCB_EVENT_MASK_PROPERTY_CHANGE);
      return Unit{};
    });
  }
  if (waited.ok()) return {};
  Error error = waited.error().code == Code::timeout
                    ? make_error(Code::timeout, fmt::format("Workspace {} did not come in time.", workspace))
                          .with_hint("`list_workspaces` shows which one is current.")
                    : waited.error();
  return std::move(error).with_side_effects(SideEffects::possible);
}

}  // namespace handrail::x11
