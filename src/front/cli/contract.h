// The committed export of what the program offers: an API change is a diff in contract/.
#pragma once

#include <map>
#include <string>

#include "catalog/catalog.h"
#include "surface/tool_surface.h"

namespace handrail::cli {

// File name and content of every file of contract/.
std::map<std::string, std::string> contract_files(const catalog::Catalog& catalog, const Json& config_schema);

// Every action with its facts and schemas.
Json catalog_export(const catalog::Catalog& catalog);
Json errors_export();
Json tools_export(const surface::ToolSurface& surface);

}  // namespace handrail::cli
