// What a child needs to become another program, made before the fork: of what another thread holds at that moment,
// memory's own lock for one, the child's copy stays locked for good.
#pragma once

#include <unistd.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace handrail::testing {

class ExecBlock {
 public:
  // With this process's environment, these changes to it, and without the variables named `gone`.
  ExecBlock(std::vector<std::string> arguments, const std::map<std::string, std::string>& changes,
            const std::set<std::string>& gone = {})
      : arguments_(std::move(arguments)) {
    for (const auto& [name, value] : changes) variables_.push_back(name + "=" + value);
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string variable(*entry);
      const std::string name = variable.substr(0, variable.find('='));
      if (!changes.contains(name) && !gone.contains(name)) variables_.push_back(variable);
    }
    for (std::string& argument : arguments_) argv_.push_back(argument.data());
    for (std::string& variable : variables_) envp_.push_back(variable.data());
    argv_.push_back(nullptr);
    envp_.push_back(nullptr);
  }
  ExecBlock(const ExecBlock&) = delete;
  ExecBlock& operator=(const ExecBlock&) = delete;

  // In the child.
  [[noreturn]] void run() const {
    ::execvpe(argv_[0], argv_.data(), envp_.data());
    ::_exit(127);
  }

 private:
  std::vector<std::string> arguments_, variables_;
  std::vector<char*> argv_, envp_;
};

}  // namespace handrail::testing
