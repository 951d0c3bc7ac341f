#include "tool.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

#include "signal_thread.hpp"

namespace rta::process {
namespace {

/// Starts a program whose output goes to the descriptor; its process, or -1.
pid_t start(const std::vector<std::string>& words, int output) {
  if (words.empty()) return -1;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return Signals::instance().start_tool([&](bool own_group, const sigset_t& mask) {
    ::posix_spawn_file_actions_t files{};
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    ::posix_spawnattr_t attributes{};
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | (own_group ? POSIX_SPAWN_SETPGROUP : 0)));
    ::posix_spawnattr_setsigmask(&attributes, &mask);
    pid_t child = -1;
    const int error = ::posix_spawnp(&child, arguments.front(), &files, &attributes, arguments.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    return error == 0 ? child : -1;
  });
}

int wait_for(pid_t tool, bool keeps_interrupts) {
  if (tool < 0) return -1;
  const int status = Signals::instance().wait_for_tool(tool, keeps_interrupts);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

ToolOutput run_tool(const std::vector<std::string>& words) {
  ToolOutput output;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return output;
  const pid_t tool = start(words, ends[1]);
  ::close(ends[1]);
  constexpr std::size_t most = 1U << 20U;
  std::array<char, 4096> piece{};
  while (tool > 0) {
    const ssize_t count = ::read(ends[0], piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    if (output.text.size() < most) output.text.append(piece.data(), static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  output.status = wait_for(tool, false);
  return output;
}

int run_attached(const std::vector<std::string>& words) { return wait_for(start(words, STDERR_FILENO), true); }

}  // namespace rta::process
