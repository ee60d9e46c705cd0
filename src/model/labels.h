// Labels of controls as people speak of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace handrail {

// Without case (of plain letters), shortcuts, marks of mnemonics, and the dots of those that ask for more.
std::string plain_label(std::string_view label);

// "File > Recent > First" as its labels.
std::vector<std::string> menu_path(std::string_view text);

}  // namespace handrail
