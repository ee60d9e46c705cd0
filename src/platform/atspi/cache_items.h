// The answer to Cache.GetItems: all objects of an app in one message. Some toolkits leave objects out, or do not say
// in which order they are: whose children are not all there has to be asked for them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/atspi/bus.h"
#include "platform/atspi/mirror.h"

namespace handrail::atspi {

struct CacheItem {
  Node node;
  std::int32_t place = -1;  // among its parent's children
};

// Nothing when the answer has another form, as that of Qt has.
std::optional<std::vector<CacheItem>> read_items(sd_bus_message* answer, const std::string& service);

// From an array of names, where the answer stands.
std::uint32_t read_interfaces(sd_bus_message* answer);

// A node is `listed` only when all of its children are there, each at a place of its own.
Nodes join_items(std::vector<CacheItem> items);

}  // namespace handrail::atspi
