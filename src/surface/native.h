// The vendors' own computer tools: how each is declared for a display, and the call that one of its calls stands for.
// Pure: no vendor is spoken to here.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "catalog/catalog.h"
#include "model/geometry.h"

namespace handrail::surface {

enum class Vendor { anthropic, openai, gemini };
inline constexpr std::array<std::string_view, 3> kVendors{"anthropic", "openai", "gemini"};

std::optional<Vendor> vendor_named(std::string_view name);

// The picture of a display that the vendor's models take without scaling it again; never larger than the display.
Size native_image(Vendor vendor, Size display);

// What to put into a request for pictures of this size, what coordinates mean, which calls are understood and which
// are not.
Json native_declaration(Vendor vendor, Size image);

// One call as the model made it: with or without the envelope of the vendor's API. Several steps become one batch.
// Coordinates are in the vendor's units, of the last screenshot. What is not understood is `argument_invalid` with
// what is; what only a browser has is `capability_unsupported`.
Result<catalog::ActionCall> resolve_native(const catalog::Catalog& catalog, Vendor vendor, const Json& call);

// A call of the action as Anthropic's tool takes it, in each way that there is.
std::vector<Json> express_anthropic(const catalog::Catalog& catalog, const catalog::ActionSpec& spec,
                                    const Json& canonical);

}  // namespace handrail::surface
