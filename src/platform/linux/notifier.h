// Tells the person at the desktop when an agent takes it and leaves it, through the notification service of its session
// bus. Nothing waits for that: without a service, or with one that never answers, the words are lost.
#pragma once

#include <memory>
#include <string>

namespace handrail::linux_ {

// Markup is the service's own language; what is told is text.
std::string without_markup(const std::string& text);

class Notifier {
 public:
  // `bus_address`: of the desktop's session bus; empty: nobody is told anything. Never fails and never waits.
  static std::unique_ptr<Notifier> start(std::string bus_address);
  // Bounded, also while a message is under way.
  virtual ~Notifier() = default;

  // Returns at once. Later words replace earlier ones on the screen, and those that still wait.
  virtual void tell(std::string title, std::string text) = 0;

  void agent_came(const std::string& session) {
    tell("An agent uses this desktop", "Session " + session + ". `handrail stop` stops it at once.");
  }
  void agent_left() { tell("The agent has left", "The desktop is yours again."); }
};

}  // namespace handrail::linux_
