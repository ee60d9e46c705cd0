// What apps show to those who ask by meaning: elements with a role, a name, a state and a place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/desktop.h"
#include "model/geometry.h"

namespace handrail {

// Which object of which connection. Only the backend that made it can read it.
struct ElementId {
  std::string app;
  std::string object;
  friend bool operator==(const ElementId&, const ElementId&) = default;
};

enum class ElementState : std::uint32_t {
  enabled = 1U << 0,
  showing = 1U << 1,
  focusable = 1U << 2,
  focused = 1U << 3,
  checkable = 1U << 4,
  checked = 1U << 5,
  selectable = 1U << 6,
  selected = 1U << 7,
  expandable = 1U << 8,
  expanded = 1U << 9,
  editable = 1U << 10,
  multi_line = 1U << 11,
  pressed = 1U << 12,
  modal = 1U << 13,
  secret = 1U << 14,     // a password field: its value is nobody's business
  active = 1U << 15,     // a window that has the focus
  unbounded = 1U << 16,  // makes its children as they are asked for; they are not listed
  indeterminate = 1U << 17,
};

class ElementStates {
 public:
  bool has(ElementState state) const { return (bits_ & static_cast<std::uint32_t>(state)) != 0; }
  void set(ElementState state, bool on = true) {
    bits_ = on ? bits_ | static_cast<std::uint32_t>(state) : bits_ & ~static_cast<std::uint32_t>(state);
  }
  friend bool operator==(const ElementStates&, const ElementStates&) = default;

 private:
  std::uint32_t bits_ = 0;
};

struct Element {
  ElementId id;
  int parent = -1;  // its place in the tree's list; -1: a window of the app
  int place = 0;    // among its parent's children
  int depth = 0;
  std::string role;  // "push button", "text", "menu item": the names that the toolkits use
  std::string name;  // untrusted, as are description and value
  std::string description;
  std::string value;  // text or number; empty when it has none, was not asked for, or is secret
  Rect bounds;        // in logical desktop points, clipped to its window; empty when it shows nowhere
  ElementStates states;
  WindowId window = 0;  // that shows it; 0 when unknown
  friend bool operator==(const Element&, const Element&) = default;
};

// One app's elements, parents before their children, in the app's own order.
struct ElementTree {
  std::int64_t pid = 0;  // whose connection it is, by the bus daemon
  std::string app;       // as the app calls itself
  std::string toolkit;   // "gtk", "GTK" (4), "Qt", "Chromium"…
  std::vector<Element> elements;
  bool complete = true;      // else some were left out:
  std::size_t left_out = 0;  // as many as are known of
  std::string why{};         // "the limit of 5000 elements", "the app stopped answering"
};

// An element as it was when a client saw it. It is the same one as long as its connection, object, role, name and
// surroundings are.
struct ElementKey {
  ElementId id;
  std::int64_t pid = 0;
  std::string role;
  std::string name;
  std::string parent_role;
  std::string parent_name;
  int place = 0;  // among its parent's children
  friend bool operator==(const ElementKey&, const ElementKey&) = default;
};

ElementKey key_of(const ElementTree& tree, std::size_t element);

// What a person would call it: its name, or the label in it when it has none of its own.
std::string shown_name(const ElementTree& tree, std::size_t element);

// Something to press, fill in, choose or move, by its role and state.
bool interactive(const Element& element);

}  // namespace handrail
