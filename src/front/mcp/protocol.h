// The protocol revisions that the server speaks, and what each puts around a result.
#pragma once

#include <array>
#include <string_view>

#include "base/json.h"

namespace handrail::mcp {

inline constexpr std::string_view kServerName = "handrail";

// Each request carries its revision; nothing is remembered between requests.
inline constexpr std::string_view kStateless = "2026-07-28";
// A handshake opens the connection; newest first.
inline constexpr std::array<std::string_view, 3> kHandshake{"2025-11-25", "2025-06-18", "2025-03-26"};

inline constexpr std::string_view kMetaVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kMetaCapabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kMetaServerInfo = "io.modelcontextprotocol/serverInfo";

enum class McpCode : int { unsupported_version = -32022 };

enum class Era { handshake, stateless };

Json server_info();
Json server_capabilities();
// How to work with the tools, for the model.
std::string_view instructions();
// The one prompt there is: the operating rules.
Json prompt_list();
Json prompt(const std::string& rules);

// A result as the era wants it.
Json finished(Era era, Json result);
// A result that may be kept: a list or a discovery.
Json cacheable(Era era, Json result);

}  // namespace handrail::mcp
