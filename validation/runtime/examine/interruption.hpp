// Signals that ask the program to end: it does so itself, when nothing of it runs on the GPU any more.
#pragma once

#include <csignal>

namespace examine {

/// Set by SIGINT, SIGTERM and SIGHUP.
inline volatile std::sig_atomic_t interrupted = 0;

inline void end_on_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);  // errors of the write
}

}  // namespace examine
