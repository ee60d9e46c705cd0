#include "engine/call_record.h"

#include <algorithm>
#include <cmath>

#include "base/digest.h"
#include "base/log.h"
#include "base/nearest.h"
#include "model/key.h"

namespace handrail::engine {
namespace {

// Keys that are no commands and have characters on them; what cannot be read may be anything.
bool writes_letters(const std::string& keys) {
  const auto chord = parse_chord(keys);
  if (!chord.ok()) return true;
  const auto is_modifier = [](Key key) { return key.keysym >= 0xffe1 && key.keysym <= 0xffee; };
  const auto is_shift = [](Key key) { return key.keysym == 0xffe1 || key.keysym == 0xffe2; };
  // Function keys, arrows and their like lie from 0xfd00 on, those of media keyboards from 0x10080000 on.
  const auto has_character = [](Key key) { return key.keysym < 0xfd00 || (key.keysym >> 24) == 1; };
  const bool commands = std::ranges::any_of(chord->keys, [&](Key key) { return is_modifier(key) && !is_shift(key); });
  return !commands && std::ranges::any_of(chord->keys, has_character);
}

// Names and numbers may be read by the owner; what an agent typed, set, copied or gave as its reason may not. Letters
// may be typed by keys as well, one by one: of keys only chords and keys with names are told.
bool telling(std::string_view name, const std::string& value) {
  for (const std::string_view secret : {"text", "value", "reason", "bytes", "base64", "command", "script", "stdin",
                                        "arguments", "parameter", "title", "image", "html"}) {
    if (name == secret) return true;
  }
  return name == "keys" && writes_letters(value);
}

// Of a name that nobody here gave.
constexpr std::size_t kMostName = 60;

Json digest_of(const std::string& text) { return {{"bytes", text.size()}, {"sha256", sha256_hex(text).substr(0, 16)}}; }

}  // namespace

Json redacted(const Json& value) {
  if (value.is_object()) {
    Json out = Json::object();
    for (const auto& [name, item] : value.items()) {
      // What a program is told may hold anything, whatever its form.
      if (name == "argv" || name == "env" || (name == "files" && item.is_array())) {
        out[name] = digest_of(to_line(item));
        continue;
      }
      const auto* text = item.get_ptr<const std::string*>();
      out[name] = text != nullptr && telling(name, *text) ? digest_of(*text) : redacted(item);
    }
    return out;
  }
  if (value.is_array()) {
    Json out = Json::array();
    for (const auto& item : value) out.push_back(redacted(item));
    return out;
  }
  return value;
}

CallRecord::CallRecord(Journal& journal, AuditLog* audit, const std::string& session, const catalog::ActionCall& call)
    : journal_(journal, std::string(call.spec->name)), audit_(audit) {
  Json body{{"session", session},
            {"action", std::string(call.spec->name)},
            {"params", redacted(call.arguments)},
            {"digest", sha256_hex(to_line(call.arguments))}};
  if (call.dry_run) body["dry_run"] = true;
  begin(std::move(body));
}

CallRecord::CallRecord(Journal& journal, AuditLog* audit, const std::string& session, std::string_view name,
                       const Json& arguments)
    : journal_(journal, shortened(name, kMostName)), audit_(audit) {
  const std::string line = to_line(arguments);
  begin({{"session", session},
         {"action", shortened(name, kMostName)},
         {"bytes", line.size()},
         {"digest", sha256_hex(line)}});
}

void CallRecord::begin(Json body) {
  if (audit_ == nullptr) {
    begun_ = make_error(Code::io_error, "There is no audit log.");
    return;
  }
  const auto written = audit_->append("call", std::move(body));
  if (written.ok())
    sequence_ = *written;
  else
    begun_ = written.error();
}

CallRecord::~CallRecord() {
  if (audit_ == nullptr || sequence_ == 0) return;
  if (!end_.contains("result")) end_["result"] = "abandoned";
  end_["of"] = sequence_;
  end_["took_ms"] = std::round(millis_since(started_) * 100) / 100;
  const auto written = audit_->append("outcome", std::move(end_));
  if (!written.ok()) log(LogLevel::error, "audit: {}", written.error().message);
}

void CallRecord::ruled(const policy::Ruling& ruling) {
  journal_.ruled(ruling);
  if (ruling.allowed()) return;
  end_["gate"] = std::string(ruling.gate);
  end_["reason"] = ruling.verdict.reason;
}

void CallRecord::planned(const Plan& plan) { journal_.planned(plan); }

void CallRecord::reaches(const Receiver& receiver, const policy::Standing& standing) {
  end_["app"] = standing.app.name;
  end_["executable"] = receiver.app.executable;
  end_["pid"] = receiver.app.pid;
}

void CallRecord::ended(const Result<Outcome>& outcome) {
  journal_.ended(outcome);
  const Error* error = !outcome.ok() ? &outcome.error() : outcome->failure ? &*outcome->failure : nullptr;
  end_["result"] = std::string(outcome.ok() ? name(outcome->effect) : row(outcome.error().code).name);
  if (error == nullptr) return;
  end_["error"] = std::string(row(error->code).name);
  end_["side_effects"] = std::string(name(error->side_effects));
  // An event's own refusal comes as the error of the act.
  if (!error->gate.empty() && !end_.contains("gate")) {
    end_["gate"] = error->gate;
    end_["reason"] = error->message;
  }
  // Nobody's gate: a person or policy said no to what was asked for.
  if (error->code == Code::access_denied && !end_.contains("reason")) end_["reason"] = error->message;
}

}  // namespace handrail::engine
