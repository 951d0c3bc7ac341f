// Processes with a limit of time: probes, each by one of its own, so that what goes wrong in one is lost with it alone, and tools.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/cuda_call.cuh"

namespace probes {

inline std::atomic<int> interrupted{0};

struct Ran {
  int status = -1;  // exit status; -1: by a signal, or not at all
  bool in_time = true;
  std::string text;  // what it wrote
};

/// `work`, given where to write, returns the exit status. It does not inherit what the caller has of CUDA, which must be nothing.
inline Ran run_process(std::int64_t limit, const std::function<int(int)>& work) {
  Ran ran;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return ran;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    close(ends[0]);
    const int status = work(ends[1]);
    std::fflush(nullptr);
    std::_Exit(status);
  }
  close(ends[1]);
  const std::int64_t until = common::now() + limit;
  // What it has started may live on and hold the pipe: its own end counts.
  bool ended = child < 0;
  int status = 0;
  while (!ended) {
    pollfd input{ends[0], POLLIN, 0};
    poll(&input, 1, 5);
    ended = waitpid(child, &status, WNOHANG) == child;
    if (!ended && (common::now() > until || interrupted.load() != 0)) {
      ran.in_time = false;
      kill(child, SIGKILL);
    }
    char part[4096];
    for (pollfd more{ends[0], POLLIN, 0}; poll(&more, 1, 0) > 0 && (more.revents & POLLIN) != 0;) {
      const ssize_t n = read(ends[0], part, sizeof part);
      if (n <= 0) break;
      ran.text.append(part, static_cast<std::size_t>(n));
    }
  }
  close(ends[0]);
  if (child > 0 && WIFEXITED(status)) ran.status = WEXITSTATUS(status);
  return ran;
}

inline void write_all(int to, const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t n = write(to, text.data() + written, text.size() - written);
    if (n < 0 && errno != EINTR) return;
    if (n > 0) written += static_cast<std::size_t>(n);
  }
}

/// A program with `input`; its standard output and error. Status 127: there is none of that name.
inline Ran run_tool(const std::vector<std::string>& words, const std::string& input) {
  constexpr std::int64_t limit = 10'000'000'000;
  return run_process(limit, [&](int to) {
    int in[2];
    if (pipe(in) != 0) return 126;
    write_all(in[1], input);  // shorter than what a pipe holds
    close(in[1]);
    dup2(in[0], STDIN_FILENO);
    dup2(to, STDOUT_FILENO);
    dup2(to, STDERR_FILENO);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    return 127;
  });
}

/// From now on an error of CUDA is written there, and ends this process.
inline void failures_go_to(int to) {
  static int goes_to = -1;
  goes_to = to;
  common::failure_handler.store([](const std::string& what) {
    write_all(goes_to, what);
    std::_Exit(2);
  });
}

}  // namespace probes
