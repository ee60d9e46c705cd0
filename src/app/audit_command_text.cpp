#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/audit_command.h"

namespace handrail::app {
namespace {

constexpr std::array<std::string_view, 8> kColumns{"seq",    "time", "kind",       "session",
                                                   "action", "app",  "executable", "outcome"};
constexpr std::array<std::string_view, 2> kLinks{"prev", "hash"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Escaped as in JSON, so that nothing of it moves a cursor or ends a line.
std::string plain(const Json& value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return value.is_string() ? text.substr(1, text.size() - 2) : text;
}

std::string cell(std::string text) {
  // Spreadsheets run what starts like this.
  if (!text.empty() && std::string_view("=+-@|%").find(text[0]) != std::string_view::npos) text.insert(0, "'");
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::string audit_text(const Json& record) {
  const auto field = [&record](const char* name) {
    const auto found = record.find(name);
    return found == record.end() ? std::string("-") : plain(*found);
  };
  std::string text = fmt::format("{:>6} {} {}", field("seq"), field("time"), field("kind"));
  for (const auto& [name, value] : record.items()) {
    const bool shown = is_one_of(std::span(kColumns).first(3), name) || is_one_of(kLinks, name);
    // The line of its call has it.
    const bool again = name == "session" && record.value("kind", Json()) == Json("outcome");
    if (!shown && !again) text += fmt::format(" {}={}", plain(Json(name)), plain(value));
  }
  return text + "\n";
}

std::string audit_csv_header() {
  std::string text;
  for (const std::string_view name : kColumns) text += fmt::format("{},", name);
  return text + "details,prev,hash\r\n";
}

std::string audit_csv(const Json& record) {
  std::string text;
  Json details = Json::object();
  for (const auto& [name, value] : record.items()) {
    if (!is_one_of(kColumns, name) && !is_one_of(kLinks, name) && name != "result") details[name] = value;
  }
  const auto field = [&record](std::string_view name) {
    // What an outcome calls its result.
    const auto found = record.find(name == "outcome" ? std::string("result") : std::string(name));
    return cell(found == record.end() ? std::string() : plain(*found));
  };
  for (const std::string_view name : kColumns) text += field(name) + ",";
  return text + fmt::format("{},{},{}\r\n", cell(plain(details)), field("prev"), field("hash"));
}

}  // namespace handrail::app
