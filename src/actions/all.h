// Every action there is.
#pragma once

#include "catalog/catalog.h"

namespace handrail::actions {

const catalog::Catalog& all_actions();

}  // namespace handrail::actions
