// A window with one widget of each kind on a private session, and what it says became of them: the oracle of acts.
#pragma once

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "platform/atspi/accessibility.h"
#include "support/bus_session.h"

namespace handrail::testing {

class Widgets {
 public:
  Widgets(Session& session, const std::string& name) : log_(session.folder / (name + ".log")) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    orders_ = ends[1];
    program_ = std::make_unique<Program>(
        std::vector<std::string>{session.app(name), "--log", log_, "--geometry", "600x700+20+40", "--title", name},
        session.environment, -1, ends[0]);
    ::close(ends[0]);
    if (!eventually([&] { return count("ready") > 0; })) throw std::runtime_error(name + " did not start");
  }
  ~Widgets() { ::close(orders_); }
  Widgets(const Widgets&) = delete;
  Widgets& operator=(const Widgets&) = delete;

  void order(const std::string& line) {
    const std::string whole = line + "\n";
    if (::write(orders_, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size())) {
      throw std::runtime_error("the app is gone");
    }
  }
  // What became of its widgets since it started, after all orders so far.
  std::vector<std::string> did() {
    const std::size_t before = count("told");
    order("tell");
    if (!eventually([&] { return count("told") > before; })) throw std::runtime_error("the app does not answer");
    return logged();
  }
  // The same without asking.
  std::vector<std::string> logged() const {
    std::vector<std::string> found;
    for (const auto& event : events()) {
      if (event["event"] != "did") continue;
      const auto& to = event["to"];
      found.push_back(event["what"].get<std::string>() + " " + (to.is_string() ? to.get<std::string>() : to.dump()));
    }
    return found;
  }
  std::int64_t pid() const { return program_->pid(); }
  void signal(int number) const { program_->signal(number); }

 private:
  const std::vector<nlohmann::json>& events() const {
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
};

// Where the keyboard and the pointer are and which window is above which, told by a program of its own.
inline nlohmann::json desk(const Session& session) {
  const std::string command = "DISPLAY=" + session.x.name() + " " + session.app("desk_state");
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string text;
  char bytes[4096];
  while (const std::size_t n = std::fread(bytes, 1, sizeof bytes, pipe.get())) text.append(bytes, n);
  const auto all = nlohmann::json::parse(text, nullptr, false);
  nlohmann::json told{{"focus", all["focus"]}, {"active", all["active"]}, {"pointer", all["pointer"]}};
  for (const auto& window : all["windows"]) told["stacking"].push_back(window["id"]);
  return told;
}

}  // namespace handrail::testing
