// What an app says has changed, taken into the mirror of its tree: what is not true any more is forgotten, so that the
// next reading asks for it and for nothing else. What an event says of the new state is not believed; it is read. Pure.
#pragma once

#include "platform/atspi/mirror.h"

namespace handrail::atspi {

// Remembered until the next reading; of too many, only that there were.
void hear_news(Mirror& app, TreeEvent event);
// What the news were about.
enum class Said { nothing, words, shape };
// All that was said since: no reading may be on its way, for objects may go.
Said take_news(Mirror& app);
// Where everything is and whether it shows is not known any more; what it is stays.
void look_anew(Mirror& app);

// Objects of which the mirror knew what a fresh reading tells otherwise. What was forgotten does not count.
std::size_t disagreements(const Nodes& before, const Nodes& fresh);

}  // namespace handrail::atspi
