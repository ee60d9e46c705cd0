// `handrail apps classify`: explains to the owner what an app counts as, and why.
#pragma once

#include <span>
#include <string>

#include "app/verbs.h"
#include "model/identity.h"
#include "policy/app_catalog.h"

namespace handrail::app {

int apps_command(std::span<const std::string> arguments);
Verbs apps_verbs();

// The explanation as lines of text; apart from the command so that it can be compared as a whole.
std::string explain_app(const AppIdentity& identity, const policy::AppClass& app,
                        const std::vector<policy::OwnerRule>& rules);

}  // namespace handrail::app
