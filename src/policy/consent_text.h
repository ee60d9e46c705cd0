// The words of a consent question: what each line is, and how text that the agent or an app wrote is made harmless.
// Pure; how a line looks is the approver's business.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/consent.h"

namespace handrail::policy {

enum class ConsentLineKind {
  title,    // who asks
  item,     // an app and what it would be granted
  detail,   // of the item above: its executable, script, what the tier means, what was granted before
  warning,  // of the item or flag above: why it is more than it seems
  flag,     // one more thing that is asked for
  reason,   // the agent's own words
  note,     // what a person should know before answering
};

struct ConsentLine {
  ConsentLineKind kind = ConsentLineKind::note;
  std::string text;
  friend bool operator==(const ConsentLine&, const ConsentLine&) = default;
};

// The lines of consent_text() with what each of them is.
std::vector<ConsentLine> consent_lines(const ConsentQuestion& question);

// The digest of lines that were shown; of consent_text() it is the question's digest.
std::string digest_of_lines(const std::vector<std::string>& lines);

// One line of visible characters: control, bidirectional, zero-width and other invisible ones, odd spaces and broken
// UTF-8 become escapes such as ‹U+202E› or ‹xFF›, and so does ‹ itself, so that no escape can be faked. Of what is
// longer than `most` characters the middle is left out, with a mark that says how much and which.
std::string visible_text(std::string_view text, std::size_t most);

}  // namespace handrail::policy
