// The guardian itself: a process that outlives the server and undoes what that had done, from the shared record. A
// second process stands in for it, watches server grabs meanwhile, and takes over when the guardian is killed, also in
// the middle of a restore. It knows no display server; what touches one is a Restorer.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "computer/restorer.h"

namespace handrail::linux_ {

// `role` is "run" or "stand-in"; the descriptors are those of guardian_wire.h. Returns the exit code of the process.
int guardian_main(std::string_view role, const std::function<std::unique_ptr<Restorer>()>& make_restorer);

}  // namespace handrail::linux_
