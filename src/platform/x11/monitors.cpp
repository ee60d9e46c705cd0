#include "platform/x11/monitors.h"

#include <fmt/format.h>
#include <sys/uio.h>
#include <xcb/randr.h>
#include <xcb/xcbext.h>

#include <algorithm>

#include "platform/x11/connection.h"
#include "platform/x11/extensions.h"

namespace handrail::x11 {
namespace {

Result<xcb_atom_t> intern(Server& server, const std::string& name) {
  return TRY(server.reply(xcb_intern_atom(server.xcb(), 0, static_cast<std::uint16_t>(name.size()), name.data()),
                          xcb_intern_atom_reply, "InternAtom"))
      ->atom;
}

// xcb_randr_set_monitor of libxcb 1.15 counts one part of its message too many and sends stack garbage.
xcb_void_cookie_t send_set_monitor(Server& server, std::vector<std::uint32_t>& info) {
  xcb_randr_set_monitor_request_t head{};
  head.window = server.root();
  // xcb writes its own header into the two slots before the first part.
  iovec parts[4] = {};
  parts[2] = {&head, sizeof head};
  parts[3] = {info.data(), info.size() * sizeof(std::uint32_t)};
  const xcb_protocol_request_t request{2, &xcb_randr_id, XCB_RANDR_SET_MONITOR, 1};
  return {xcb_send_request(server.xcb(), XCB_REQUEST_CHECKED, parts + 2, &request)};
}

Status set_monitor(Server& server, std::size_t index, const PixelRect& place,
                   const std::vector<xcb_randr_output_t>& outputs) {
  const xcb_atom_t name = TRY(intern(server, fmt::format("handrail-{}", index)));
  std::vector<std::uint32_t> buffer((sizeof(xcb_randr_monitor_info_t) + outputs.size() * 4) / 4);
  auto* info = reinterpret_cast<xcb_randr_monitor_info_t*>(buffer.data());
  info->name = name;
  info->primary = index == 0 ? 1 : 0;
  info->nOutput = static_cast<std::uint16_t>(outputs.size());
  info->x = static_cast<std::int16_t>(place.x);
  info->y = static_cast<std::int16_t>(place.y);
  info->width = static_cast<std::uint16_t>(place.width);
  info->height = static_cast<std::uint16_t>(place.height);
  // 96 dots an inch.
  info->width_in_millimeters = static_cast<std::uint32_t>(place.width * 254 / 960);
  info->height_in_millimeters = static_cast<std::uint32_t>(place.height * 254 / 960);
  std::copy(outputs.begin(), outputs.end(), xcb_randr_monitor_info_outputs(info));
  return server.check(send_set_monitor(server, buffer), "RRSetMonitor");
}

Result<Unit> define(Server& server, const std::vector<PixelRect>& monitors) {
  if (!server.extensions().randr.at_least(1, 5)) {
    return make_error(Code::capability_unsupported,
                      "The X server has no RandR 1.5, so it cannot have several monitors.");
  }
  const auto resources = TRY(server.reply(xcb_randr_get_screen_resources_current(server.xcb(), server.root()),
                                          xcb_randr_get_screen_resources_current_reply, "RRGetScreenResources"));
  const xcb_randr_output_t* outputs = xcb_randr_get_screen_resources_current_outputs(resources.get());
  for (std::size_t i = 0; i < monitors.size(); ++i) {
    // An output that no monitor claims keeps its automatic one, which would cover all of the root.
    std::vector<xcb_randr_output_t> claimed;
    if (i == 0) claimed.assign(outputs, outputs + resources->num_outputs);
    TRY(set_monitor(server, i, monitors[i], claimed));
  }
  return Unit{};
}

}  // namespace

Status define_monitors(const std::string& display, const std::vector<PixelRect>& monitors) {
  Connection connection([&]() -> Result<std::string> { return display; });
  TRY(connection.call<Unit>(Deadline::in(kBackendPatience), [&](Server& server) { return define(server, monitors); }));
  return {};
}

}  // namespace handrail::x11
