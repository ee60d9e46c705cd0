// The other processes of the guardian's tests: a small server that holds things until it is killed, and what its
// guardian restores with. Root properties `_TEST_STALL` and its kind steer them from outside.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "computer/restorer.h"

namespace handrail::linux_ {

// The keycode whose row the server lends, and what it lends.
inline constexpr unsigned char kLentKeycode = 97;
inline constexpr unsigned kLentKeysym = 0x1002603;

// The keyboard map is a row "KEYCODE KEYSYM", the windows are one number. While the root window has `_TEST_STALL`, the
// first to restore a keyboard map takes that away and never goes on.
std::unique_ptr<Restorer> make_test_restorer();

// DISPLAY WINDOW MODE: `work` presses, drags, lends, hides and guards for ever; `grab` stops itself inside a server
// grab, `stop` outside of one. Prints a line when it has begun.
int run_guarded_server(const std::vector<std::string>& arguments);

}  // namespace handrail::linux_
