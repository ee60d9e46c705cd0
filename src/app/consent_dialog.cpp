#include "app/consent_dialog.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/json.h"
#include "platform/x11/dialog.h"
#include "policy/consent_text.h"

namespace handrail::app {
namespace {

using policy::ConsentChoice;
using Part = x11::DialogPart::Kind;

// A question is a few kilobytes.
constexpr std::size_t kMostBytes = 256 * 1024;

struct KindRow {
  policy::ConsentLineKind kind;
  std::string_view name;
  Part part;
};
using Line = policy::ConsentLineKind;
constexpr std::array kKinds{
    KindRow{Line::title, "title", Part::heading},  KindRow{Line::item, "item", Part::item},
    KindRow{Line::detail, "detail", Part::detail}, KindRow{Line::warning, "warning", Part::warning},
    KindRow{Line::flag, "flag", Part::item},       KindRow{Line::reason, "reason", Part::quote},
    KindRow{Line::note, "note", Part::note}};

std::string_view name_of_kind(policy::ConsentLineKind kind) {
  for (const KindRow& row : kKinds) {
    if (row.kind == kind) return row.name;
  }
  return "note";
}

std::string_view label_of(ConsentChoice choice) {
  switch (choice) {
    case ConsentChoice::deny: return "Deny";
    case ConsentChoice::once: return "Once";
    case ConsentChoice::session: return "This session";
    case ConsentChoice::always: return "Always";
  }
  return "Deny";
}

Error unreadable() { return make_error(Code::protocol, "The question cannot be read."); }

struct Request {
  x11::DialogSpec spec;
  std::vector<ConsentChoice> choices;  // in the order of the buttons
  std::string digest;                  // of the lines as they are shown
  Millis patience{0};
};

Result<Request> read_request(std::string_view text) {
  const Json json = TRY(parse_json(text));
  const auto field = [&json](const char* name) { return json.is_object() ? json.value(name, Json()) : Json(); };
  const Json lines = field("lines"), choices = field("choices"), patience = field("patience_ms");
  if (!lines.is_array() || !choices.is_array() || !patience.is_number_unsigned()) return unreadable();
  Request request;
  request.spec.title = "Handrail: an agent asks for access";
  std::vector<std::string> shown;
  for (const Json& line : lines) {
    const Json kind = line.is_object() ? line.value("kind", Json()) : Json();
    const Json words = line.is_object() ? line.value("text", Json()) : Json();
    if (!kind.is_string() || !words.is_string()) return unreadable();
    Part part = Part::note;
    for (const KindRow& row : kKinds) {
      if (row.name == kind.get_ref<const std::string&>()) part = row.part;
    }
    shown.push_back(words.get<std::string>());
    request.spec.parts.push_back({part, shown.back()});
  }
  request.digest = policy::digest_of_lines(shown);
  // No comes first, whether it is in the list or not.
  request.choices = {ConsentChoice::deny};
  for (const Json& choice : choices) {
    const auto known = choice.is_string() ? policy::choice_named(choice.get_ref<const std::string&>()) : std::nullopt;
    if (!known) return unreadable();
    if (*known != ConsentChoice::deny) request.choices.push_back(*known);
  }
  for (const ConsentChoice choice : request.choices) request.spec.buttons.emplace_back(label_of(choice));
  request.patience = Millis(std::min<std::uint64_t>(patience.get<std::uint64_t>(), 3600000));
  return request;
}

Result<std::string> read_input() {
  std::string all;
  std::array<char, 4096> buffer;
  while (all.size() <= kMostBytes) {
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return make_error(Code::io_error, "The question cannot be read.");
    if (got == 0) return all;
    all.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return make_error(Code::too_large, "The question is too long.");
}

Result<Json> ask() {
  const std::string text = TRY(read_input());
  const Request request = TRY(read_request(text));
  const char* display = std::getenv("DISPLAY");
  const std::size_t pressed =
      TRY(x11::show_dialog(display == nullptr ? "" : display, request.spec, Deadline::in(request.patience)));
  return Json{{"choice", policy::name_of(request.choices.at(pressed))}, {"digest", request.digest}};
}

}  // namespace

std::string dialog_request(const policy::ConsentQuestion& question, Millis patience) {
  Json lines = Json::array(), choices = Json::array();
  for (const policy::ConsentLine& line : policy::consent_lines(question)) {
    lines.push_back({{"kind", name_of_kind(line.kind)}, {"text", line.text}});
  }
  for (const ConsentChoice choice : question.offered) choices.push_back(policy::name_of(choice));
  return to_line({{"lines", std::move(lines)},
                  {"choices", std::move(choices)},
                  {"patience_ms", static_cast<std::uint64_t>(std::max<Millis::rep>(0, patience.count()))}});
}

Result<ConsentChoice> read_dialog_reply(std::string_view reply, const std::string& digest) {
  const Json json = TRY(parse_json(reply));
  const auto field = [&json](const char* name) { return json.is_object() ? json.value(name, Json()) : Json(); };
  if (const Json error = field("error"); error.is_string()) {
    Error failed =
        make_error(error == row(Code::timeout).name ? Code::timeout : Code::backend_error,
                   field("message").is_string() ? field("message").get<std::string>() : "The dialog failed.");
    if (field("hint").is_string()) failed.hint = field("hint").get<std::string>();
    return failed;
  }
  const Json choice = field("choice");
  const auto known = choice.is_string() ? policy::choice_named(choice.get_ref<const std::string&>()) : std::nullopt;
  if (!known) return make_error(Code::protocol, "The dialog gave no answer that can be read.");
  if (field("digest") != digest) return make_error(Code::protocol, "The dialog showed something else than was asked.");
  return *known;
}

int consent_dialog_command(std::span<const std::string>) {
  const Result<Json> answer = ask();
  Json reply;
  if (answer.ok()) {
    reply = *answer;
  } else {
    reply = {{"error", row(answer.error().code).name}, {"message", answer.error().message}};
    if (!answer.error().hint.empty()) reply["hint"] = answer.error().hint;
  }
  const std::string line = to_line(reply) + "\n";
  // Shorter than a pipe takes in one go.
  const bool written = ::write(STDOUT_FILENO, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  // At once: there is nothing to tidy up, and font libraries keep memory that would count as lost.
  ::_exit(answer.ok() && written ? 0 : 1);
}

}  // namespace handrail::app
