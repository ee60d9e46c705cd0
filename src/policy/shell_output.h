// A text that is written piece by piece, with the room for most texts made at once.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace handrail::policy {

class ShellOutput {
 public:
  // Single characters may be written without asking for room, up to so many after each make_room().
  static constexpr std::size_t kStep = 64;

  explicit ShellOutput(std::size_t room) { grow(room); }

  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  std::string_view view() const { return {begin_, size()}; }

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
  std::string take() {
    text_.resize(size());
    return std::move(text_);
  }

 private:
  std::size_t room() const { return static_cast<std::size_t>(limit_ - end_); }
  void grow(std::size_t more) {
    const std::size_t used = size();
    text_.resize(text_.size() * 2 + more);
    begin_ = text_.data();
    end_ = begin_ + used;
    limit_ = begin_ + text_.size();
  }

  std::string text_;
  char* begin_ = nullptr;
  char* end_ = nullptr;
  char* limit_ = nullptr;
};

}  // namespace handrail::policy
