#include "app/man_command.h"

#include <fmt/format.h>

#include "actions/all.h"
#include "app/command_table.h"
#include "base/error.h"
#include "base/utf8.h"
#include "base/version.h"

namespace handrail::app {
namespace {

// Backslashes, dashes and dots at the start of a line mean something to troff, which reads ASCII only.
std::string plain(std::string_view text) {
  std::string out;
  const auto characters = decode_utf8(text);
  if (!characters.ok()) return out;
  for (const char32_t c : *characters) {
    if (c == U'\\') {
      out += "\\e";
    } else if (c == U'-') {
      out += "\\-";
    } else if (c < 0x80) {
      out += static_cast<char>(c);
    } else {
      out += fmt::format("\\[u{:04X}]", static_cast<std::uint32_t>(c));
    }
  }
  if (out.starts_with(".") || out.starts_with("'")) out.insert(0, "\\&");
  return out;
}

std::string item(std::string_view term, std::string_view about) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", plain(term), plain(about));
}

std::string options(std::span<const cli::Option> list) {
  std::string text;
  for (const cli::Option& option : list) {
    text +=
        item(option.value.empty() ? "--" + option.name : fmt::format("--{} {}", option.name, option.value), option.doc);
  }
  return text;
}

std::string command_part(const Command& command) {
  std::string text = fmt::format(".SS handrail {}\n{}\n", plain(command.name), plain(command.summary));
  if (command.options != nullptr) text += options(command.options());
  if (command.verbs == nullptr) return text;
  for (const Verb& verb : command.verbs()) {
    text += item(fmt::format("handrail {} {}", command.name, verb.usage), verb.summary);
    if (!verb.options.empty()) text += ".RS\n" + options(verb.options) + ".RE\n";
  }
  return text;
}

}  // namespace

std::string man_page() {
  std::string text = fmt::format(
      ".TH HANDRAIL 1 \"\" \"handrail {}\" \"User Commands\"\n"
      ".SH NAME\nhandrail \\- a safe pair of hands on a Linux desktop, for AI agents\n"
      ".SH SYNOPSIS\n.B handrail\n.I COMMAND\n[\\fIoptions\\fR]\n"
      ".SH DESCRIPTION\nHandrail lets an AI agent see and operate a Linux desktop: as an MCP server for any client, "
      "and "
      "as commands. It\nworks on your display or on an embedded desktop of its own, and only with the apps that you "
      "granted.\n.SH COMMANDS\n",
      kVersion);
  for (const Command& command : commands()) text += command_part(command);
  text +=
      ".SH ACTIONS\nEach is run by \\fBhandrail do\\fR \\fIACTION\\fR; \\fBhandrail do\\fR \\fIACTION\\fR "
      "\\fB\\-\\-help\\fR shows its flags and examples.\n";
  for (const catalog::ActionSpec* spec : actions::all_actions().all()) text += item(spec->name, spec->summary);
  text += ".SH EXIT STATUS\n" + item("0", "Done.") + item("1", "verify_state found that something is not so.");
  for (const ErrorRow& error : error_table())
    text += item(fmt::format("{}", error.cli_exit), fmt::format("{}: {}", error.name, error.hint));
  text += ".SH FILES\n" +
          item("~/.config/handrail/config.toml",
               "The settings; handrail config default prints them all, with their meaning.") +
          item("~/.local/state/handrail", "Grants that last, and the record of all calls.");
  text += ".SH ENVIRONMENT\n" + item("HANDRAIL_CONFIG", "Another file of settings.") +
          item("HANDRAIL_DISABLED", "Set to anything but 0 it keeps Handrail off.") +
          item("NO_COLOR", "Set to anything it keeps colours out of what is printed on a terminal.");
  return text;
}

int man_command(std::span<const std::string> arguments) {
  return run_command(arguments, {}, "man",
                     "handrail man: prints the manual page, in the form that man reads.\n\nExamples:\n"
                     "  handrail man | man -l -\n",
                     [](const cli::Parsed&) -> Result<int> {
                       fmt::print("{}", man_page());
                       return 0;
                     });
}

}  // namespace handrail::app
