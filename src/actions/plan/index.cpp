#include "actions/plan/index.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/elements.h"
#include "base/nearest.h"
#include "base/one_line.h"

namespace handrail::actions::plan {
namespace {

constexpr std::size_t kLines = 40;
constexpr std::size_t kTextBytes = 60;     // of a name or value in a line
constexpr std::size_t kNameBytes = 200;    // in a row
constexpr std::size_t kValueBytes = 1000;  // in a row
constexpr std::size_t kAllValues = 12000;  // in the rows of one capture; later ones are as short as in a line
constexpr std::size_t kMany = 100000;

ElementRow row_of(const SeenElement& seen, const Look& look, std::size_t& room) {
  const Element& element = seen.element;
  ElementRow row;
  row.n = seen.number;
  row.role = element.role;
  row.name = shortened(element.name.empty() ? element.description : element.name, kNameBytes);
  row.box = box_in(look, element.bounds);
  row.states = state_words(element);
  if (!seen.app.empty()) row.app = seen.app;
  // A name is not told twice, nor that something else than text stands there.
  const bool tells = !element.value.empty() && element.value != element.name && element.value != "\ufffc";
  if (!tells || element.states.has(ElementState::secret)) return row;
  const std::size_t most = std::min(kValueBytes, std::max(room, kTextBytes));
  row.value = shortened(element.value, most);
  if (element.value.size() > most) row.value_cut = true;
  room -= std::min(room, row.value->size());
  return row;
}

std::string line_of(const ElementRow& row, const std::string& app) {
  std::string line = fmt::format("#{} {} {} @ ({})", row.n, one_line(row.role), quoted(row.name, kTextBytes),
                                 fmt::join(row.box, ", "));
  if (row.value) line += fmt::format(" = {}", quoted(*row.value, kTextBytes));
  if (!row.states.empty()) line += fmt::format(" {}", fmt::join(row.states, " "));
  return line + fmt::format(" [{}]", one_line(row.app.value_or(app)));
}

std::string more(std::size_t count) {
  if (count == 0) return {};
  return count < kMany ? fmt::format("+{} more\n", count) : "+many more\n";
}

}  // namespace

Look points_look() {
  constexpr int kSide = 10000;
  Look look;
  look.area = {0, 0, kSide, kSide};
  look.image = {kSide, kSide};
  return look;
}

std::vector<ElementRow> rows_of(const std::vector<SeenElement>& elements, const Look& look) {
  std::size_t room = kAllValues;
  std::vector<ElementRow> rows;
  for (const SeenElement& each : elements) rows.push_back(row_of(each, look, room));
  return rows;
}

std::string index_of(const std::vector<ElementRow>& rows, std::size_t left_out, const std::string& app) {
  std::string text;
  for (std::size_t i = 0; i < rows.size() && i < kLines; ++i) text += line_of(rows[i], app) + "\n";
  return text + more(rows.size() - std::min(rows.size(), kLines) + left_out);
}

std::string delta_index_of(const Delta& delta, const Look& look, const std::string& app) {
  std::string text;
  std::size_t lines = 0;
  const auto tell = [&](const char* sign, const std::vector<SeenElement>& elements) {
    for (const ElementRow& row : rows_of(elements, look)) {
      if (++lines <= kLines) text += sign + line_of(row, app) + "\n";
    }
  };
  tell("+ ", delta.came);
  tell("~ ", delta.changed);
  tell("> ", delta.moved);
  tell("- ", delta.gone);
  return text + more(lines - std::min(lines, kLines));
}

}  // namespace handrail::actions::plan
