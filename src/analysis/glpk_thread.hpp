// GLPK keeps an environment per thread, which it never frees by itself.
#pragma once

#include <glpk.h>

namespace rta::analysis {

/// Frees this thread's environment when the thread ends. To be called before the thread's first call of GLPK.
inline void free_glpk_at_thread_exit() {
  struct Environment {
    Environment() { glp_init_env(); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() { glp_free_env(); }
  };
  thread_local const Environment environment;
  static_cast<void>(environment);
}

}  // namespace rta::analysis
