#include "engine/grant_store_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/digest.h"
#include "base/json.h"

namespace handrail::engine {
namespace {

constexpr int kVersion = 1;
constexpr std::string_view kCodeField = ",\"code\":\"";
constexpr std::size_t kCodeDigits = 64;
constexpr std::size_t kCodeTail = kCodeField.size() + kCodeDigits + 3;
constexpr std::array<std::string_view, 3> kTiers{"read", "click", "full"};

struct Flag {
  const char* name;
  bool GrantFlags::*member;
};
constexpr std::array kFlags{
    Flag{"clipboard_read", &GrantFlags::clipboard_read},
    Flag{"clipboard_write", &GrantFlags::clipboard_write},
    Flag{"system_keys", &GrantFlags::system_keys},
    Flag{"files", &GrantFlags::files},
    Flag{"shell", &GrantFlags::shell},
};

std::string code_of(std::string_view key, std::string_view text) {
  const Sha256 code = hmac_sha256(key, text);
  return to_hex({reinterpret_cast<const char*>(code.data()), code.size()});
}

Error damaged(std::string_view what) {
  return make_error(Code::protocol, fmt::format("The kept grants are damaged: {}.", what));
}

Json to_json(const Grant& grant) {
  return {{"app", grant.app},
          {"tier", kTiers[static_cast<std::size_t>(grant.tier)]},
          {"source", grant.source},
          {"executable", grant.executable},
          {"device", grant.file.device},
          {"inode", grant.file.inode},
          {"changed", grant.file.changed},
          {"script", grant.script}};
}

Json to_json(const Look& look) {
  return {{"id", look.id},
          {"display", look.display},
          {"area", {look.area.x, look.area.y, look.area.width, look.area.height}},
          {"image", {look.image.width, look.image.height}},
          {"scale", look.scale},
          {"layout", look.layout}};
}

// These throw what the library throws; counted_state() catches it.
Grant grant_in(const Json& json) {
  Grant grant;
  grant.app = json.at("app").get<std::string>();
  const auto tier = std::ranges::find(kTiers, json.at("tier").get<std::string>());
  // A word of another version must not become more than it meant.
  grant.tier = tier == kTiers.end() ? GrantTier::read : static_cast<GrantTier>(tier - kTiers.begin());
  grant.source = json.at("source").get<std::string>();
  grant.persist = Persist::always;
  grant.executable = json.at("executable").get<std::string>();
  grant.file = {json.at("device").get<std::uint64_t>(), json.at("inode").get<std::uint64_t>(),
                json.at("changed").get<std::int64_t>()};
  grant.script = json.at("script").get<std::string>();
  return grant;
}

Look look_in(const Json& json) {
  Look look;
  look.id = json.at("id").get<std::string>();
  look.display = json.at("display").get<int>();
  const Json& area = json.at("area");
  look.area = {area.at(0).get<double>(), area.at(1).get<double>(), area.at(2).get<double>(), area.at(3).get<double>()};
  look.image = {json.at("image").at(0).get<int>(), json.at("image").at(1).get<int>()};
  look.scale = json.at("scale").get<double>();
  look.layout = json.at("layout").get<std::uint64_t>();
  return look;
}

CountedState state_in(const Json& json) {
  CountedState kept;
  kept.counter = json.at("counter").get<std::uint64_t>();
  for (const Json& grant : json.at("grants")) kept.state.access.grants.push_back(grant_in(grant));
  for (const Flag& flag : kFlags) kept.state.access.flags.*flag.member = json.at("flags").at(flag.name).get<bool>();
  kept.state.selected_display = json.at("selected_display").get<int>();
  if (!json.at("look").is_null()) kept.state.look = look_in(json.at("look"));
  return kept;
}

}  // namespace

std::string grant_record_key(std::string_view secret) {
  const Sha256 key = hmac_sha256(secret, "handrail kept state");
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

std::string to_bytes(const CountedState& kept, std::string_view key) {
  Json grants = Json::array();
  for (const Grant& grant : kept.state.access.grants) {
    if (grant.persist == Persist::always) grants.push_back(to_json(grant));
  }
  Json flags = Json::object();
  for (const Flag& flag : kFlags) flags[flag.name] = kept.state.access.flags.*flag.member;
  const Json whole{{"version", kVersion},
                   {"counter", kept.counter},
                   {"grants", std::move(grants)},
                   {"flags", std::move(flags)},
                   {"selected_display", kept.state.selected_display},
                   {"look", kept.state.look ? to_json(*kept.state.look) : Json()}};
  std::string text = to_line(whole);
  text.pop_back();
  return fmt::format("{}{}{}\"}}\n", text, kCodeField, code_of(key, text));
}

Result<CountedState> counted_state(std::string_view bytes, std::string_view key) {
  if (bytes.size() < kCodeTail) return damaged("the file is cut off");
  const std::string_view text = bytes.substr(0, bytes.size() - kCodeTail);
  const std::string expected = fmt::format("{}{}\"}}\n", kCodeField, code_of(key, text));
  if (!same_secret(expected, bytes.substr(text.size()))) return damaged("they were not written with this key");
  const Json json = TRY(parse_json(bytes));
  try {
    if (json.at("version") != kVersion) return damaged("they are of another version");
    return state_in(json);
  } catch (const Json::exception&) {
    return damaged("something is missing in them");
  }
}

}  // namespace handrail::engine
