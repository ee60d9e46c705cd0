// A text that is written piece by piece. The room for it is not cleared first: what is never written costs nothing.
#pragma once

#include <cstring>
#include <memory>
#include <string_view>

namespace handrail::policy {

class ShellOutput {
 public:
  // Single characters may be written without asking for room, up to so many after each make_room().
  static constexpr std::size_t kStep = 64;

  explicit ShellOutput(std::size_t room) { grow(room); }

  std::size_t size() const { return static_cast<std::size_t>(end_ - text_.get()); }
  std::string_view view() const { return {text_.get(), size()}; }

  void make_room() {
    if (room() < kStep) grow(kStep);
  }
  void put(char c) { *end_++ = c; }
  void append(std::string_view more) {
    if (more.size() + kStep > room()) grow(more.size() + kStep);
    if (more.size() < 8) {
      for (const char c : more) put(c);
      return;
    }
    std::memcpy(end_, more.data(), more.size());
    end_ += more.size();
  }

 private:
  std::size_t room() const { return static_cast<std::size_t>(limit_ - end_); }
  void grow(std::size_t more) {
    const std::size_t used = size();
    const std::size_t whole = static_cast<std::size_t>(limit_ - text_.get()) * 2 + more;
    auto larger = std::make_unique_for_overwrite<char[]>(whole);
    if (used != 0) std::memcpy(larger.get(), text_.get(), used);
    text_ = std::move(larger);
    end_ = text_.get() + used;
    limit_ = text_.get() + whole;
  }

  std::unique_ptr<char[]> text_;
  char* end_ = nullptr;
  char* limit_ = nullptr;
};

}  // namespace handrail::policy
