// What is known of one app's tree, object by object, as the app told it. Kept between looks; who holds it decides when
// it is to be read again.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/clock.h"
#include "model/geometry.h"
#include "platform/atspi/app_watch.h"

namespace handrail::atspi {

// What an object can do, as far as anybody asks.
enum Interface : std::uint32_t {
  kText = 1U << 0,
  kEditableText = 1U << 1,
  kValue = 1U << 2,
  kAction = 1U << 3,
  kSelection = 1U << 4,
  kComponent = 1U << 5,
  kTable = 1U << 6,
};
// From "org.a11y.atspi.Text" and the like; 0 for others.
std::uint32_t interface_bit(const char* name);

struct Node {
  std::string path;
  std::string parent;
  bool has_states = false;
  bool described = false;  // role, name, description, number of children
  bool has_interfaces = false;
  bool listed = false;  // `children` is what it has,
  bool cut = false;     // or the first of them,
  bool sparse = false;  // or those that show, at their places; other places are empty
  bool placed = false;  // `at` is known
  bool valued = false;  // `value` is
  bool absent = false;  // it did not answer the last time
  std::uint32_t role = 0;
  std::uint64_t states = 0;
  std::uint32_t interfaces = 0;
  std::int32_t child_count = 0;  // as it says; less than 0: unknown
  std::int32_t place = -1;       // among its parent's children, where it was asked; less than 0: unknown
  std::string name, description, value;
  std::vector<std::string> children;  // in their order
  Rect at;                            // as the app says, in pixels
};

using Nodes = std::unordered_map<std::string, Node>;

struct Mirror {
  std::string service;
  std::int64_t pid = 0;
  std::string name, toolkit;
  bool met = false;        // it was asked before
  bool answers = false;    // it has a tree
  bool embedded = false;   // the registry knows it
  bool mute = false;       // it did not answer the last time
  bool bulk = false;       // it gave its whole tree at once
  bool no_bulk = false;    // it cannot, or its tree is too large for that
  bool no_search = false;  // it cannot find by itself what shows
  bool current = false;    // all of `nodes` was true when it was last read, but for what was `said`
  bool silenced = false;   // it stopped answering in the middle of the last reading
  TimePoint first_met = Clock::now();
  std::uint64_t changes = 0;  // of the screen, then
  Nodes nodes;                // by path

  std::vector<TreeEvent> said;                // since, in its order
  bool said_too_much = false;                 // to remember each
  bool suspicious = false;                    // it spoke of objects that should be known
  std::unordered_set<std::string> strangers;  // those that are not, also after all was read again
  TimePoint whole;                            // all of it was read
  Millis cost{0};                             // of that
  TimePoint doubted_until;                    // something had changed without a word
  std::uint64_t readings = 0;                 // of the whole
};

// What was cut from a reading.
struct Cut {
  std::size_t left_out = 0;
  bool most = false, depth = false, unbounded = false;
};

inline constexpr int kDeepestElement = 300;
// Lists and tables that make their rows as they are asked for are asked for no more than this.
inline constexpr std::int32_t kMostRows = 200;

}  // namespace handrail::atspi
