#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>

#include "rta/validation/machine.hpp"

namespace rta::validation {
namespace {

constexpr std::array ending{SIGINT, SIGTERM, SIGHUP, SIGQUIT};

std::atomic<pid_t> group = 0;   // of the tool that runs
std::atomic<int> received = 0;  // the last signal that was handed on

void hand_on(int signal) {
  received = signal;
  if (group > 0) ::kill(-group, signal);
}

/// A program in a process group of its own, so that signals reach what it starts, too.
class Tool {
 public:
  /// Output goes to the descriptor; -1: where this program's goes.
  Tool(const std::vector<std::string>& words, int output) {
    // All memory is allocated before the fork: another thread may hold the allocator's lock.
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    sigset_t signals{};
    sigset_t before{};
    sigemptyset(&signals);
    for (const int signal : ending) sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    received = 0;
    for (std::size_t i = 0; i < ending.size(); ++i) {
      sigaction(ending[i], nullptr, &before_[i]);
      if (before_[i].sa_handler == SIG_IGN) continue;
      struct sigaction action {};
      action.sa_handler = hand_on;
      action.sa_flags = SA_RESTART;
      sigaction(ending[i], &action, nullptr);
    }
    child_ = fork();
    if (child_ == 0) {
      setpgid(0, 0);
      for (std::size_t i = 0; i < ending.size(); ++i) {
        if (before_[i].sa_handler != SIG_IGN) ::signal(ending[i], SIG_DFL);
      }
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      if (output >= 0) {
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
      } else if (isatty(STDIN_FILENO) != 0) {
        // Only the group in the foreground may read from a terminal: any other is stopped.
        const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (nothing >= 0) dup2(nothing, STDIN_FILENO);
      }
      execvp(arguments.front(), arguments.data());
      _exit(127);
    }
    if (child_ > 0) setpgid(child_, child_);
    group = child_;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  Tool(const Tool&) = delete;
  Tool& operator=(const Tool&) = delete;
  ~Tool() { (void)end(); }

  [[nodiscard]] bool started() const { return child_ > 0; }

  /// Its exit status once it has ended, or -1; from then on signals are handled as before.
  int end() {
    if (ended_) return status_;
    ended_ = true;
    int status = 0;
    if (child_ > 0) {
      while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
      }
      if (WIFEXITED(status) && WEXITSTATUS(status) != 127) status_ = WEXITSTATUS(status);
      if (WIFSIGNALED(status)) signal_ = WTERMSIG(status);
    }
    group = 0;
    for (std::size_t i = 0; i < ending.size(); ++i) sigaction(ending[i], &before_[i], nullptr);
    return status_;
  }
  /// That ended it; 0: none did.
  [[nodiscard]] int signal() const { return signal_; }

 private:
  std::array<struct sigaction, ending.size()> before_{};
  pid_t child_ = -1;
  int status_ = -1;
  int signal_ = 0;
  bool ended_ = false;
};

}  // namespace

ToolOutput run_tool(const std::vector<std::string>& words) {
  ToolOutput output;
  std::array<int, 2> ends{};
  if (words.empty() || pipe2(ends.data(), O_CLOEXEC) != 0) return output;
  Tool tool(words, ends[1]);
  close(ends[1]);
  constexpr std::size_t most = 1U << 20U;
  std::array<char, 4096> piece{};
  while (tool.started()) {
    const ssize_t count = read(ends[0], piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    if (output.text.size() < most) output.text.append(piece.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  output.status = tool.end();
  if (received != 0) raise(received);
  return output;
}

int run_attached(const std::vector<std::string>& words) {
  Tool tool(words, STDERR_FILENO);
  const int status = tool.end();
  if (received != 0 && received != SIGINT) raise(received);
  return status;
}

int run_as_is(const std::vector<std::string>& words) {
  if (words.empty()) return -1;
  Tool tool(words, -1);
  const int status = tool.end();
  if (received != 0 && received != SIGINT) raise(received);
  constexpr int of_signals = 128;  // as shells count
  return tool.signal() != 0 ? of_signals + tool.signal() : status;
}

}  // namespace rta::validation
