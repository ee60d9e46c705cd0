// The reference pages in Markdown, made from the catalog, the error table and the schema of the settings, so
// that nothing about an action, an error or a setting is written down a second time.
#pragma once

#include <map>
#include <string>

#include "base/error.h"
#include "catalog/catalog.h"

namespace handrail::cli {

// File name and content of every page of docs/reference/.
std::map<std::string, std::string> reference_pages(const catalog::Catalog& catalog, const Json& config_schema);

// What the tables have no words for. A new code or capability does not compile without them.
struct CapabilityWords {
  std::string_view what;   // what the desktop can do with it
  std::string_view needs;  // what has to be there
  std::string_view fix;    // what a person does when it is missing
};
CapabilityWords words_of(Capability capability);
std::string_view meaning_of(Code code);
std::string_view meaning_of(Retry retry);
std::string_view title_of(catalog::Category category);

}  // namespace handrail::cli
