// Processes that a test starts, and what they say.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/folder.hpp"

namespace rta::test {

/// A running process, killed when this goes. What it prints goes to a file.
class Process {
 public:
  Process(const std::vector<std::string>& words, const std::filesystem::path& output, const std::vector<std::string>& environment = {})
      : output_(output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    std::vector<std::string> variables = environment;
    for (char** v = environ; *v != nullptr; ++v) variables.emplace_back(*v);
    REQUIRE(posix_spawn(&process_, words.front().c_str(), &actions, nullptr, pointers(words).data(), pointers(variables).data()) == 0);
    posix_spawn_file_actions_destroy(&actions);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (ended_) return;
    ::kill(process_, SIGKILL);
    ::kill(process_, SIGCONT);
    (void)wait(std::chrono::seconds(20));
  }

  [[nodiscard]] pid_t number() const { return process_; }
  void kill(int signal) const { ::kill(process_, signal); }

  /// Its exit status, 128 + signal when it was killed, or -1 when it has not ended in time.
  int wait(std::chrono::milliseconds most = std::chrono::seconds(60)) {
    const auto until = std::chrono::steady_clock::now() + most;
    while (!ended_) {
      int status = 0;
      if (waitpid(process_, &status, WNOHANG) == process_) {
        ended_ = true;
        status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      } else if (std::chrono::steady_clock::now() > until) {
        return -1;
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    }
    return status_;
  }

  [[nodiscard]] std::string said() const { return content(output_); }
  /// Waits until it has said so.
  bool says(const std::string& text, std::chrono::milliseconds most = std::chrono::seconds(20)) const {
    const auto until = std::chrono::steady_clock::now() + most;
    while (said().find(text) == std::string::npos) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
  }

 private:
  static std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> all;
    all.reserve(texts.size() + 1);
    for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
    all.push_back(nullptr);
    return all;
  }
  std::filesystem::path output_;
  pid_t process_ = 0;
  bool ended_ = false;
  int status_ = -1;
};

}  // namespace rta::test
