// The questions that are asked of accessible objects. One place for how each is spelt.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/geometry.h"
#include "platform/atspi/bus.h"

namespace handrail::atspi {

inline constexpr const char* kTextInterface = "org.a11y.atspi.Text";
inline constexpr const char* kValueInterface = "org.a11y.atspi.Value";
inline constexpr const char* kComponentInterface = "org.a11y.atspi.Component";

Message property_request(const Bus& bus, const std::string& service, const std::string& path, const char* interface,
                         const char* name);
Message extents_request(const Bus& bus, const std::string& service, const std::string& path,
                        const std::string& toolkit);
Message text_request(const Bus& bus, const std::string& service, const std::string& path, std::int32_t characters);
Message child_request(const Bus& bus, const std::string& service, const std::string& path, std::int32_t place);
// Lets the app search by itself: what is below the object and has all of these states (the lower 32) and any of these
// roles (32 to 63); 0 for whatever. At most so many.
Message matches_request(const Bus& bus, const std::string& service, const std::string& path, std::uint32_t states,
                        std::uint32_t roles, std::size_t most);

std::string read_string_property(sd_bus_message* answer);
std::optional<std::int32_t> read_int_property(sd_bus_message* answer);
std::string read_number_property(sd_bus_message* answer);
Rect read_extents(sd_bus_message* answer);
// The object's path; empty when it is another app's, or none.
std::string read_object(sd_bus_message* answer, const std::string& service);
std::string read_object_property(sd_bus_message* answer, const std::string& service);
// At most so many; empty ones stand for those of other apps.
std::vector<std::string> read_object_list(sd_bus_message* answer, const std::string& service, std::size_t most);

// The request with these values in it; nothing when it cannot hold them.
template <class... Values>
Message with(Message request, const char* types, Values... values) {
  if (request && sd_bus_message_append(request.get(), types, values...) < 0) request.reset();
  return request;
}

}  // namespace handrail::atspi
