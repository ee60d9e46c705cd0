#include "app/audit_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>

#include "app/audit_follow.h"
#include "app/commands.h"
#include "app/verbs.h"
#include "base/counted.h"
#include "base/fd.h"
#include "base/one_line.h"
#include "base/private_file.h"
#include "base/signals.h"
#include "engine/audit_log.h"
#include "engine/audit_read.h"
#include "engine/audit_verify.h"
#include "front/cli/options.h"
#include "platform/linux/runtime_folder.h"

namespace handrail::app {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

Result<std::size_t> last_of(const cli::Parsed& parsed, std::size_t otherwise) {
  if (!parsed.has("last")) return otherwise;
  const std::string text = parsed.value("last");
  std::size_t count = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size()) return count;
  return make_error(Code::argument_invalid, fmt::format("--last is `{}`.", text)).with_field("last", "a whole number");
}

// What is asked for of the log, in the order in which it stands there.
class Chosen {
 public:
  explicit Chosen(const cli::Parsed& parsed)
      : session_(parsed.value("session")), refused_(parsed.has("refused")), json_(parsed.has("json")) {
    checkpoints_ = json_ || parsed.has("all");
  }

  // How a line is shown; nothing when it is not asked for.
  std::optional<std::string> shown(std::string_view line, const Result<Json>& record) {
    if (!record.ok() || !record->is_object()) {
      if (!session_.empty() || refused_) return std::nullopt;
      // As text, escaped: a damaged log must not control the terminal.
      const std::string text = Json(std::string(line)).dump(-1, ' ', true, Json::error_handler_t::replace);
      return fmt::format("no record: {}\n", text);
    }
    const Json whole = calls_.completed(*record);
    if (!session_.empty() && audit_field(whole, "session") != session_) return std::nullopt;
    found_ = true;
    if (refused_ && !is_refusal(whole)) return std::nullopt;
    // For programs that check signatures; to a person they say nothing.
    if (!checkpoints_ && audit_field(whole, "kind") == "checkpoint") return std::nullopt;
    if (json_) return record->dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
    return audit_text(whole);
  }

  // A session that the log knows nothing of is more likely a mistake in its name.
  Status found() const {
    if (found_ || session_.empty()) return {};
    return make_error(Code::not_found, fmt::format("The log has no session `{}`.", one_line(session_)))
        .with_hint("`handrail audit show` names the session of each call.");
  }

 private:
  std::string session_;
  bool refused_;
  bool json_;
  bool checkpoints_ = false;
  bool found_ = false;
  AuditCalls calls_;
};

Result<int> show(const cli::Parsed& parsed) {
  const linux_::StatePaths paths = TRY(linux_::state_paths());
  const std::size_t last = TRY(last_of(parsed, 50));
  Chosen chosen(parsed);
  std::deque<std::string> kept;
  for (const std::string& name : TRY(engine::audit_files(paths.audit))) {
    const auto take = [&](const engine::FileLine& line) {
      auto text = chosen.shown(line.text, parse_json(line.text));
      if (text) kept.push_back(*std::move(text));
      if (kept.size() > last) kept.pop_front();
      return true;
    };
    TRY(engine::each_line(paths.audit + "/" + name, 0, engine::kWholeFile, take));
  }
  TRY(chosen.found());
  for (const std::string& text : kept) print(text);
  return 0;
}

Result<int> follow(const cli::Parsed& parsed) {
  const linux_::StatePaths paths = TRY(linux_::state_paths());
  const std::size_t last = TRY(last_of(parsed, 10));
  const TerminationSignals signals;
  Chosen chosen(parsed);
  std::deque<std::string> kept;
  EarlierRecords earlier;
  earlier.each = [&](std::string_view line, const Result<Json>& record) {
    auto text = chosen.shown(line, record);
    if (text) kept.push_back(*std::move(text));
    if (kept.size() > last) kept.pop_front();
  };
  earlier.over = [&] {
    for (const std::string& text : kept) print(text);
    std::fflush(stdout);
    kept.clear();
  };
  const auto take = [&](std::string_view line, const Result<Json>& record) {
    if (const auto text = chosen.shown(line, record)) print(*text);
    std::fflush(stdout);
    return std::ferror(stdout) == 0;
  };
  TRY(follow_audit(paths.audit, earlier, take, signals.fd()));
  return 0;
}

Result<int> verify(const cli::Parsed& parsed) {
  const linux_::StatePaths paths = TRY(linux_::state_paths());
  struct stat facts {};
  // Before the first record there is nothing to check; the anchor outlives a log that was taken away.
  const std::string anchor = engine::audit_anchor_file(paths.key_file);
  const bool begun = ::lstat(anchor.c_str(), &facts) == 0 || ::lstat(paths.audit.c_str(), &facts) == 0;
  const engine::AuditReport report =
      begun ? TRY(engine::verify_audit(paths.audit, paths.key_file)) : engine::AuditReport{};
  if (parsed.has("json")) {
    Json findings = Json::array();
    for (const engine::AuditFinding& finding : report.findings) {
      findings.push_back({{"file", finding.file}, {"line", finding.line}, {"what", finding.what}});
    }
    print(to_line(Json{{"whole", report.whole()},
                       {"files", report.files},
                       {"records", report.records},
                       {"checkpoints", report.checkpoints},
                       {"repairs", report.repairs},
                       {"findings", std::move(findings)}}) +
          "\n");
  } else if (report.whole()) {
    fmt::print("The log is whole: {} in {}, {}.\n", counted(report.records, "record"), counted(report.files, "file"),
               counted(report.checkpoints, "signed checkpoint"));
  } else {
    fmt::print("The log is NOT whole. Found in {}:\n", paths.audit);
    for (const engine::AuditFinding& finding : report.findings) {
      fmt::print("  {}\n", engine::to_text(finding));
    }
  }
  return report.whole() ? 0 : row(Code::io_error).cli_exit;
}

Result<int> export_log(const cli::Parsed& parsed) {
  const std::string format = parsed.value("format", "jsonl");
  if (format != "jsonl" && format != "csv") {
    return make_error(Code::argument_invalid, fmt::format("--format is `{}`.", format))
        .with_field("format", "jsonl or csv");
  }
  const linux_::StatePaths paths = TRY(linux_::state_paths());
  const std::string output = parsed.value("output");
  std::unique_ptr<std::FILE, CloseFile> own;
  if (!output.empty()) {
    const int fd = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    own.reset(fd < 0 ? nullptr : ::fdopen(fd, "w"));
    if (!own) return file_error("write", output, errno);
  }
  std::FILE* file = own ? own.get() : stdout;
  const auto put = [file](std::string_view text) { std::fwrite(text.data(), 1, text.size(), file); };
  const bool csv = format == "csv";
  if (csv) put(audit_csv_header());
  AuditCalls calls;
  for (const std::string& name : TRY(engine::audit_files(paths.audit))) {
    const auto take = [&](const engine::FileLine& line) {
      // The lines as they are can be checked elsewhere; what is no record is left for `verify` to tell.
      const Result<Json> record = parse_json(line.text);
      if (!record.ok() || !record->is_object()) return true;
      put(csv ? audit_csv(calls.completed(*record)) : std::string(line.text) + "\n");
      return true;
    };
    TRY(engine::each_line(paths.audit + "/" + name, 0, engine::kWholeFile, take));
  }
  if (std::fflush(file) != 0 || std::ferror(file) != 0) {
    return file_error("write", output.empty() ? "the output" : output, errno);
  }
  return 0;
}

}  // namespace

Verbs audit_verbs() {
  static const std::vector<Verb> all{
      {"show",
       "show [options]",
       "Print the latest records.",
       {{"last", "N", "How many. Default 50."},
        {"session", "ID", "Of this session only."},
        {"refused", "", "Refusals only, each with its gate and the reason."},
        {"all", "", "Also the signed checkpoints between the records."},
        {"json", "", "Print them as JSON lines, with the checkpoints."}},
       "  handrail audit show --last 20\n  handrail audit show --refused\n",
       show},
      {"follow",
       "follow [options]",
       "Print records as they are written, until interrupted.",
       {{"last", "N", "How many earlier ones first. Default 10."},
        {"session", "ID", "Of this session only."},
        {"refused", "", "Refusals only, each with its gate and the reason."},
        {"all", "", "Also the signed checkpoints between the records."},
        {"json", "", "Print them as JSON lines, with the checkpoints."}},
       "  handrail audit follow\n",
       follow},
      {"verify",
       "verify [options]",
       "Check that nothing was changed, cut off, added or exchanged.",
       {{"json", "", "Print the report as JSON."}},
       "  handrail audit verify\n",
       verify},
      {"export",
       "export [options]",
       "Write all records, for other programs.",
       {{"format", "FORMAT", "jsonl (the default) or csv."}, {"output", "FILE", "Where to. Default: standard output."}},
       "  handrail audit export --format csv --output audit.csv\n",
       export_log},
  };
  return all;
}

int audit_command(std::span<const std::string> arguments) {
  const std::string help =
      verb_help("audit",
                "the log of everything that was attempted: a record before each call and one after it, bound\n"
                "to each other by hashes and signed.",
                audit_verbs());
  return run_verb("audit", audit_verbs(), help, arguments);
}

}  // namespace handrail::app
