// Whether the desktop is as it should be, now or soon. What cannot be learnt is unknown, and never success.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/action_spec.h"
#include "describe/model_names.h"

namespace handrail::actions {

enum class Expect {
  element,
  no_element,
  value,
  text,
  no_text,
  window,
  no_window,
  focused,
  checked,
  selected,
  enabled,
  expanded
};
enum class Truth { satisfied, unsatisfied, unknown };

struct Predicate {
  Expect is = Expect::element;
  std::optional<int> element;
  std::string name;
  std::string role;
  std::string value;
  std::string text;
};

struct VerifyState {
  std::vector<Predicate> expect;
  std::string app;
};

struct WaitFor {
  std::string text;
  std::string name;
  std::string role;
  std::string app;
  double timeout_seconds = 10;
};

struct VerifiedRow {
  Truth truth = Truth::unknown;
  std::string why;
};

struct VerifyResult {
  Truth state = Truth::unknown;
  std::vector<VerifiedRow> rows;
  double waited = 0;
};

// What a predicate needs is there.
Status check(const VerifyState& verify);
Status check(const WaitFor& wait);

std::span<const catalog::ActionSpec> verify_actions();

}  // namespace handrail::actions

namespace handrail::describe {

template <>
struct Names<actions::Expect> {
  using E = actions::Expect;
  static constexpr std::array list{
      Name{E::element, "element"},     Name{E::no_element, "no_element"}, Name{E::value, "value"},
      Name{E::text, "text"},           Name{E::no_text, "no_text"},       Name{E::window, "window"},
      Name{E::no_window, "no_window"}, Name{E::focused, "focused"},       Name{E::checked, "checked"},
      Name{E::selected, "selected"},   Name{E::enabled, "enabled"},       Name{E::expanded, "expanded"}};
};
template <>
struct Names<actions::Truth> {
  using T = actions::Truth;
  static constexpr std::array list{Name{T::satisfied, "satisfied"}, Name{T::unsatisfied, "unsatisfied"},
                                   Name{T::unknown, "unknown"}};
};
template <>
struct Fields<actions::Predicate> {
  using T = actions::Predicate;
  static constexpr auto list = std::tuple{
      needed("is", &T::is, "What is expected."),
      field("element", &T::element, "Element by its number in the last capture.", between(1, 100000)),
      field("name", &T::name, "Element or window by its label, or a part of it.", between(0, 200)),
      field("role", &T::role, "Role of the element.", between(0, 60)),
      field("value", &T::value, "For `value`: what it should be.", between(0, 2000)),
      field("text", &T::text, "For `text`: what should show.", between(0, 2000)),
  };
};
template <>
struct Fields<actions::VerifyState> {
  using T = actions::VerifyState;
  static constexpr auto list = std::tuple{
      needed("expect", &T::expect, "What should be so; all of it.", between(1, 20)),
      field("app", &T::app, "The app; the one of the last capture when left out.", between(0, 200)),
  };
};
template <>
struct Fields<actions::WaitFor> {
  using T = actions::WaitFor;
  static constexpr auto list = std::tuple{
      field("text", &T::text, "Text that should show.", between(0, 2000)),
      field("name", &T::name, "Label of an element that should show, or a part of it.", between(0, 200)),
      field("role", &T::role, "Its role.", between(0, 60)),
      field("app", &T::app, "The app; the one of the last capture when left out.", between(0, 200)),
      field("timeout_seconds", &T::timeout_seconds, "Longest wait.", between(0, 60)),
  };
};
template <>
struct Fields<actions::VerifiedRow> {
  using T = actions::VerifiedRow;
  static constexpr auto list = std::tuple{
      field("truth", &T::truth, "Whether it is so."),
      field("why", &T::why, "What was seen."),
  };
};
template <>
struct Fields<actions::VerifyResult> {
  using T = actions::VerifyResult;
  static constexpr auto list = std::tuple{
      field("state", &T::state, "All of it; unknown is not success."),
      field("rows", &T::rows, "One for each expectation."),
      field("waited", &T::waited, "Seconds that passed."),
  };
};

}  // namespace handrail::describe
