#include "wire/line_reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "base/fd.h"
#include "wire/line_writer.h"

namespace handrail::wire {
namespace {

using Event = LineReader::Event;

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    out = Fd(ends[0]);
    in = Fd(ends[1]);
  }
  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t n = ::write(in.get(), text.data(), text.size());
      ASSERT_GT(n, 0);
      text.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  Fd out, in;
};

TEST(LineReader, gives_lines_and_the_last_one_without_a_newline) {
  Pipe pipe;
  pipe.write("one\ntwo\n\nthree");
  pipe.in.reset();
  LineReader reader(pipe.out.get(), 100);
  std::string line;
  for (const char* expected : {"one", "two", "", "three"}) {
    ASSERT_EQ(reader.next(line, -1), Event::line);
    EXPECT_EQ(line, expected);
  }
  EXPECT_EQ(reader.next(line, -1), Event::end);
  EXPECT_EQ(reader.next(line, -1), Event::end);
}

TEST(LineReader, throws_a_huge_line_away_and_goes_on) {
  Pipe pipe;
  std::thread writer([&pipe] {
    const std::string chunk(1 << 20, 'x');
    for (int i = 0; i < 50; ++i) pipe.write(chunk);
    pipe.write("\nnext\n");
    pipe.in.reset();
  });
  LineReader reader(pipe.out.get(), 1 << 16);
  std::string line;
  EXPECT_EQ(reader.next(line, -1), Event::too_long);
  EXPECT_LT(line.capacity(), std::size_t{1} << 20) << "it is not kept";
  ASSERT_EQ(reader.next(line, -1), Event::line);
  EXPECT_EQ(line, "next");
  EXPECT_EQ(reader.next(line, -1), Event::end);
  writer.join();
}

TEST(LineReader, ends_when_it_is_woken) {
  Pipe pipe, wake;
  wake.write("!");
  LineReader reader(pipe.out.get(), 100);
  std::string line;
  EXPECT_EQ(reader.next(line, wake.out.get()), Event::end);
}

TEST(LineWriter, says_so_when_nobody_reads_any_more) {
  ::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  LineWriter writer(pipe.in.get(), 1 << 20);
  EXPECT_TRUE(writer.write("x"));
  pipe.out.reset();
  EXPECT_FALSE(writer.write("y"));
}

TEST(LineWriter, never_waits_for_a_reader_and_keeps_the_order) {
  Pipe pipe;
  LineWriter writer(pipe.in.get(), 64 << 20);
  const std::string large(300000, 'x');
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(writer.write(std::to_string(i) + large)) << "nobody has read yet";
  LineReader reader(pipe.out.get(), 1 << 20);
  std::string line;
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(reader.next(line, -1), Event::line);
    EXPECT_EQ(line, std::to_string(i) + large);
  }
}

TEST(LineWriter, gives_up_on_a_reader_that_takes_nothing) {
  Pipe pipe;
  LineWriter writer(pipe.in.get(), 1 << 20);
  const std::string large(400000, 'x');
  EXPECT_TRUE(writer.write(large));
  EXPECT_TRUE(writer.write(large));
  EXPECT_FALSE(writer.write(large)) << "more than a megabyte is waiting";
  writer.close(Millis(0));
}

}  // namespace
}  // namespace handrail::wire
