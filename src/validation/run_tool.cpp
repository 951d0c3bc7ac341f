#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "rta/validation/machine.hpp"

namespace rta::validation {

ToolOutput run_tool(const std::vector<std::string>& words) {
  ToolOutput output;
  std::array<int, 2> ends{};
  if (words.empty() || pipe2(ends.data(), O_CLOEXEC) != 0) return output;
  // All memory is allocated before the fork: another thread may hold the allocator's lock.
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    execvp(arguments.front(), arguments.data());
    _exit(127);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return output;
  }
  constexpr std::size_t most = 1U << 20U;
  std::array<char, 4096> piece{};
  for (;;) {
    const ssize_t count = read(ends[0], piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    if (output.text.size() < most) output.text.append(piece.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) != 127) output.status = WEXITSTATUS(status);
  return output;
}

}  // namespace rta::validation
