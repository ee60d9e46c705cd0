#include "platform/x11/displays.h"

#include <xcb/randr.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <mutex>
#include <optional>

#include "platform/x11/extensions.h"

namespace handrail::x11 {
namespace {

struct Monitor {
  std::string name;
  PixelRect pixels;
  bool primary = false;
};

Result<std::string> atom_name(Pending<xcb_get_atom_name_reply_t>& pending) {
  const auto reply = TRY(pending.get());
  return std::string(xcb_get_atom_name_name(reply.get()),
                     static_cast<std::size_t>(xcb_get_atom_name_name_length(reply.get())));
}

Result<std::vector<Monitor>> from_monitors(Server& server) {
  const auto reply = TRY(server.reply(xcb_randr_get_monitors(server.xcb(), server.root(), 1),
                                      xcb_randr_get_monitors_reply, "RRGetMonitors"));
  std::vector<Monitor> monitors;
  std::vector<Pending<xcb_get_atom_name_reply_t>> names;
  for (auto it = xcb_randr_get_monitors_monitors_iterator(reply.get()); it.rem > 0; xcb_randr_monitor_info_next(&it)) {
    const xcb_randr_monitor_info_t& info = *it.data;
    monitors.push_back({"", {info.x, info.y, info.width, info.height}, info.primary != 0});
    names.push_back(server.pend(xcb_get_atom_name(server.xcb(), info.name), xcb_get_atom_name_reply, "GetAtomName"));
  }
  for (std::size_t i = 0; i < monitors.size(); ++i) monitors[i].name = TRY(atom_name(names[i]));
  return monitors;
}

// Servers before RandR 1.5.
Result<std::vector<Monitor>> from_crtcs(Server& server) {
  auto primary_pending = server.pend(xcb_randr_get_output_primary(server.xcb(), server.root()),
                                     xcb_randr_get_output_primary_reply, "RRGetOutputPrimary");
  const auto resources = TRY(server.reply(xcb_randr_get_screen_resources_current(server.xcb(), server.root()),
                                          xcb_randr_get_screen_resources_current_reply, "RRGetScreenResources"));
  const xcb_randr_output_t primary = TRY(primary_pending.get())->output;
  const xcb_randr_crtc_t* crtcs = xcb_randr_get_screen_resources_current_crtcs(resources.get());
  std::vector<Pending<xcb_randr_get_crtc_info_reply_t>> pending;
  for (int i = 0; i < resources->num_crtcs; ++i) {
    pending.push_back(server.pend(xcb_randr_get_crtc_info(server.xcb(), crtcs[i], resources->config_timestamp),
                                  xcb_randr_get_crtc_info_reply, "RRGetCrtcInfo"));
  }
  std::vector<Monitor> monitors;
  for (auto& one : pending) {
    const auto info = TRY(one.get());
    const xcb_randr_output_t* outputs = xcb_randr_get_crtc_info_outputs(info.get());
    const bool is_primary = std::find(outputs, outputs + info->num_outputs, primary) != outputs + info->num_outputs;
    monitors.push_back(
        {"crtc" + std::to_string(monitors.size()), {info->x, info->y, info->width, info->height}, is_primary});
  }
  return monitors;
}

Result<std::string> resources_of(Pending<xcb_get_property_reply_t>& pending) {
  const auto reply = TRY(pending.get());
  return std::string(static_cast<const char*>(xcb_get_property_value(reply.get())),
                     static_cast<std::size_t>(xcb_get_property_value_length(reply.get())));
}

Result<std::vector<Display>> read_displays(Server& server) {
  auto root_pending = server.pend(xcb_get_geometry(server.xcb(), server.root()), xcb_get_geometry_reply, "GetGeometry");
  auto resources_pending = server.pend(
      xcb_get_property(server.xcb(), 0, server.root(), XCB_ATOM_RESOURCE_MANAGER, XCB_ATOM_STRING, 0, 16384),
      xcb_get_property_reply, "GetProperty");
  std::vector<Monitor> monitors;
  const Extension& randr = server.extensions().randr;
  if (randr.at_least(1, 5)) {
    monitors = TRY(from_monitors(server));
  } else if (randr.at_least(1, 3)) {
    monitors = TRY(from_crtcs(server));
  }
  const auto root = TRY(root_pending.get());
  const double scale = scale_from_resources(TRY(resources_of(resources_pending)));

  const PixelRect whole{0, 0, root->width, root->height};
  std::vector<Monitor> shown;
  for (Monitor& monitor : monitors) {
    monitor.pixels = intersect(monitor.pixels, whole);
    const auto same = [&](const Monitor& other) { return other.pixels == monitor.pixels; };
    if (monitor.pixels.empty() || std::any_of(shown.begin(), shown.end(), same)) continue;  // off, or a mirror
    shown.push_back(monitor);
  }
  if (shown.empty()) shown.push_back({"screen", whole, true});
  std::stable_partition(shown.begin(), shown.end(), [](const Monitor& monitor) { return monitor.primary; });

  std::vector<Display> displays;
  for (const Monitor& monitor : shown) {
    const int id = static_cast<int>(displays.size());
    displays.push_back({id, monitor.name, to_points(monitor.pixels, scale), monitor.pixels, scale, id == 0});
  }
  return displays;
}

}  // namespace

struct DisplayLayout::Cache {
  std::mutex mutex;
  std::optional<std::vector<Display>> displays;
  std::uint64_t changes = 0;

  void invalidate() {
    const std::lock_guard lock(mutex);
    ++changes;
    displays.reset();
  }
};

DisplayLayout::DisplayLayout(std::shared_ptr<Connection> connection)
    : connection_(std::move(connection)), cache_(std::make_shared<Cache>()) {
  connection_->on_open([cache = cache_](Server& server) -> Status {
    cache->invalidate();
    server.watch(server.root(), XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE);
    if (server.extensions().randr.at_least(1, 2)) {
      xcb_randr_select_input(server.xcb(), server.root(),
                             XCB_RANDR_NOTIFY_MASK_SCREEN_CHANGE | XCB_RANDR_NOTIFY_MASK_CRTC_CHANGE |
                                 XCB_RANDR_NOTIFY_MASK_OUTPUT_CHANGE | XCB_RANDR_NOTIFY_MASK_RESOURCE_CHANGE);
    }
    return {};
  });
  connection_->on_event([cache = cache_](Server& server, const xcb_generic_event_t& event) {
    const std::uint8_t type = event.response_type & 0x7f;
    const Extension& randr = server.extensions().randr;
    const bool layout = randr.present() && (type == randr.first_event + XCB_RANDR_SCREEN_CHANGE_NOTIFY ||
                                            type == randr.first_event + XCB_RANDR_NOTIFY);
    const bool root = type == XCB_CONFIGURE_NOTIFY &&
                      reinterpret_cast<const xcb_configure_notify_event_t&>(event).window == server.root();
    const bool resources =
        type == XCB_PROPERTY_NOTIFY &&
        reinterpret_cast<const xcb_property_notify_event_t&>(event).window == server.root() &&
        reinterpret_cast<const xcb_property_notify_event_t&>(event).atom == XCB_ATOM_RESOURCE_MANAGER;
    if (layout || root || resources) cache->invalidate();
  });
}

Result<std::vector<Display>> DisplayLayout::displays(Deadline deadline) {
  if (!deadline.passed() && connection_->connected()) {
    const std::lock_guard lock(cache_->mutex);
    if (cache_->displays) return *cache_->displays;
  }
  return connection_->call<std::vector<Display>>(deadline, [this](Server& server) { return displays(server); });
}

Result<std::vector<Display>> DisplayLayout::displays(Server& server) {
  std::uint64_t changes = 0;
  {
    const std::lock_guard lock(cache_->mutex);
    if (cache_->displays) return *cache_->displays;
    changes = cache_->changes;
  }
  auto read = TRY(read_displays(server));
  const std::lock_guard lock(cache_->mutex);
  if (cache_->changes == changes) cache_->displays = read;
  return read;
}

double scale_from_resources(std::string_view resources) {
  constexpr std::string_view kKey = "Xft.dpi:";
  for (std::size_t start = 0; start < resources.size();) {
    const std::size_t end = std::min(resources.find('\n', start), resources.size());
    std::string_view line = resources.substr(start, end - start);
    start = end + 1;
    if (!line.starts_with(kKey)) continue;
    line.remove_prefix(kKey.size());
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    double dpi = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), dpi).ec != std::errc()) return 1;
    return std::clamp(std::round(dpi / 96 * 4) / 4, 1.0, 8.0);
  }
  return 1;
}

const Display& display_of(const std::vector<Display>& displays, PixelPoint pixel) {
  for (const Display& display : displays) {
    if (!intersect(display.pixels, PixelRect{pixel.x, pixel.y, 1, 1}).empty()) return display;
  }
  return displays.front();
}

}  // namespace handrail::x11
