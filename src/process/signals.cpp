#include "signals.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

#include "rta/model/error.hpp"
#include "signal_thread.hpp"

namespace rta::process {

Signals& Signals::instance() {
  static auto* const only = new Signals;
  return *only;
}

void Signals::take() {
  const std::scoped_lock lock(mutex_);
  require(!taken_, "signals are taken once");
  sigemptyset(&taken_signals_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&taken_signals_, signal);
  }
  // A file that may grow no further is an error of its write; tools decide for themselves.
  sigemptyset(&reset_);
  if (::signal(SIGXFSZ, SIG_IGN) != SIG_IGN) sigaddset(&reset_, SIGXFSZ);
  // Threads that start from now on have them blocked, too.
  ::pthread_sigmask(SIG_BLOCK, &taken_signals_, &before_);
  try {
    std::thread([this] { serve(); }).detach();
    taken_ = true;
  } catch (const std::system_error&) {  // no room for a thread: signals end the program as they always do
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
}

void Signals::serve() {
  for (;;) {
    int signal = 0;
    if (::sigwait(&taken_signals_, &signal) == 0) handle(signal);
  }
}

void Signals::handle(int signal) {
  const std::scoped_lock lock(mutex_);
  if (tool_ > 0) {
    handed_on_ = signal;
    ::kill(-tool_, signal);
    (void)asks_for_stop(signal);
  } else if (!asks_for_stop(signal)) {
    end(signal);
  }
}

// False for a signal that no request waits for, or not any more.
bool Signals::asks_for_stop(int signal) {
  if (request_ == nullptr || std::ranges::find(request_->signals_, signal) == request_->signals_.end()) return false;
  return request_->source_.request_stop();
}

// The mutex stays locked, so that no thread makes anything temporary any more, nor goes on where something temporary has gone.
void Signals::end(int signal) {
  for (const std::filesystem::path& path : temporaries_) {
    std::error_code error;
    // Another thread may still write into a folder.
    for (int attempt = 0; attempt < 10; ++attempt) {
      std::filesystem::remove_all(path, error);
      if (!error) break;
    }
  }
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  ::sigaction(signal, &standard, nullptr);
  sigset_t one{};
  sigemptyset(&one);
  sigaddset(&one, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  ::raise(signal);
  std::_Exit(128 + signal);
}

void Signals::add(StopRequest& request) {
  const std::scoped_lock lock(mutex_);
  require(request_ == nullptr, "one request to stop at a time");
  request_ = &request;
}

void Signals::remove(StopRequest& request) {
  const std::scoped_lock lock(mutex_);
  if (request_ == &request) request_ = nullptr;
}

void Signals::add(const std::function<std::filesystem::path()>& make) {
  const std::scoped_lock lock(mutex_);
  temporaries_.insert(make());
}

void Signals::remove(const std::filesystem::path& temporary) {
  const std::scoped_lock lock(mutex_);
  const auto at = temporaries_.find(temporary);
  if (at != temporaries_.end()) temporaries_.erase(at);
}

pid_t Signals::start_tool(const std::function<pid_t(bool, const sigset_t&, const sigset_t&)>& start) {
  const std::scoped_lock lock(mutex_);  // a signal that comes now waits until the tool is known
  require(tool_ == 0, "one tool at a time");
  if (!taken_) ::pthread_sigmask(SIG_SETMASK, nullptr, &before_);
  handed_on_ = 0;
  const pid_t tool = start(taken_, before_, reset_);
  if (tool > 0 && taken_) tool_ = tool;
  return tool;
}

int Signals::wait_for_tool(pid_t tool, bool keeps_interrupts) {
  // The process stays until it is waited for, so that its number means no other one as long as signals go there.
  siginfo_t ended{};
  while (::waitid(P_PID, static_cast<id_t>(tool), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  const std::scoped_lock lock(mutex_);
  tool_ = 0;
  int status = 0;
  while (::waitpid(tool, &status, 0) < 0 && errno == EINTR) {
  }
  const int signal = std::exchange(handed_on_, 0);
  const bool takes_effect = signal != 0 && !(signal == SIGINT && keeps_interrupts);
  const bool asked = request_ != nullptr && std::ranges::find(request_->signals_, signal) != request_->signals_.end();
  if (takes_effect && !asked) end(signal);
  return status;
}

void take_signals() { Signals::instance().take(); }

StopRequest::StopRequest(std::initializer_list<int> signals) : signals_(signals) { Signals::instance().add(*this); }
StopRequest::~StopRequest() { Signals::instance().remove(*this); }

}  // namespace rta::process
