#include "engine/fit_of_name.h"

#include <algorithm>

#include "policy/app_name.h"

namespace handrail::engine {

int fit_of_name(const std::string& asked, const std::string& window_class, const AppIdentity& app,
                const std::string& name) {
  using policy::lower;
  const std::string wanted = policy::folded_app_name(asked);
  if (wanted == lower(name) || wanted == lower(app.desktop_id)) return 3;
  std::vector<std::string> aliases = policy::program_names(app.executable);
  aliases.push_back(lower(window_class));
  if (std::ranges::find(aliases, wanted) != aliases.end()) return 2;
  aliases.push_back(lower(name));
  aliases.push_back(lower(app.desktop_id));
  const bool part =
      std::ranges::any_of(aliases, [&](const std::string& alias) { return alias.find(wanted) != std::string::npos; });
  return part ? 1 : 0;
}

}  // namespace handrail::engine
