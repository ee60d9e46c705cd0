#include "platform/sim/characters.h"

#include "base/utf8.h"

namespace handrail::sim {

Result<std::vector<Key>> keys_for(std::string_view text) {
  std::vector<Key> keys;
  for (const char32_t character : TRY(decode_utf8(text))) {
    const bool control = character < 0x20 || (character >= 0x7F && character < 0xA0);
    if (control && character != U'\n' && character != U'\t') {
      return make_error(Code::argument_invalid, "The text holds a control character.")
          .with_field("text", "characters, newlines and tabs");
    }
    keys.push_back(key_for_char(character));
  }
  return keys;
}

}  // namespace handrail::sim
