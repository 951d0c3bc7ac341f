// Work in a process of its own, with a CUDA context of its own: what it writes comes back, whatever becomes of it.
#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <functional>
#include <string>

#include "interruption.hpp"
#include "output_file.hpp"

namespace examine {

/// What a child that was started has written when it ends.
class Child {
 public:
  /// `work` returns the text. This process must not have used CUDA: its state does not survive a fork.
  explicit Child(const std::function<std::string()>& work) {
    int ends[2];
    if (pipe(ends) != 0) fail("no pipe to a process");
    std::fflush(nullptr);
    process_ = fork();
    if (process_ < 0) fail("no process could be started");
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(ends[0]);
      const std::string text = work();
      std::size_t written = 0;
      while (written < text.size()) {
        const ssize_t n = ::write(ends[1], text.data() + written, text.size() - written);
        if (n < 0 && errno != EINTR) std::_Exit(2);
        if (n > 0) written += static_cast<std::size_t>(n);
      }
      std::fflush(nullptr);
      std::_Exit(0);
    }
    close(ends[1]);
    from_ = ends[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (process_ <= 0) return;
    kill(process_, SIGTERM);
    close(from_);
    wait_for_end();
  }

  /// Its text; ends the program with status 2 where it failed (it has said why).
  std::string text() {
    std::string all;
    char part[4096];
    for (;;) {
      const ssize_t n = ::read(from_, part, sizeof part);
      if (n > 0) all.append(part, static_cast<std::size_t>(n));
      if (n == 0 || (n < 0 && errno != EINTR) || interrupted != 0) break;
    }
    close(from_);
    if (interrupted != 0) kill(process_, SIGTERM);
    const int status = wait_for_end();
    process_ = 0;
    if (interrupted != 0) fail("interrupted");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail("a process of the examination ended early");
    return all;
  }

 private:
  int wait_for_end() const {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }
  pid_t process_ = 0;
  int from_ = -1;
};

inline std::string text_of_child(const std::function<std::string()>& work) { return Child(work).text(); }

}  // namespace examine
