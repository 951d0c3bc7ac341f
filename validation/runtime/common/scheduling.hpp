// Scheduling on stock Linux: policies, processors, locked memory. Every function says what it could not have.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace common {

enum class Policy { deadline, fifo, other };

inline const char* to_string(Policy policy) {
  switch (policy) {
    case Policy::deadline: return "SCHED_DEADLINE";
    case Policy::fifo: return "SCHED_FIFO";
    case Policy::other: return "SCHED_OTHER";
  }
  return "";
}

/// The thread's number in the kernel; levels of other threads are set by it.
inline int thread_number() { return static_cast<int>(syscall(SYS_gettid)); }

/// Empty, or why not.
inline std::string set_fifo(int thread, int level) {
  sched_param parameter{};
  parameter.sched_priority = level;
  return sched_setscheduler(thread, SCHED_FIFO, &parameter) == 0 ? "" : std::strerror(errno);
}

inline void set_other(int thread) {
  const sched_param parameter{};
  sched_setscheduler(thread, SCHED_OTHER, &parameter);
}

/// SCHED_DEADLINE: `runtime` in every `period`, each activation due `deadline` after it wakes (ns). Empty, or why not.
inline std::string set_deadline(int thread, std::int64_t runtime, std::int64_t deadline, std::int64_t period) {
  struct {  // struct sched_attr of the kernel; older C libraries do not declare it
    std::uint32_t size;
    std::uint32_t policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime;
    std::uint64_t deadline;
    std::uint64_t period;
  } attributes{};
  attributes.size = sizeof attributes;
  attributes.policy = 6;  // SCHED_DEADLINE
  attributes.runtime = static_cast<std::uint64_t>(runtime);
  attributes.deadline = static_cast<std::uint64_t>(deadline);
  attributes.period = static_cast<std::uint64_t>(period);
#ifdef SYS_sched_setattr
  return syscall(SYS_sched_setattr, thread, &attributes, 0U) == 0 ? "" : std::strerror(errno);
#else
  return "this C library knows no sched_setattr";
#endif
}

/// Processors that this process may use.
inline std::vector<int> allowed_processors() {
  std::vector<int> processors;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int c = 0; c < CPU_SETSIZE; ++c) {
      if (CPU_ISSET(c, &set)) processors.push_back(c);
    }
  }
  return processors;
}

/// Confines a thread; 0 is the calling one.
inline std::string pin(const std::vector<int>& processors, int thread = 0) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int c : processors) CPU_SET(c, &set);
  return sched_setaffinity(thread, sizeof set, &set) == 0 ? "" : std::strerror(errno);
}

/// No page of this process is ever fetched from disk while jobs run.
inline std::string lock_memory() { return mlockall(MCL_CURRENT | MCL_FUTURE) == 0 ? "" : std::strerror(errno); }

/// Stacks of later threads: hundreds of threads with the usual 8 MiB each would all be locked in memory.
inline void small_stacks() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 512 * 1024);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

/// Timers of the calling thread fire as close to their instant as the kernel can.
inline void tight_timers() { prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

/// Levels of SCHED_FIFO: above all jobs runs what releases them.
inline constexpr int release_level = 98;
inline constexpr int launch_level = 97;  // threads that only start GPU work and wait for it
inline constexpr int highest_job_level = 95;
inline constexpr int lowest_job_level = 2;

/// A lock whose holder inherits the priority of those that wait for it; may lie in memory shared by processes.
class Lock {
 public:
  Lock() {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&mutex_, &attributes);
    pthread_mutexattr_destroy(&attributes);
  }
  ~Lock() { pthread_mutex_destroy(&mutex_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  void lock() { pthread_mutex_lock(&mutex_); }
  void unlock() { pthread_mutex_unlock(&mutex_); }
  pthread_mutex_t* native() { return &mutex_; }

 private:
  pthread_mutex_t mutex_;
};

}  // namespace common
