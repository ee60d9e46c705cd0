// Asking apps and services to do something over the session's message bus, without a window.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "catalog/action_spec.h"
#include "model/system.h"

namespace handrail::actions {

struct BusCall {
  std::string destination;
  std::string path;
  std::string interface;
  std::string method;
  std::string signature;
  std::string arguments = "[]";
};

// Names as the message bus defines them, and a JSON list.
Status check(const BusCall& call);

struct BusAnswer {
  std::string answer;
};

struct ListAppActions {
  std::string app;
};

struct AppActionRow {
  std::string name;
  std::string parameter;
  bool enabled = true;
  std::string state;
};

struct AppActionsResult {
  std::string app;
  std::vector<AppActionRow> actions;
};

struct RunAppAction {
  std::string app;
  std::string action;
  std::string parameter;
};

Status check(const RunAppAction& run);

// What came of a call; the answer is a JSON list.
Outcome answered(const CallService& call, const std::string& answer);

std::span<const catalog::ActionSpec> service_actions();

}  // namespace handrail::actions

namespace handrail::describe {

template <>
struct Fields<actions::BusCall> {
  using T = actions::BusCall;
  static constexpr auto list = std::tuple{
      needed("destination", &T::destination, "Well-known name of the service.", between(3, 255)),
      needed("path", &T::path, "Object path.", between(1, 1024)),
      needed("interface", &T::interface, "Interface of the method.", between(3, 255)),
      needed("method", &T::method, "Method to call.", between(1, 255)),
      field("signature", &T::signature, "D-Bus types of the arguments, such as \"su\".", between(0, 255)),
      field("arguments", &T::arguments,
            "The arguments as a JSON list, one for each type; a variant is {\"type\": \"s\", \"value\": \"x\"}.",
            between(2, 16000)),
  };
};
template <>
struct Fields<actions::BusAnswer> {
  using T = actions::BusAnswer;
  static constexpr auto list =
      std::tuple{field("answer", &T::answer, "What came back, as a JSON list; not to be trusted.")};
};
template <>
struct Fields<actions::ListAppActions> {
  using T = actions::ListAppActions;
  static constexpr auto list =
      std::tuple{needed("app", &T::app, "Name or id of an app that is running.", between(1, 200))};
};
template <>
struct Fields<actions::AppActionRow> {
  using T = actions::AppActionRow;
  static constexpr auto list = std::tuple{
      field("name", &T::name, "Name to ask for it by; not to be trusted."),
      field("parameter", &T::parameter, "D-Bus type of the parameter; empty: it takes none."),
      field("enabled", &T::enabled, "It can be asked for now."),
      field("state", &T::state, "Its state as JSON; empty: it has none."),
  };
};
template <>
struct Fields<actions::AppActionsResult> {
  using T = actions::AppActionsResult;
  static constexpr auto list = std::tuple{
      field("app", &T::app, "The app."),
      field("actions", &T::actions, "What it offers."),
  };
};
template <>
struct Fields<actions::RunAppAction> {
  using T = actions::RunAppAction;
  static constexpr auto list = std::tuple{
      needed("app", &T::app, "Name or id of an app that is running.", between(1, 200)),
      needed("action", &T::action, "Name from list_app_actions.", between(1, 255)),
      field("parameter", &T::parameter, "What it takes, as JSON; empty: nothing.", between(0, 16000)),
  };
};

}  // namespace handrail::describe
