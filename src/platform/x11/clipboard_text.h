// The names that X apps have for plain text, and its one old encoding.
#pragma once

#include <string>
#include <string_view>

namespace handrail::x11 {

// "text/plain", with or without "charset=utf-8", in any case.
bool is_plain_text(std::string_view mime);
// UTF8_STRING, STRING, TEXT and the like: targets that are text without being MIME types.
bool is_text_target(std::string_view target);

// Without C0 and C1 controls and DEL; tab and newline stay. Escape sequences lose what makes them such.
std::string without_controls(std::string_view utf8);

// "?" for what it lacks.
std::string to_latin1(std::string_view utf8);
std::string from_latin1(std::string_view latin1);

}  // namespace handrail::x11
