#include "engine/audit_record.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <ctime>

namespace handrail::engine {
namespace {

constexpr std::string_view kHashField = ",\"hash\":\"";
constexpr std::string_view kPreviousField = ",\"prev\":\"";
constexpr std::size_t kHashDigits = 64;
constexpr std::array<std::string_view, 5> kFrame{"seq", "time", "kind", "prev", "hash"};

std::string plain(const Json& value) { return value.dump(-1, ' ', true, Json::error_handler_t::replace); }

std::string utc(std::chrono::system_clock::time_point time) {
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  const std::time_t seconds = millis / 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, millis % 1000);
}

// The fields of the body as they stand inside an object: empty, or with a comma before each.
std::string fields_of(const Json& body) {
  if (body.is_null()) return "";
  if (!body.is_object()) return fields_of(Json{{"value", body}});
  std::string text;
  for (const auto& [name, value] : body.items()) {
    std::string field = name;
    while (std::ranges::find(kFrame, field) != kFrame.end() || (field != name && body.contains(field))) field += '_';
    text += fmt::format(",{}:{}", plain(field), plain(value));
  }
  if (text.size() > kMaxRecordBytes) {
    return fmt::format(",\"too_large\":{},\"digest\":\"{}\"", text.size(), sha256_hex(text));
  }
  return text;
}

std::string signed_text(std::uint64_t count, std::string_view previous) {
  return fmt::format("handrail audit checkpoint\n{}\n{}\n", count, previous);
}

// Takes `prefix` and everything up to `end` off the front.
std::optional<std::string_view> take(std::string_view& text, std::string_view prefix, char end) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  const std::size_t stop = text.find(end);
  if (stop == std::string_view::npos) return std::nullopt;
  const std::string_view value = text.substr(0, stop);
  text.remove_prefix(stop);
  return value;
}

}  // namespace

AuditLine audit_line(std::uint64_t sequence, std::chrono::system_clock::time_point time, std::string_view kind,
                     const Json& body, std::string_view previous) {
  AuditLine line;
  line.text = fmt::format("{{\"seq\":{},\"time\":\"{}\",\"kind\":{}{}{}{}\"", sequence, utc(time),
                          plain(Json(std::string(kind))), fields_of(body), kPreviousField, previous);
  line.hash = sha256_hex(line.text);
  line.text += fmt::format("{}{}\"}}\n", kHashField, line.hash);
  return line;
}

std::optional<ReadLine> read_line(std::string_view line) {
  constexpr std::size_t kHashTail = kHashField.size() + kHashDigits + 2;
  constexpr std::size_t kPreviousTail = kPreviousField.size() + kHashDigits + 1;
  if (line.size() < kHashTail + kPreviousTail || !line.ends_with("\"}")) return std::nullopt;
  const std::string_view hashed = line.substr(0, line.size() - kHashTail);
  if (!line.substr(hashed.size()).starts_with(kHashField)) return std::nullopt;
  if (!hashed.substr(hashed.size() - kPreviousTail).starts_with(kPreviousField)) return std::nullopt;
  ReadLine read;
  read.hash = line.substr(hashed.size() + kHashField.size(), kHashDigits);
  read.previous = hashed.substr(hashed.size() - kHashDigits - 1, kHashDigits);
  std::string_view rest = hashed;
  const auto sequence = take(rest, "{\"seq\":", ',');
  const auto time = take(rest, ",\"time\":\"", '"');
  const auto kind = take(rest, "\",\"kind\":\"", '"');
  if (!sequence || !time || !kind) return std::nullopt;
  const char* end = sequence->data() + sequence->size();
  const auto number = std::from_chars(sequence->data(), end, read.sequence);
  if (number.ec != std::errc() || number.ptr != end) return std::nullopt;
  read.time = *time;
  read.kind = *kind;
  read.intact = sha256_hex(hashed) == read.hash;
  return read;
}

Json checkpoint_body(const SigningKey& key, std::uint64_t count, std::string_view previous) {
  return {{"count", count}, {"key", to_hex(key.open)}, {"signature", to_hex(sign(key, signed_text(count, previous)))}};
}

bool checkpoint_holds(const Json& record, std::string_view open_key, std::string_view previous) {
  const auto text = [&record](const char* field) {
    const auto found = record.find(field);
    return found != record.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  const auto count = record.find("count");
  if (count == record.end() || !count->is_number_unsigned()) return false;
  const Result<std::string> signature = from_hex(text("signature"));
  if (!signature.ok() || text("key") != to_hex(open_key)) return false;
  return signed_by(open_key, signed_text(count->get<std::uint64_t>(), previous), *signature);
}

}  // namespace handrail::engine
