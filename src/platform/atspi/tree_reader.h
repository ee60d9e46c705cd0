// Reads what is missing in the mirror of one app: everything at once where the toolkit can tell it so, else object by
// object, many questions on their way at a time. Each answer brings the next questions, so that several readers share
// one Bus::settle() and an app that does not answer holds up nobody else. Believes nothing of what an app says about
// its size or shape.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "platform/atspi/bus.h"
#include "platform/atspi/mirror.h"

namespace handrail::atspi {

struct Want {
  bool showing = true;
  bool values = false;
  std::size_t most = 5000;
  bool anew = true;    // nothing of what was read before is trusted,
  bool keep = false;   // but for texts, whose changes apps do tell
  bool places = true;  // extents are asked for again
  bool shown = false;  // what shows may not be what it was
};

class TreeReader {
 public:
  TreeReader(Bus& bus, Mirror& app, const Want& want) : bus_(bus), app_(app), want_(want) {}
  TreeReader(const TreeReader&) = delete;
  TreeReader& operator=(const TreeReader&) = delete;

  // The first questions; the others follow from within Bus::settle().
  void start();
  // After it. The app has told all that was wanted.
  bool finished() const { return phase_ == Phase::done; }
  // What the mirror had is not there any more, although nobody said so.
  bool missing() const { return missing_; }
  // It said something until the end, only not all.
  bool slow() const { return !finished() && !stuck_ && Clock::now() - last_answer_ < Millis(300); }

 private:
  enum class Phase { greet, registry, probe, bulk, search, walk, details, done };
  struct Visit {
    std::string path;
    int depth;
  };
  using Reply = std::function<void(sd_bus_message* answer)>;

  void ask(Message request, Reply reply, Millis patience = std::chrono::minutes(1));
  void pump();
  void advance();
  void ask_registry();
  void probe();
  void ask_windows(std::function<void(const std::string& window)> each);
  void take_all();
  void walk();
  void work();
  void visit(const Visit& next);
  void go_on(Node& node, int depth);
  // A question, and who takes the answer: false when it cannot be used.
  struct Part {
    Message request;
    std::function<bool(sd_bus_message* answer)> take;
  };
  // `then` comes after the last answer, with whether all of them could be used.
  void ask_all(std::vector<Part> parts, std::function<void(bool)> then);
  Part state_of(Node& node);
  Part role_of(Node& node);
  void gone(Node& node);
  void ask_state(Node& node, int depth);
  void describe(Node& node, int depth);
  bool tells_apart() const;
  void meet(Node& node, int depth);
  void enter(Node& node, int depth, bool known);
  void greet_root();
  void expand(Node& node, int depth);
  void count_rows(Node& node, int depth);
  void list_children(Node& node, int depth);
  void list_first(Node& node, int depth, std::size_t room);
  void details();
  void ask_value(Node& node);
  void forget_all();
  bool can_search() const;
  void search_shown();
  void take_shown(const std::vector<std::string>& paths);
  void ask_place(Node& node);
  bool link_shown();
  void carry_over(Node& node) const;
  bool at_once() const;

  struct Request {
    Message message;
    Reply reply;
    Millis patience;
  };
  Bus& bus_;
  Mirror& app_;
  Want want_;
  Phase phase_ = Phase::greet;
  std::deque<Request> queue_;
  std::size_t in_flight_ = 0;
  std::deque<Visit> visits_;
  std::unordered_set<std::string> visited_;
  Nodes before_;  // as the mirror was
  std::vector<std::string> shown_, windows_;
  std::uint32_t root_role_ = 0;
  std::optional<std::int32_t> root_count_;  // of its children, as it says
  bool stuck_ = false;                      // the app does not even say its role
  bool missing_ = false;                    // an object that was there does not answer
  bool too_large_ = false;                  // to be told at once
  TimePoint last_answer_ = Clock::now();
};

}  // namespace handrail::atspi
