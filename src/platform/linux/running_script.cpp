#include "platform/linux/running_script.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/digest.h"

namespace handrail::linux_ {
namespace {

namespace fs = std::filesystem;

struct Runtime {
  std::string_view name;            // of the executable, without a version
  std::string_view inline_letters;  // options whose value is the program itself
  std::string_view value_letters;   // options that take the next word
};

constexpr Runtime kRuntimes[] = {
    {"python", "c", "WX"},      {"pypy", "c", "WX"},
    {"perl", "eE", "I"},        {"ruby", "e", "IrE"},
    {"node", "ep", "r"},        {"nodejs", "ep", "r"},
    {"deno", "", ""},           {"bun", "e", ""},
    {"php", "rBRE", "cdz"},     {"lua", "e", "l"},
    {"luajit", "e", "l"},       {"sh", "c", "oO"},
    {"bash", "c", "oO"},        {"dash", "c", "o"},
    {"zsh", "c", "o"},          {"ksh", "c", "o"},
    {"fish", "c", "C"},         {"tclsh", "", ""},
    {"wish", "", ""},           {"java", "", ""},
    {"javaw", "", ""},          {"mono", "", ""},
    {"dotnet", "", ""},         {"electron", "", "r"},
    {"wine", "", ""},           {"wine64", "", ""},
    {"wine-preloader", "", ""}, {"wine64-preloader", "", ""},
    {"gjs", "c", "I"},          {"gjs-console", "c", "I"},
    {"guile", "c", "Ll"},       {"Rscript", "e", ""},
    {"awk", "", "vF"},          {"gawk", "", "vF"},
    {"busybox", "", ""},        {"qemu-x86_64", "", ""},
    {"box64", "", ""},          {"ld-linux-x86-64.so", "", ""},
};

const Runtime* runtime_of(const std::string& executable) {
  std::string_view name(executable);
  name.remove_prefix(name.rfind('/') + 1);
  // python3.11, electron28, ruby3.1, ld-linux-x86-64.so.2
  std::string_view stem = name;
  while (!stem.empty() && (stem.back() == '.' || (stem.back() >= '0' && stem.back() <= '9'))) stem.remove_suffix(1);
  for (const Runtime& runtime : kRuntimes) {
    if (runtime.name == name || runtime.name == stem) return &runtime;
  }
  return nullptr;
}

std::string absolute(const std::string& path, const std::string& cwd) {
  const fs::path whole = fs::path(path).is_absolute() ? fs::path(path) : fs::path(cwd) / path;
  std::error_code failed;
  const fs::path real = fs::canonical(whole, failed);
  return failed ? whole.lexically_normal().string() : real.string();
}

std::string java_program(const std::vector<std::string>& arguments, const std::string& cwd) {
  static constexpr std::string_view kWithValue[] = {"-cp",         "-classpath",    "--class-path",
                                                    "-p",          "--module-path", "--add-modules",
                                                    "--add-opens", "--add-exports", "--add-reads"};
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "-jar" && i + 1 < arguments.size()) return absolute(arguments[i + 1], cwd);
    if ((word == "-m" || word == "--module") && i + 1 < arguments.size()) return "-m " + arguments[i + 1];
    if (std::ranges::find(kWithValue, word) != std::end(kWithValue)) {
      ++i;
      continue;
    }
    if (!word.starts_with('-')) return word;
  }
  return "";
}

}  // namespace

bool runs_scripts(const std::string& executable) { return runtime_of(executable) != nullptr; }

std::string script_of(const std::string& executable, const std::vector<std::string>& arguments,
                      const std::string& cwd) {
  const Runtime* runtime = runtime_of(executable);
  if (!runtime) return "";
  if (runtime->name.starts_with("java")) return java_program(arguments, cwd);
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--" && i + 1 < arguments.size()) return absolute(arguments[i + 1], cwd);
    if (word.size() < 2 || word[0] != '-') {
      // "dotnet exec x.dll" and "deno run x.ts" name the program second.
      const bool verb = (runtime->name == "dotnet" && word == "exec") || (runtime->name == "deno" && word == "run");
      if (verb || word == "-" || word.empty()) continue;
      if (runtime->name == "busybox") return word;
      return absolute(word, cwd);
    }
    if (word.starts_with("--")) continue;
    if (word[1] == 'm' && runtime->name.starts_with("py")) {
      return "-m " + (word.size() > 2 ? word.substr(2) : i + 1 < arguments.size() ? arguments[i + 1] : "");
    }
    const std::size_t at = word.find_first_of(runtime->inline_letters, 1);
    if (!runtime->inline_letters.empty() && at != std::string::npos) {
      const std::string code = i + 1 < arguments.size() ? arguments[i + 1] : word;
      return "-c " + sha256_hex(word + '\0' + code).substr(0, 32);
    }
    if (word.size() == 2 && runtime->value_letters.find(word[1]) != std::string_view::npos) ++i;
  }
  return "";
}

}  // namespace handrail::linux_
