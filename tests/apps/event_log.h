// What a fixture app saw, as JSON lines in a file: the oracle of live tests. Independent of Handrail's
// own code on purpose; header only, so that every fixture stays one file.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

namespace fixture {

using Value = std::variant<bool, std::int64_t, double, std::string>;

struct Field {
  const char* key;
  Value value;
};

inline std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

inline std::string to_json(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value)) {
    char text[40];
    std::snprintf(text, sizeof text, "%.10g", *number);
    return text;
  }
  return quoted(std::get<std::string>(value));
}

// Milliseconds of CLOCK_MONOTONIC, comparable between processes.
inline double now_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Appends one whole line a call, so that a reader never sees half an event.
class EventLog {
 public:
  // No path: standard output.
  void open(const std::string& path) {
    fd_ = path.empty() ? STDOUT_FILENO : ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd_ < 0) {
      std::perror(path.c_str());
      std::exit(1);
    }
  }
  void write(std::string_view event, std::initializer_list<Field> fields = {}) {
    char time[32];
    std::snprintf(time, sizeof time, "%.3f", now_ms());
    std::string line = "{\"event\":" + quoted(event) + ",\"t\":" + time;
    for (const Field& field : fields) line += "," + quoted(field.key) + ":" + to_json(field.value);
    line += "}\n";
    for (std::size_t done = 0; done < line.size();) {
      const ssize_t n = ::write(fd_, line.data() + done, line.size() - done);
      if (n < 0) std::exit(1);
      done += static_cast<std::size_t>(n);
    }
  }

 private:
  int fd_ = -1;
};

struct Options {
  std::string title = "Editor";
  std::string log;
  int width = 480, height = 320;
  int x = 0, y = 0;
  bool placed = false;  // --geometry named a position
  bool motion = false;
  int busy = 0;      // milliseconds after which something that is no password field changes by itself
  int flap = 0;      // milliseconds after which a password field comes or goes by itself
  bool csd = false;  // the app draws its own frame
};

inline void set_geometry(Options& options, const char* text) {
  const int found = std::sscanf(text, "%dx%d+%d+%d", &options.width, &options.height, &options.x, &options.y);
  if (found != 2 && found != 4) {
    std::fprintf(stderr, "--geometry wants WxH or WxH+X+Y, not %s\n", text);
    std::exit(2);
  }
  options.placed = found == 4;
}

// The flags that all editors share; an unknown flag ends the program.
inline Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (flag == "--motion") {
      options.motion = true;
    } else if (flag == "--csd") {
      options.csd = true;
    } else if (flag == "--busy" && value) {
      options.busy = std::atoi(argv[++i]);
    } else if (flag == "--flap" && value) {
      options.flap = std::atoi(argv[++i]);
    } else if (flag == "--title" && value) {
      options.title = argv[++i];
    } else if (flag == "--log" && value) {
      options.log = argv[++i];
    } else if (flag == "--geometry" && value) {
      set_geometry(options, argv[++i]);
    } else {
      std::fprintf(
          stderr,
          "usage: %s [--title T] [--log FILE] [--geometry WxH[+X+Y]] [--motion] [--busy MS] [--flap MS] [--csd]\n",
          argv[0]);
      std::exit(2);
    }
  }
  return options;
}

// Logs the whole text at once when the last line is old enough, else asks the app for a timer.
class TextLog {
 public:
  static constexpr double kPauseMs = 10;

  // Milliseconds until `flush` must be called; 0 when the caller should flush now.
  int changed() {
    const double wait = last_ + kPauseMs - now_ms();
    if (wait <= 0) return 0;
    return static_cast<int>(wait) + 1;
  }
  void flush(EventLog& log, std::string text) {
    log.write("text", {{"text", std::move(text)}});
    last_ = now_ms();
  }

 private:
  double last_ = -1e9;
};

}  // namespace fixture
