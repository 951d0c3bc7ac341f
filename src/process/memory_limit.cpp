#include "process/memory_limit.hpp"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigwaitinfo
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <latch>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace rta::process {
namespace {

std::optional<std::uint64_t>& limit() {
  static std::optional<std::uint64_t> bytes;
  return bytes;
}

std::ptrdiff_t own_tasks() {
  std::error_code unknown;
  const std::filesystem::directory_iterator tasks("/proc/self/task", unknown);
  return std::distance(begin(tasks), end(tasks));
}

[[noreturn]] void end_by(int signal) {
  ::signal(signal, SIG_DFL);
  sigset_t one{};
  sigemptyset(&one);
  sigaddset(&one, signal);
  ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
  ::raise(signal);
  std::_Exit(128 + signal);
}

[[noreturn]] void end_as(int status) {
  if (WIFEXITED(status)) std::_Exit(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  constexpr std::array of_no_memory{SIGSEGV, SIGABRT, SIGTRAP, SIGBUS, SIGILL};
  if (std::ranges::find(of_no_memory, signal) == of_no_memory.end()) end_by(signal);
  constexpr std::string_view text = "rta: needs more memory than --memory-limit allows\n";
  (void)!::write(STDERR_FILENO, text.data(), text.size());
  std::_Exit(2);
}

}  // namespace

void go_on_in_child() {
  sigset_t waited{};
  sigset_t before{};
  sigemptyset(&waited);
  for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&waited, signal);
  ::sigprocmask(SIG_BLOCK, &waited, &before);
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "no process can be started");
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return;
  }
  for (;;) {
    siginfo_t got{};
    const int signal = ::sigwaitinfo(&waited, &got);
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) end_as(status);
    // What a terminal sends goes to both.
    if (signal > 0 && signal != SIGCHLD && got.si_code <= 0) ::kill(child, signal);
  }
}

void limit_memory(std::uint64_t bytes) {
  const rlimit both{bytes, bytes};
  if (::setrlimit(RLIMIT_DATA, &both) != 0) throw std::system_error(errno, std::generic_category(), "memory cannot be limited");
  limit() = bytes;
}

std::optional<std::uint64_t> memory_limit() { return limit(); }

unsigned threads_that_start(unsigned wanted) {
  if (wanted == 0) return 0;
  const std::ptrdiff_t before = own_tasks();
  std::latch all_started(1);
  std::vector<std::thread> threads;
  try {
    for (unsigned i = 0; i < wanted; ++i) threads.emplace_back([&] { all_started.wait(); });
  } catch (const std::system_error&) {  // no room for another one
  }
  all_started.count_down();
  for (std::thread& thread : threads) thread.join();
  // One that was waited for still counts for a moment.
  for (int i = 0; i < 100 && own_tasks() > before; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return static_cast<unsigned>(threads.size());
}

}  // namespace rta::process
