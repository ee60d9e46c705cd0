#include "base/error.h"

#include <array>
#include <utility>

namespace handrail {
namespace {

constexpr std::array kErrors{
    ErrorRow{Code::argument_invalid, "argument_invalid", Retry::fix_arguments, 2, 400,
             "Correct the named field and call again."},
    ErrorRow{Code::action_unknown, "action_unknown", Retry::fix_arguments, 2, 404,
             "List the actions with `handrail do --help` or tools/list."},
    ErrorRow{Code::capability_unsupported, "capability_unsupported", Retry::never, 3, 501,
             "Use another action; `handrail doctor` lists what this desktop offers."},
    ErrorRow{Code::permission_missing, "permission_missing", Retry::after_fix, 4, 403,
             "Run `handrail doctor` and apply the fix it names."},
    ErrorRow{Code::access_denied, "access_denied", Retry::ask_person, 5, 403,
             "Ask the person who owns this desktop to grant it in the config file."},
    ErrorRow{Code::gate_refused, "gate_refused", Retry::ask_person, 5, 403,
             "Do not work around the refusal; tell the person which gate refused and why."},
    ErrorRow{Code::target_stale, "target_stale", Retry::look_again, 6, 409,
             "Take a new screenshot and use its coordinates."},
    ErrorRow{Code::not_found, "not_found", Retry::look_again, 6, 404, "Look again; what was named is not there now."},
    ErrorRow{Code::ambiguous, "ambiguous", Retry::fix_arguments, 2, 409, "Name exactly one of the candidates."},
    ErrorRow{Code::timeout, "timeout", Retry::later, 7, 504,
             "Look at the desktop before trying again; the app may be busy."},
    ErrorRow{Code::cancelled, "cancelled", Retry::later, 7, 499,
             "Nothing more was sent after the cancellation; look before going on."},
    ErrorRow{Code::busy, "busy", Retry::later, 7, 409, "Wait for the other call to end."},
    ErrorRow{Code::backend_lost, "backend_lost", Retry::after_fix, 8, 503,
             "Start the X server again (`handrail desktop start`), then repeat the call."},
    ErrorRow{Code::backend_error, "backend_error", Retry::look_again, 8, 502,
             "Look again; the desktop refused the request."},
    ErrorRow{Code::too_large, "too_large", Retry::fix_arguments, 2, 413, "Send less, or split it over several calls."},
    ErrorRow{Code::io_error, "io_error", Retry::after_fix, 9, 500, "Check the path, its permissions and free space."},
    ErrorRow{Code::protocol, "protocol", Retry::fix_arguments, 2, 400,
             "Send a message of the named protocol revision."},
    ErrorRow{Code::internal, "internal", Retry::never, 70, 500,
             "This is a defect in Handrail; report it with the log."},
};

constexpr bool rows_in_enum_order() {
  for (std::size_t i = 0; i < kErrors.size(); ++i) {
    if (static_cast<std::size_t>(kErrors[i].code) != i) return false;
  }
  return kErrors.size() == static_cast<std::size_t>(Code::internal) + 1;
}
static_assert(rows_in_enum_order(), "every code has one row, in the order of the enum");

}  // namespace

std::span<const ErrorRow> error_table() { return kErrors; }

const ErrorRow& row(Code code) { return kErrors[static_cast<std::size_t>(code)]; }

std::string_view name(Retry retry) {
  switch (retry) {
    case Retry::never: return "never";
    case Retry::fix_arguments: return "fix_arguments";
    case Retry::look_again: return "look_again";
    case Retry::later: return "later";
    case Retry::after_fix: return "after_fix";
    case Retry::ask_person: return "ask_person";
  }
  return "never";
}

std::string_view name(SideEffects side_effects) {
  switch (side_effects) {
    case SideEffects::none: return "none";
    case SideEffects::possible: return "possible";
    case SideEffects::partial: return "partial";
  }
  return "possible";
}

Error&& Error::with_hint(std::string text) && {
  hint = std::move(text);
  return std::move(*this);
}

Error&& Error::with_field(std::string name, std::string wanted) && {
  field = std::move(name);
  expected = std::move(wanted);
  return std::move(*this);
}

Error&& Error::with_side_effects(SideEffects effects) && {
  side_effects = effects;
  return std::move(*this);
}

Error&& Error::with_retry(Retry other) && {
  retry = other;
  return std::move(*this);
}

Error make_error(Code code, std::string message) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  return error;
}

std::string to_text(const Error& error) {
  std::string line{row(error.code).name};
  line += ": ";
  line += error.message;
  if (!error.expected.empty()) line += " Expected " + error.expected + ".";
  line += ' ';
  line += error.next_step();
  return line;
}

}  // namespace handrail
