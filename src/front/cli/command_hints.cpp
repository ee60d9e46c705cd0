#include "front/cli/command_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/one_line.h"

namespace handrail::cli {
namespace {

constexpr std::array<std::string_view, 5> kFlags{"files", "shell", "clipboard_read", "clipboard_write", "system_keys"};

// The flag or the app that the hint for agents names; empty when it names none.
std::string asked_for(std::string_view hint) {
  for (const std::string_view flag : kFlags) {
    if (hint.find(fmt::format("flag {}", flag)) != std::string_view::npos) return std::string(flag);
  }
  for (const auto& [start, end] : {std::pair{"app `", '`'}, {"app \"", '"'}}) {
    const std::size_t at = hint.find(start);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = hint.substr(at + std::string_view(start).size());
    return std::string(rest.substr(0, rest.find(end)));
  }
  return "";
}

bool takes_a_number(const catalog::ActionSpec& spec) {
  return std::ranges::any_of(spec.flags(), [](const describe::Flag& flag) { return flag.field == "element"; });
}

}  // namespace

Error for_command_line(Error error, const catalog::ActionSpec& spec, const engine::Session& session) {
  const std::string hint(error.next_step());
  if (error.code == Code::access_denied && hint.find("request_access") != std::string::npos) {
    const std::string what = asked_for(hint);
    error.hint = fmt::format(
        "Add `--grant {}` to the command, or grant it in the config file; what request_access gives ends with its own "
        "command.",
        what.empty() ? "APP" : what);
    for (const std::string& name : session.unknown_grants()) {
      error.hint += fmt::format(" Granted is `{}`, which no app here is called.", one_line(name));
    }
  }
  if (error.code == Code::target_stale && takes_a_number(spec)) {
    error.hint =
        "Numbers of elements end with the command that told them: name the element (click_named, type_named), "
        "or capture it and act in one `batch`.";
  }
  return error;
}

}  // namespace handrail::cli
