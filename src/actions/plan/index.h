// The elements of a capture as a model reads them: one line for each in the text, one row in the structured reply.
// What apps say stays inside its quotes. Pure.
#pragma once

#include <string>
#include <vector>

#include "actions/capture.h"
#include "actions/context.h"
#include "actions/plan/delta.h"

namespace handrail::actions::plan {

// Stands for a picture whose pixels are logical desktop points.
Look points_look();
// The rows, with boxes in pixels of the look. Values are cut each for itself, and all of them together.
std::vector<ElementRow> rows_of(const std::vector<SeenElement>& elements, const Look& look);

// The text is for a model to read at once: the first rows, and how many there are besides. `app` is whose they are
// where a row does not say.
std::string index_of(const std::vector<ElementRow>& rows, std::size_t left_out, const std::string& app);
// New ones with a plus, changed ones with a tilde, those that moved with an arrow, those that are gone with a minus.
std::string delta_index_of(const Delta& delta, const Look& look, const std::string& app);

}  // namespace handrail::actions::plan
