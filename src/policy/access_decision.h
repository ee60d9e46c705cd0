// What comes of a request for access: pure. First what rules alone can say, and the question that is left for a person;
// then the answer put in.
#pragma once

#include <utility>
#include <vector>

#include "model/grant.h"
#include "policy/consent.h"
#include "policy/grants.h"

namespace handrail::policy {

// One app of a request with the program behind its name.
struct AskedApp {
  AppRequest request;
  std::optional<AppProgram> program;  // nothing: `problem` says why
  std::string problem;
};

struct Decision {
  AccessReply reply;                        // as it is when the person says no
  ConsentQuestion question;                 // empty when nobody needs to be asked
  std::vector<Grant> granted_if_yes;        // for the question's items, in order
  std::vector<std::size_t> answer_of_item;  // their places in reply.answers
  std::vector<std::string> why_less;  // for each item: why a yes gives less than was asked for; empty when it does not
  // A program that was asked for under two names is asked about once: answer `first` is that of `second`.
  std::vector<std::pair<std::size_t, std::size_t>> same_answer;
};

// Denied apps and programs that cannot be told for sure are refused without a question; nothing is given above the most
// that an app can have. What the owner granted at launch comes without a question too: asking for all of
// `rules.granted` at the start of a session gives it its first grants.
// On nobody's desktop policy answers instead of a person: apps up to their category, clipboard and system keys; files
// and shell reach beyond the desktop and stay the owner's.
Decision decide(const AccessRules& rules, const AppCatalog& catalog, const Access& held, const AccessRequest& request,
                const std::vector<AskedApp>& apps);
// Adds what was said yes to. An answer that was not on offer, or to another question than this, is a no. Flags have no
// end of their own, so they are never given for once.
AccessReply apply(Decision decision, const ConsentAnswer& answer);

// Grants at launch name apps as people do; afterwards as one program each, so that the raise is for that one alone.
void bind_to_programs(AccessRules& rules, const std::vector<AskedApp>& resolved);

}  // namespace handrail::policy
