#include "platform/linux/desktop_record.h"

namespace handrail::linux_ {
namespace {

Json to_json(const ProcessId& id) { return {{"pid", id.pid}, {"start_time", id.start_time}}; }

ProcessId process_id(const Json& json) {
  return {json.at("pid").get<pid_t>(), json.at("start_time").get<std::uint64_t>()};
}

Json to_json(const Environment& environment) {
  Json json = Json::object();
  for (const auto& [name, value] : environment) json[name] = value;
  return json;
}

Environment environment_of(const Json& json) {
  Environment environment;
  for (const auto& [name, value] : json.items()) environment[name] = value.get<std::string>();
  return environment;
}

std::string_view name_of(DesktopHome home) { return home == DesktopHome::shared ? "shared" : "private"; }

DesktopHome home_of(const Json& json) { return json == "shared" ? DesktopHome::shared : DesktopHome::private_; }

// The library throws on a missing or wrong field; here that is an error like any other.
template <class T, class Read>
Result<T> reading(std::string_view what, Read read) {
  try {
    return read();
  } catch (const Json::exception& problem) {
    return make_error(Code::protocol, std::string(what) + " is damaged: " + problem.what());
  }
}

}  // namespace

Json to_json(const DesktopInfo& info) {
  Json screens = Json::array();
  for (const PixelRect& s : info.screens) {
    screens.push_back({{"x", s.x}, {"y", s.y}, {"width", s.width}, {"height", s.height}});
  }
  return {{"name", info.name},
          {"id", info.id},
          {"display", info.display},
          {"size", {{"width", info.size.width}, {"height", info.size.height}}},
          {"screens", screens},
          {"xauthority", info.xauthority},
          {"bus_address", info.bus_address},
          {"accessibility_address", info.accessibility_address},
          {"runtime_dir", info.runtime_dir},
          {"home", info.home},
          {"home_kind", name_of(info.home_kind)},
          {"supervisor", to_json(info.supervisor)},
          {"keeper", to_json(info.keeper)},
          {"server", to_json(info.server)},
          {"environment", to_json(info.environment)}};
}

Result<DesktopInfo> desktop_info(const Json& json) {
  return reading<DesktopInfo>("The state of a desktop", [&] {
    DesktopInfo info;
    info.name = json.at("name").get<std::string>();
    info.id = json.at("id").get<std::string>();
    info.display = json.at("display").get<std::string>();
    info.size = {json.at("size").at("width").get<int>(), json.at("size").at("height").get<int>()};
    for (const Json& s : json.at("screens")) {
      info.screens.push_back(
          {s.at("x").get<int>(), s.at("y").get<int>(), s.at("width").get<int>(), s.at("height").get<int>()});
    }
    info.xauthority = json.at("xauthority").get<std::string>();
    info.bus_address = json.at("bus_address").get<std::string>();
    info.accessibility_address = json.at("accessibility_address").get<std::string>();
    info.runtime_dir = json.at("runtime_dir").get<std::string>();
    info.home = json.at("home").get<std::string>();
    info.home_kind = home_of(json.at("home_kind"));
    info.supervisor = process_id(json.at("supervisor"));
    info.keeper = process_id(json.at("keeper"));
    info.server = process_id(json.at("server"));
    info.environment = environment_of(json.at("environment"));
    return info;
  });
}

Json to_json(const SuperviseRequest& request) {
  Json screens = Json::array();
  for (const Size& s : request.screens) screens.push_back({{"width", s.width}, {"height", s.height}});
  return {{"name", request.name},
          {"id", request.id},
          {"runtime_dir", request.runtime_dir},
          {"lock_path", request.lock_path},
          {"home", request.home},
          {"home_kind", name_of(request.home_kind)},
          {"base", to_json(request.base)},
          {"screens", screens},
          {"apps", request.apps},
          {"owned", request.owned},
          {"patience_ms", request.patience.count()}};
}

Result<SuperviseRequest> supervise_request(const Json& json) {
  return reading<SuperviseRequest>("The request to start a desktop", [&] {
    SuperviseRequest request;
    request.name = json.at("name").get<std::string>();
    request.id = json.at("id").get<std::string>();
    request.runtime_dir = json.at("runtime_dir").get<std::string>();
    request.lock_path = json.at("lock_path").get<std::string>();
    request.home = json.at("home").get<std::string>();
    request.home_kind = home_of(json.at("home_kind"));
    request.base = environment_of(json.at("base"));
    for (const Json& s : json.at("screens")) {
      request.screens.push_back({s.at("width").get<int>(), s.at("height").get<int>()});
    }
    request.apps = json.at("apps").get<std::vector<std::vector<std::string>>>();
    request.owned = json.at("owned").get<bool>();
    request.patience = Millis(json.at("patience_ms").get<std::int64_t>());
    return request;
  });
}

Json to_json(const Error& error) {
  return {{"code", row(error.code).name}, {"message", error.message}, {"hint", error.hint}};
}

Error reported_error(const Json& json) {
  Error error = make_error(Code::internal, json.value("message", std::string("The desktop failed to start.")));
  for (const ErrorRow& row : error_table()) {
    if (row.name == json.value("code", std::string())) error.code = row.code;
  }
  error.hint = json.value("hint", std::string());
  return error;
}

}  // namespace handrail::linux_
