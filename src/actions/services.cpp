#include "actions/services.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/context.h"
#include "base/counted.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/one_line.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::Tier;
using catalog::Touches;

constexpr std::size_t kMostAnswer = 16000;
constexpr std::size_t kNameBytes = 200;

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

// Words of letters, digits and underscores with single points between them; at least two.
bool dotted(std::string_view name, bool hyphens) {
  std::size_t points = 0;
  char before = '.';
  for (const char c : name) {
    const bool ok = c == '.' ? before != '.' : letter(c) || (hyphens && c == '-') || (digit(c) && before != '.');
    if (!ok) return false;
    points += c == '.' ? 1U : 0U;
    before = c;
  }
  return points > 0 && before != '.';
}

bool object_path(std::string_view path) {
  if (path == "/") return true;
  char before = 0;
  for (const char c : path) {
    if (!(c == '/' ? before != '/' : letter(c) || digit(c))) return false;
    before = c;
  }
  return path.starts_with('/') && before != '/';
}

bool member(std::string_view name) {
  return !name.empty() && !digit(name[0]) && std::ranges::all_of(name, [](char c) { return letter(c) || digit(c); });
}

Error bad(const char* field, const std::string& value, const char* expected) {
  return make_error(Code::argument_invalid, fmt::format("`{}` is {}.", field, quoted(value, 80)))
      .with_field(field, expected);
}

Result<Outcome> run_call(ActionContext& context, const BusCall& call) {
  CallService plan{call.destination, call.path, call.interface, call.method, call.signature, call.arguments};
  plan.pid = TRY(context.service_owner(call.destination));
  return context.perform(plan);
}

Result<Target> running(ActionContext& context, const std::string& app) {
  Target target = TRY(context.aim(app, {}));
  if (!target.screen) return target;
  return make_error(Code::argument_invalid, "The whole screen is no app.").with_field("app", "the name of an app");
}

Result<Outcome> run_list(ActionContext& context, const ListAppActions& list) {
  const Target target = TRY(running(context, list.app));
  AppActionsResult result{one_line(target.app), {}};
  std::string lines;
  for (const AppCommand& each : TRY(context.app_commands(target))) {
    result.actions.push_back({each.name, each.parameter, each.enabled, each.state});
    lines += fmt::format("{}{}{}\n", quoted(each.name, kNameBytes),
                         each.parameter.empty() ? "" : " takes " + each.parameter, each.enabled ? "" : " (not now)");
  }
  Outcome outcome = observed(describe::encode(result));
  outcome.text = result.actions.empty()
                     ? fmt::format("{} offers no actions over the message bus; use its window.", result.app)
                     : fmt::format("{} offers {}.", result.app, counted(result.actions.size(), "action"));
  outcome.untrusted = shortened(lines, kMostAnswer);
  return outcome;
}

// How each of the three ways of offering actions is asked.
CallService call_of(const AppCommand& command, const std::string& parameter) {
  CallService call{command.destination, command.path, command.interface, command.name};
  call.offered = true;
  if (command.interface.starts_with("org.mpris.")) return call;
  const Json name = command.name.substr(command.name.find('.') + 1);
  Json values = Json::array();
  if (!parameter.empty()) {
    values.push_back({{"type", command.parameter}, {"value", parse_json(parameter).value()}});
  }
  call.signature = "sava{sv}";
  call.arguments = to_line(Json::array({name, values, Json::object()}));
  call.method = command.interface == "org.gtk.Actions" ? "Activate" : "ActivateAction";
  return call;
}

Result<Outcome> run_action(ActionContext& context, const RunAppAction& run) {
  const Target target = TRY(running(context, run.app));
  const std::vector<AppCommand> offered = TRY(context.app_commands(target));
  const auto found = std::ranges::find(offered, run.action, &AppCommand::name);
  if (found == offered.end()) {
    return make_error(Code::not_found,
                      fmt::format("{} offers no action {}.", one_line(target.app), quoted(run.action, 80)))
        .with_hint("`list_app_actions` shows what it offers.");
  }
  if (!found->enabled) {
    return make_error(Code::gate_refused, fmt::format("The app has switched {} off for now.", quoted(run.action, 80)))
        .with_retry(Retry::later)
        .with_hint("Look at the app; something else may have to be done first.");
  }
  if (found->parameter.empty() != run.parameter.empty()) {
    return make_error(Code::argument_invalid,
                      fmt::format("The action takes {} parameter.", found->parameter.empty() ? "no" : "a"))
        .with_field("parameter", found->parameter.empty() ? "nothing" : "JSON of the D-Bus type " + found->parameter);
  }
  CallService plan = call_of(*found, run.parameter);
  plan.pid = target.pid;
  return context.perform(plan);
}

constexpr std::array kCall{Example{
    "Which names there are.",
    R"({"destination": "org.freedesktop.DBus", "path": "/org/freedesktop/DBus", "interface": "org.freedesktop.DBus", "method": "ListNames"})"}};
constexpr std::array kList{Example{"Of an editor.", R"({"app": "gedit"})"}};
constexpr std::array kRun{Example{"A new window.", R"({"app": "gedit", "action": "app.new-window"})"},
                          Example{"Pause a player.", R"({"app": "vlc", "action": "Pause"})"}};

constexpr std::array kServiceActions{
    action<BusCall, BusAnswer, run_call>(
        "dbus_call", Category::scripting, Touches::programs, Tier::full, Capability::services,
        "Call a method of a service on the session bus; a person agrees to each call.", kCall),
    action<ListAppActions, AppActionsResult, run_list>(
        "list_app_actions", Category::scripting, Touches::nothing, Tier::read, Capability::services,
        "List what an app can be asked to do without its window.", kList),
    action<RunAppAction, BusAnswer, run_action>("app_action", Category::scripting, Touches::apps, Tier::full,
                                                Capability::services,
                                                "Ask an app to do one of the actions that it offers.", kRun),
};

}  // namespace

Status check(const BusCall& call) {
  if (call.destination.starts_with(':') || !dotted(call.destination, true)) {
    return bad("destination", call.destination, "a well-known name such as org.freedesktop.Notifications");
  }
  if (!object_path(call.path)) return bad("path", call.path, "an object path such as /org/freedesktop/Notifications");
  if (!dotted(call.interface, false)) return bad("interface", call.interface, "an interface such as org.gtk.Actions");
  if (!member(call.method)) return bad("method", call.method, "letters, digits and underscores");
  const auto arguments = parse_json(call.arguments);
  if (!arguments.ok() || !arguments->is_array())
    return bad("arguments", call.arguments, "a JSON list such as [\"a\", 1]");
  return {};
}

Status check(const RunAppAction& run) {
  if (run.parameter.empty() || parse_json(run.parameter).ok()) return {};
  return bad("parameter", run.parameter, "JSON, such as \"text\" in quotes, 5 or true");
}

Outcome answered(const CallService& call, const std::string& answer) {
  Outcome outcome = acted(Route::system, Delivery::background, {Evidence::delivered});
  const std::string shown = shortened(answer, kMostAnswer);
  outcome.data = describe::encode(BusAnswer{shown});
  outcome.text = call.offered                  ? "The app took it. Look at it to see what it did."
                 : answer.size() > kMostAnswer ? fmt::format("It answered with {} bytes, of which the first {} follow.",
                                                             answer.size(), kMostAnswer)
                                               : "It answered.";
  if (!call.offered) outcome.untrusted = shown;
  return outcome;
}

std::span<const catalog::ActionSpec> service_actions() { return kServiceActions; }

}  // namespace handrail::actions
