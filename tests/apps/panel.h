// What the panels have in common: buttons in a scrolled column, changed by lines on standard input.
//   add NAME | remove PLACE | name PLACE NAME | enable PLACE 0|1 | show PLACE 0|1 | first PLACE
//   all 0|1 (enables the column) | text WORDS | slide NUMBER | move X Y | scroll PIXELS | tell
// `tell` logs `button` with place, name, enabled, x, y, width, height on the screen for each, and then `told`.
#pragma once

#include <cstdio>
#include <cstring>
#include <string>

#include "event_log.h"

namespace fixture {

struct Order {
  std::string verb, text;
  int first = 0, second = 0;
};

inline Order parse_order(const std::string& line) {
  Order order;
  const std::size_t space = line.find(' ');
  order.verb = line.substr(0, space);
  if (space == std::string::npos) return order;
  const std::string rest = line.substr(space + 1);
  int used = 0;
  if (order.verb == "add" || order.verb == "text") {
    order.text = rest;
  } else if (order.verb == "name") {
    std::sscanf(rest.c_str(), "%d %n", &order.first, &used);
    order.text = rest.substr(static_cast<std::size_t>(used));
  } else {
    std::sscanf(rest.c_str(), "%d %d", &order.first, &order.second);
  }
  return order;
}

inline void tell_button(EventLog& log, int place, const char* name, bool enabled, int x, int y, int width, int height) {
  log.write("button", {{"place", std::int64_t{place}},
                       {"name", std::string(name)},
                       {"enabled", enabled},
                       {"x", std::int64_t{x}},
                       {"y", std::int64_t{y}},
                       {"width", std::int64_t{width}},
                       {"height", std::int64_t{height}}});
}

inline constexpr int kFirstButtons = 12;

}  // namespace fixture
