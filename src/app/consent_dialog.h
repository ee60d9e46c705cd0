// The consent dialog as a process of its own: what it is given, what it gives back, and the hidden command that runs
// it. The server and the dialog are one program, so that the dialog's windows count as Handrail's own.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "policy/consent.h"

namespace handrail::app {

inline constexpr std::string_view kConsentDialogCommand = "consent-dialog";

// One JSON object: the lines to show, the answers to offer, how long to wait.
std::string dialog_request(const policy::ConsentQuestion& question, Millis patience);
// The answer in what the dialog printed. An error unless it shows exactly the lines of that digest.
Result<policy::ConsentChoice> read_dialog_reply(std::string_view reply, const std::string& digest);

// Reads a request from standard input, asks on $DISPLAY, prints the reply. Not for people.
int consent_dialog_command(std::span<const std::string> arguments);

}  // namespace handrail::app
