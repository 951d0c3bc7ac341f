// A FIFO of jobs that threads sleep on.
#pragma once

#include <semaphore.h>

#include <cerrno>
#include <deque>
#include <mutex>

#include "scheduling.hpp"
#include "table.hpp"

namespace workload {

class JobQueue {
 public:
  JobQueue() { sem_init(&available_, 0, 0); }
  ~JobQueue() { sem_destroy(&available_); }
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  void put(const Job& job) {
    {
      std::lock_guard<Lock> guard(lock_);
      jobs_.push_back(job);
    }
    sem_post(&available_);
  }

  /// Sleeps until there is a job; false after `close`, at once.
  bool take(Job& job) {
    while (sem_wait(&available_) != 0 && errno == EINTR) {
    }
    std::lock_guard<Lock> guard(lock_);
    if (closed_) {
      sem_post(&available_);  // for the next thread
      return false;
    }
    job = jobs_.front();
    jobs_.pop_front();
    return true;
  }

  void close() {
    {
      std::lock_guard<Lock> guard(lock_);
      closed_ = true;
    }
    sem_post(&available_);
  }

 private:
  Lock lock_;
  sem_t available_;
  std::deque<Job> jobs_;
  bool closed_ = false;
};

}  // namespace workload
