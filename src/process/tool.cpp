#include "tool.hpp"

#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>

#include "rta/model/error.hpp"
#include "signal_thread.hpp"

namespace rta::process {
namespace {

/// Where there is no room for another process, that is no fault of the tool.
void refuse_where_no_room(int error, const std::vector<std::string>& words) {
  if (error == EAGAIN || error == ENOMEM) {
    throw UserError("'" + words.front() + "' cannot be started: " + std::generic_category().message(error));
  }
}

/// Starts a program whose output goes to the descriptors, or, if that is -1, where this program's goes; its process, or -1. `folder` is
/// open. `error` is what posix_spawn said.
pid_t start(const std::vector<std::string>& words, int output, int errors, int folder, int& error) {
  error = 0;
  if (words.empty()) return -1;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return Signals::instance().start_tool([&](bool own_group, const sigset_t& mask, const sigset_t& standard) {
    ::posix_spawn_file_actions_t files{};
    ::posix_spawn_file_actions_init(&files);
    if (output >= 0) {
      ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
      ::posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
    } else if (::isatty(STDIN_FILENO) != 0) {
      // Only the group in the foreground may read from a terminal: any other is stopped.
      ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    if (folder != here) ::posix_spawn_file_actions_addfchdir_np(&files, folder);
    ::posix_spawnattr_t attributes{};
    ::posix_spawnattr_init(&attributes);
    constexpr int signals = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    ::posix_spawnattr_setflags(&attributes, static_cast<short>(signals | (own_group ? POSIX_SPAWN_SETPGROUP : 0)));
    ::posix_spawnattr_setsigmask(&attributes, &mask);
    ::posix_spawnattr_setsigdefault(&attributes, &standard);
    pid_t child = -1;
    error = ::posix_spawnp(&child, arguments.front(), &files, &attributes, arguments.data(), environ);
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

ToolOutput run_tool(const std::vector<std::string>& words, int folder) {
  ToolOutput output;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return output;
  int error = 0;
  const pid_t tool = start(words, ends[1], ends[1], folder, error);
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
  refuse_where_no_room(error, words);
  output.started = tool > 0;
  output.status = wait_for(tool, false);
  return output;
}

int run_as_is(const std::vector<std::string>& words) {
  int error = 0;
  const pid_t tool = start(words, -1, -1, here, error);
  if (tool < 0) refuse_where_no_room(error, words);
  if (tool < 0) return -1;
  const int status = Signals::instance().wait_for_tool(tool, true);
  constexpr int of_signals = 128;  // as shells count
  return WIFEXITED(status) ? WEXITSTATUS(status) : WIFSIGNALED(status) ? of_signals + WTERMSIG(status) : -1;
}

int run_attached(const std::vector<std::string>& words, int folder) {
  int error = 0;
  const pid_t tool = start(words, STDERR_FILENO, STDERR_FILENO, folder, error);
  if (tool < 0) refuse_where_no_room(error, words);
  return wait_for(tool, true);
}

RunningTool::RunningTool(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  errors_ = ::memfd_create("errors", MFD_CLOEXEC);
  if (errors_ < 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0) {
    if (errors_ >= 0) ::close(errors_);
    throw UserError("'" + words.front() + "' cannot be started: " + std::generic_category().message(errno));
  }
  output_ = ends[0];
  int error = 0;
  tool_ = start(words, ends[1], errors_, here, error);
  ::close(ends[1]);
  if (tool_ < 0) refuse_where_no_room(error, words);
}

RunningTool::~RunningTool() {
  if (tool_ > 0) {
    ::kill(tool_, SIGKILL);
    (void)end();
  }
  ::close(output_);
  ::close(errors_);
}

ToolOutput RunningTool::end() {
  ToolOutput result;
  result.started = started();
  if (!started()) return result;
  result.status = wait_for(std::exchange(tool_, -1), false);
  constexpr std::size_t most = 1U << 20U;
  result.text.resize(most);
  const ssize_t count = ::pread(errors_, result.text.data(), most, 0);
  result.text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return result;
}

}  // namespace rta::process
