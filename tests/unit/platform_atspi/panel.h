// A panel on a private session, and what it says of itself: the oracle of the tests of trees.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>

#include "platform/atspi/accessibility.h"
#include "support/bus_session.h"

namespace handrail::testing {

struct ToldButton {
  std::string name;
  bool enabled = false;
  Rect at;
  friend bool operator==(const ToldButton&, const ToldButton&) = default;
};

class Panel {
 public:
  Panel(Session& session, const std::string& name, const std::string& geometry = "360x300+200+150")
      : log_(session.folder / (name + geometry + ".log")) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    orders_ = ends[1];
    program_ = std::make_unique<Program>(
        std::vector<std::string>{session.app(name), "--log", log_, "--geometry", geometry, "--title", name},
        session.environment, -1, ends[0]);
    ::close(ends[0]);
    if (!eventually([&] { return count("ready") > 0; })) throw std::runtime_error(name + " did not start");
  }
  ~Panel() { ::close(orders_); }
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;

  void order(const std::string& line) {
    const std::string whole = line + "\n";
    if (::write(orders_, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size())) {
      throw std::runtime_error("the panel is gone");
    }
  }
  // As it is after all orders so far.
  std::vector<ToldButton> buttons() {
    const std::size_t before = count("told");
    order("tell");
    if (!eventually([&] { return count("told") > before; })) throw std::runtime_error("the panel does not answer");
    std::vector<ToldButton> found;
    for (const auto& event : events()) {
      if (event["event"] == "told") last_ = std::exchange(found, {});
      if (event["event"] == "button") {
        found.push_back({event["name"], event["enabled"], {event["x"], event["y"], event["width"], event["height"]}});
      }
    }
    return last_;
  }
  WindowId window() const {
    for (const auto& event : events()) {
      if (event["event"] == "ready") return event["window"];
    }
    return 0;
  }
  std::int64_t pid() const { return program_->pid(); }
  void signal(int number) const { program_->signal(number); }
  void end() { program_.reset(); }

 private:
  const std::vector<nlohmann::json>& events() const {
    // Only what is new is read, and only whole lines.
    std::ifstream in(log_);
    in.seekg(read_);
    for (std::string line; std::getline(in, line) && !in.eof();) {
      read_ += static_cast<std::streamoff>(line.size() + 1);
      auto event = nlohmann::json::parse(line, nullptr, false);
      if (event.is_object()) events_.push_back(std::move(event));
    }
    return events_;
  }
  std::size_t count(const std::string& name) const {
    std::size_t n = 0;
    for (const auto& event : events()) n += event["event"] == name ? 1 : 0;
    return n;
  }

  std::string log_;
  mutable std::vector<nlohmann::json> events_;
  mutable std::streamoff read_ = 0;
  int orders_ = -1;
  std::unique_ptr<Program> program_;
  std::vector<ToldButton> last_;
};

}  // namespace handrail::testing
