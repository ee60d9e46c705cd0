#include "front/mcp/tool_result.h"

#include "base/base64.h"
#include "base/random_id.h"

namespace handrail::mcp {
namespace {

std::string_view mime_of(ImageFormat format) {
  switch (format) {
    case ImageFormat::jpeg: return "image/jpeg";
    case ImageFormat::png: return "image/png";
    case ImageFormat::webp: return "image/webp";
  }
  return "image/jpeg";
}

}  // namespace

std::string new_nonce() { return random_id("").substr(0, 16); }

std::string tool_result_message(Era era, const wire::RpcId& id, const surface::Reply& reply) {
  Json content = Json::array();
  content.push_back({{"type", "text"}, {"text", reply.text}});
  // Stands in for the picture while the message is written; nobody can guess it.
  const std::string mark = reply.pictures.empty() ? "" : random_id("picture-");
  for (const Picture& picture : reply.pictures) {
    content.push_back({{"type", "image"}, {"data", mark}, {"mimeType", mime_of(picture.format)}});
  }
  Json result{{"content", std::move(content)}, {"structuredContent", reply.structured}};
  if (reply.is_error) result["isError"] = true;
  const std::string message = to_line(wire::rpc_result(id, finished(era, std::move(result))));
  if (reply.pictures.empty()) return message;

  std::size_t total = message.size();
  for (const Picture& picture : reply.pictures) total += (picture.bytes.size() + 2) / 3 * 4;
  std::string whole;
  whole.reserve(total + 1);  // and the newline of the transport
  std::size_t from = 0;
  for (const Picture& picture : reply.pictures) {
    const std::size_t at = message.find(mark, from);
    whole.append(message, from, at - from);
    append_base64(whole, picture.bytes);
    from = at + mark.size();
  }
  whole.append(message, from);
  return whole;
}

}  // namespace handrail::mcp
