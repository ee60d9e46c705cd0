#include "surface/modifiers.h"

#include "describe/codec.h"
#include "describe/model_names.h"
#include "model/key.h"

namespace handrail::surface {

Result<Json> modifier_list(const Json& value, std::string_view param) {
  const std::string text = TRY(describe::read_text(value, std::string(param), describe::between(0, 60)));
  Json list = Json::array();
  if (text.empty()) return list;
  std::string_view rest = text;
  while (true) {
    const std::size_t plus = rest.find('+');
    auto modifier = parse_modifier(rest.substr(0, plus));
    if (!modifier.ok()) {
      Error error = std::move(modifier).error();
      error.field = std::string(param);
      return error;
    }
    list.push_back(std::string(describe::name_of(*modifier)));
    if (plus == std::string_view::npos) return list;
    rest.remove_prefix(plus + 1);
  }
}

std::string modifier_text(const Json& list) {
  std::string text;
  for (const auto& modifier : list) text += (text.empty() ? "" : "+") + modifier.get<std::string>();
  return text;
}

}  // namespace handrail::surface
