#include "app/guardian_command.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/commands.h"
#include "base/json.h"
#include "platform/linux/guardian_list.h"
#include "platform/linux/guardian_process.h"
#include "platform/linux/runtime_folder.h"
#include "platform/x11/keymap_record.h"
#include "platform/x11/restore.h"
#include "platform/x11/restore_windows.h"

namespace handrail::app {
namespace {

Json to_json(const linux_::GuardianInfo& info) {
  return {{"pid", info.pid},
          {"server_pid", info.server},
          {"server_alive", info.server_alive},
          {"display", info.display},
          {"folder", info.folder},
          {"held_keys", info.keys},
          {"held_buttons", info.buttons},
          {"keymap_bytes", info.keymap_bytes},
          {"windows_bytes", info.windows_bytes},
          {"clipboard_bytes", info.clipboard_bytes},
          {"holds_clipboard", info.holds_clipboard}};
}

std::string to_text(const linux_::GuardianInfo& info) {
  std::string text = fmt::format("guardian {} of server {}{} on {}: {} keys and {} buttons held", info.pid, info.server,
                                 info.server_alive ? "" : " (ended)", info.display, info.keys, info.buttons);
  if (info.keymap_bytes > 0) text += ", a keyboard map to restore";
  if (info.windows_bytes > 0) text += ", hidden windows to restore";
  if (info.clipboard_bytes > 0) text += fmt::format(", a clipboard of {} bytes to restore", info.clipboard_bytes);
  if (info.holds_clipboard) text += ", owns the restored clipboard";
  return text;
}

Result<int> status(const cli::Parsed& parsed) {
  const std::string folder = TRY(linux_::runtime_folder());
  auto guardians = linux_::list_guardians();
  const std::size_t elsewhere =
      std::erase_if(guardians, [&](const linux_::GuardianInfo& info) { return info.folder != folder; });
  if (parsed.has("json")) {
    Json rows = Json::array();
    for (const auto& info : guardians) rows.push_back(to_json(info));
    fmt::print("{}\n", to_line(rows));
    return 0;
  }
  if (guardians.empty()) fmt::print("No guardian runs.\n");
  for (const auto& info : guardians) fmt::print("{}\n", to_text(info));
  if (elsewhere > 0) fmt::print("{} of yours with another folder than {} left out.\n", elsewhere, folder);
  return 0;
}

}  // namespace

std::unique_ptr<Restorer> make_desk_restorer() {
  return x11::make_restorer({
      .keymap = [](xcb_connection_t* xcb, std::string_view record) { return x11::restore_keymap(xcb, record); },
      .windows = [](xcb_connection_t* xcb, xcb_window_t root,
                    std::string_view record) { return x11::restore_windows(xcb, root, record); },
  });
}

Verbs guardian_verbs() {
  static const std::vector<Verb> all{
      {"status",
       "status [options]",
       "List the guardians of your servers, and what each would undo.",
       {{"json", "", "Print them as JSON."}},
       "  handrail guardian status\n  handrail guardian status --json\n",
       status},
  };
  return all;
}

int guardian_command(std::span<const std::string> arguments) {
  // Started by the server itself; not for people.
  if (arguments.size() == 1 && (arguments[0] == "run" || arguments[0] == "stand-in")) {
    return linux_::guardian_main(arguments[0], make_desk_restorer);
  }
  const std::string help =
      verb_help("guardian",
                "each server that may act starts a guardian. When the server dies, it lets go of keys and\n"
                "buttons and puts the keyboard map, hidden windows and the clipboard back.",
                guardian_verbs());
  return run_verb("guardian", guardian_verbs(), help, arguments);
}

}  // namespace handrail::app
