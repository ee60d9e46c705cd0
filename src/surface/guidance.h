// How to work well with these tools, told to models: as server instructions, as an MCP prompt and as a skill document.
#pragma once

#include <string>
#include <string_view>

namespace handrail::surface {

inline constexpr std::string_view kGuidanceName = "operate_desktop";
inline constexpr std::string_view kGuidanceTitle = "Operate the desktop";
inline constexpr std::string_view kGuidanceSummary =
    "Rules for seeing and using apps on a Linux desktop through Handrail.";

// The operating rules, in full.
std::string_view guidance();
// For those who use the compact tool, or the layered ones.
std::string compact_guidance();
std::string layered_guidance();
// The first as a document that agents load on demand.
std::string skill_document();

}  // namespace handrail::surface
