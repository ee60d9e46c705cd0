#include "platform/atspi/requests.h"

#include <fmt/format.h>

#include <cstring>

#include "platform/atspi/field_places.h"
#include "platform/atspi/told_text.h"
#include "platform/atspi/tree_search.h"

namespace handrail::atspi {
namespace {

constexpr const char* kNoObject = "/org/a11y/atspi/null";

std::string own_object(const char* owner, const char* path, const std::string& service) {
  return service == owner && std::strcmp(path, kNoObject) != 0 ? path : "";
}

}  // namespace

Message property_request(const Bus& bus, const std::string& service, const std::string& path, const char* interface,
                         const char* name) {
  Message request = bus.call(service, path, "org.freedesktop.DBus.Properties", "Get");
  if (request && sd_bus_message_append(request.get(), "ss", interface, name) < 0) request.reset();
  return request;
}

Message extents_request(const Bus& bus, const std::string& service, const std::string& path,
                        const std::string& toolkit) {
  Message request = bus.call(service, path, kComponentInterface, "GetExtents");
  const std::uint32_t kind = places_on_screen(toolkit) ? 0 : 1;
  if (request && sd_bus_message_append(request.get(), "u", kind) < 0) request.reset();
  return request;
}

Message text_request(const Bus& bus, const std::string& service, const std::string& path, std::int32_t characters) {
  Message request = bus.call(service, path, kTextInterface, "GetText");
  if (request && sd_bus_message_append(request.get(), "ii", 0, characters) < 0) request.reset();
  return request;
}

Message child_request(const Bus& bus, const std::string& service, const std::string& path, std::int32_t place) {
  Message request = bus.call(service, path, kAccessible, "GetChildAtIndex");
  if (request && sd_bus_message_append(request.get(), "i", place) < 0) request.reset();
  return request;
}

Message matches_request(const Bus& bus, const std::string& service, const std::string& path, std::uint32_t states,
                        std::uint32_t roles, std::size_t most) {
  Message request = bus.call(service, path, "org.a11y.atspi.Collection", "GetMatches");
  constexpr int kAll = 1, kAny = 2;
  const std::uint32_t canonical = 1;
  // States, attributes, roles, interfaces, each with how they match; then the order, the most, the depth.
  const int appended =
      !request     ? -1
      : roles != 0 ? sd_bus_message_append(request.get(), "(aiia{ss}iaiiasib)uib", 2, static_cast<int>(states), 0, kAll,
                                           0, kAll, 4, 0, static_cast<int>(roles), 0, 0, kAny, 0, kAll, 0, canonical,
                                           static_cast<int>(most), 1)
                   : sd_bus_message_append(request.get(), "(aiia{ss}iaiiasib)uib", 2, static_cast<int>(states), 0, kAll,
                                           0, kAll, 0, kAll, 0, kAll, 0, canonical, static_cast<int>(most), 1);
  if (appended < 0) request.reset();
  return request;
}

std::string read_string_property(sd_bus_message* answer) {
  const char* text = nullptr;
  if (answer == nullptr || sd_bus_message_read(answer, "v", "s", &text) <= 0) return {};
  return told_text(text, kLongestName);
}

std::optional<std::int32_t> read_int_property(sd_bus_message* answer) {
  std::int32_t number = 0;
  if (answer == nullptr || sd_bus_message_read(answer, "v", "i", &number) <= 0) return std::nullopt;
  return number;
}

std::string read_number_property(sd_bus_message* answer) {
  double number = 0;
  if (answer == nullptr || sd_bus_message_read(answer, "v", "d", &number) <= 0) return {};
  return fmt::format("{:.10g}", number);
}

Rect read_extents(sd_bus_message* answer) {
  std::int32_t x = 0, y = 0, width = 0, height = 0;
  if (answer == nullptr || sd_bus_message_read(answer, "(iiii)", &x, &y, &width, &height) <= 0) return {};
  return {double(x), double(y), double(width), double(height)};
}

std::string read_object(sd_bus_message* answer, const std::string& service) {
  const char *owner = nullptr, *path = nullptr;
  if (answer == nullptr || sd_bus_message_read(answer, "(so)", &owner, &path) <= 0) return {};
  return own_object(owner, path, service);
}

std::string read_object_property(sd_bus_message* answer, const std::string& service) {
  const char *owner = nullptr, *path = nullptr;
  if (answer == nullptr || sd_bus_message_read(answer, "v", "(so)", &owner, &path) <= 0) return {};
  return own_object(owner, path, service);
}

std::vector<std::string> read_object_list(sd_bus_message* answer, const std::string& service, std::size_t most) {
  std::vector<std::string> paths;
  if (answer == nullptr || sd_bus_message_enter_container(answer, 'a', "(so)") < 0) return paths;
  const char *owner = nullptr, *path = nullptr;
  while (paths.size() < most && sd_bus_message_read(answer, "(so)", &owner, &path) > 0) {
    paths.push_back(own_object(owner, path, service));
  }
  return paths;
}

}  // namespace handrail::atspi
