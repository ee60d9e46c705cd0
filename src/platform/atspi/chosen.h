// Which objects of a mirrored tree are wanted: from the top, level by level, until there are enough. Circles and
// objects with two parents are cut. Pure.
#pragma once

#include <vector>

#include "platform/atspi/mirror.h"

namespace handrail::atspi {

// It shows, as far as the toolkit can tell, or that does not matter.
bool passes(const Node& node, const std::string& toolkit, bool showing);

struct Chosen {
  const Node* node = nullptr;
  int parent = -1;  // in this list
  int place = 0;
  int depth = 0;
};

// Parents before their children. The root of the app is not one of them.
std::vector<Chosen> choose(const Mirror& app, bool showing, std::size_t most, Cut& cut);

// From its parent up to the root, as the mirror has it; empty when it has not.
std::vector<std::string> guess_above(const Mirror& app, const std::string& object);

}  // namespace handrail::atspi
