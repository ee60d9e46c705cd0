// What is asked of the objects of one app in order to act on them: each answer is awaited, each wait is short. It knows
// the calls, not what they are good for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "platform/atspi/bus.h"

namespace handrail::atspi {

struct Thing {
  std::string path, parent, name;
  std::uint32_t role = 0;
  std::uint64_t states = 0;
  std::uint32_t interfaces = 0;
  std::int32_t place = -1;  // among its parent's children
  bool known = false;       // it has answered

  bool is(std::string_view role_word) const;
  bool can(std::uint32_t interface) const { return (interfaces & interface) != 0; }
  bool enabled() const;
  // Takes text by accessibility. Firefox says of every text that it is editable, but of few that they can be edited.
  bool field() const;
  bool selectable() const;
  bool selected() const;
};

// What an app said to a request. Late: nothing in time, though it may have done it.
enum class Told { yes, no, refused, late };

class AppCalls {
 public:
  AppCalls(Bus& bus, std::string service, std::string toolkit, Deadline deadline)
      : bus_(bus), service_(std::move(service)), toolkit_(std::move(toolkit)), deadline_(deadline) {}

  Result<Thing> look(const std::string& path);
  // The same without a wait of its own: the next one brings the answers, which then serve one look() each.
  void look_ahead(const std::vector<std::string>& paths);
  // Likewise what has to be known of most things before they are pressed: for actions() and child_roles().
  void press_ahead(const std::string& path);
  void forget_ahead() {
    ahead_.clear();
    actions_ahead_.clear();
    counts_ahead_.clear();
  }
  // In their order, for each of them; nothing for those that have more than `kMostChildren`.
  static constexpr std::int32_t kMostChildren = 1000;
  Result<std::vector<std::vector<Thing>>> children(const std::vector<std::string>& paths);
  Result<std::vector<Thing>> children(const std::string& path);
  // None of those that have more than that.
  Result<std::vector<std::uint32_t>> child_roles(const std::string& path);
  Result<std::vector<std::string>> actions(const std::string& path);
  Result<std::optional<double>> number(const std::string& path, const char* property);
  Result<std::string> text(const std::string& path);
  Result<std::int32_t> caret(const std::string& path);
  Result<std::optional<Thing>> chosen(const std::string& holder);

  Told do_action(const std::string& path, int action);
  Told select_child(const std::string& path, int place);
  // Of a table: the row that its child at `place` is in, and selecting it.
  Result<std::optional<std::int32_t>> row_of(const std::string& path, int place);
  Told select_row(const std::string& path, int row);
  Told leave_row(const std::string& path, int row);
  Result<std::vector<std::int32_t>> selected_rows(const std::string& path);
  // Of what has children that can be selected.
  Result<std::int32_t> selected_children(const std::string& path);
  Told clear_selection(const std::string& path);
  Told set_number(const std::string& path, double number);
  Told set_text(const std::string& path, const std::string& text);
  Told insert_text(const std::string& path, int at, const std::string& text, int length);
  Told delete_text(const std::string& path, int end);
  Told scroll_to(const std::string& path);
  Told grab_focus(const std::string& path);

  Deadline deadline() const { return deadline_; }
  const std::string& toolkit() const { return toolkit_; }

 private:
  struct Actions {
    std::int32_t count = -1;  // not told
    std::vector<std::optional<std::string>> names;
  };

  void describe(Thing& thing);
  void count_children(const std::string& path, std::optional<std::int32_t>& count);
  void count_actions(const std::string& path, Actions& actions);
  void name_action(const std::string& path, Actions& actions, std::size_t which);
  Message call(const std::string& path, const char* interface, const char* method) const;
  Told ask(Message request);

  Bus& bus_;
  std::map<std::string, Thing> ahead_;
  std::map<std::string, Actions> actions_ahead_;
  std::map<std::string, std::optional<std::int32_t>> counts_ahead_;
  std::string service_, toolkit_;
  Deadline deadline_;
};

}  // namespace handrail::atspi
