// What a target holds of the text that was sent to it, as far as it matters for the text rules: a command that comes in
// pieces, by keys or with corrections, is still one command.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/key.h"

namespace handrail::policy {

class TextWindow {
 public:
  // Long enough for any command that a rule describes.
  static constexpr std::size_t kMaxBytes = 16384;

  TextWindow();

  // The text after more was typed, pasted or set.
  void type(std::string_view text);
  // The text after a key without or with modifiers: BackSpace, Delete, arrows, Home, End, Return, Ctrl+W, Ctrl+U,
  // Ctrl+K and keys that make a character. A key that may bring unknown text (history, completion, paste) is noted as
  // such.
  void press(const Chord& chord);

  // Everything that the rules should see: what the target holds if it is a command line, if it is an editor, and if it
  // takes characters by their numbers.
  std::string text() const;

 private:
  // One way in which a target may take the keys.
  struct Reading {
    enum class Kind { command_line, editor, by_number } kind = Kind::command_line;
    std::u32string text;
    std::size_t caret = 0;
    std::size_t floor = 0;   // lines before it are done
    std::size_t anchor = 0;  // of a selection; the caret's place when there is none
    std::u32string killed;   // what Ctrl+Y brings back
    bool number = false;     // Ctrl+Shift+U was pressed
    std::u32string digits;
    friend bool operator==(const Reading&, const Reading&) = default;

    void insert(char32_t character);
    void erase(std::size_t from, std::size_t to, bool keep);
    void move(std::size_t to, bool select);
    bool drop_selection();
    void edit(std::uint32_t keysym, bool ctrl, bool alt, bool shift);
    bool compose(std::uint32_t keysym, char32_t character, bool ctrl, bool shift);
    std::size_t line_start() const;
    std::size_t line_end() const;
    std::size_t word_left() const;
    std::size_t word_right() const;
    void limit();
  };

  std::vector<Reading> readings_;
};

}  // namespace handrail::policy
