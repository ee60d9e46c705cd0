// What the kernel says of the machine: time, load, memory, battery, backlight. Reads files; asks nobody.
#pragma once

#include <optional>
#include <string>

#include "base/process.h"
#include "model/system.h"

namespace handrail::linux_ {

struct Backlight {
  std::string name;
  long most = 0;
  long now = 0;
  int percent() const { return most <= 0 ? 0 : static_cast<int>((now * 100 + most / 2) / most); }
};

// `sys` is where sysfs is. The first one, by name.
std::optional<Backlight> read_backlight(const std::string& sys);
std::optional<Battery> read_battery(const std::string& sys);
// All but what only services know.
SystemState read_machine(const std::string& sys);

}  // namespace handrail::linux_
