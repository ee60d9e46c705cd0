// The error table: every way a call can fail, with what a caller may do about it.
// An `Error` is a row plus what is particular to one instance. It knows nothing of transports; the
// fronts read exit codes and HTTP statuses from the row.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace handrail {

enum class Code {
  argument_invalid,
  action_unknown,
  capability_unsupported,
  permission_missing,
  access_denied,
  gate_refused,
  target_stale,
  not_found,
  ambiguous,
  timeout,
  cancelled,
  busy,
  backend_lost,
  backend_error,
  too_large,
  io_error,
  protocol,
  internal,
};

// What a caller should do before trying again.
enum class Retry { never, fix_arguments, look_again, later, after_fix, ask_person };

// Whether the desktop may have been touched before the failure.
enum class SideEffects { none, possible, partial };

struct ErrorRow {
  Code code;
  std::string_view name;
  Retry retry;
  int cli_exit;
  int http_status;
  std::string_view hint;  // the next step, when an instance has no better one
};

std::span<const ErrorRow> error_table();
const ErrorRow& row(Code code);
std::string_view name(Retry retry);
std::string_view name(SideEffects side_effects);

struct Error {
  Code code = Code::internal;
  std::string message;   // what was wrong, one sentence
  std::string field;     // the offending argument, when there is one
  std::string expected;  // what would have been accepted
  std::string hint;      // the next step; the row's hint when empty
  std::string gate;      // the gate that refused, when one did
  SideEffects side_effects = SideEffects::none;
  std::optional<Retry> retry{};  // when it is another one than the row's

  std::string_view next_step() const { return hint.empty() ? row(code).hint : hint; }

  // Builders, so that an error reads as one expression at the place where it happens.
  Error&& with_hint(std::string text) &&;
  Error&& with_field(std::string field, std::string expected) &&;
  Error&& with_side_effects(SideEffects side_effects) &&;
  Error&& with_retry(Retry retry) &&;

  friend bool operator==(const Error&, const Error&) = default;
};

Error make_error(Code code, std::string message);

// One line for people and logs: "code: message. next step".
std::string to_text(const Error& error);

}  // namespace handrail
