#include "policy/access_decision.h"

#include <fmt/format.h>

#include <algorithm>

#include "policy/app_name.h"
#include "policy/standing.h"

namespace handrail::policy {
namespace {

std::string_view word(GrantTier tier) {
  switch (tier) {
    case GrantTier::read: return "read";
    case GrantTier::click: return "click";
    case GrantTier::full: return "full";
  }
  return "read";
}

std::string kind_of(const AppClass& app) {
  if (app.category.empty()) return "";
  std::string category = app.category;
  std::replace(category.begin(), category.end(), '_', ' ');
  return fmt::format(" (category {})", category);
}

constexpr std::string_view kOwnersWord = "Only the owner of this desktop can change that, in the config file.";

// Why nobody is even asked; empty when they can be.
std::string no_question(const AskedApp& asked, const Standing& standing) {
  if (!asked.program) {
    return asked.problem.empty() ? fmt::format(
                                       "No installed app is called `{}`; name it by the id of its desktop entry, such "
                                       "as org.xfce.mousepad.",
                                       asked.request.app)
                                 : asked.problem;
  }
  const AppClass& app = standing.app;
  switch (standing.kind) {
    case StandingKind::own: return "It is a part of Handrail, which is never granted; choose another app.";
    case StandingKind::denied:
      if (app.for_good) {
        return fmt::format("{}{} is never granted to an agent; ask the person to do this part.", app.name,
                           kind_of(app));
      }
      return fmt::format("{}{} is denied to agents. Do not ask again. {}", app.name, kind_of(app), kOwnersWord);
    case StandingKind::not_an_app:
    case StandingKind::unidentified:
      if (app.runs_others) {
        return fmt::format("{} runs other programs; name the app that it should run, not the interpreter.", app.name);
      }
      return fmt::format("The program file of `{}` cannot be told for sure, so it cannot be granted; name another app.",
                         asked.request.app);
    case StandingKind::not_granted:
    case StandingKind::granted: break;
  }
  if (asked.program->identity.replaced) {
    return fmt::format("The program file of {} was replaced while it ran; start the app again, then ask again.",
                       app.name);
  }
  return {};
}

std::string less_than_asked(const AppClass& app) {
  return fmt::format("{}{} can be granted {} at most; do not work round it by scripts or other apps. {}", app.name,
                     kind_of(app), word(app.most), kOwnersWord);
}

constexpr std::string_view kNobodyAgreed = "A person has to agree, and nobody has; ask them, then call again.";

class Deciding {
 public:
  Deciding(const AccessRules& rules, const AppCatalog& catalog, const Access& held)
      : rules_(rules), catalog_(catalog), owner_(owner_rules(rules)) {
    decision_.reply.access = held;
  }

  Decision run(const AccessRequest& request, const std::vector<AskedApp>& apps) {
    for (const AskedApp& asked : apps) one(asked);
    flags(request.flags);
    ConsentQuestion& question = decision_.question;
    if (!question.empty()) {
      question.reason = request.reason;
      if (!(question.flags == GrantFlags{})) std::erase(question.offered, ConsentChoice::once);
    }
    return std::move(decision_);
  }

 private:
  Access& access() { return decision_.reply.access; }

  void one(const AskedApp& asked) {
    auto& answers = decision_.reply.answers;
    answers.push_back({asked.request.app, asked.request.tier, false, GrantTier::read, false, "", ""});
    AppAnswer& answer = answers.back();
    const AppIdentity none;
    const AppIdentity& identity = asked.program ? asked.program->identity : none;
    Standing standing = standing_of(identity, access(), catalog_, owner_);
    answer.reason = no_question(asked, standing);
    if (!answer.reason.empty()) return;

    const GrantTier wanted = std::min(asked.request.tier, standing.app.most);
    Grant grant = grant_of(*asked.program);
    answer.grant = grant.app;
    if (const auto owners = granted_at_launch(asked, identity); owners) {
      grant.tier = std::min(*owners, standing.app.most);
      grant.source = "config";
      standing = after(grant, identity);
    }
    if (rules_.nobodys_desktop && (!standing.granted() || standing.tier < wanted)) {
      grant.tier = wanted;
      grant.source = "policy";
      standing = after(grant, identity);
    }
    const std::string why_less = wanted < asked.request.tier ? less_than_asked(standing.app) : "";
    if (standing.granted()) {
      answer.granted = true;
      answer.tier = standing.tier;
      answer.reason = why_less;
      answer.lowered = !why_less.empty() && standing.tier >= wanted;
    }
    if (!standing.granted() || standing.tier < wanted) {
      grant.tier = wanted;
      answer.reason = kNobodyAgreed;
      ask(standing, grant, why_less);
    }
  }

  Standing after(const Grant& grant, const AppIdentity& identity) {
    add_grant(access(), grant);
    return standing_of(identity, access(), catalog_, owner_);
  }

  // For the newest answer.
  void ask(const Standing& standing, const Grant& grant, const std::string& why_less) {
    const std::size_t place = decision_.reply.answers.size() - 1;
    auto& pending = decision_.granted_if_yes;
    for (std::size_t i = 0; i < pending.size(); ++i) {
      if (!(pending[i].file == grant.file) || pending[i].script != grant.script) continue;
      pending[i].tier = std::max(pending[i].tier, grant.tier);
      decision_.question.items[i].tier = pending[i].tier;
      if (!why_less.empty()) decision_.why_less[i] = why_less;
      decision_.same_answer.emplace_back(place, decision_.answer_of_item[i]);
      return;
    }
    ConsentItem item;
    item.app = standing.app.name;
    item.executable = grant.executable;
    item.script = grant.script;
    item.tier = grant.tier;
    if (standing.granted()) item.before = standing.tier;
    item.sentinel = standing.app.sentinel;
    decision_.question.items.push_back(std::move(item));
    pending.push_back(grant);
    decision_.why_less.push_back(why_less);
    decision_.answer_of_item.push_back(place);
  }

  std::optional<GrantTier> granted_at_launch(const AskedApp& asked, const AppIdentity& identity) const {
    std::optional<GrantTier> tier;
    for (const AppRequest& grant : rules_.granted) {
      // The same name leads to the same program: both went through the same look-up.
      if (folded_app_name(grant.app) != folded_app_name(asked.request.app) && !catalog_.means(grant.app, identity))
        continue;
      tier = std::max(tier.value_or(GrantTier::read), grant.tier);
    }
    return tier;
  }

  static Grant grant_of(const AppProgram& program) {
    Grant grant;
    grant.app = program.app.id.empty() ? app_id(program.identity) : program.app.id;
    grant.executable = program.identity.executable;
    grant.file = program.identity.file;
    grant.script = program.identity.script;
    return grant;
  }

  void flags(const GrantFlags& asked) {
    access().flags = either(access().flags, both(asked, rules_.flags));
    if (rules_.nobodys_desktop) {
      access().flags = either(access().flags, both(asked, rules_.of_the_desktop));
    } else {
      decision_.question.flags = without(asked, access().flags);
    }
  }

  const AccessRules& rules_;
  const AppCatalog& catalog_;
  const std::vector<OwnerRule> owner_;
  Decision decision_;
};

// The digest ties the answer to what was shown.
bool said_yes(const Decision& decision, const ConsentAnswer& answer) {
  const auto& offered = decision.question.offered;
  return answer.choice != ConsentChoice::deny && !decision.question.empty() &&
         std::find(offered.begin(), offered.end(), answer.choice) != offered.end() &&
         answer.digest == consent_digest(decision.question);
}

Persist persist_of(ConsentChoice choice) {
  switch (choice) {
    case ConsentChoice::always: return Persist::always;
    case ConsentChoice::session: return Persist::session;
    case ConsentChoice::once:
    case ConsentChoice::deny: break;
  }
  return Persist::once;
}

}  // namespace

Decision decide(const AccessRules& rules, const AppCatalog& catalog, const Access& held, const AccessRequest& request,
                const std::vector<AskedApp>& apps) {
  return Deciding(rules, catalog, held).run(request, apps);
}

AccessReply apply(Decision decision, const ConsentAnswer& answer) {
  AccessReply& reply = decision.reply;
  const bool yes = said_yes(decision, answer);
  const auto tell = [&](AppAnswer& told, std::size_t item) {
    if (!yes) {
      if (!answer.reason.empty()) told.reason = answer.reason;
      return;
    }
    told.granted = true;
    told.tier = decision.granted_if_yes[item].tier;
    told.reason = told.tier < told.asked ? decision.why_less[item] : "";
    told.lowered = told.tier < told.asked;
  };
  for (std::size_t i = 0; i < decision.granted_if_yes.size(); ++i) {
    tell(reply.answers[decision.answer_of_item[i]], i);
    if (!yes) continue;
    Grant& grant = decision.granted_if_yes[i];
    grant.source = answer.by;
    grant.persist = persist_of(answer.choice);
    add_grant(reply.access, grant);
  }
  for (const auto& [place, of] : decision.same_answer) {
    const auto item = std::find(decision.answer_of_item.begin(), decision.answer_of_item.end(), of);
    tell(reply.answers[place], static_cast<std::size_t>(item - decision.answer_of_item.begin()));
  }
  if (yes && answer.choice != ConsentChoice::once) {
    reply.access.flags = either(reply.access.flags, decision.question.flags);
  }
  return std::move(decision.reply);
}

void bind_to_programs(AccessRules& rules, const std::vector<AskedApp>& resolved) {
  for (AppRequest& grant : rules.granted) {
    const auto found = std::find_if(resolved.begin(), resolved.end(),
                                    [&grant](const AskedApp& asked) { return asked.request.app == grant.app; });
    if (found != resolved.end() && found->program) grant.app = app_id(found->program->identity);
  }
}

}  // namespace handrail::policy
