#include "policy/app_data.h"

// The assembler reads the file itself, so that the list stays data: nothing is generated from it.
__asm__(
    ".pushsection .rodata\n"
    ".global handrail_app_data_begin\n"
    ".global handrail_app_data_end\n"
    "handrail_app_data_begin:\n"
    ".incbin \"" HANDRAIL_APP_DATA
    "\"\n"
    "handrail_app_data_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char handrail_app_data_begin[];
extern const char handrail_app_data_end[];
}

namespace handrail::policy {

std::string_view app_data() {
  return {handrail_app_data_begin, static_cast<std::size_t>(handrail_app_data_end - handrail_app_data_begin)};
}

}  // namespace handrail::policy
