// A FIFO of jobs that threads sleep on. Its memory grows only when more jobs wait than ever before.
#pragma once

#include <semaphore.h>

#include <cerrno>
#include <mutex>
#include <vector>

#include "common/scheduling.hpp"
#include "table.hpp"

namespace workload {

using namespace common;

class JobQueue {
 public:
  JobQueue() { sem_init(&available_, 0, 0); }
  ~JobQueue() { sem_destroy(&available_); }
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  void put(const Job& job) {
    {
      std::lock_guard<Lock> guard(lock_);
      if (count_ == jobs_.size()) grow();
      jobs_[(first_ + count_) % jobs_.size()] = job;
      ++count_;
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
    job = jobs_[first_];
    first_ = (first_ + 1) % jobs_.size();
    --count_;
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
  void grow() {
    std::vector<Job> larger(jobs_.size() * 2);
    for (std::size_t i = 0; i < count_; ++i) larger[i] = jobs_[(first_ + i) % jobs_.size()];
    jobs_.swap(larger);
    first_ = 0;
  }

  Lock lock_;
  sem_t available_;
  std::vector<Job> jobs_ = std::vector<Job>(16);  // a ring
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  bool closed_ = false;
};

}  // namespace workload
